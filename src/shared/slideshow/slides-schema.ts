import * as z from 'zod/mini'
import { formText, yesOrNo } from '#shared/form-text.ts'
import type { FieldError } from '#shared/problem.ts'
import { fieldErrors } from '#shared/problem.ts'
import { slideLimits } from './slides.ts'

const slideMessages = {
  active: 'Please say by true or false whether the slide is active.',
  ids: 'Please send the ids of all slides in their new order.',
  twice: 'A slide is listed twice in this order. Please send each once.',
}

const title = formText('title', { max: slideLimits.title })
const description = formText('description', { max: slideLimits.description, multiline: true })

const active = yesOrNo(slideMessages.active)

export const newSlideSchema = z.strictObject({
  title: z._default(title, ''),
  description: z._default(description, ''),
  active: z._default(active, true),
})

export const slideChangeSchema = z.strictObject({
  title: z.optional(title),
  description: z.optional(description),
  active: z.optional(active),
})

export const slideOrderSchema = z.strictObject({
  ids: z
    .array(z.string({ error: slideMessages.ids }), { error: slideMessages.ids })
    .check(z.refine((ids) => new Set(ids).size === ids.length, { error: slideMessages.twice })),
})

export type NewSlide = z.output<typeof newSlideSchema>
export type SlideChange = z.output<typeof slideChangeSchema>

export function problemsOfSlide(texts: Pick<NewSlide, 'title' | 'description'>): FieldError[] {
  const { error } = z.safeParse(newSlideSchema, texts)
  return fieldErrors(error)
}
