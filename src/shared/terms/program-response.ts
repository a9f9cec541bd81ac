import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { paperLists, paperStates } from '#shared/papers/papers.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { creditGrounds, creditKinds } from './credits.ts'
import { place } from './enrolments-response.ts'
import { enrolmentChanges, levels, termStates } from './terms.ts'

const values = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))

const change = z.object({
  at: z.iso.datetime(),
  by: z.string().nullable().describe('The name of the account; null for the portal itself.'),
  what: z.enum(enrolmentChanges),
  before: values,
  after: values,
  reason: z.string(),
})

export const programSchema = namedObject('Program', {
  nextLevel: z
    .literal(levels)
    .nullable()
    .optional()
    .describe('For who may read marks; null when both levels are done, or the student is exempt.'),
  exempt: z.boolean(),
  enrolments: z
    .array(
      z.object({
        id: z.uuid(),
        version: z.int(),
        ...place,
        term: z.object({ id: z.uuid(), label: z.string(), state: z.enum(termStates) }),
        history: z
          .array(change)
          .describe('The latest first. Empty without the permission to change enrollments.'),
      }),
    )
    .describe('Of the components that the account sees, the latest term first.'),
  credits: z
    .array(
      z.object({
        id: z.uuid(),
        kind: z.enum(creditKinds),
        level: z.literal(levels).nullable().describe('Null of an exemption.'),
        component: z.enum(nstpComponents).nullable(),
        school: z.string(),
        academicYear: z.string(),
        mark: z.string(),
        ground: z
          .enum(creditGrounds)
          .nullable()
          .describe(
            'Null without the permission for credits; school, mark, evidence and reason are empty then.',
          ),
        evidence: z.string(),
        by: z.string().nullable(),
        at: z.iso.datetime(),
        revokedAt: z.iso.datetime().nullable().describe('Null while it is valid.'),
        revokedBy: z.string().nullable(),
        revokeReason: z.string(),
      }),
    )
    .describe('The latest first.'),
  papers: z
    .array(
      z.object({
        id: z.uuid(),
        title: z.string(),
        state: z.enum(paperStates),
        list: z.enum(paperLists),
        number: z.int().describe('In the list.'),
        serial: z.string().describe("That came back; '' for none."),
      }),
    )
    .describe('That list the student, the latest first. Empty without the permission for papers.'),
})

export const addedCreditSchema = namedObject('AddedCredit', { id: z.uuid() })

export const creditedGraduatesSchema = namedObject('CreditedGraduates', {
  id: z.uuid().describe('Of the credits together, to undo them.'),
  count: z.int().describe('Students who got a credit.'),
  unchanged: z.int().describe('Students who had both levels already, or are exempt.'),
  blocked: z.int().describe('Blocked records, which are left as they are.'),
})

export const undoneCreditsSchema = namedObject('UndoneCredits', { count: z.int() })

export type CreditedGraduates = z.infer<typeof creditedGraduatesSchema>

export type Program = z.infer<typeof programSchema>
export type ProgramCredit = Program['credits'][number]
