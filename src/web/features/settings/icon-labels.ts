import type { FeatureIcon } from '#shared/site-texts.ts'

/** What the pictures of features show. */
export const iconLabels: Record<FeatureIcon, string> = {
  phone: 'A phone',
  signal: 'A signal',
  document: 'A document',
  lock: 'A lock',
  people: 'People',
  calendar: 'A calendar',
}
