import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable, StudentsTable } from '#server/database/schema.ts'
import {
  allOf,
  countedIn,
  dayIn,
  markList,
  markOfName,
  matchesFilters,
  registeredIn,
  totalOf,
} from '#server/database/student-counts/count-sql.ts'
import { type CountedRange, countedRange } from '#server/database/student-counts/counted-range.ts'
import { startOfDay } from '#shared/periods.ts'
import {
  type StudentSort,
  type StudentSortKey,
  sortParts,
  studentListFields,
} from '#shared/students/students.ts'
import {
  columnsOf,
  hasDuplicate,
  isSearchOrder,
  isSelected,
  matchesSearch,
  type StudentSelection,
  sortOrder,
} from './filter-and-order-repository.ts'

export type StudentListRow = Pick<Selectable<StudentsTable>, (typeof studentListFields)[number]> & {
  isDuplicate: boolean
}

export interface ListRows {
  rows: StudentListRow[]
  total: number
}

const listColumns = sql`${columnsOf(studentListFields)}, ${hasDuplicate()} as is_duplicate`

const countedColumns: Partial<Record<StudentSortKey, CountedColumn>> = {
  academicYear: 'academic_year',
  nstpComponent: 'nstp_component',
  status: 'archived',
}

/**
 * The counts give the total and the page's position in the index, so the last page is as fast as the first. Repeatable read: a page never repeats a
 * record. Searches and other orders are scanned.
 */
export function createPageReader({ db, transact }: Pick<AppDatabase, 'db' | 'transact'>, timeZone: string) {
  return async (selection: StudentSelection, window: PageWindow): Promise<ListRows> => {
    const range = countedRange(selection.registered, timeZone)
    const { key, descending } = sortParts(selection.sort)
    const inOneMoment = (read: (tx: Queryable) => Promise<ListRows>) =>
      transact(read, { isolation: 'repeatable read' })

    // The total of a few records is counted directly.
    if (selection.search !== '' || selection.ids) return readFound(db, selection, window)
    if (key === 'registrationDate') {
      return inOneMoment((tx) => readByDate(tx, selection, { window, range, timeZone, descending }))
    }
    // Days aren't counted by name.
    if (range.grain !== 'day') {
      if (key === 'name') return inOneMoment((tx) => readByName(tx, selection, { window, range, descending }))
      const column = countedColumns[key]
      if (column)
        return inOneMoment((tx) => readByValue(tx, selection, { window, range, descending, column }))
    }
    // Finds the ids in a covering index first, then reads only these records.
    const total = totalOf(selection, range)
    const ids = sql`select students.id, ${total} as total from students where ${isSelected(selection)}`
    return readPage(db, selection.sort, { window, ids, total })
  }
}

interface Question {
  window: PageWindow
  range: CountedRange
  descending: boolean
}

async function readByDate(
  tx: Queryable,
  selection: StudentSelection,
  { window, range, timeZone, descending }: Question & { timeZone: string },
): Promise<ListRows> {
  const isByDay = range.grain === 'day'
  const parts = await readDateParts(tx, selection, { range, grain: isByDay ? 'day' : 'month', timeZone })
  let span = findSpan(parts, window, descending)
  const instantOf = (day: string) => startOfDay(day, timeZone)
  // The months that the page touches, by day.
  if (span && !isByDay) {
    const { startKey, endKey, before, rows } = span
    const until = endKey === null ? null : instantOf(endKey)
    const months = countedRange({ from: instantOf(startKey), until }, timeZone)
    const days = await readDateParts(tx, selection, { range: months, grain: 'day', timeZone })
    span = findSpan(days, { offset: before, limit: rows }, false)
  }
  // Index: students_registration.
  const column = sql`registration_date`
  const rows = await readSpan(tx, selection, { span, column, value: (key) => sql`${instantOf(key)}` })
  return { rows, total: totalOfParts(parts) }
}

async function readByName(
  tx: Queryable,
  selection: StudentSelection,
  { window, range, descending }: Question,
): Promise<ListRows> {
  const parts = await readNameParts(tx, selection, range)
  const span = findSpan(parts, window, descending)
  // Index: students_name.
  const column = sql`sort_name`
  const rows = await readSpan(tx, selection, { span, column, value: (key) => sql`${key}` })
  return { rows, total: totalOfParts(parts) }
}

async function readByValue(
  tx: Queryable,
  selection: StudentSelection,
  { window, range, descending, column }: Question & { column: CountedColumn },
): Promise<ListRows> {
  const value = sql`${sql.ref(column)}::text`
  const cells = totals(selection, { range, grain: range.grain, ofCount: value, ofRecord: value })
  const parts = await readParts(tx, cells, sql`null`)
  const rows: StudentListRow[] = []
  let { offset } = window
  for (const { key, count } of descending ? parts.reverse() : parts) {
    const limit = window.limit - rows.length
    if (limit > 0 && offset < count) {
      const narrowed = { ...narrow(selection, column, key), sort: 'name' } as const
      const share = await readByName(tx, narrowed, { window: { offset, limit }, range, descending: false })
      rows.push(...share.rows)
    }
    offset = Math.max(0, offset - count)
  }
  return { rows, total: totalOfParts(parts) }
}

function narrow(selection: StudentSelection, column: CountedColumn, value: string): StudentSelection {
  switch (column) {
    case 'archived':
      return { ...selection, archive: value === 'true' ? 'archived' : 'active' }
    case 'academic_year':
      return { ...selection, academicYear: value }
    case 'nstp_component':
      return { ...selection, component: value }
  }
}

