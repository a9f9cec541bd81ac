import { type Selectable, type SqlBool, sql } from 'kysely'
import { isUnrestricted, serialKeyOf } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable, StudentsTable } from '#server/database/schema.ts'
import { mailDecisionSentences } from '#shared/mail/mail-history.ts'
import { columnsOf } from './filter-and-order-repository.ts'
import { recordColumns } from './repository.ts'

// All that are not generated; the record of an import isn't rejected.
export const restoredColumns = [
  ...recordColumns,
  'submissionKey',
  'submissionHash',
  'network',
  'mergedIds',
] as const
const sampleSize = 5
const changedAtOnce = 5_000
const mostSteps = 10

// Deletion would clear the rows of its updates, which the undo of the import needs. Index: import_rows_record.
// The office knows who is in a term or a paper, credited or certified, and who asked to be blocked. Indexes:
// enrolments_student, paper_rows_student, credits_student, certificates_student. Who made a request entered with a code of
// their own, and a merged record is the office's work. Indexes: student_requests_student, former_references_student.
const isKept = sql<SqlBool>`(import_id is not null or not ${isUnrestricted()}
  or exists (select from import_rows where record_id = students.id)
  or exists (select from enrolments where student_id = students.id)
  or exists (select from credits where student_id = students.id)
  or exists (select from certificates where student_id = students.id)
  or exists (select from paper_rows where student_id = students.id)
  or exists (select from student_requests where student_id = students.id)
  or exists (select from former_references where student_id = students.id))`
const wasWaiting = sql<SqlBool>`state = 'cancelled' and mail_messages.id = any(waiting)`

export type SampleRow = Pick<
  Selectable<StudentsTable>,
  'id' | 'lastName' | 'firstName' | 'middleName' | 'email' | 'registrationDate' | 'network'
>

