import * as z from 'zod/mini'
import { shapeError, someOf } from '#shared/field-rules.ts'
import { line } from '#shared/form-text.ts'
import { schemeLimits } from './mark-scheme.ts'
import { markingMessages, mostInMark, writtenMark } from './marking.ts'

/** A whole section: its capacity ends there. */
export const mostMarksAtOnce = 1_000

/** All parts of a whole section. */
export const mostScoresAtOnce = mostMarksAtOnce * schemeLimits.parts

/** Letters in why marks are changed after the term. */
export const mostInReason = 300

export const marksMessages = {
  items: `Please send 1 to ${mostMarksAtOnce.toLocaleString('en-US')} marks.`,
  twice: 'Please send one mark for each student.',
  reason: 'Please enter why marks are changed after the term.',
  against: 'Please enter why the mark is another one than the parts give.',
  scores: `Please send 1 to ${mostScoresAtOnce.toLocaleString('en-US')} scores.`,
  heading:
    'The first row is a text. If it is a heading, please cancel and copy without it: otherwise each student gets what is of another.',
  scoreTwice: 'Please send one score for each student and part.',
  score: (top: number) => `Please enter a score from 0 to ${top}, with two decimals at most.`,
  noPart: 'The parts of the mark were changed meanwhile. Please look at the list again.',
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
    // Whether it is what the parts give, and is stored with them. If they give another one by now, it isn't saved.
    isProposed: z._default(z.boolean(marksMessages.items), false),
  },
  shape,
)

export const marksSchema = z.strictObject(
  {
    items: someOf(markOfStudent, mostMarksAtOnce, marksMessages.items).check(
      z.refine((items) => new Set(items.map(({ id }) => id)).size === items.length, marksMessages.twice),
    ),
    // Required for a closed term, and for a number against what the parts give.
    reason: z._default(line('reason', mostInReason, { required: false }), ''),
  },
  shape,
)

export type Marks = z.output<typeof marksSchema>

// Null is no score.
const score = z.nullable(z.number(marksMessages.scores))

const scoreOfStudent = z.strictObject(
  // The enrolment's id, the key of the part, and the score that was there when this one was typed.
  {
    id: z.uuid(marksMessages.scores),
    part: z.string(marksMessages.scores).check(z.maxLength(schemeLimits.key, marksMessages.scores)),
    seen: score,
    score,
  },
  shapeError('Please send scores.'),
)

export const scoresSchema = z.strictObject(
  {
    items: someOf(scoreOfStudent, mostScoresAtOnce, marksMessages.scores).check(
      z.refine(
        (items) => new Set(items.map(({ id, part }) => `${id} ${part}`)).size === items.length,
        marksMessages.scoreTwice,
      ),
    ),
  },
  shapeError('Please send scores.'),
)

export type SentScores = z.output<typeof scoresSchema>
