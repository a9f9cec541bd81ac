import * as z from 'zod/mini'
import { fieldMessages, isEmail } from './field-rules.ts'
import { line } from './form-text.ts'
import { featureIcons, siteTextLimits as limits } from './site-texts.ts'

/** What a list of the site that can't be kept is answered with. */
export const siteTextMessages = {
  features: `Please give at most ${limits.features} features.`,
  testimonials: `Please give at most ${limits.testimonials} testimonials.`,
  icon: 'Please choose one of the pictures.',
}

const optional = { required: false }

function itemsOf<T extends z.ZodMiniType>(item: T, max: number, error: string) {
  return z.readonly(z.array(item, { error }).check(z.maxLength(max, { error })))
}

const email = line('email address', limits.email, {
  required: false,
  check: (text) => (isEmail(text) ? undefined : fieldMessages.email),
})
const phone = line('phone number', limits.phone, optional)

const feature = z.strictObject({
  icon: z.enum(featureIcons, { error: siteTextMessages.icon }),
  title: line('title of the feature', limits.title),
  text: line('text of the feature', limits.text),
})

const testimonial = z.strictObject({
  quote: line('words of the testimonial', limits.quote),
  attribution: line('name under the testimonial', limits.attribution),
})

/** The rules of the texts that the coordinator may word (site-texts.ts). */
export const siteTextFields = {
  hero: z.strictObject({
    eyebrow: line('line above the title', limits.eyebrow, optional),
    title: line('title', limits.title),
    text: line('text under the title', limits.text),
  }),
  features: z.strictObject({
    title: line('heading', limits.title),
    items: itemsOf(feature, limits.features, siteTextMessages.features),
  }),
  testimonials: z.strictObject({
    title: line('heading', limits.title),
    items: itemsOf(testimonial, limits.testimonials, siteTextMessages.testimonials),
  }),
  contact: z.strictObject({
    office: line('name of the office', limits.line),
    address: line('address', limits.address, optional),
    email,
    phone,
    hours: line('office hours', limits.line, optional),
  }),
  dataProtection: z.strictObject({
    officer: line('name of the officer', limits.line, optional),
    email,
    phone,
  }),
}

/** The texts as they are given out. */
export const siteTextsSchema = z.object(siteTextFields)
