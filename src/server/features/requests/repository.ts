import { type Insertable, type Selectable, sql } from 'kysely'
import { allOf, inScope, isBehind } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import { searchCondition } from '#server/database/student-search.ts'
import type { OwnRecord } from '#server/features/students/change-service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Position } from '#server/lib/paging.ts'
import type { AttendanceState } from '#shared/attendance/calls.ts'
import type { closedOutcomes } from '#shared/privacy/privacy.ts'
import type { StudentRequestKind, StudentRequestState } from '#shared/requests/request-kinds.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'

export type StoredRequest = Selectable<Tables['studentRequests']>

/** A request as it is stored, with the training day of an excused absence. */
export interface RequestRow extends StoredRequest {
  termId: string | null
  dayComponent: NstpComponent | null
  heldOn: string | null
  startsAt: string | null
  title: string | null
  /** Whether the day is cancelled, or was for the student's section alone. */
  isCancelled: boolean
  /** What is called of the student on that day by now. */
  called: AttendanceState | null
}

type NamedRow = Pick<
  OwnRecord,
  'reference' | 'lastName' | 'firstName' | 'middleName' | 'extensionName' | 'nstpComponent' | 'dateOfBirth'
>

export interface RequestOfStudent extends RequestRow, NamedRow {
  dueOn: string | null
}

export interface FoundRequest extends RequestOfStudent {
  /** The codes of records that were merged into this one. */
  formerReferences: string[]
  /** The numbers of valid ones. */
  certificates: string[]
}

/** Open requests of one kind, for the same fields, or days of one component. */
export interface OpenRequests extends Pick<RequestRow, 'kind' | 'dayComponent'> {
  fields: StudentField[]
  open: number
  oldest: Date
}

export interface RequestFilter {
  state: 'open' | 'decided'
  kind: StudentRequestKind | 'all'
  search: string
}

const columns = sql`own.*, day.term_id, day.component as day_component, held_on, starts_at, day.title,
  attendance.state as called, coalesce(day.state = 'cancelled', false) or (attendance.state is null and exists (
    select from enrolments where enrolments.student_id = own.student_id and enrolments.term_id = day.term_id
      and enrolments.status = 'enrolled' and section_id = any(day.cancelled_section_ids))) as is_cancelled`

// Indexes: training_days_pkey, attendance_pkey, enrolments_student.
const withDay = sql`student_requests own left join training_days day on day.id = own.day_id
  left join attendance on attendance.day_id = own.day_id and attendance.student_id = own.student_id`

const listedColumns = sql`${columns}, students.reference, last_name, first_name, middle_name, extension_name, nstp_component,
  date_of_birth, due_on`

// Indexes: students_pkey, privacy_requests_pkey.
const fromOffice = sql`
  from ${withDay} join students on students.id = own.student_id
    left join privacy_requests on privacy_requests.id = privacy_request_id`

/** What one student asks for, and what becomes of it. Give it the transaction of a change. */
export function createStudentRequestsRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    // Index: students_pkey.
    birthDateOf: (id: string) =>
      db.selectFrom('students').select('dateOfBirth').where('id', '=', id).executeTakeFirst(),

    // Index: student_requests_student.
    ofStudent: (studentId: string) => all<RequestRow>`
        select ${columns} from ${withDay} where own.student_id = ${studentId} order by asked_at desc, own.id desc`,

    add: (row: Insertable<Tables['studentRequests']>) =>
      db.insertInto('studentRequests').values(row).execute(),

    // Index: student_requests_pkey.
    lock: (id: string): Promise<StoredRequest | undefined> =>
      db.selectFrom('studentRequests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(),

    // Index: student_requests_privacy.
    ofPrivacyRequest: (privacyRequestId: string): Promise<StoredRequest | undefined> =>
      db
        .selectFrom('studentRequests')
        .selectAll()
        .where('privacyRequestId', '=', privacyRequestId)
        .executeTakeFirst(),

    // Index: student_requests_pkey.
    close: (
      id: string,
      end: {
        state: StudentRequestState
        decidedAt: Date
        decidedById: string | null
        granted: string[]
        answer: string
      },
    ) =>
      db
        .updateTable('studentRequests')
        .set({ ...end, version: sql`version + 1` })
        .where('id', '=', id)
        .execute(),

    // Index: privacy_requests_pkey. One that the office closed meanwhile stays so.
    closePrivacy: (id: string, outcome: (typeof closedOutcomes)[number], closedOn: string) =>
      db
        .updateTable('privacyRequests')
        .set({ outcome, closedOn })
        .where('id', '=', id)
        .where('closedOn', 'is', null)
        .execute(),
  }
}

/** Reads only requests of students that the account sees. */
export function createOfficeRequestsRepository(db: Queryable, access: Access) {
  const { all, first } = queriesOf(db)
  return {
    /** The open ones by when they were made, the others from the last decided. Indexes: student_requests_open, student_requests_decided. */
    async list(
      { state, kind, search }: RequestFilter,
      after: Position | null,
      limit: number,
    ): Promise<RequestOfStudent[]> {
      const isOpen = state === 'open'
      const behind = isOpen
        ? after && sql`(asked_at, own.id) > (${after.at}::timestamptz, ${after.id}::uuid)`
        : isBehind(after, 'decided_at', 'own.id')
      const rows = await all<RequestOfStudent>`
        select ${listedColumns} ${fromOffice}
        where ${allOf(
          isOpen ? sql`own.state = 'open'` : sql`own.state <> 'open'`,
          inScope(access),
          kind === 'all' ? undefined : sql`own.kind = ${kind}`,
          search === ''
            ? undefined
            : sql`students.id in (select id from student_search where ${searchCondition(search, access)})`,
          behind ?? undefined,
        )}
        order by ${isOpen ? sql`asked_at, own.id` : sql`decided_at desc, own.id desc`} limit ${limit}`
      return rows
    },

    /** Counts the open ones by what says who may decide them. Indexes: student_requests_open, students_pkey, training_days_pkey. */
    countOpen: () => all<OpenRequests>`
      select kind, array(select jsonb_object_keys(changes)) as fields, day.component as day_component,
        count(*)::int as open, min(asked_at) as oldest
      from student_requests own join students on students.id = own.student_id
        left join training_days day on day.id = own.day_id
      where ${allOf(sql`own.state = 'open'`, inScope(access))} group by 1, 2, 3`,

    // Indexes: student_requests_pkey, former_references_student, certificates_student.
    find: (id: string) => first<FoundRequest>`
        select ${listedColumns},
          array(select reference from former_references where student_id = students.id order by 1) as former_references,
          array(
            select number from certificates where ${allOf(
              sql`student_id = students.id and revoked_at is null`,
              inScope(access, { column: 'certificates.component' }),
            )} order by 1
          ) as certificates
        ${fromOffice} where ${allOf(sql`own.id = ${id}`, inScope(access))}`,
  }
}