async function readSpan(
  tx: Queryable,
  selection: StudentSelection,
  {
    span,
    column,
    value,
  }: { span: KeySpan | null; column: RawBuilder<unknown>; value: (key: string) => RawBuilder<unknown> },
): Promise<StudentListRow[]> {
  if (!span) return []
  const { startKey, endKey, before, after, rows } = span
  const isBackward = after < before
  const within = allOf(
    isSelected(selection),
    sql<SqlBool>`${column} >= ${value(startKey)}`,
    endKey === null ? undefined : sql<SqlBool>`${column} < ${value(endKey)}`,
  )
  const direction = sql.raw(isBackward ? 'desc' : 'asc')
  const result = await sql<StudentListRow>`
    with page as (
      select students.id from students where ${within}
      order by ${column} ${direction}, students.id ${direction}
      limit ${rows} offset ${isBackward ? after : before}
    )
    select ${listColumns} from page join students on students.id = page.id
    order by ${sortOrder(selection.sort)}`.execute(tx)
  return result.rows
}

async function readFound(db: Queryable, selection: StudentSelection, window: PageWindow): Promise<ListRows> {
  // Index: student_search_words.
  const from =
    selection.search !== '' && isSearchOrder(selection.sort)
      ? sql`student_search students where ${matchesSearch(selection)}`
      : sql`students where ${isSelected(selection)}`
  return readPage(db, selection.sort, {
    window,
    ids: sql`select students.id, count(*) over ()::int as total from ${from}`,
    total: sql<number>`(select count(*)::int from ${from})`,
  })
}

async function readPage(
  db: Queryable,
  sort: StudentSort,
  { window, ids, total }: { window: PageWindow; ids: RawBuilder<unknown>; total: RawBuilder<number> },
): Promise<ListRows> {
  const { offset, limit } = window
  const order = sortOrder(sort)
  const result = await sql<StudentListRow & { total: number }>`
    with page as (${ids} order by ${order} limit ${limit} offset ${offset})
    select ${listColumns}, page.total
    from page join students on students.id = page.id
    order by ${order}`.execute(db)
  const first = result.rows[0]
  if (first) return { rows: result.rows.map(({ total, ...row }) => row), total: first.total }
  // Without a row the total is unknown: it is 0, unless the page lies beyond the last one.
  if (offset === 0) return { rows: [], total: 0 }
  const beyond = await sql<{ total: number }>`select ${total} as total`.execute(db)
  return { rows: [], total: beyond.rows[0]?.total ?? 0 }
}

type CountedColumn = 'nstp_component' | 'academic_year' | 'archived'

function readDateParts(
  db: Queryable,
  selection: StudentSelection,
  { range, grain, timeZone }: { range: CountedRange; grain: 'day' | 'month'; timeZone: string },
): Promise<Part[]> {
  const record = sql`date_trunc(${grain}::text, ${dayIn(timeZone)}::timestamp)::date`
  const cells = totals(selection, { range, grain, ofCount: sql`bucket`, ofRecord: record })
  return readParts(db, cells, sql`(key + ${`1 ${grain}`}::interval)::date`)
}

// Only for whole months: days aren't counted by name.
function readNameParts(db: Queryable, selection: StudentSelection, range: CountedRange): Promise<Part[]> {
  const condition = matchesFilters(selection)
  const cells = sql`
    select value as key, n from student_counts
    where ${countedIn(range, range.grain)} and facet = 'name' and ${condition}
    union all
    select ${markOfName}, n from student_count_changes, ${markList}
    where ${allOf(registeredIn(range.whole), condition)}`
  // Index: student_name_marks_pkey.
  return readParts(db, cells, sql`(select min(mark) from student_name_marks where mark > key)`)
}

function totals(
  selection: StudentSelection,
  {
    range,
    grain,
    ofCount,
    ofRecord,
  }: {
    range: CountedRange
    grain: CountedRange['grain']
    ofCount: RawBuilder<unknown>
    ofRecord: RawBuilder<unknown>
  },
): RawBuilder<unknown> {
  const condition = matchesFilters(selection)
  const cells = [
    sql`
      select ${ofCount} as key, n from student_counts
      where ${countedIn(range, grain)} and facet = 'total' and ${condition}`,
    sql`
      select ${ofRecord}, n from student_count_changes
      where ${allOf(registeredIn(range.whole), condition)}`,
    // Index only: students_registration.
    ...range.edges.map(
      ({ range: edge, sign }) => sql`
        select ${ofRecord}, ${sql.lit(sign)} * count(*)::int from students
        where ${allOf(registeredIn(edge), condition)} group by 1`,
    ),
  ]
  return sql.join(cells, sql` union all `)
}

async function readParts(
  db: Queryable,
  cells: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select key, ${end} as "end", count from (
      select key, sum(n)::int as count from (${cells}) as cells group by key having sum(n) <> 0
    ) as parts order by key`.execute(db)
  return rows
}

interface Part {
  key: string
  end: string | null
  count: number
}

export interface PageWindow {
  offset: number
  limit: number
}

interface KeySpan {
  startKey: string
  endKey: string | null
  before: number
  after: number
  rows: number
}

function totalOfParts(parts: readonly Part[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
}

function findSpan(
  parts: readonly Part[],
  { offset, limit }: PageWindow,
  isDescending: boolean,
): KeySpan | null {
  const total = totalOfParts(parts)
  const rows = Math.min(limit, total - offset)
  if (rows <= 0) return null
  const first = isDescending ? total - offset - rows : offset
  const last = first + rows - 1
  const start = partAt(parts, first)
  const end = partAt(parts, last)
  return {
    startKey: start.part.key,
    endKey: end.part.end,
    before: first - start.before,
    after: end.before + end.part.count - 1 - last,
    rows,
  }
}

function partAt(parts: readonly Part[], position: number) {
  let before = 0
  for (const part of parts) {
    if (position < before + part.count) return { part, before }
    before += part.count
  }
  throw new RangeError('There is no record at this position.')
}
