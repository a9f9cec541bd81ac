import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { allOf } from '#server/database/conditions.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { StudentsTable } from '#server/database/schema.ts'
import {
  countedIn,
  dayIn,
  hideFromPlanner,
  matchesFilters,
  registeredInPrepared,
  totalOf,
} from '#server/database/student-counts/count-sql.ts'
import { type CountedRange, countedRange } from '#server/database/student-counts/counted-range.ts'
import type { Access } from '#server/lib/access.ts'
import { visible } from '#server/lib/visible.ts'
import { maxPageSize, type StudentSortKey, sortParts, studentListFields } from '#shared/students/students.ts'
import {
  columnsOf,
  hasDuplicate,
  hasRecordFilters,
  isSearchOrder,
  isSelected,
  matchesSearch,
  type StudentSelection,
  sortOrder,
} from './filter-and-order-repository.ts'

export interface PageWindow {
  offset: number
  limit: number
}

export interface ListedStudent extends Pick<Selectable<StudentsTable>, (typeof studentListFields)[number]> {
  isDuplicate: boolean
}

export interface ListPage {
  items: ListedStudent[]
  total: number
}

type FoundRow = ListedStudent & { total: number }

const listColumns = columnsOf(studentListFields)

// Columns of few values.
const countedColumns: Partial<Record<StudentSortKey, string>> = {
  academicYear: 'academic_year',
  nstpComponent: 'nstp_component',
  status: 'archived',
}

interface Question {
  selection: StudentSelection
  window: PageWindow
  range: CountedRange
  timeZone: string
  descending: boolean
  isNear: boolean
}

/**
 * One statement for a page and its total, so that both are of one moment. The total comes from the counts, and so does
 * the place in the index where a page by date begins; other pages walk there.
 * @param nearby up to this record a walk from the start costs less than reading the counts by day
 */
export function createPageReader(
  { db, queryPrepared }: Pick<AppDatabase, 'db' | 'queryPrepared'>,
  timeZone: string,
  nearby = 5_000,
) {
  const plain = db.withoutPlugins()
  return async (selection: StudentSelection, window: PageWindow): Promise<ListPage> => {
    const { key, descending } = sortParts(selection.sort)
    const range = countedRange(selection.registered, timeZone)
    const isNear = window.offset + window.limit <= nearby * densityOf(selection)
    const question = { selection, window, range, timeZone, descending, isNear }
    const column = countedColumns[key]

    // The counts have no total of matches, so their query counts them.
    const isMatched = selection.search !== '' || hasRecordFilters(selection)
    const isByDate = !isMatched && key === 'registrationDate'
    // The best plan of the others depends on their values.
    const isPrepared = isByDate || (!isMatched && key === 'name' && !range.whole)

    function find(): RawBuilder<unknown> {
      if (isMatched) return findMatches(question)
      if (column) return findByValue(question, column)
      return isByDate ? findFromCounts(question) : findByWalk(question)
    }

    // An empty page is one row with the total alone.
    const statement = sql<FoundRow>`
      with ${find()}
      select ${listColumns}, ${hasDuplicate(selection.access)} as "isDuplicate", counted.total
      from counted left join (page join students on students.id = page.id) on true
      order by ${sortOrder(selection.sort)}`
    if (!isPrepared) return pageOf((await statement.execute(plain)).rows, selection.access)
    const { sql: text, parameters } = statement.compile(plain)
    return pageOf(await queryPrepared<FoundRow>(text, parameters), selection.access)
  }
}

function pageOf(rows: readonly FoundRow[], access: Access): ListPage {
  return {
    items: rows.flatMap(({ total: _ofAll, ...item }) => (item.id === null ? [] : [visible(item, access)])),
    total: rows[0]?.total ?? 0,
  }
}

/** How many of a month's records match, as far as the filters tell: of a component mostly a tenth or more. */
function densityOf({ component, archive, academicYear, access }: StudentSelection): number {
  if (archive === 'archived' || academicYear !== 'all') return 0
  return component === 'all' && access.components === 'all' ? 1 : 0.1
}

function findMatches({ selection, window: { offset, limit } }: Question): RawBuilder<unknown> {
  // Index: student_search_words.
  const from =
    selection.search !== '' && isSearchOrder(selection.sort) && !hasRecordFilters(selection)
      ? sql`student_search students where ${matchesSearch(selection)}`
      : sql`students where ${isSelected(selection)}`
  // A page without a row has the total 0, unless it lies beyond the last page.
  const beyond = offset === 0 ? sql`0` : sql`(select count(*)::int from ${from})`
  return sql`
    page as materialized (
      select students.id, count(*) over ()::int as total from ${from}
      order by ${sortOrder(selection.sort)} limit ${limit} offset ${offset}
    ),
    counted as (select coalesce((select total from page limit 1), ${beyond}) as total)`
}

