import * as z from 'zod/mini'
import { shapeError, someOf } from '#shared/field-rules.ts'
import { line } from '#shared/form-text.ts'
import { markingMessages, mostInMark, writtenMark } from './marking.ts'

/** A whole section: its capacity ends there. */
export const mostMarksAtOnce = 1_000

/** Letters in why marks are changed after the term. */
export const mostInReason = 300

export const marksMessages = {
  items: `Please send 1 to ${mostMarksAtOnce.toLocaleString('en-US')} marks.`,
  twice: 'Please send one mark for each student.',
  reason: 'Please enter why marks are changed after the term.',
  gone: 'Somebody is no longer on this list, so no mark was saved. Please look at the list again.',
  tooMany: `More than ${mostMarksAtOnce.toLocaleString('en-US')} students have no section. Please place them first.`,
  twoLevels: (name: string) => `${name} is in both levels of this term. Please enter this mark in Marks.`,
  passedBefore: (name: string, term: string) => `${name} already passed this level in ${term}.`,
} as const

const shape = shapeError('Please send marks.')

const markOfStudent = z.strictObject(
  {
    // The enrolment's id, with its version when the mark was typed.
    id: z.uuid(marksMessages.items),
    version: z.int(marksMessages.items),
    mark: z
      .string(markingMessages.text)
      .check(z.overwrite(writtenMark), z.maxLength(mostInMark, markingMessages.text)),
  },
  shape,
)

export const marksSchema = z.strictObject(
  {
    items: someOf(markOfStudent, mostMarksAtOnce, marksMessages.items).check(
      z.refine((items) => new Set(items.map(({ id }) => id)).size === items.length, marksMessages.twice),
    ),
    // Required for a closed term.
    reason: z._default(line('reason', mostInReason, { required: false }), ''),
  },
  shape,
)

export type Marks = z.output<typeof marksSchema>
