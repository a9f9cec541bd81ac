import * as z from 'zod/mini'
import defaults from './default-site-texts.json' with { type: 'json' }
import { siteTextsSchema } from './settings-schema.ts'

export type SiteTexts = z.output<typeof siteTextsSchema>
export type FeatureIcon = SiteTexts['features']['items'][number]['icon']

export const defaultSiteTexts = z.parse(siteTextsSchema, defaults)

export function siteTextsOf({ hero, features, testimonials, contact, dataProtection }: SiteTexts): SiteTexts {
  return { hero, features, testimonials, contact, dataProtection }
}
