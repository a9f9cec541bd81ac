import type * as z from 'zod/mini'
import defaults from './default-site-texts.json' with { type: 'json' }
import type { siteTextsSchema } from './settings-schema.ts'

export type SiteTexts = z.output<typeof siteTextsSchema>
export type FeatureIcon = SiteTexts['features']['items'][number]['icon']

const icons = ['phone', 'signal', 'document', 'lock'] as const
const { title, items } = defaults.features

export const defaultSiteTexts: SiteTexts = {
  ...defaults,
  features: { title, items: icons.map((icon) => ({ icon, ...items[icon] })) },
}

/** For visitors. Nobody said the sample quotes, so they are left out until the office has its own. */
export function siteTextsOf(texts: SiteTexts): SiteTexts {
  const { hero, features, testimonials, contact, officeLinks, dataProtection } = texts
  const samples = new Set(defaults.testimonials.items.map(({ quote }) => quote))
  const own = testimonials.items.filter(({ quote }) => !samples.has(quote))
  return {
    hero,
    features,
    testimonials: { ...testimonials, items: own },
    contact,
    officeLinks,
    dataProtection,
  }
}
