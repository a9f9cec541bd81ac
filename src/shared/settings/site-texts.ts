import type * as z from 'zod/mini'
import type { CalendarDate } from '#shared/program-calendar.ts'
import defaults from './default-site-texts.json' with { type: 'json' }
import type { siteTextsSchema } from './settings-schema.ts'

export type SiteTexts = z.output<typeof siteTextsSchema>
export type FeatureIcon = SiteTexts['features']['items'][number]['icon']

const icons = ['calendar', 'document', 'phone', 'lock'] as const
const { title, items } = defaults.features

export const defaultSiteTexts: SiteTexts = {
  ...defaults,
  features: { title, items: icons.map((icon) => ({ icon, ...items[icon] })) },
}

/** For visitors. Nobody said the sample quotes, so they are left out until the office has its own. */
export function siteTextsOf(texts: SiteTexts): SiteTexts {
  const { hero, features, testimonials, componentFacts, termDates, contact, officeLinks, dataProtection } =
    texts
  const samples = new Set(defaults.testimonials.items.map(({ quote }) => quote))
  const own = testimonials.items.filter(({ quote }) => !samples.has(quote))
  const voices = { ...testimonials, items: own }
  const office = { contact, officeLinks, dataProtection }
  return { hero, features, testimonials: voices, componentFacts, termDates, ...office }
}

/** From today on, the next first. */
export function datesAhead(dates: SiteTexts['termDates'], today: CalendarDate): SiteTexts['termDates'] {
  return dates.filter(({ date }) => date >= today).sort((one, other) => (one.date < other.date ? -1 : 1))
}
