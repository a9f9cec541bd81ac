import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

const maxMatches = 5

const ways = [
  { kind: 'name', key: sql.ref('nameKey') },
  { kind: 'studentId', key: sql.ref('studentIdKey') },
  { kind: 'email', key: sql.ref('emailKey') },
] as const

export function createMatchesRepository(db: Queryable) {
  return {
    /**
     * Only rows without problems have keys. The planner underestimates rows just written, so rows are never joined with rows: the first of a group is
     * found by a window, the rest by grouping. Index: students_name_key and its like.
     * @param numbers the rows to check; null for all
     */
    async mark(importId: string, numbers: readonly number[] | null): Promise<void> {
      const isIncluded = numbers === null ? sql`true` : sql`number = any(${[...numbers]}::int[])`
      const ofRecords = ways.map(
        ({ kind, key }) => sql`
          select looked.number, ${sql.lit(kind)} as kind, students.id as student_id, students.reference,
            null::int as earlier
          from looked join students on students.${key} = looked.${key}`,
      )
      const ofRows = ways.map(
        ({ kind, key }) => sql`
          select number, ${sql.lit(kind)}, null, null, earlier
          from (
            select number, min(number) over (partition by ${key}) as earlier from import_rows
            where import_id = ${importId} and ${key} is not null and decision is distinct from 'skip'
          ) grouped
          where earlier < number and ${isIncluded}`,
      )
      await sql`
        with looked as materialized (
          select number, name_key, student_id_key, email_key from import_rows
          where import_id = ${importId} and problems = '[]' and ${isIncluded}
        ), found as (
          ${sql.join([...ofRecords, ...ofRows], sql` union all `)}
        ), people as (
          select number, student_id, reference, earlier, jsonb_agg(kind) as kinds,
            row_number() over (partition by number order by earlier nulls first, reference) as place
          from found group by number, student_id, reference, earlier
        ), settled as (
          select number, coalesce(jsonb_agg(jsonb_build_object(
              'by', kinds, 'studentId', student_id, 'reference', reference, 'row', earlier
            ) order by place) filter (where kinds is not null), '[]') as matches
          from (
            select * from people where place <= ${maxMatches}
            union all select number, null, null, null, null, null from looked
          ) each_row
          group by number
        )
        update import_rows set matches = settled.matches,
          state = case when decision = 'skip' then 'skipped'
            when settled.matches <> '[]' and decision is distinct from 'take' then 'duplicate'
            else 'ready' end
        from settled
        where import_id = ${importId} and import_rows.number = settled.number
          and (settled.matches <> import_rows.matches or settled.matches <> '[]' or state <> 'ready')`.execute(
        db,
      )
    },

    // One pass over the rows of the import.
    async markSameRecord(importId: string): Promise<void> {
      await sql`
        update import_rows set matches = case when earlier is null then '[]' else jsonb_build_array(
          jsonb_build_object('by', jsonb_build_array('record'), 'studentId', null, 'reference', null, 'row', earlier)
        ) end
        from (
          select rows.number as row_number, nullif(first.earlier, rows.number) as earlier
          from import_rows rows left join (
            select number, min(number) over (partition by record_id) as earlier from import_rows
            where import_id = ${importId} and record_id is not null and problems = '[]' and changes <> '[]'
              and decision is distinct from 'skip'
          ) first on first.number = rows.number
          where rows.import_id = ${importId}
        ) found
        where import_id = ${importId} and number = found.row_number
          and (found.earlier is not null or matches <> '[]')`.execute(db)
    },

    async alike(importId: string, number: number): Promise<number[]> {
      const isSame = ways.map(({ key }) => sql`other.${key} = looked.${key}`)
      const { rows } = await sql<{ number: number }>`
        select other.number from import_rows looked
        join import_rows other on other.import_id = looked.import_id and (${sql.join(isSame, sql` or `)})
        where looked.import_id = ${importId} and looked.number = ${number}
        union select ${number}::int`.execute(db)
      return rows.map((row) => row.number)
    },
  }
}
