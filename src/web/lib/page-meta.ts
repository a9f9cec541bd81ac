import type { MetaDescriptor } from 'react-router'
import { productName, type Site } from '#shared/site/site.ts'

interface PreviewPicture {
  url: string
  width: number
  height: number
}

interface PageMeta {
  title?: string
  /** Pages without one are excluded from search engines. */
  description?: string
  site: (Pick<Site, 'systemName' | 'schoolName'> & { origin?: string }) | undefined
  /** Canonical path; absent where there is none. */
  path?: string
  picture?: PreviewPicture | null
  /** Milliseconds since 1970. */
  article?: { publishedAt: number; updatedAt: number }
}

export interface StaticMetaArgs {
  matches: readonly [
    unknown,
    { loaderData: { site: PageMeta['site'] } | { settings: PageMeta['site'] } | undefined },
    ...unknown[],
  ]
  location: { pathname: string }
}

/** The `meta` of a page whose words don't depend on its data. */
export function staticMeta(words: Pick<PageMeta, 'title' | 'description'>) {
  return ({ matches: [, frame], location }: StaticMetaArgs): MetaDescriptor[] => {
    const data = frame.loaderData
    const site = data && ('site' in data ? data.site : data.settings)
    return pageMeta({ ...words, site, path: location.pathname })
  }
}

const defaultPicture: PreviewPicture = { url: '/og.png', width: 1200, height: 630 }

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
