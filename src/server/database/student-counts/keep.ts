import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import { everyone, totalOf } from './count-sql.ts'
import { countedRange } from './counted-range.ts'
import { countedValues, dayIn, markList, markOfName } from './grouping.ts'

/** Changes that one turn takes in: some hundred milliseconds' worth, so that no statement becomes long. */
export const changesATurn = 20_000
/** Some thousand changes leave the table below this, in bytes. */
const largeChanges = 2 * 1024 * 1024
/** Parts that the order of names is cut into. */
const nameParts = 256
/** Fewer students than this need no marks. */
const markedFrom = 5_000
/** The names are cut afresh when there are so many times the records of the last time. */
const growth = 4
/** Longest mark: enough of a last name to cut the order fine, and no name of a person. */
const markLength = 12

const cell = sql.raw('grain, facet, bucket, value, nstp_component, archived, academic_year')

/**
 * Adds the changes since the last turn to the counts, up to a limit. Nobody else waits for it: changes arrive
 * meanwhile, and readers see either all of a turn or nothing.
 *
 * @returns how many were taken: none when another process is at it, or when the counts were never built
 */
export async function addChanges(tx: Transaction<Tables>): Promise<number> {
  const turn = await sql<{ timeZone: string }>`
    update student_count_state set turns = turns + 1
    where singleton = (
      select singleton from student_count_state
      where time_zone <> '' and exists (select from student_count_changes)
      for update skip locked
    )
    returning time_zone`.execute(tx)
  const timeZone = turn.rows[0]?.timeZone
  if (timeZone === undefined) return 0
  const taken = sql`
    delete from student_count_changes
    where ctid = any (array(select ctid from student_count_changes limit ${sql.lit(changesATurn)}))
    returning *`
  const result = await sql<{ taken: number }>`
    with records as (${taken}), ${countedCells(timeZone)},
    added as (
      insert into student_counts (${cell}, n) select ${cell}, n from cells where n <> 0 order by ${cell}
      on conflict (${cell}) do update set n = student_counts.n + excluded.n
    )
    select count(*)::int as taken from records`.execute(tx)
  return result.rows[0]?.taken ?? 0
}

/**
 * Counts all students anew, by the calendar of a time zone, and cuts the order of names afresh. Students may
 * change meanwhile: what isn't seen here stays among the changes.
 *
 * @param tx repeatable read, so that the records and their changes are seen as of one moment
 */
export async function rebuildCounts(tx: Transaction<Tables>, timeZone: string): Promise<void> {
  // First, for its lock: a turn of somebody else in between makes this a conflict, which is tried again.
  await sql`
    update student_count_state set turns = turns + 1, time_zone = ${timeZone},
      built_for = (select count(*) from students)`.execute(tx)
  await sql`delete from student_count_changes`.execute(tx)
  await sql`delete from student_counts`.execute(tx)
  await sql`delete from student_name_marks`.execute(tx)
  // Index only: students_name.
  await sql`
    insert into student_name_marks (mark)
    select '' union
    select left(split_part(sort_name, e'\n', 1), ${sql.lit(markLength)})
    from (
      select sort_name, row_number() over (order by sort_name) as position, built_for
      from students, student_count_state where built_for >= ${sql.lit(markedFrom)}
    ) as ranked
    where position % (built_for / ${sql.lit(nameParts)}) = 0`.execute(tx)
  await sql`
    with records as (select *, 1 as n from students), ${countedCells(timeZone)}
    insert into student_counts (${cell}, n) select ${cell}, n from cells order by ${cell}`.execute(tx)
}

/**
 * The counts of `records`, as the query `cells` among others to follow a WITH. Records that agree in everything
 * are counted together first, so that each is looked at once and not for each of its counts.
 */
function countedCells(timeZone: string): RawBuilder<unknown> {
  return sql`
    dated as (
      select nstp_component, archived, academic_year, n, day, date_trunc('month', day::timestamp)::date as month,
        ${countedValues.sex} as sex, ${countedValues.course} as course, ${countedValues.yearLevel} as year_level,
        ${markOfName} as mark
      from records, lateral (select ${dayIn(timeZone)} as day) as days, ${markList}
    ),
    groups as materialized (
      select nstp_component, archived, academic_year, day, month, sex, course, year_level, mark, sum(n)::int as n
      from dated
      group by grouping sets (
        (nstp_component, archived, academic_year, day, sex, course, year_level),
        (nstp_component, archived, academic_year, month, mark)
      )
    ),
    daily as materialized (
      select 'day' as grain, facet, day as bucket, value, nstp_component, archived, academic_year, sum(n)::int as n
      from groups, lateral (values
        ('total', ''), ('sex', sex), ('course', course), ('yearLevel', year_level)
      ) as facets (facet, value)
      where day is not null group by 2, 3, 4, 5, 6, 7
    ),
    monthly as materialized (
      select 'month' as grain, facet, date_trunc('month', bucket::timestamp)::date as bucket, value, nstp_component,
        archived, academic_year, sum(n)::int as n
      from daily group by 2, 3, 4, 5, 6, 7
      union all
      select 'month', 'name', month, mark, nstp_component, archived, academic_year, n
      from groups where month is not null
    ),
    cells as (
      select * from daily
      union all
      select * from monthly
      union all
      select 'all', facet, '-infinity', value, nstp_component, archived, academic_year, sum(n)::int
      from monthly group by 2, 4, 5, 6, 7
    )`
}

/** Counts all students anew, also in a database that was filled behind the product's back. */
export async function rebuildStudentCounts(
  database: Pick<AppDatabase, 'transact'>,
  timeZone: string,
): Promise<void> {
  const isolation = 'repeatable read'
  await database.transact((tx) => rebuildCounts(tx, timeZone), { long: true, isolation })
}

/** Whether the counts are to be built anew: for another time zone, or because there are far more names than marks. */
export async function needRebuild(db: Queryable, timeZone: string): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select time_zone <> ${timeZone}
      or ${totalOf(everyone, countedRange(null, timeZone))} > ${sql.lit(growth)} * greatest(built_for, ${sql.lit(markedFrom)})
      as is_due
    from student_count_state`.execute(db)
  return rows[0]?.isDue ?? false
}

/**
 * Lets the space of taken changes be used again: every reader goes through all of it. A table that has become
 * large is cut short as well, which waits for a moment in which nobody writes to it.
 */
export async function vacuumChanges(db: Queryable): Promise<void> {
  const { rows } = await sql<{ isLarge: boolean }>`
    select pg_relation_size('student_count_changes') > ${sql.lit(largeChanges)} as is_large`.execute(db)
  const truncate = sql.raw(rows[0]?.isLarge ? 'on' : 'off')
  await sql`vacuum (truncate ${truncate}) student_count_changes`.execute(db)
}

/** Removes counts that came down to nothing: they say the same as no row. */
export async function removeZeroes(db: Queryable): Promise<void> {
  await sql`delete from student_counts where n = 0`.execute(db)
}