// Index only: students_name, students_registration.
function findByWalk({ selection, window, range }: Question): RawBuilder<unknown> {
  return sql`
    counted as (select ${totalOf(selection, range)} as total),
    ${walk(selection, window, { offset: hideFromPlanner(window.offset, 'int') })}`
}

// Index only: students_registration.
function findFromCounts(question: Question): RawBuilder<unknown> {
  const { selection, window, range, timeZone, descending, isNear } = question
  // There are thirty times as many days, which costs more than to walk the part of a month.
  const grain = isNear && range.grain !== 'day' ? 'month' : 'day'
  const cells = countCells(question, {
    grain,
    ofCount: sql`bucket`,
    ofRecord: sql`date_trunc(${sql.lit(grain)}, ${dayIn(timeZone)}::timestamp)::date`,
  })
  const midnight = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone ${timeZone}::text`
  const begins = descending
    ? sql<SqlBool>`registration_date < ${midnight(sql`select key + ${sql.lit(`1 ${grain}`)}::interval from start`)}`
    : sql<SqlBool>`registration_date >= ${midnight(sql`select key from start`)}`
  return sql`
    ${runningCounts(cells, descending)},
    start as materialized (
      select key, before from parts where before <= ${window.offset} and before + count > ${window.offset}
    ),
    ${walk(selection, window, { begins, offset: sql`${window.offset} - (select before from start)` })}`
}

/** Finds records ordered by a column of few values, and by name within each value. */
function findByValue(question: Question, column: string): RawBuilder<unknown> {
  const { selection, window, range, descending } = question
  const value = sql`${sql.ref(column)}::text`
  const cells = countCells(question, { grain: range.grain, ofCount: value, ofRecord: value })
  const { offset, limit } = window
  // Index only: students_name.
  return sql`
    ${runningCounts(cells, descending)},
    page as materialized (
      select found.id from parts, lateral (
        select students.id from students where ${isSelected(selection)} and ${value} = parts.key
        order by sort_name, students.id
        limit least(count, ${offset + limit} - before) offset greatest(0, ${offset} - before)
      ) as found
      where before < ${offset + limit} and before + count > ${offset}
      limit ${limit}
    )`
}

/**
 * Stops after the last match: the rest of the index has none. The outer limit tells the planner how few ids these are, for
 * whichever values.
 */
function walk(
  selection: StudentSelection,
  { offset, limit }: PageWindow,
  from: { begins?: RawBuilder<SqlBool>; offset: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return sql`
    page as materialized (
      select id from (
        select students.id from students where ${allOf(isSelected(selection), from.begins)}
        order by ${sortOrder(selection.sort)}
        limit greatest(0, least(${limit}, (select total from counted) - ${offset})) offset ${from.offset}
      ) as found
      limit ${sql.lit(maxPageSize)}
    )`
}

/** `parts`: each key's count, and how many records come before it; `counted`: the total. */
function runningCounts(cells: RawBuilder<unknown>, descending: boolean): RawBuilder<unknown> {
  return sql`
    parts as materialized (
      select key, count, (sum(count) over (order by key ${sql.raw(descending ? 'desc' : 'asc')}) - count)::int as before
      from (
        select key, sum(n)::int as count from (${cells}) as cells group by key having sum(n) <> 0
      ) as sums
    ),
    counted as (select coalesce(sum(count), 0)::int as total from parts)`
}

/** The counts, the changes not yet added, and the records of days that the range cuts. */
function countCells(
  { selection, range }: Question,
  {
    grain,
    ofCount,
    ofRecord,
  }: Record<'ofCount' | 'ofRecord', RawBuilder<unknown>> & Pick<CountedRange, 'grain'>,
): RawBuilder<unknown> {
  const condition = matchesFilters(selection)
  const cells = [
    sql`
      select ${ofCount} as key, n from student_counts
      where ${countedIn(range, grain)} and facet = 'total' and ${condition}`,
    sql`
      select ${ofRecord}, n from student_count_changes
      where ${allOf(registeredInPrepared(range.whole), condition)}`,
    // Index only: students_registration.
    ...range.edges.map(
      ({ range: edge, sign }) => sql`
        select ${ofRecord}, ${sql.lit(sign)} * count(*)::int from students
        where ${allOf(registeredInPrepared(edge), condition)} group by 1`,
    ),
  ]
  return sql.join(cells, sql` union all `)
}
