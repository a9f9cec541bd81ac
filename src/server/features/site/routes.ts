import { Hono } from 'hono'
import type { AnnouncementAddress, AnnouncementsService } from '#server/features/announcements/service.ts'
import { cachedFor } from '#server/http/cache/cached-routes.ts'
import type { AppEnv } from '#server/http/context.ts'
import { xmlEscape } from '#server/lib/xml-escape.ts'
import { announcementPath } from '#shared/announcements/announcements.ts'
import { previewPaths, privatePaths, publicPages } from '#shared/site/public-pages.ts'
import type { Site } from '#shared/site/site.ts'

interface DiscoveryRoutesOptions {
  announcements: Pick<AnnouncementsService, 'addresses'>
  site: () => Site
  originOf: (requestUrl: string) => string
}

export function createDiscoveryRoutes({ announcements, site, originOf }: DiscoveryRoutesOptions) {
  return new Hono<AppEnv>()
    .get('/robots.txt', cachedFor([]), (c) => {
      c.header('Cache-Control', 'no-cache')
      return c.text(robotsText(originOf(c.req.url)))
    })
    .get('/sitemap.xml', cachedFor(['announcements']), async (c) => {
      const xml = sitemapXml(originOf(c.req.url), await announcements.addresses(maxAddresses))
      return c.body(xml, 200, {
        'Content-Type': 'application/xml; charset=utf-8',
        'Cache-Control': 'no-cache',
      })
    })
    .get('/site.webmanifest', cachedFor(['settings']), (c) =>
      c.body(JSON.stringify(webManifest(site())), 200, {
        'Content-Type': 'application/manifest+json; charset=utf-8',
        'Cache-Control': 'no-cache',
      }),
    )
}

// RFC 9309.
function robotsText(origin: string): string {
  return [
    'User-agent: *',
    ...previewPaths.map((path) => `Allow: ${path}`),
    ...privatePaths.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}

const shortNameLength = 12

function webManifest({ systemName, schoolName }: Pick<Site, 'systemName' | 'schoolName'>) {
  return {
    id: '/',
    name: schoolName === '' ? systemName : `${systemName} · ${schoolName}`,
    short_name: systemName.length > shortNameLength ? 'NSTP' : systemName,
    description: 'Enlistment and announcements of the National Service Training Program (Republic Act 9163).',
    lang: 'en-PH',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    background_color: '#f4f7f4',
    theme_color: '#0f3d2e',
    icons: [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}

// Limit of sitemaps.org.
const maxAddresses = 50_000

function sitemapXml(origin: string, announcements: readonly AnnouncementAddress[]): string {
  const entries = [
    ...publicPages.map((path) => `<url><loc>${escaped(origin + path)}</loc></url>`),
    ...announcements.map(
      ({ id, changedAt }) =>
        `<url><loc>${escaped(origin + announcementPath(id))}</loc><lastmod>${changedAt.toISOString()}</lastmod></url>`,
    ),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
}

function escaped(address: string): string {
  return xmlEscape(encodeURI(address))
}
