import { z } from '@hono/zod-openapi'
import { knownFilters, wholeNumber } from '#server/http/schemas.ts'
import { pick } from '#server/lib/change.ts'
import type { ImportDetails, ImportRow, ImportSummary } from '#shared/imports/import-response.ts'
import {
  dateOrders,
  fieldsOfImport,
  type ImportField,
  type ImportPurpose,
  identityFields,
  importFields,
  importPurposes,
  importRowStates,
  importSentences,
  joinedFields,
  personFields,
  termListPurposes,
  updateKeys,
} from '#shared/imports/imports.ts'
import { mostInReason } from '#shared/terms/marks.ts'
import { guessColumns } from './column-guess.ts'
import type { NamedImport } from './imports-repository.ts'
import { isArchived } from './row-fields.ts'
import type { StoredRow } from './rows-repository.ts'

const field = z.enum(importFields, 'Please choose one of the listed fields.')
const dateOrder = z.enum(dateOrders, `Please choose the order of dates: ${dateOrders.join(' or ')}.`)
const longestValue = 4_000

const columnChoices = z.record(
  z.string().regex(/^\d{1,3}$/, 'Please name each column by its index, from 0.'),
  field.nullable(),
  'Please choose a field for each column.',
)

const values = z.partialRecord(
  field,
  z
    .string('Please send each value as text.')
    .max(longestValue, `Please shorten the value to ${longestValue} characters.`),
  'Please send the values by the names of the fields.',
)

export const mappingBody = z
  .strictObject({
    columns: columnChoices.refine((columns) => {
      const chosen = Object.values(columns).filter(
        (choice) => choice !== null && !joinedFields.includes(choice),
      )
      return new Set(chosen).size === chosen.length
    }, 'Please choose each field for one column only.'),
    defaults: values.default({}).describe('For rows without a value.'),
    dateOrder: dateOrder.default('month-first'),
    updateBy: z
      .enum(updateKeys, 'Please choose what to find the records by: reference or studentId.')
      .nullable()
      .default(null)
      .describe('The field that identifies the records to update; null to add records.'),
    consent: z
      .literal(true, importSentences.consent)
      .optional()
      .describe('Confirms paper consent; for new records.'),
  })
  .superRefine(({ columns, defaults, updateBy }, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (updateBy === null) return
    if (!Object.values(columns).includes(updateBy)) problem('columns', importSentences.noKey(updateBy))
    if (Object.keys(defaults).length > 0) problem('defaults', importSentences.noDefaults)
  })
  .openapi('ImportMapping')

export const rowChangeBody = z
  .strictObject({
    values: values.optional().describe('Corrected values by field.'),
    skip: z.boolean('Please say whether to skip the row.').optional(),
    take: z
      .boolean('Please say whether to take the row.')
      .optional()
      .describe(
        'Import despite a possible duplicate or an unusual serial number, or what the record says otherwise.',
      ),
    studentId: z
      .uuid('Please choose a student by the id of the record.')
      .nullable()
      .optional()
      .describe('Whom a row of a list means; null to let it be found again.'),
  })
  .openapi('ImportRowChange')

export const decisionBody = z.strictObject({
  state: z.enum(importRowStates, `Please name the rows: ${importRowStates.join(', ')}.`),
  decision: z.enum(['skip', 'take'], 'Please decide: skip or take.'),
})

export const replacementBody = z.strictObject({
  field: z.enum(importFields, 'Please name the field.'),
  from: z.string('Please give the value to replace.').min(1).max(longestValue),
  to: z.string('Please give the new value.').min(1).max(longestValue),
})

export const undoBody = z.strictObject({
  evenChanged: z
    .boolean('Please say whether to delete records that were changed since.')
    .default(false)
    .describe('Including records edited or archived since.'),
})

export const runBody = z.strictObject({
  reason: z
    .string('Please send the reason as text.')
    .trim()
    .max(mostInReason, `Please shorten the reason to ${mostInReason} characters.`)
    .default('')
    .describe('Required for marks of a closed term.'),
})

export const rowsQuery = z.strictObject({
  state: z
    .enum([...importRowStates, 'all'], `Please choose one of: ${importRowStates.join(', ')}, all.`)
    .default('all'),
  page: wholeNumber('page', 999_999, 1),
})

