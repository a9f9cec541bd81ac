import { type Insertable, sql } from 'kysely'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import { type AuditAction, actorText, auditActions } from '#shared/audit/audit.ts'
import { readingActions } from '#shared/audit/reading-actions.ts'
import { type Role, roleNames } from '#shared/people/permissions.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { isMailToStudent, isRowOfStudent } from './erasure-repository.ts'

export interface FileRow {
  part: string
  at: Date | null
  what: string
  value: string
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function changesOf(
  fields: readonly string[],
  { before, after }: Record<'before' | 'after', unknown>,
): string {
  if (fields.length === 0 && before === null) return ''
  const pairOf = (values: unknown, field: string) =>
    typeof values === 'object' && values !== null && field in values ? textOf(Reflect.get(values, field)) : ''
  const changes = fields.map((field) => `${field}: ${pairOf(before, field)} → ${pairOf(after, field)}`)
  return changes.join('\n')
}

interface Held {
  at: Date | null
  what: string
  value: unknown
}

const partOf = (part: string, rows: readonly Held[]): FileRow[] =>
  rows.map(({ at, what, value }) => ({ part, at, what, value: textOf(value) }))

/**
 * The reader decides what the file has. The student gets nothing of other people: roles instead of the
 * office's names, no answer that names a second student, and no mail or row of a file that only an address or
 * a name connects with the record.
 */
export type FileReader = 'office' | 'student'

/** All that is held on one person beside the record. */
export async function readHeld(
  db: Queryable,
  { id, reference }: { id: string; reference: string },
  reader: FileReader = 'office',
): Promise<FileRow[]> {
  const isOwn = reader === 'student'
  const isMail = isOwn
    ? sql`own.student_id = students.id`
    : sql`(own.student_id = students.id or ${isMailToStudent})`
  const isRow = isOwn
    ? sql`import_rows.record_id = students.id`
    : sql`(import_rows.record_id = students.id or ${isRowOfStudent})`
  // Indexes: audit_events_student, audit_students_student.
  const events = await sql<{
    at: Date
    action: AuditAction
    actor: string
    role: Role | null
    fields: string[]
    before: unknown
    after: unknown
  }>`
    select e.at, e.action, e.actor, admins.role, e.fields, v.before, v.after
    from audit_events e
      left join audit_values v on v.event_id = e.id and (v.student_id = ${id} or ${!isOwn})
      left join admins on admins.id = e.admin_id
    where e.id in (
      select id from audit_events where student_id = ${id}
      union all select event_id from audit_students where student_id = ${id})
    order by e.at, e.id`.execute(db)
  // Index: undoable_changes_student.
  const undoable = await db
    .selectFrom('undoableChanges')
    .select(['at', 'before', 'dropped'])
    .where('studentId', '=', id)
    .orderBy('at')
    .execute()
  const mail = await sql<Held>`
    select created_at as at, subject || ' (' || state || ')' as what,
      case when kind = 'code' then '""'::jsonb else content::jsonb end as value
    from mail_messages own, students
    where students.id = ${id} and ${isMail}
    order by created_at, own.id`.execute(db)
  const returned = await sql<Held>`
    select received_at as at, own.status as what, diagnostic as value from mail_bounces own, students
    where students.id = ${id} and ${isMail}
    order by received_at`.execute(db)
  const rows = await sql<{ at: Date; fileName: string; cells: string[]; edits: Record<string, string> }>`
    select imports.created_at as at, file_name, cells, edits
    from students join import_rows on ${isRow}
      join imports on imports.id = import_rows.import_id
    where students.id = ${id} order by imports.created_at, import_rows.number`.execute(db)
  // Indexes: enrolments_student, enrolment_changes_enrolment.
  const enrolments = await sql<{ at: Date | null; term: string; what: string; value: unknown }>`
    select null as at, academic_year || ', semester ' || semester as term, 'Enrollment' as what,
      to_jsonb(own) - array['id', 'term_id', 'student_id', 'section_id', 'version']
        || jsonb_build_object('unit', unit, 'section', name) as value
    from enrolments own join terms on terms.id = own.term_id left join sections on sections.id = own.section_id
    where own.student_id = ${id}
    union all
    select at, academic_year || ', semester ' || semester, 'Change: ' || what,
      jsonb_build_object('before', before, 'after', after, 'reason', change.reason)
    from enrolments own join terms on terms.id = own.term_id
      join enrolment_changes change on change.enrolment_id = own.id
    where own.student_id = ${id} order by term, at nulls first`.execute(db)
  // Indexes: attendance_student, attendance_calls_student.
  const attendance = await sql<Held>`
    select own.at, held_on || ', ' || component || ' training' as what,
      to_jsonb(own) - array['day_id', 'student_id', 'by_id', 'version'] as value
    from attendance own join training_days on training_days.id = day_id where student_id = ${id}
    union all
    select own.at, held_on || ', ' || component || ' training: call',
      to_jsonb(own) - array['id', 'day_id', 'student_id', 'by_id']
    from attendance_calls own join training_days on training_days.id = day_id where student_id = ${id}
    order by at, what`.execute(db)
  // Index: credits_student.
  const credits = await sql<Held>`
    select decided_at as at, kind as what,
      to_jsonb(own) - array['id', 'student_id', 'decided_by_id', 'revoked_by_id'] as value
    from credits own where student_id = ${id} order by decided_at, own.id`.execute(db)
  // Index: paper_rows_student.
  const papers = await sql<Held>`
    select frozen_at as at, title as what, jsonb_build_object('list', list, 'number', number, 'cells', cells,
      'serial number that came back', serial, 'state', state, 'sent on', sent_on) as value
    from paper_rows own join papers on papers.id = paper_id
    where own.student_id = ${id} order by frozen_at, list`.execute(db)
  const answers = await sql<Held>`
    select at, title as what, jsonb_build_object('rule', code, 'answer', answer, 'reason', reason) as value
    from paper_answers own join papers on papers.id = paper_id
    where ${isOwn ? sql`subject = ${id}::text` : sql`${id}::text = any(string_to_array(subject, ' '))`}
    order by at`.execute(db)
  // Index: certificates_student.
  const certificates = await sql<Held>`
    select issued_at as at, number as what,
      to_jsonb(own) - array['id', 'student_id', 'batch_id', 'issued_by_id', 'revoked_by_id']
        || case when ${isOwn} then jsonb_build_object('content', content - 'signatories') else '{}' end as value
    from certificates own where student_id = ${id} order by number`.execute(db)
  // Indexes: student_requests_student, training_days_pkey.
  const asked = await sql<Held>`
    select asked_at as at, kind || ' (' || own.state || ')' as what,
      jsonb_build_object('changes', changes, 'reason', reason, 'accepted', granted, 'answer', answer,
        'decided at', decided_at)
        || case when day_id is null then '{}' else jsonb_build_object('training day', held_on, 'ground', ground) end as value
    from student_requests own left join training_days on training_days.id = day_id
    where student_id = ${id} order by asked_at, own.id`.execute(db)
  // Index: former_references_student.
  const references = await sql<Held>`
    select null as at, 'Reference of a merged record' as what, reference as value
    from former_references where student_id = ${id} order by reference`.execute(db)
  const requests = await db
    .selectFrom('privacyRequests')
    .selectAll()
    .where('reference', '=', reference)
    .orderBy('receivedOn')
    .execute()
  return [
    ...events.rows.map(({ at, action, actor, role, fields, ...values }) => ({
      part: readingActions[action] ? 'Reading' : 'Change',
      at,
      what: `${auditActions[action]}, by ${isOwn ? roleText(actor, role) : actorText({ actor })}`,
      value: changesOf(fields, values),
    })),
    ...undoable.map(({ at, ...values }) => ({
      part: 'Undo',
      at,
      what: 'Kept for an undo, for ten minutes',
      // The record that a merge dropped may be that of another person.
      value: JSON.stringify(isOwn ? { ...values, dropped: null } : values),
    })),
    ...partOf('E-mail', mail.rows),
    ...partOf('Returned e-mail', returned.rows),
    ...rows.rows.map(({ at, fileName, cells, edits }) => ({
      part: 'Import',
      at,
      what: fileName,
      value: [...cells, ...Object.values(edits)].join('\n'),
    })),
    ...enrolments.rows.map(({ at, term, what, value }) => ({
      part: 'Term',
      at,
      what: `${term}: ${what}`,
      value: JSON.stringify(value),
    })),
    ...partOf('Attendance', attendance.rows),
    ...partOf('Credit', credits.rows),
    ...partOf('Paper', [...papers.rows, ...answers.rows]),
    ...partOf('Certificate', certificates.rows),
    ...partOf('Record', references.rows),
    ...partOf('Request', asked.rows),
    ...requests.map(({ kind, receivedOn, dueOn, closedOn, outcome }) => ({
      part: 'Request',
      at: null,
      what: kind,
      value: `received ${receivedOn}, due ${dueOn}${closedOn ? `, ${outcome ?? ''} ${closedOn}` : ''}`,
    })),
  ]
}

function roleText(actor: string, role: Role | null): string {
  if (role) return roleNames[role]
  return actor === 'student' ? 'You' : 'The portal'
}

export function recordRows(row: Record<StudentField, string | number>): FileRow[] {
  return studentFieldNames.map((field) => ({
    part: 'Record',
    at: null,
    what: fieldDefinition(field).label,
    value: String(row[field]),
  }))
}

/** Indexes: the primary key or the unique reference. The other tables are short. */
export function createPrivacyRepository(db: Queryable) {
  const { all, exists } = queriesOf(db)
  return {
    record: (id: string) => db.selectFrom('students').selectAll().where('id', '=', id).executeTakeFirst(),

    /**
     * Finds references of deleted records too, which only the audit trail has. The trail is read to its end, because
     * the question is a rare mistake.
     */
    async wasGiven(reference: string): Promise<boolean> {
      const ofRecord = db.selectFrom('students').select('id').where('reference', '=', reference)
      const inTrail = db.selectFrom('auditEvents').select('id').where('subject', '=', reference).limit(1)
      return Boolean((await ofRecord.executeTakeFirst()) ?? (await inTrail.executeTakeFirst()))
    },

    addRequest: (row: Insertable<Tables['privacyRequests']>) =>
      db.insertInto('privacyRequests').values(row).execute(),

    /** Whether the record of a request for erasure is still there. Indexes: privacy_requests_pkey, students_reference_key, former_references_pkey. */
    isToErase: (id: string) => exists`
        select from privacy_requests request where request.id = ${id} and kind = 'erasure' and (
          exists (select from students where students.reference = request.reference)
          or exists (select from former_references former where former.reference = request.reference))`,

    closeRequest: (id: string, outcome: 'granted' | 'refused', closedOn: string) =>
      db
        .updateTable('privacyRequests')
        .set({ outcome, closedOn })
        .where('id', '=', id)
        .where('closedOn', 'is', null)
        .returning('reference')
        .executeTakeFirst(),

    addBreach: (row: Insertable<Tables['privacyBreaches']>) =>
      db.insertInto('privacyBreaches').values(row).execute(),

    /** @returns false when it was noted before */
    async noteTold(id: string, column: 'peopleAt' | 'commissionAt', at: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('privacyBreaches')
        .set({ [column]: at })
        .where('id', '=', id)
        .where(column, 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    requests: () =>
      db.selectFrom('privacyRequests').selectAll().orderBy('receivedOn', 'desc').orderBy('id').execute(),

    breaches: () => db.selectFrom('privacyBreaches').selectAll().orderBy('noticedAt', 'desc').execute(),

    // Index only: students_registration.
    activeByYear: () => all<{ academicYear: string; count: number }>`
        select academic_year, count(*)::int as count from students where not archived
        group by academic_year order by academic_year`,
  }
}
