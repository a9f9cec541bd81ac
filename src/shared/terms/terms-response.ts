import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { levels, sectionTakes, semesters, termStates } from './terms.ts'

const count = z.number().int().min(0)

export const termSchema = namedObject('Term', {
  id: z.uuid(),
  academicYear: z.string().openapi({ example: '2026-2027' }),
  semester: z.literal(semesters).describe('3 is the summer.'),
  startsOn: z.iso.date(),
  endsOn: z.iso.date(),
  state: z.enum(termStates),
  version: z.number().int(),
})

export const termListSchema = namedObject('TermList', { items: z.array(termSchema) })

export const termSummarySchema = namedObject('TermSummary', {
  items: z
    .array(
      z.object({
        component: z.enum(nstpComponents),
        level: z.literal(levels),
        sections: count,
        capacity: count.describe('Of all sections.'),
        placed: count.describe('Enrolled students with a section.'),
        withoutSection: count.describe('Enrolled students without one.'),
        waiting: count.describe('Students who aren’t enrolled, and whose next level it is.'),
      }),
    )
    .describe('One for each component that the account sees, and level.'),
})

export const sectionSchema = namedObject('Section', {
  id: z.uuid(),
  component: z.enum(nstpComponents),
  level: z.literal(levels),
  unit: z.string().describe("'' for none, as for adviser and meets."),
  name: z.string(),
  capacity: count,
  takes: z.enum(sectionTakes),
  courses: z.array(z.string()).describe('Empty: all.'),
  adviser: z.string(),
  meets: z.string(),
  students: count.describe('Enrolled now.'),
  version: z.number().int(),
})

export const sectionListSchema = namedObject('SectionList', { items: z.array(sectionSchema) })

export type Term = z.infer<typeof termSchema>
export type TermSummary = z.infer<typeof termSummarySchema>
export type Section = z.infer<typeof sectionSchema>
