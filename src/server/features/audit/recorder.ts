import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Audit, AuditEntry } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'

// ms: a page rereads its record with every change; one view is one entry.
const sameViewMs = 10 * 60_000

export function createAudit({ clock }: { clock: Clock }): Audit {
  return {
    async record(db, entry) {
      const id = createId()
      await insert(db, { ...entry, id, at: clock() })
      if (entry.studentIds) {
        // A sheet printed twice names its student twice.
        await sql`
          insert into audit_students (event_id, student_id)
          select distinct ${id}::uuid, unnest(${[...entry.studentIds]}::uuid[])`.execute(db)
      }
      if (entry.values) {
        const { before, after } = entry.values
        await sql`
          insert into audit_values (event_id, student_id, before, after)
          values (${id}, ${entry.studentId ?? null}, ${JSON.stringify(before)}::jsonb,
            ${JSON.stringify(after)}::jsonb)`.execute(db)
      }
    },

    async recordEach(db, entries) {
      const at = clock()
      const rows = JSON.stringify(entries.map((entry) => ({ ...entry, id: createId(), at })))
      await sql`
        insert into audit_events (id, at, action, admin_id, actor, client_address, user_agent, request_id,
          student_id, subject, fields, affected, detail)
        select id, at, action, (actor ->> 'adminId')::uuid, actor ->> 'name', actor ->> 'clientAddress',
          actor ->> 'userAgent', actor ->> 'requestId', "studentId", subject, fields, 1, coalesce(detail, '{}')
        from jsonb_to_recordset(${rows}::jsonb) as e(id uuid, at timestamptz, action text, actor jsonb,
          "studentId" uuid, subject text, fields text[], detail jsonb)`.execute(db)
      await sql`
        insert into audit_values (event_id, student_id, before, after)
        select id, "studentId", "values" -> 'before', "values" -> 'after'
        from jsonb_to_recordset(${rows}::jsonb) as e(id uuid, "studentId" uuid, "values" jsonb)`.execute(db)
    },

    async recordView(db, entry) {
      const at = clock()
      await insert(db, { ...entry, id: createId(), at }, new Date(at.getTime() - sameViewMs))
    },
  }
}

// Looking back uses audit_events_student.
async function insert(
  db: Queryable,
  { actor, ...entry }: AuditEntry & { id: string; at: Date },
  unlessSince: Date | null = null,
): Promise<void> {
  const studentId = entry.studentId ?? null
  await sql`
    insert into audit_events (id, at, action, admin_id, actor, client_address, user_agent, request_id,
      student_id, subject, fields, affected, detail)
    select ${entry.id}::uuid, ${entry.at}::timestamptz, ${entry.action}::text, ${actor.adminId}::uuid,
      ${actor.name}::text, ${actor.clientAddress}::text, ${actor.userAgent}::text, ${actor.requestId}::text,
      ${studentId}::uuid, ${entry.subject ?? ''}::text, ${entry.fields ?? []}::text[],
      ${entry.affected ?? entry.studentIds?.length ?? 1}::int, ${JSON.stringify(entry.detail ?? {})}::jsonb
    where ${unlessSince}::timestamptz is null or not exists (
      select from audit_events
      where student_id = ${studentId}::uuid and at > ${unlessSince}::timestamptz
        and action = ${entry.action} and admin_id = ${actor.adminId}::uuid
    )`.execute(db)
}
