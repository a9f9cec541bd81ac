import type * as z from 'zod/mini'
import { calendarDateOf } from '#shared/program-calendar.ts'
import {
  type EnlistmentSetting,
  enlistmentState,
  lastDayToEnlist,
} from '#shared/registration/enlistment-state.ts'
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

const lastDayLabel = 'Enlistment until'

/**
 * The days of the semester from today on, the next first; several of one day in the order of the office. The
 * last day to enlist is among them by itself, unless the office listed a day of that name. While nobody can enlist, what
 * the office listed is left out: enlistment may have closed before its day.
 */
export function datesAhead(
  { termDates, enlistment }: Pick<SiteTexts, 'termDates'> & { enlistment: EnlistmentSetting },
  now: Date,
  timeZone: string,
): SiteTexts['termDates'] {
  const today = calendarDateOf(now, timeZone)
  const { isOpen } = enlistmentState(enlistment, now, timeZone)
  const isLastDay = (label: string) => label.toLowerCase() === lastDayLabel.toLowerCase()
  const ahead = termDates.filter(({ date, label }) => date >= today && (isOpen || !isLastDay(label)))
  const lastDay = lastDayToEnlist(enlistment, now, timeZone)
  const isListed = ahead.some(({ label }) => isLastDay(label))
  const added = lastDay === null || isListed ? [] : [{ label: lastDayLabel, date: lastDay }]
  return [...added, ...ahead].sort((one, other) => one.date.localeCompare(other.date))
}
