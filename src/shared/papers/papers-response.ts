import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { levels } from '#shared/terms/terms.ts'
import { layoutCodes, paperFields, paperLists, paperPurposes, paperStates } from './papers.ts'

const count = z.int().min(0)

const ofSexes = z.object({ Male: count, Female: count })
const ofComponents = z.object({ ROTC: ofSexes, CWTS: ofSexes, LTS: ofSexes })

const paperCountsSchema = namedObject('PaperCounts', {
  enrolment: ofComponents,
  graduates: ofComponents,
})

export const paperSchema = namedObject('Paper', {
  id: z.uuid(),
  layout: z.enum(layoutCodes),
  title: z.string(),
  academicYear: z.string().openapi({ example: '2026-2027' }),
  term: z.object({ id: z.uuid(), label: z.string() }).nullable(),
  components: z.array(z.enum(nstpComponents)),
  options: z.object({ listsRotc: z.boolean(), ofGraduates: z.boolean(), level: z.literal(levels) }),
  state: z.enum(paperStates),
  dueOn: z.iso.date().nullable(),
  sentOn: z.iso.date().nullable(),
  sentHow: z.string(),
  answeredOn: z.iso.date().nullable().describe('When it was accepted or returned.'),
  agencyReference: z.string(),
  note: z.string(),
  follows: z.object({ id: z.uuid(), title: z.string() }).nullable().describe('The paper that it corrects.'),
  counts: z.union([paperCountsSchema, z.null()]).describe('Null for a draft.'),
  ownWorkbook: z
    .string()
    .nullable()
    .describe('The file that it is written into; null for the form of the portal.'),
  digest: z.string().nullable().describe('SHA-256 of the frozen definition and cells.'),
  rows: count.describe('Of the lists, once frozen.'),
  graduates: count.describe('Rows that a serial number is asked for.'),
  serials: count.describe('Rows whose serial number came back.'),
  erased: count.describe('People who were erased after it was frozen.'),
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  frozenBy: z.string().nullable(),
  frozenAt: z.iso.datetime().nullable(),
  version: z.int(),
})

export const paperListSchema = namedObject('PaperList', { items: z.array(paperSchema) })

export const paperRowsSchema = namedObject('PaperRows', {
  heads: z.array(z.string()),
  items: z.array(
    z.object({
      list: z.enum(paperLists),
      number: z.int(),
      studentId: z.uuid().nullable(),
      cells: z.array(z.string()).describe('By the heads; empty when the person was erased.'),
      serial: z.string().describe("That came back; '' for none."),
    }),
  ),
  total: count,
  page: z.int(),
  pageSize: z.int(),
})

const findingSchema = z.object({
  code: z.string().openapi({ example: 'K14' }),
  severity: z.enum(['stop', 'ask', 'note']),
  title: z.string().openapi({ example: 'Town and province' }),
  total: count,
  open: count.describe('Without an answer.'),
  people: z
    .array(
      z.object({
        subject: z.string().describe('What an answer names.'),
        ids: z.array(z.uuid()).describe('One, the two of a pair, or none where a setting is meant.'),
        versions: z.array(z.int()),
        name: z.string(),
        sentence: z.string().openapi({ example: 'Pulilan is in Bulacan.' }),
        fixes: z
          .array(z.object({ field: z.enum(paperFields), before: z.string(), after: z.string() }))
          .describe('What the rule proposes; none where a person decides.'),
        typed: z
          .object({ field: z.enum(paperFields), value: z.string() })
          .nullable()
          .describe('What is wrong and can be typed; null where the rule proposes a value.'),
        enrolment: z
          .object({
            termId: z.uuid(),
            component: z.enum(nstpComponents),
            level: z.literal(levels),
            sectionId: z.uuid().nullable(),
          })
          .nullable()
          .describe('Where the mark is entered; null where a credit counts, or nobody is meant.'),
        isMeant: z.boolean(),
        reason: z.string().describe("Why it is meant; ''."),
      }),
    )
    .describe('200 at most; those without an answer first.'),
})

export const paperCheckSchema = namedObject('PaperCheck', {
  ready: count.describe('People whom the paper lists.'),
  unlisted: count.describe('People whom it counts and does not list by name.'),
  counts: paperCountsSchema.describe('Whom it counts, as its Summary will.'),
  stops: count.describe('What must be fixed before it can be frozen.'),
  findings: z.array(findingSchema),
  leftOut: z.array(z.object({ studentId: z.uuid(), name: z.string(), code: z.string(), reason: z.string() })),
  preview: z.array(z.array(z.string())).describe('Headings, and the first 20 rows.'),
  basis: z.string().describe('Send it to freeze what was checked.'),
})

const layoutBaseSchema = z.object({
  fileName: z.string(),
  removed: z
    .array(z.string())
    .describe('Of what was uploaded.')
    .openapi({ example: ['macros', '2 external links'] }),
  uploadedAt: z.iso.datetime(),
  uploadedBy: z.string().nullable(),
})

const unknownHeadingsSchema = z.object({
  sheet: z.int().describe('Of the layout, from 0.'),
  name: z.string(),
  columns: z
    .array(z.object({ column: z.string(), head: z.string() }))
    .describe('Of the workbook, those that nothing is written into yet.'),
  missing: z.array(
    z.object({
      value: z.string(),
      head: z.string(),
      proposed: z.string().describe("The column at its place; '' where that is taken."),
    }),
  ),
})

export const baseAnswerSchema = namedObject('LayoutBaseAnswer', {
  base: layoutBaseSchema.nullable().describe('Null while headings are unknown: nothing is stored.'),
  unknown: z.array(unknownHeadingsSchema).describe('Send the file again with their `columns`.'),
})

const layoutItemSchema = z.object({
  code: z.enum(layoutCodes),
  title: z.string(),
  agency: z.string(),
  purpose: z.enum(paperPurposes),
  components: z.array(z.enum(nstpComponents)),
  isOfOneComponent: z.boolean(),
  takesTerm: z.boolean(),
  takesLevel: z.boolean(),
  options: z.array(z.enum(['listsRotc', 'ofGraduates'])),
  isConfirmed: z.boolean().describe('Whether the office has confirmed that its agency takes it so.'),
  takesBase: z.boolean().describe('Whether an own workbook of the office can be used.'),
  base: layoutBaseSchema.nullable().describe('The own workbook that papers are frozen with.'),
})

export const layoutListSchema = namedObject('LayoutList', { items: z.array(layoutItemSchema) })

export type LayoutItem = z.infer<typeof layoutItemSchema>
export type LayoutBase = z.infer<typeof layoutBaseSchema>
export type BaseAnswer = z.infer<typeof baseAnswerSchema>
export type UnknownHeadings = z.infer<typeof unknownHeadingsSchema>
export type Paper = z.infer<typeof paperSchema>
export type PaperCounts = z.infer<typeof paperCountsSchema>
export type PaperRows = z.infer<typeof paperRowsSchema>
export type Finding = z.infer<typeof findingSchema>
export type PaperCheck = z.infer<typeof paperCheckSchema>
