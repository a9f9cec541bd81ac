import type { MetaDescriptor } from 'react-router'

export const productName = 'NSTP Portal'

interface PageMeta {
  title: string
  /** For search results and link previews; pages without one stay out of search engines. */
  description?: string
}

/** Title and description of a page, for the tab, search engines and link previews. */
export function pageMeta({ title, description }: PageMeta): MetaDescriptor[] {
  const fullTitle = title === productName ? title : `${title} · ${productName}`
  if (description === undefined) return [{ title: fullTitle }, { name: 'robots', content: 'noindex' }]
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: productName },
  ]
}
