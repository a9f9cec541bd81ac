import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import { countedValues, dayIn } from './count-sql.ts'

// Some hundred milliseconds of work, so that no statement becomes long.
export const changesPerRun = 20_000
// The size in bytes above which the table is large. Some thousand changes leave it below this.
const largeChanges = 2 * 1024 * 1024

const cell = sql.raw('grain, facet, bucket, value, nstp_component, archived, academic_year')

/**
 * Adds pending changes to the counts, up to a limit. Blocks no writer: changes arrive meanwhile, and readers see all of
 * a batch or nothing.
 * @returns the number of changes; 0 when another process holds the lock or the counts were never built
 */
export async function addChanges(tx: Transaction<Tables>): Promise<number> {
  const state = await sql<{ timeZone: string }>`
    update student_count_state set turns = turns + 1
    where singleton = (
      select singleton from student_count_state
      where time_zone <> '' and exists (select from student_count_changes)
      for update skip locked
    )
    returning time_zone`.execute(tx)
  const timeZone = state.rows[0]?.timeZone
  if (timeZone === undefined) return 0
  const taken = sql`
    delete from student_count_changes
    where ctid = any (array(select ctid from student_count_changes limit ${sql.lit(changesPerRun)}))
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
 * Counts all students by the calendar of a time zone. Students may change meanwhile: what this snapshot misses remains
 * among the changes.
 * @param tx repeatable read, so that the records and their changes come from one snapshot
 */
export async function rebuildCounts(tx: Transaction<Tables>, timeZone: string): Promise<void> {
  // The update comes first, because it locks the row: a run of another process in between makes this a conflict,
  // which is retried.
  await sql`
    update student_count_state set turns = turns + 1, time_zone = ${timeZone}`.execute(tx)
  await sql`delete from student_count_changes`.execute(tx)
  await sql`delete from student_counts`.execute(tx)
  await sql`
    with records as (select *, 1 as n from students), ${countedCells(timeZone)}
    insert into student_counts (${cell}, n) select ${cell}, n from cells order by ${cell}`.execute(tx)
}

/**
 * The counts of `records`, as the query `cells` in a WITH. Equal records are grouped first, so that each is read once
 * and not for each of its counts.
 */
function countedCells(timeZone: string): RawBuilder<unknown> {
  return sql`
    groups as materialized (
      select nstp_component, archived, academic_year, ${dayIn(timeZone)} as day, ${countedValues.sex} as sex,
        ${countedValues.course} as course, ${countedValues.yearLevel} as year_level, sum(n)::int as n
      from records group by 1, 2, 3, 4, 5, 6, 7
    ),
    daily as materialized (
      select 'day' as grain, facet, day as bucket, value, nstp_component, archived, academic_year, sum(n)::int as n
      from groups, lateral (values
        ('total', ''), ('sex', sex), ('course', course), ('yearLevel', year_level)
      ) as facets (facet, value)
      group by 2, 3, 4, 5, 6, 7
    ),
    monthly as materialized (
      select 'month' as grain, facet, date_trunc('month', bucket::timestamp)::date as bucket, value, nstp_component,
        archived, academic_year, sum(n)::int as n
      from daily group by 2, 3, 4, 5, 6, 7
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

export async function rebuildStudentCounts(database: Pick<AppDatabase, 'transact'>, timeZone: string) {
  const isolation = 'repeatable read'
  await database.transact((tx) => rebuildCounts(tx, timeZone), { long: true, isolation })
}

/** Whether the counts are those of another time zone, or were never built. */
export async function needRebuild(db: Queryable, timeZone: string): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select time_zone <> ${timeZone} as is_due from student_count_state`.execute(db)
  return rows[0]?.isDue ?? false
}

/**
 * Frees the space of applied changes, which every reader scans. A large table is also truncated, which waits for a
 * moment without writers.
 */
export async function vacuumChanges(db: Queryable): Promise<void> {
  const { rows } = await sql<{ isLarge: boolean }>`
    select pg_relation_size('student_count_changes') > ${sql.lit(largeChanges)} as is_large`.execute(db)
  const truncate = sql.raw(rows[0]?.isLarge ? 'on' : 'off')
  await sql`vacuum (truncate ${truncate}) student_count_changes`.execute(db)
}

/** Adds the words of new records to the search's index. Until then a search reads them one by one. Blocks no writer. */
export async function addSearchWords(db: Queryable): Promise<void> {
  await sql`select add_search_words()`.execute(db)
}

export async function removeZeroes(db: Queryable): Promise<void> {
  await sql`delete from student_counts where n = 0`.execute(db)
}
