import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** What a merge did with the attendance of the dropped record. */
export interface MergedAttendance {
  // Rows that the kept record got, at the version that they have there.
  given: readonly { dayId: string; version: number }[]
  calls: readonly string[]
  // Rows of days on which the kept record has its own, as JSON of the table.
  kept: string
}

/** Give it the transaction of a merge, or of its undo. Indexes: attendance_student, attendance_calls_student. */
export function createAttendanceMergeRepository(tx: Queryable) {
  const moveCalls = async (to: string, of: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ id: string }>`
      update attendance_calls set student_id = ${to} where ${of} returning id`.execute(tx)
    return rows.map(({ id }) => id)
  }

  return {
    /** The kept record's own row of a day stays; where it has none, it gets the other's. */
    async merge({ from, to }: { from: string; to: string }): Promise<MergedAttendance> {
      const { rows: given } = await sql<{ dayId: string; version: number }>`
        update attendance set student_id = ${to} where student_id = ${from}
          and day_id not in (select day_id from attendance where student_id = ${to})
        returning day_id, version`.execute(tx)
      const { rows } = await sql<{ kept: string }>`
        select coalesce(jsonb_agg(to_jsonb(attendance)), '[]')::text as kept from attendance
        where student_id = ${from}`.execute(tx)
      return { given, calls: await moveCalls(to, sql`student_id = ${from}`), kept: rows[0]?.kept ?? '[]' }
    },

    /** Whether a request was granted since: its call has its id. Index: attendance_calls_pkey. */
    async isExcusedSince(
      { from, requests }: { from: string; requests: readonly string[] },
      { calls }: MergedAttendance,
    ): Promise<boolean> {
      const { rows } = await sql`
        select from attendance_calls where student_id = ${from} and id = any(${[...requests]}::uuid[])
          and id <> all(${[...calls]}::uuid[])`.execute(tx)
      return rows.length > 0
    },

    /** Calls that were made of the kept record since stay with it. */
    async split(
      { from, to }: { from: string; to: string },
      { given, calls, kept }: MergedAttendance,
    ): Promise<void> {
      await sql`
        update attendance set student_id = ${to} where student_id = ${from} and (day_id, version) in (
          select "dayId", version from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
            as given ("dayId" uuid, version integer))`.execute(tx)
      await moveCalls(to, sql`student_id = ${from} and id = any(${[...calls]}::uuid[])`)
      // A day or an account may have been deleted since.
      await sql`
        insert into attendance (day_id, student_id, state, minutes, ground, source, at, by_id, version)
        select kept.day_id, ${to}, kept.state, minutes, ground, source, at, admins.id, kept.version
        from jsonb_populate_recordset(null::attendance, ${kept}::jsonb) kept
          join training_days on training_days.id = kept.day_id left join admins on admins.id = kept.by_id
        on conflict do nothing`.execute(tx)
    },
  }
}
