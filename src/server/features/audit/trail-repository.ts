import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { allOf } from '#server/database/student-counts/count-sql.ts'
import type { Position } from '#server/lib/paging.ts'
import type { AuditAction } from '#shared/audit/audit.ts'
import type { AuditItem } from '#shared/audit/audit-response.ts'

export interface TrailSelection {
  actions: readonly AuditAction[] | null
  exceptActions: readonly AuditAction[]
  studentId: string | null
  search: string
  from: Date | null
  until: Date | null
  after: Position | null
}

export type TrailRow = Omit<AuditItem, 'at'> & { at: Date }

interface ChangedValues {
  before: Record<string, unknown>
  after: Record<string, unknown>
  action: AuditAction
  studentId: string | null
}

export function createTrailRepository(db: Queryable) {
  return {
    // Index: audit_events_at, audit_events_action with one action, audit_events_student with a student.
    async list(selection: TrailSelection, limit: number): Promise<TrailRow[]> {
      const result = await sql<TrailRow>`
        select e.id, e.at, e.action, e.actor, e.client_address, e.user_agent, e.request_id, e.student_id,
          s.last_name || ', ' || s.first_name as student_name,
          e.subject, e.fields, e.affected, e.detail, v.event_id is not null as has_values
        from audit_events e
          left join students s on s.id = e.student_id
          left join audit_values v on v.event_id = e.id
        where ${condition(selection)}
        order by e.at desc, e.id desc
        limit ${limit}`.execute(db)
      return result.rows
    },

    // Primary keys.
    async findValues(id: string): Promise<ChangedValues | undefined> {
      const result = await sql<ChangedValues>`
        select e.action, e.student_id, v.before, v.after
        from audit_events e join audit_values v on v.event_id = e.id
        where e.id = ${id}`.execute(db)
      return result.rows[0]
    },

    // Give it a transaction: the permission for the trail's trigger ends with it. Index: audit_events_at.
    async deleteBefore(instant: Date, limit: number): Promise<number> {
      await sql`select set_config('nstp.retention', 'on', true)`.execute(db)
      const { numAffectedRows } = await sql`
        delete from audit_events where id in (
          select id from audit_events where at < ${instant} order by at limit ${limit}
        )`.execute(db)
      return Number(numAffectedRows ?? 0n)
    },
  }
}

function condition({ actions, exceptActions, studentId, search, from, until, after }: TrailSelection) {
  return allOf(
    actions ? sql`e.action = any(${[...actions]}::text[])` : undefined,
    exceptActions.length > 0 ? sql`e.action <> all(${[...exceptActions]}::text[])` : undefined,
    // An entry about many names them in audit_students; index: audit_students_student. As one list of ids and not by
    // `or`, for which every entry there is would be read.
    studentId
      ? sql`e.id in (
          select id from audit_events where student_id = ${studentId}
          union all select event_id from audit_students where student_id = ${studentId}
        )`
      : undefined,
    search === ''
      ? undefined
      : sql`strpos(lower(concat_ws(E'\n', e.actor, e.client_address, e.subject, e.request_id)),
          lower(${search}::text)) > 0`,
    from ? sql`e.at >= ${from}` : undefined,
    until ? sql`e.at < ${until}` : undefined,
    after ? sql`(e.at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : undefined,
  )
}
