import { setImmediate as otherWork } from 'node:timers/promises'
import type { AppDatabase } from '#server/database/pool.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { createRowCheck } from './check-row.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createMatchesRepository } from './matches-repository.ts'
import { columnsByField, rowFields } from './row-fields.ts'
import { createRowsRepository, type RowResult, type StoredRow } from './rows-repository.ts'
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

/** Makes the function that checks single rows of an import: reads the cells and holds them against the rules. */
export function createRowReader(
  { mapping, held }: Pick<StoredImport, 'mapping' | 'held'>,
  { offer, clock, timeZone }: Omit<CheckingOptions, 'database'>,
): (row: Pick<StoredRow, 'number' | 'cells' | 'edits'>) => RowResult {
  if (!mapping) throw new Error('The rows of an import are checked before its columns are known.')
  const now = clock()
  const { courses, academicYears } = choicesOf(held, offer())
  const check = createRowCheck({ courses, academicYears, now, timeZone })
  const columns = columnsByField(mapping)
  const rules = { dateOrder: mapping.dateOrder, today: calendarDateOf(now, timeZone), courses }
  return (row) => {
    const fields = rowFields(row, mapping, columns, rules)
    return { number: row.number, fields, ...check(fields) }
  }
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
    const results = await inTurns(rows, read)
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
      await createMatchesRepository(tx).mark(job.id, null)
      await createRowsRepository(tx).count(job.id)
      if (!(await createImportsRepository(tx).finish(job.id, token, { state: 'checked' })))
        throw new WorkLost()
    },
    { long: true },
  )
}

async function inTurns(
  rows: readonly StoredRow[],
  read: (row: StoredRow) => RowResult,
): Promise<RowResult[]> {
  const results: RowResult[] = []
  let turn = performance.now()
  for (const row of rows) {
    results.push(read(row))
    if (performance.now() - turn < turnMs) continue
    await otherWork()
    turn = performance.now()
  }
  return results
}
