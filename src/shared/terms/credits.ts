import * as z from 'zod/mini'
import { shapeError, someOf } from '#shared/field-rules.ts'
import { line } from '#shared/form-text.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { isAcademicYear } from '#shared/students/students.ts'
import { type Level, levels, sectionMessages, termMessages } from './terms.ts'

/** A credit is of one level, an exemption of both. */
export const creditKinds = ['credit', 'exemption'] as const
export type CreditKind = (typeof creditKinds)[number]

/** The ground of a credit of who completed NSTP before the office kept terms here. */
export const earlierGraduate = 'graduated before this system' as const

export const creditGrounds = [
  'transferee',
  'shifter',
  'previous degree',
  'foreign national',
  earlierGraduate,
  'other',
] as const
export type CreditGround = (typeof creditGrounds)[number]

export const creditLimits = { school: 120, mark: 20, evidence: 300, reason: 300, together: 2_000 } as const

export const creditMessages = {
  kind: 'Please choose credit or exemption.',
  ground: 'Please choose the ground.',
  year: 'Please enter the academic year in which they completed it.',
  notEarlier: 'This system has marks from this year on. Enter an earlier year, or the marks.',
  notExempt: 'Who graduated before this system gets credits, no exemption.',
  students: `Please select 1 to ${creditLimits.together.toLocaleString('en-US')} students.`,
  tooLate: 'These credits can no longer be undone. Revoke them one by one.',
  missing: 'This credit could not be found.',
  hasOne: 'This student already has a credit of this level.',
  isExempt: 'This student is exempt already.',
  passed: 'This student already passed this level.',
  passedAndCredited: 'One record passed a level that is credited to the other. Revoke the credit first.',
  ofBoth: (what: string) => `Both records have ${what}. Revoke one first.`,
} as const

interface OfKind {
  kind: CreditKind
  level: Level | null
}

interface OfGround {
  kind: CreditKind
  ground: CreditGround
  academicYear: string
}

const isYearGiven = ({ ground, academicYear }: Pick<OfGround, 'ground' | 'academicYear'>) =>
  ground !== earlierGraduate || academicYear !== ''

export const creditSchema = z
  .strictObject(
    {
      kind: z.enum(creditKinds, creditMessages.kind),
      // The level that is credited; null for an exemption.
      level: z._default(z.nullable(z.literal(levels, sectionMessages.level)), null),
      // Null means that the component is unknown.
      component: z._default(z.nullable(z.enum(nstpComponents, sectionMessages.component)), null),
      school: z._default(line('school', creditLimits.school, { required: false }), ''),
      academicYear: z._default(
        z.string(termMessages.academicYear).check(
          z.trim(),
          z.refine((year) => year === '' || isAcademicYear(year), termMessages.academicYear),
        ),
        '',
      ),
      mark: z._default(line('mark', creditLimits.mark, { required: false }), ''),
      ground: z.enum(creditGrounds, creditMessages.ground),
      evidence: line('evidence', creditLimits.evidence),
    },
    shapeError('Please send one credit or exemption.'),
  )
  .check(
    z.refine<OfKind>(({ kind, level }) => (kind === 'credit') === (level !== null), {
      path: ['level'],
      error: sectionMessages.level,
    }),
    z.refine<OfGround>(({ kind, ground }) => kind === 'credit' || ground !== earlierGraduate, {
      path: ['ground'],
      error: creditMessages.notExempt,
    }),
    z.refine<OfGround>(isYearGiven, { path: ['academicYear'], error: creditMessages.year }),
  )

export type NewCredit = z.output<typeof creditSchema>

/** Credits of both levels, for many who graduated before this system. */
export const earlierGraduatesSchema = z.strictObject(
  {
    students: someOf(z.uuid(creditMessages.students), creditLimits.together, creditMessages.students),
    academicYear: z.string(creditMessages.year).check(
      z.trim(),
      z.refine((year) => isAcademicYear(year), creditMessages.year),
    ),
    // Null means the component of each record.
    component: z._default(z.nullable(z.enum(nstpComponents, sectionMessages.component)), null),
    evidence: line('evidence', creditLimits.evidence),
  },
  shapeError('Please send who graduated, when, and what shows it.'),
)
export type EarlierGraduates = z.output<typeof earlierGraduatesSchema>

export const revokeSchema = z.strictObject(
  { reason: line('reason', creditLimits.reason) },
  shapeError('Please send why it is revoked.'),
)

/** @param done levels that are passed or credited. @returns null where both are done, or the student is exempt */
export function nextLevelOf({ done, isExempt }: { done: readonly Level[]; isExempt: boolean }): Level | null {
  if (isExempt) return null
  if (!done.includes(1)) return 1
  return done.includes(2) ? null : 2
}
