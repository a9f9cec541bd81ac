import type { MetaDescriptor } from 'react-router'
import { productName, type Site } from '#shared/site/site.ts'

/** The picture of a link preview. */
interface PreviewPicture {
  /** Below this site: '/og.png'. */
  url: string
  width: number
  height: number
}

interface PageMeta {
  /** Absent on the home page, which is called by the system alone. */
  title?: string
  /** For search results and link previews; pages without one stay out of search engines. */
  description?: string
  /** What the settings call the system, and where it is found; absent where a page failed before that was known. */
  site: (Pick<Site, 'systemName' | 'schoolName'> & { origin?: string }) | undefined
  /** The page's one address below the origin, without what only arranges it; absent where it has none. */
  path?: string
  /** In place of the product's own. */
  picture?: PreviewPicture | null
  /** Of something with a date of its own: milliseconds since 1970. */
  article?: { publishedAt: number; updatedAt: number }
}

const defaultPicture: PreviewPicture = { url: '/og.png', width: 1200, height: 630 }

/** Title, description and address of a page, for the tab, search engines and link previews. */
export function pageMeta({ title, description, site, path, picture, article }: PageMeta): MetaDescriptor[] {
  const name = site?.systemName ?? productName
  const fullTitle = [title ?? name, title === undefined ? site?.schoolName : name]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ')
  if (description === undefined) return [{ title: fullTitle }, { name: 'robots', content: 'noindex' }]
  const origin = site?.origin
  const { url, width, height } = picture ?? defaultPicture
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    property('og:title', title ?? fullTitle),
    property('og:description', description),
    property('og:type', article ? 'article' : 'website'),
    property('og:site_name', name),
    property('og:locale', 'en_PH'),
    { name: 'twitter:card', content: 'summary_large_image' },
    ...(article
      ? [
          property('article:published_time', new Date(article.publishedAt).toISOString()),
          property('article:modified_time', new Date(article.updatedAt).toISOString()),
        ]
      : []),
    ...(origin === undefined
      ? []
      : [
          property('og:image', origin + url),
          property('og:image:width', String(width)),
          property('og:image:height', String(height)),
        ]),
    ...(origin === undefined || path === undefined
      ? []
      : [property('og:url', origin + path), { tagName: 'link', rel: 'canonical', href: origin + path }]),
  ]
}

function property(name: string, content: string): MetaDescriptor {
  return { property: name, content }
}
