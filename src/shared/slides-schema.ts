import * as z from 'zod/mini'
import { hasOddCharacters } from './field-rules.ts'
import type { FieldError } from './problem.ts'
import { slideLimits } from './slides.ts'
import { yesOrNo } from './yes-or-no.ts'

/** What a slide's texts are refused with. */
export const slideMessages = {
  tooLong: (field: string, max: number) => `Please shorten the ${field} to ${max} characters or fewer.`,
  characters: (field: string) => `Please remove the unusual characters from the ${field}.`,
  notText: (field: string) => `Please send the ${field} as text.`,
  active: 'Please say by true or false whether the slide is active.',
  ids: 'Please send the ids of all slides in their new order.',
  twice: 'A slide is listed twice in this order. Please send each once.',
}

/** A trimmed text that may be missing. */
function text(field: 'title' | 'description', lineBreaks: boolean) {
  const { characters, notText, tooLong } = slideMessages
  return z.string({ error: notText(field) }).check(
    z.trim(),
    // A form writes every line break as two characters.
    z.overwrite((value) => value.replaceAll('\r\n', '\n')),
    z.check(({ value, issues }) => {
      const max = slideLimits[field]
      const isOdd = hasOddCharacters(value) || (!lineBreaks && /[\r\n\t]/.test(value))
      const message = isOdd ? characters(field) : value.length > max ? tooLong(field, max) : undefined
      if (message) issues.push({ code: 'custom', message, input: value })
    }),
  )
}

const title = text('title', false)
const description = text('description', true)

const active = yesOrNo(slideMessages.active)

/** A new slide, without its image. */
export const newSlideSchema = z.strictObject({
  title: z._default(title, ''),
  description: z._default(description, ''),
  active: z._default(active, true),
})

/** A change of a slide: what it leaves out stays. */
export const slideChangeSchema = z.strictObject({
  title: z.optional(title),
  description: z.optional(description),
  active: z.optional(active),
})

/** The whole order at once. */
export const slideOrderSchema = z.strictObject({
  ids: z
    .array(z.string({ error: slideMessages.ids }), { error: slideMessages.ids })
    .check(z.refine((ids) => new Set(ids).size === ids.length, { error: slideMessages.twice })),
})

export type NewSlide = z.output<typeof newSlideSchema>
export type SlideChange = z.output<typeof slideChangeSchema>

/** What the form says of its texts before they are sent. */
export function problemsOfSlide(texts: Pick<NewSlide, 'title' | 'description'>): FieldError[] {
  const { error } = z.safeParse(newSlideSchema, texts)
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
}
