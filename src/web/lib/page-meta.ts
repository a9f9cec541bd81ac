import type { MetaDescriptor } from 'react-router'
import { productName, type Site } from '#shared/site.ts'

interface PageMeta {
  /** Absent on the home page, which is called by the system alone. */
  title?: string
  /** For search results and link previews; pages without one stay out of search engines. */
  description?: string
  /** What the settings call the system; absent where a page failed before that was known. */
  site: Pick<Site, 'systemName' | 'schoolName'> | undefined
}

/** Title and description of a page, for the tab, search engines and link previews. */
export function pageMeta({ title, description, site }: PageMeta): MetaDescriptor[] {
  const name = site?.systemName ?? productName
  const fullTitle = [title ?? name, title === undefined ? site?.schoolName : name]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ')
  if (description === undefined) return [{ title: fullTitle }, { name: 'robots', content: 'noindex' }]
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: name },
  ]
}
