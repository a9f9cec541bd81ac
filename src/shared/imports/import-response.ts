import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import {
  dateOrders,
  delimiters,
  encodings,
  importFields,
  importPurposes,
  importRowStates,
  importStates,
  updateKeys,
} from './imports.ts'
import { matchedBys } from './match-people.ts'

const instant = z.iso.datetime()
const count = z.int()

const summary = z.object({
  id: z.uuid(),
  fileName: z.string(),
  createdAt: instant,
  createdBy: z.string(),
  state: z.enum(importStates),
  purpose: z.enum(importPurposes),
  termId: z.uuid().nullable().describe('Of a list of students of a term.'),
  paperId: z.uuid().nullable().describe('Of serial numbers that came back for a paper.'),
  reference: z.string().describe("Of the letter with which a list came; '' for none."),
  receivedOn: z.iso.date().nullable().describe('When a list came.'),
  reason: z.string().describe("Why marks of a closed term change; '' otherwise."),
  updateBy: z.enum(updateKeys).nullable(),
  rowCount: count,
  counts: z.object({
    ready: count,
    unchanged: count,
    problem: count,
    duplicate: count,
    skipped: count,
    unmatched: count,
    differs: count,
  }),
  importedCount: count,
  importedAt: instant.nullable(),
  undoneAt: instant.nullable(),
  hasRows: z.boolean(),
})

export const importListBody = namedObject('ImportList', { items: z.array(summary.openapi('ImportSummary')) })

const rowNumber = z.int().min(1).max(10_000_000)

export const readingChoices = z
  .strictObject({
    sheets: z
      .enum(['one', 'all'], 'Please choose the sheets: one or all.')
      .describe('All that can be seen and have known headings, or one of them.'),
    sheet: z
      .string()
      .max(100)
      .nullable()
      .default(null)
      .describe('The name of the one sheet; null for the first with known headings.'),
    hidden: z.boolean('Please say whether hidden rows, columns and sheets are read.'),
    others: z
      .boolean('Please say whether rows that are no people are read.')
      .describe('Totals, signatures, MALE and FEMALE, headings that come again.'),
    headings: z
      .array(rowNumber)
      .max(2)
      .nullable()
      .default(null)
      .describe(
        'The row of the headings, or two that are joined; none for a file without; null to find them.',
      ),
    delimiter: z
      .enum(delimiters)
      .nullable()
      .default(null)
      .describe('What parts the columns of a text file; null to find it.'),
    encoding: z.enum(encodings).nullable().default(null).describe('Of a text file; null to find it.'),
    swappedDates: z
      .array(z.string().max(200))
      .max(10)
      .default([])
      .describe('Headings of dates whose day and month are swapped, as a spreadsheet may have done.'),
  })
  .openapi('ImportReadingChoices')

export const readingNote = z
  .object({
    text: z.string(),
    presses: z
      .array(z.object({ label: z.string(), choices: readingChoices }))
      .describe('How to read the file another way.'),
  })
  .openapi('ImportReadingNote')

export const importBody = summary
  .extend({
    columns: z.array(
      z.object({ header: z.string(), samples: z.array(z.string()), guess: z.enum(importFields).nullable() }),
    ),
    guessedDateOrder: z
      .enum(dateOrders)
      .nullable()
      .describe('Null where dates can be read both ways and the file does not tell.'),
    readingNotes: z.array(readingNote).describe('What was guessed or left out when the file was read.'),
    mapping: z
      .object({
        columns: z.record(z.string(), z.enum(importFields).nullable()),
        defaults: z.partialRecord(z.enum(importFields), z.string().optional()),
        dateOrder: z.enum(dateOrders),
      })
      .nullable(),
    progress: z.object({ done: count, total: count }).nullable(),
    failure: z.string().nullable(),
    choices: z.object({ courses: z.array(z.string()), academicYears: z.array(z.string()) }),
    changedSince: count.describe('Its records changed since.'),
    deletedSince: count.describe('Updated records that were deleted since; an undo skips them.'),
    kept: count.describe(
      'Created records that an undo keeps, or has kept: their students are in a term, have a credit or exemption, or made a request.',
    ),
    moved: count.describe(
      'Enrollments that moved with their students to another component, or back by an undo, without a section.',
    ),
    others: z
      .object({
        missing: count.describe('Ours, not theirs: students of the term that this and earlier lists lack.'),
        gone: count.describe('Students whom an earlier list had, and this one lacks.'),
      })
      .nullable()
      .describe('Of a list whose rows are compared: the students of the term that it lacks.'),
    notes: z.array(z.string()).describe('What is said of a file of serial numbers or marks as a whole.'),
  })
  .openapi('Import')

const listedPerson = z.object({
  studentId: z.uuid().describe('The record.'),
  name: z.string(),
  number: z.string().describe('The student ID.'),
  course: z.string(),
  component: z.string(),
  level: z.int(),
  section: z.string().describe("'' without one."),
  mark: z.string().optional().describe('In a list of marks: what the row would replace.'),
})

export const importRowBody = namedObject('ImportRow', {
  number: count.describe('The row number in the spreadsheet.'),
  state: z.enum(importRowStates),
  values: z.partialRecord(z.enum(importFields), z.string().optional()),
  problems: z.array(z.object({ path: z.enum(importFields), message: z.string() })),
  matches: z.array(
    z.object({
      by: z.array(z.enum(['name', 'studentId', 'email', 'record'])),
      reference: z.string().nullable(),
      studentId: z.string().nullable(),
      row: z.int().nullable(),
    }),
  ),
  record: z
    .object({ id: z.uuid(), reference: z.string(), lastName: z.string(), firstName: z.string() })
    .nullable()
    .describe('The record to update.'),
  person: listedPerson
    .extend({ matchedBy: z.enum(matchedBys) })
    .nullable()
    .describe('Whom a row of a list means.'),
  candidates: z.array(listedPerson).describe('Whom it may mean: choose one by `studentId`.'),
  changes: z.array(z.object({ path: z.enum(studentFieldNames), before: z.string(), after: z.string() })),
})

export const importRowPageBody = namedObject('ImportRowPage', {
  items: z.array(importRowBody),
  refused: z
    .array(z.object({ field: z.enum(importFields), value: z.string(), count }))
    .describe('Of rows with problems: values that several rows have and the rules refuse.'),
  total: count,
  page: count,
  pageSize: count,
})

export type ImportSummary = z.infer<typeof summary>
export type ImportDetails = z.infer<typeof importBody>
export type ImportRow = z.infer<typeof importRowBody>
export type ReadingChoices = z.infer<typeof readingChoices>
export type ReadingNote = z.infer<typeof readingNote>
export type ImportMapping = NonNullable<ImportDetails['mapping']>
export type ImportMatch = ImportRow['matches'][number]
export type ImportChange = ImportRow['changes'][number]
export type ImportListedPerson = z.infer<typeof listedPerson>
export type ImportRowPage = z.infer<typeof importRowPageBody>
