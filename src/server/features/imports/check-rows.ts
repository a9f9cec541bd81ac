import { setImmediate as otherWork } from 'node:timers/promises'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { fieldsOfImport } from '#shared/imports.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { createRowCheck, type RowFields } from './check-row.ts'
import { createUpdateCheck } from './check-update.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createMatchesRepository } from './matches-repository.ts'
import { readValue } from './read-values.ts'
import { createTextReader } from './row-fields.ts'
import { createRowsRepository, type RowResult, type StoredRow } from './rows-repository.ts'
import { createUpdatesRepository } from './updates-repository.ts'
import { WorkLost, type WorkOrder } from './work.ts'

/** Rows checked and written at a time. */
const batchSize = 500
/** Requests get their turn at least this often, in milliseconds. */
const turnMs = 10

/** What may be chosen in a course and a year. */
export interface Choices {
  readonly courses: readonly string[]
  readonly academicYears: readonly string[]
}

export interface CheckingOptions {
  database: AppDatabase
  /** What is on offer at registration now. */
  offer: () => Choices
  clock: () => Date
  timeZone: string
}

type ReadRow = Pick<StoredRow, 'number' | 'cells' | 'edits'>

/** Makes the function that checks rows of an import: reads the cells and holds them against the rules. */
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

/** What is on offer, and what records held already when the check began. */
export function choicesOf(
  held: StoredImport['held'],
  offered: Choices,
): { courses: string[]; academicYears: string[] } {
  return {
    courses: [...new Set([...offered.courses, ...(held?.courses ?? [])])],
    academicYears: [...new Set([...offered.academicYears, ...(held?.academicYears ?? [])])].sort(),
  }
}

/** The dry run: checks row after row, goes on where an earlier one stopped, and looks for duplicates last. */
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
      await settleRows(tx, job)
      if (!(await createImportsRepository(tx).finish(job.id, token, { state: 'checked' })))
        throw new WorkLost()
    },
    { long: true },
  )
}

/** Looks for rows that mean the same person, sets the states of all rows by it, and counts them. */
export async function settleRows(tx: Queryable, { id, updateBy }: Pick<StoredImport, 'id' | 'updateBy'>) {
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