const ofFile = {
  purpose: z
    .enum(importPurposes, `Please choose the purpose: ${importPurposes.join(' or ')}.`)
    .default('students'),
  term: z.uuid('Please choose the term of the list.').optional().describe('Of a list of a term; else none.'),
  paper: z.uuid('Please choose the paper.').optional().describe('Of serial numbers; else none.'),
}
interface OfFile {
  purpose: ImportPurpose
  term?: string | undefined
  paper?: string | undefined
}
const isOfTerm = ({ purpose, term, paper }: OfFile) =>
  termListPurposes.some((own) => own === purpose) === (term !== undefined) &&
  (purpose === 'serials') === (paper !== undefined)
const ofTerm = {
  path: ['term'],
  error: 'Please choose the term of the list, or the paper of serial numbers.',
}

export const uploadQuery = z
  .object({ fileName: z.string('Please give one file name.').max(1_000).default(''), ...ofFile })
  .refine(isOfTerm, ofTerm)

export const importsQuery = z.strictObject(ofFile, knownFilters).refine(isOfTerm, ofTerm)

const maxSamples = 3
const maxSampleLength = 80

export function presentSummary(row: NamedImport): ImportSummary {
  return {
    ...pick(row, [
      'id',
      'fileName',
      'state',
      'purpose',
      'termId',
      'paperId',
      'reference',
      'receivedOn',
      'reason',
      'updateBy',
      'rowCount',
      'importedCount',
    ]),
    createdBy: row.creator,
    createdAt: row.createdAt.toISOString(),
    counts: {
      ready: row.readyCount,
      unchanged: row.unchangedCount,
      problem: row.problemCount,
      duplicate: row.duplicateCount,
      skipped: row.skippedCount,
      unmatched: row.unmatchedCount,
      differs: row.differsCount,
    },
    importedAt: row.importedAt?.toISOString() ?? null,
    undoneAt: row.undoneAt?.toISOString() ?? null,
    hasRows: row.rowsDeletedAt === null,
  }
}

export function presentDetails(
  row: NamedImport,
  firstCells: readonly string[][],
  { changed, deleted, kept }: { changed: number; deleted: number; kept: number },
  { choices, moved, others, notes }: Pick<ImportDetails, 'choices' | 'moved' | 'others' | 'notes'>,
): ImportDetails {
  const { purpose } = row
  const guesses = guessColumns(row.headers, purpose === 'students' ? undefined : fieldsOfImport(row))
  const total = row.state === 'checking' ? row.rowCount : row.readyCount
  return {
    ...presentSummary(row),
    columns: row.headers.map((header, index) => ({
      header,
      samples: samplesOf(firstCells, index),
      guess: guesses[index] ?? null,
    })),
    ...pick(row, ['mapping', 'failure']),
    guessedDateOrder: row.reading?.asksDateOrder ? null : row.guessedDateOrder,
    readingNotes: row.reading?.notes ?? [],
    progress: row.state === 'checking' || row.state === 'importing' ? { done: row.progress, total } : null,
    changedSince: changed,
    deletedSince: deleted,
    kept,
    moved,
    choices,
    others,
    notes,
  }
}

function samplesOf(firstCells: readonly string[][], index: number): string[] {
  const filled = firstCells.map((cells) => (cells[index] ?? '').trim()).filter(Boolean)
  return [...new Set(filled)].slice(0, maxSamples).map((text) => text.slice(0, maxSampleLength))
}

/** The problems of a row, and what is wrong or unusual about its serial number. */
export function problemsOf({
  problems,
  serialStop,
  serialQuestion,
}: Pick<StoredRow, 'problems' | 'serialStop' | 'serialQuestion'>): ImportRow['problems'] {
  const message = serialStop || serialQuestion
  return message === '' ? problems : [...problems, { path: 'serialNumber', message }]
}

export function presentRow(
  row: StoredRow,
  record: ImportRow['record'] = null,
  people?: Pick<ImportRow, 'person' | 'candidates'>,
): ImportRow {
  const { number, state, fields, matches, changes } = row
  const problems = problemsOf(row)
  const identity = people ? ([...personFields, 'mark', 'serialNumber'] as const) : identityFields
  const who: readonly ImportField[] = changes ? updateKeys : identity
  const others = [...problems, ...(changes ?? [])].map(({ path }) => path)
  const named = new Set<ImportField>([...who, ...others])
  const values: ImportRow['values'] = {}
  for (const field of importFields) if (named.has(field)) values[field] = fields[field] ?? ''
  if (isArchived(fields)) values.archived = 'Yes'
  return {
    number,
    state: state === 'unchecked' ? 'ready' : state,
    values,
    problems,
    // A list's row shows the people that it may mean as `candidates`. Their matches have no `by`.
    matches: matches.filter(({ by }) => by.length > 0),
    record,
    ...(people ?? { person: null, candidates: [] }),
    changes: changes ?? [],
  }
}