/** Give it the transaction of a change. Where nothing else is said, by primary key or `rejected_students_rejection`. */
export function createRejectionRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    // Index: mail_messages_student.
    async preview(ids: readonly string[]) {
      const rows = await all<{ total: number; kept: number; mail: number }>`
        select count(*)::int as total, count(*) filter (where is_kept)::int as kept,
          coalesce(sum((select count(*) from mail_messages
            where student_id = students.id and state = 'queued')) filter (where not is_kept), 0)::int as mail
        from (select id, ${isKept} as is_kept from students) students where id = any(${[...ids]}::uuid[])`
      const sample = await sql<SampleRow>`
        select id, last_name, first_name, middle_name, email, registration_date, network from students
        where id = any(${[...ids]}::uuid[]) and not ${isKept}
        order by registration_date desc, id desc limit ${sampleSize}`.execute(db)
      return { total: 0, kept: 0, mail: 0, ...rows[0], sample: sample.rows }
    },

    // Locks the records until the transaction ends, and only then reads what they are in: it may have changed meanwhile.
    async lock(ids: readonly string[]): Promise<{ id: string; isKept: boolean }[]> {
      const named = sql`id = any(${[...ids]}::uuid[])`
      await sql`select from students where ${named} order by id for update`.execute(db)
      const rows = await all<{ id: string; isKept: boolean }>`
        select id, ${isKept} as is_kept from students where ${named}`
      return rows
    },

    /** The messages stay, so that the day's quota counts them. Index: mail_messages_student. */
    async reject(
      ids: readonly string[],
      { id, at, actor }: { id: string; at: Date; actor: string },
    ): Promise<void> {
      const rejected = sql`${[...ids]}::uuid[]`
      await sql`
        insert into rejected_students (id, rejection_id, rejected_at, actor, record, waiting)
        select id, ${id}, ${at}, ${actor}, to_jsonb(students),
          array(select mail_messages.id from mail_messages
            where student_id = students.id and state in ('queued', 'sending'))
        from students where id = any(${rejected})`.execute(db)
      await sql`
        update mail_messages set student_id = null, rejected_id = student_id,
          state = case state when 'queued' then 'cancelled' else state end,
          ended_at = case state when 'queued' then ${at}::timestamptz else ended_at end,
          failure = case state when 'queued' then ${mailDecisionSentences.rejected} else failure end
        where student_id = any(${rejected})`.execute(db)
      await sql`delete from students where id = any(${rejected})`.execute(db)
    },

    /**
     * A record whose key was used again meanwhile stays out. Give it a transaction with the lock of serial numbers: one that
     * another student has by now is left empty. Index: students_serial. @returns the ids of those that are back
     */
    async restore(rejectionId: string, since: Date): Promise<string[]> {
      const rows = await all<{ id: string }>`
        insert into students (${sql.join(restoredColumns.map((column) => sql.ref(column)))})
        select ${columnsOf(restoredColumns)}
        from rejected_students
          cross join lateral (
            select exists (
              select from students held where held.serial_number <> '' and record ->> 'serial_number' ~ '\\d'
                and ${serialKeyOf('held.serial_number')} = ${serialKeyOf("record ->> 'serial_number'")}
            ) as has_another
          ) serial
          cross join lateral jsonb_populate_record(null::students,
            record || case when has_another then '{"serial_number": ""}'::jsonb else '{}' end) students
        where rejection_id = ${rejectionId} and rejected_at > ${since}
        order by students.id
        on conflict do nothing returning id`
      const ids = rows.map(({ id }) => id)
      await sql`
        update mail_messages set student_id = rejected_id, rejected_id = null,
          state = case when ${wasWaiting} then 'queued' else state end,
          ended_at = case when ${wasWaiting} then null else ended_at end,
          failure = case when ${wasWaiting} then '' else failure end
        from rejected_students own
        where rejected_id = own.id and own.id = any(${ids}::uuid[])`.execute(db)
      await sql`delete from rejected_students where id = any(${ids}::uuid[])`.execute(db)
      return ids
    },

    /** @returns how many stayed out */
    async noteUndone(rejectionId: string, since: Date): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('rejectedStudents')
        .set({ isUndone: true })
        .where('rejectionId', '=', rejectionId)
        .where('rejectedAt', '>', since)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    /**
     * Lists rejections that were not undone. An undone one is left out although some of its records stayed out.
     * Index: rejected_students_rejected.
     */
    list: (since: Date) => all<{ id: string; at: Date; actor: string; count: number }>`
        select rejection_id as id, rejected_at as at, actor, count(*)::int from rejected_students
        where rejected_at > ${since} and not is_undone
        group by rejection_id, rejected_at, actor order by rejected_at desc`,

    /** Deletes rejected records with their messages. Index: rejected_students_rejected. */
    async expire(before: Date): Promise<void> {
      for (let some = changedAtOnce; some === changedAtOnce; ) {
        const { numAffectedRows } = await sql`
          delete from rejected_students where id in (
            select id from rejected_students where rejected_at <= ${before} limit ${changedAtOnce})`.execute(
          db,
        )
        some = Number(numAffectedRows ?? 0)
      }
    },

    /** Lists senders, those with the most registrations first. Index: students_registration. */
    networks: (since: Date, limit: number) => all<{ network: string; count: number }>`
        select network, count(*)::int from students
        where registration_date > ${since} and network is not null
        group by network order by 2 desc, 1 limit ${limit}`,

    /** The newest first; after a flood the rest in the next hours. Index: students_registration. */
    async forgetNetworks(before: Date): Promise<void> {
      for (let step = 0, some = changedAtOnce; some === changedAtOnce && step < mostSteps; step++) {
        const { numAffectedRows } = await sql`
          update students set network = null where id in (
            select id from students where network is not null and registration_date < ${before}
            order by registration_date desc limit ${changedAtOnce})`.execute(db)
        some = Number(numAffectedRows ?? 0)
      }
    },
  }
}
