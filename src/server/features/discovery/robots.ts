import { previewPaths, privatePaths } from '#shared/public-pages.ts'

/** What search engines and link previews may read (RFC 9309), and where the list of pages is. */
export function robotsText(origin: string): string {
  return [
    'User-agent: *',
    ...previewPaths.map((path) => `Allow: ${path}`),
    ...privatePaths.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')
}
