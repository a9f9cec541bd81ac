import { setImmediate as otherWork } from 'node:timers/promises'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { fieldsOfImport, type ImportChange, updateKeyWords } from '#shared/imports/imports.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import { changedFields, createStudentEditSchema, type EditBasis } from '#shared/students/student-edit.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createMatchesRepository } from './matches-repository.ts'
import { type ReadingRules, readValue } from './read-values.ts'
import { createRowCheck, createTextReader, type RowFields } from './row-fields.ts'
import { createRowsRepository, type RowResult, type StoredRow } from './rows-repository.ts'
import { createUpdatesRepository, type FoundRecord } from './updates-repository.ts'
import { WorkLost, type WorkOrder } from './work.ts'

const batchSize = 500
// ms: yields to requests this often.
const turnMs = 10

export interface Choices {
  readonly courses: readonly string[]
  readonly academicYears: readonly string[]
}

export interface CheckingOptions {
  database: AppDatabase
  offer: () => Choices
  clock: () => Date
  timeZone: string
}

type ReadRow = Pick<StoredRow, 'number' | 'cells' | 'edits'>

export function createRowReader(
  job: Pick<StoredImport, 'mapping' | 'updateBy' | 'held'>,
  { offer, clock, timeZone }: Omit<CheckingOptions, 'database'>,
): (db: Queryable, rows: readonly ReadRow[]) => Promise<RowResult[]> {
  const { mapping, updateBy } = job
  if (!mapping) throw new Error('The rows of an import are checked before its columns are known.')
  const now = clock()
  const { courses, academicYears } = choicesOf(job.held, offer())
  const rules = { dateOrder: mapping.dateOrder, today: calendarDateOf(now, timeZone), courses }
  if (updateBy) {
    const { keyOf, check } = createUpdateCheck({ job, rules, academicYears, timeZone })
    return async (db, rows) => {
      const found = await createUpdatesRepository(db).find(updateBy, rows.map(keyOf), academicYears)
      return inTurns(rows, (row, index) => check(row, found[index] ?? []))
    }
  }
  const check = createRowCheck({ courses, academicYears, now, timeZone })
  const textOf = createTextReader(mapping)
  return (_db, rows) =>
    inTurns(rows, (row) => {
      const fields: RowFields = {}
      for (const field of fieldsOfImport(null)) {
        const value = readValue(field, textOf(row, field), rules)
        if (value !== '') fields[field] = value
      }
      const nothingUpdated = { recordId: null, recordVersion: null, changes: null }
      return { number: row.number, fields, ...nothingUpdated, ...check(fields) }
    })
}

export function choicesOf(
  held: StoredImport['held'],
  offered: Choices,
): { courses: string[]; academicYears: string[] } {
  return {
    courses: [...new Set([...offered.courses, ...(held?.courses ?? [])])],
    academicYears: [...new Set([...offered.academicYears, ...(held?.academicYears ?? [])])].sort(),
  }
}

/** Resumes where an earlier check stopped. Duplicates are found last. */
export async function checkRows({ job, token, advance }: WorkOrder, options: CheckingOptions): Promise<void> {
  const { database } = options
  const read = createRowReader(job, options)
  let { workRow, progress } = job
  for (;;) {
    const rows = await createRowsRepository(database.db).after(job.id, workRow, batchSize)
    const last = rows.at(-1)
    if (!last) break
    const results = await read(database.db, rows)
    workRow = last.number
    progress += rows.length
    await advance({})
    await database.transact(async (tx) => {
      // First: who has lost the work writes nothing more.
      if (!(await createImportsRepository(tx).advance(job.id, token, { workRow, progress }))) {
        throw new WorkLost()
      }
      await createRowsRepository(tx).saveResults(job.id, results)
    })
  }
  await database.transact(
    async (tx) => {
      await resolveRows(tx, job)
      if (!(await createImportsRepository(tx).finish(job.id, token, { state: 'checked' })))
        throw new WorkLost()
    },
    { long: true },
  )
}

