import type { AnnouncementAddress } from '#server/features/announcements/service.ts'
import { xmlEscape } from '#server/xml-escape.ts'
import { announcementPath } from '#shared/announcement-paths.ts'
import { publicPages } from '#shared/public-pages.ts'

/** The most addresses that one sitemap may hold (sitemaps.org). */
export const maxAddresses = 50_000

/** Every public page by its one address. @param announcements those that are public now */
export function sitemapXml(origin: string, announcements: readonly AnnouncementAddress[]): string {
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

/** An address as XML text. */
function escaped(address: string): string {
  return xmlEscape(encodeURI(address))
}
