import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** Most records shown for one row. */
const mostMatches = 5

/** The three ways to be the same person within an academic year: the keys of a row, and those of a record. */
const ways = [
  {
    kind: 'name',
    keys: sql`name_key, birth_key`,
    isSame: sql<SqlBool>`looked.name_key = other.name_key and looked.birth_key = other.birth_key`,
    isStudent: sql<SqlBool>`
      lower(normalize(students.last_name || E'\n' || students.first_name, NFC)) = looked.name_key
      and students.date_of_birth = looked.birth_key::date`,
  },
  {
    kind: 'studentId',
    keys: sql`student_id_key`,
    isSame: sql<SqlBool>`looked.student_id_key = other.student_id_key`,
    isStudent: sql<SqlBool>`lower(students.student_id) = looked.student_id_key and students.student_id <> ''`,
  },
  {
    kind: 'email',
    keys: sql`email_key`,
    isSame: sql<SqlBool>`looked.email_key = other.email_key`,
    isStudent: sql<SqlBool>`lower(students.email) = looked.email_key`,
  },
] as const

/**
 * Finds rows that may be somebody who has a record already, or who stands further up in the file. Give it the
 * transaction of what changed.
 */
export function createMatchesRepository(db: Queryable) {
  return {
    /**
     * Looks for matches and sets the rows' states by them. Only rows without problems are looked at: the others
     * have no dates and years to compare. Of the rows of one person the first isn't marked.
     *
     * @param numbers the rows to look at; null for all
     */
    async mark(importId: string, numbers: readonly number[] | null): Promise<void> {
      // Nothing is known yet of rows that have just been written. The planner takes them for a few and would
      // compare each with each, which takes minutes for 10,000; hashing all of them takes less than a second.
      if (numbers === null) await sql`set local enable_nestloop = off`.execute(db)
      const ofRecords = ways.map(
        ({ kind, isStudent }) => sql`
          select looked.number, ${sql.lit(kind)} as kind, students.id as student_id,
            students.reference, null::int as earlier
          from looked join students on students.academic_year = looked.academic_year and ${isStudent}`,
      )
      // The first row of each group is found by grouping: pairs would grow with the square of equal rows.
      const ofRows = ways.map(
        ({ kind, keys, isSame }) => sql`
          select looked.number, ${sql.lit(kind)}, null, null, other.earlier
          from looked join (
            select academic_year, ${keys}, min(number) as earlier from import_rows
            where import_id = ${importId} and problems = '[]' and decision is distinct from 'skip'
            group by academic_year, ${keys}
          ) other on other.academic_year = looked.academic_year and ${isSame} and other.earlier < looked.number`,
      )
      await sql`
        with looked as materialized (
          select number, academic_year, name_key, birth_key, student_id_key, email_key from import_rows
          where import_id = ${importId} and problems = '[]'
            and ${numbers === null ? sql`true` : sql`number = any(${[...numbers]}::int[])`}
        ), found as (
          ${sql.join([...ofRecords, ...ofRows], sql` union all `)}
        ), people as (
          select number, student_id, reference, earlier, jsonb_agg(kind) as kinds,
            row_number() over (partition by number order by earlier nulls first, reference) as place
          from found group by number, student_id, reference, earlier
        ), matched as (
          select number, jsonb_agg(jsonb_build_object(
            'by', kinds, 'studentId', student_id, 'reference', reference, 'row', earlier
          ) order by place) as matches
          from people where place <= ${mostMatches} group by number
        ), settled as (
          select looked.number, coalesce(matched.matches, '[]') as matches
          from looked left join matched on matched.number = looked.number
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
      if (numbers === null) await sql`set local enable_nestloop = on`.execute(db)
    },

    /** The rows that a row may match by its keys, itself included. */
    async alike(importId: string, number: number): Promise<number[]> {
      const { rows } = await sql<{ number: number }>`
        select other.number from import_rows looked
        join import_rows other on other.import_id = looked.import_id
          and other.academic_year = looked.academic_year
          and (${sql.join(
            ways.map(({ isSame }) => sql`(${isSame})`),
            sql` or `,
          )})
        where looked.import_id = ${importId} and looked.number = ${number}
        union select ${number}::int`.execute(db)
      return rows.map((row) => row.number)
    },
  }
}
