import type { MetaDescriptor } from 'react-router'
import { productName, type Site } from '#shared/site/site.ts'
import { translate, type Words } from '#shared/site/translation.ts'

interface PreviewPicture {
  url: string
  width: number
  height: number
}

interface PageMeta {
  title?: string | undefined
  /** Pages without one are excluded from search engines. */
  description?: string | undefined
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
    {
      loaderData: { site: PageMeta['site']; words: Words | null } | { settings: PageMeta['site'] } | undefined
    },
    ...unknown[],
  ]
  location: { pathname: string }
}

/** The `meta` of a page whose words don't depend on its data. */
export function staticMeta(words: Pick<PageMeta, 'title' | 'description'>) {
  return ({ matches: [, frame], location }: StaticMetaArgs): MetaDescriptor[] => {
    const data = frame.loaderData
    const site = data && ('site' in data ? data.site : data.settings)
    const dictionary = data && 'words' in data ? data.words : null
    const translated = (text = '') => translate(text, dictionary) || undefined
    return pageMeta({
      title: translated(words.title),
      description: translated(words.description),
      site,
      path: location.pathname,
    })
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
  const address = origin !== undefined && path !== undefined ? origin + path : undefined
  const properties: Record<string, string | number | false | undefined> = {
    'og:title': title ?? fullTitle,
    'og:description': description,
    'og:type': article ? 'article' : 'website',
    'og:site_name': name,
    'og:locale': 'en_PH',
    'og:url': address,
    'og:image': origin !== undefined && origin + url,
    'og:image:width': origin !== undefined && width,
    'og:image:height': origin !== undefined && height,
    'article:published_time': article && new Date(article.publishedAt).toISOString(),
    'article:modified_time': article && new Date(article.updatedAt).toISOString(),
  }
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    { name: 'twitter:card', content: 'summary_large_image' },
    ...Object.entries(properties)
      .filter(([, content]) => content)
      .map(([property, content]) => ({ property, content: String(content) })),
    ...(address === undefined ? [] : [{ tagName: 'link', rel: 'canonical', href: address }]),
  ]
}