/** Looks for rows that mean the same person, sets the states of all rows by it, and counts them. */
export async function resolveRows(tx: Queryable, { id, updateBy }: Pick<StoredImport, 'id' | 'updateBy'>) {
  const rows = createRowsRepository(tx)
  if (updateBy) {
    await createMatchesRepository(tx).markSameRecord(id)
    await rows.settleStates(id)
  } else await createMatchesRepository(tx).mark(id, null)
  await rows.count(id)
}

async function inTurns(
  rows: readonly ReadRow[],
  read: (row: ReadRow, index: number) => RowResult,
): Promise<RowResult[]> {
  const results: RowResult[] = []
  let turn = performance.now()
  for (const [index, row] of rows.entries()) {
    results.push(read(row, index))
    if (performance.now() - turn < turnMs) continue
    await otherWork()
    turn = performance.now()
  }
  return results
}

type CheckUpdateReadRow = Pick<StoredRow, 'number' | 'cells' | 'edits'>

interface UpdateCheckOptions {
  job: Pick<StoredImport, 'updateBy' | 'mapping'>
  rules: ReadingRules
  academicYears: readonly string[]
  timeZone: string
}

function createUpdateCheck({ job, rules, academicYears, timeZone }: UpdateCheckOptions) {
  const { updateBy: key, mapping } = job
  if (!key || !mapping) throw new Error('The rows of an update are checked before its columns are known.')
  const textOf = createTextReader(mapping)
  const fields = studentFieldNames.filter((field) => field !== key)
  const words = updateKeyWords[key]
  // One schema for all rows: a schema takes a millisecond to make.
  let record: FoundRecord | undefined
  const schema = createStudentEditSchema({
    courses: rules.courses,
    academicYears,
    get registered() {
      return calendarDateOf(current().registrationDate, timeZone)
    },
    get held() {
      return current()
    },
  })
  function current(): FoundRecord {
    if (!record) throw new Error('A row is checked without its record.')
    return record
  }

  const keyOf = (row: CheckUpdateReadRow): string => readValue(key, textOf(row, key), rules)

  function editOf(row: CheckUpdateReadRow, held: FoundRecord): RowFields {
    const edit: RowFields = {}
    for (const field of fields) {
      const text = textOf(row, field)
      const value = isSame(text, String(held[field])) ? '' : readValue(field, text, rules)
      if (value !== '') edit[field] = value
    }
    return edit
  }

  return {
    keyOf,

    check(row: CheckUpdateReadRow, found: readonly FoundRecord[]): RowResult {
      const named = keyOf(row)
      const common = { number: row.number, registrationDate: null, archivedDate: null }
      record = found[0]
      if (!record || found.length > 1) {
        return {
          ...common,
          fields: named === '' ? {} : { [key]: named },
          problems: [{ path: key, message: namesNobody(named, found.length) }],
          recordId: null,
          recordVersion: null,
          changes: [],
        }
      }
      const edit = editOf(row, record)
      const { data, error } = schema.safeParse(edit)
      return {
        ...common,
        fields: { [key]: named, ...edit },
        problems: (error?.issues ?? []).flatMap(({ path, message }) => {
          const field = fields.find((name) => name === path[0])
          return field ? [{ path: field, message }] : []
        }),
        recordId: record.id,
        recordVersion: record.version,
        changes: data ? changesOf(data, record) : [],
      }
    },
  }

  function namesNobody(named: string, found: number): string {
    if (named === '') return `This row has no ${words}.`
    return found === 0
      ? `No record has this ${words}.`
      : `${found} records have this ${words}. Please update them by reference code.`
  }
}

function changesOf(edit: Parameters<typeof changedFields>[0], held: EditBasis['held']): ImportChange[] {
  return changedFields(edit, held)
    .map((path) => ({ path, before: wordOf(path, held[path]), after: wordOf(path, edit[path] ?? '') }))
    .filter(({ before, after }) => !isSame(before, after))
}

function wordOf(field: StudentField, value: string | number): string {
  return field === 'yearLevel' ? yearLevelLabel(Number(value)) : String(value)
}

// Spreadsheet programs write other line breaks than forms.
function isSame(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/\r\n?/g, '\n').trim()
  return plain(one) === plain(other)
}
