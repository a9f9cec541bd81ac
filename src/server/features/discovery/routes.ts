import { Hono } from 'hono'
import type { AnnouncementsService } from '#server/features/announcements/service.ts'
import type { AppEnv } from '#server/http/context.ts'
import type { Site } from '#shared/site.ts'
import { webManifest } from './manifest.ts'
import { robotsText } from './robots.ts'
import { maxAddresses, sitemapXml } from './sitemap.ts'

interface DiscoveryRoutesOptions {
  announcements: Pick<AnnouncementsService, 'addresses'>
  site: () => Site
  /** Where the public finds this site, by a request's own address where nothing else is known. */
  originOf: (requestUrl: string) => string
}

/** What search engines and phones ask for beside the pages, by the names that they ask for. */
export function createDiscoveryRoutes({ announcements, site, originOf }: DiscoveryRoutesOptions) {
  return new Hono<AppEnv>()
    .get('/robots.txt', (c) => {
      c.header('Cache-Control', 'no-cache')
      return c.text(robotsText(originOf(c.req.url)))
    })
    .get('/sitemap.xml', async (c) => {
      const xml = sitemapXml(originOf(c.req.url), await announcements.addresses(maxAddresses))
      return c.body(xml, 200, {
        'Content-Type': 'application/xml; charset=utf-8',
        'Cache-Control': 'no-cache',
      })
    })
    .get('/site.webmanifest', (c) =>
      c.body(JSON.stringify(webManifest(site())), 200, {
        'Content-Type': 'application/manifest+json; charset=utf-8',
        'Cache-Control': 'no-cache',
      }),
    )
}
