import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Tables } from '#server/database/schema.ts'
import type { MyPage } from '#shared/my/own-page-response.ts'
import type { LayoutCode } from '#shared/papers/papers.ts'
import type { Role } from '#shared/people/permissions.ts'

type Row<Table extends keyof Tables, Column extends keyof Selectable<Tables[Table]>> = Pick<
  Selectable<Tables[Table]>,
  Column
>
type Serial = NonNullable<MyPage['serial']>

export type OwnEnrolment = Row<'enrolments', 'component' | 'level' | 'status' | 'mark' | 'outcome'> &
  Row<'terms', 'academicYear' | 'semester'> & {
    termState: Selectable<Tables['terms']>['state']
    unit: string | null
    section: string | null
    adviser: string | null
    meets: string | null
  }
export type OwnCredit = Row<'credits', 'kind' | 'level' | 'component' | 'school' | 'academicYear' | 'mark'>

type OwnRecord = Row<
  'students',
  'reference' | 'firstName' | 'academicYear' | 'dateOfBirth' | 'archived' | 'restriction' | 'serialNumber'
>
export interface OwnPageRow extends OwnRecord {
  component: Selectable<Tables['students']>['nstpComponent']
  enrolments: OwnEnrolment[]
  credits: OwnCredit[]
  certificates: Serial['certificates']
  paper:
    | (Pick<NonNullable<Serial['paper']>, 'state' | 'sentOn'> & { layout: LayoutCode; ofGraduates: boolean })
    | null
}

// The latest term first. Index: enrolments_student.
const enrolments = sql`
  select academic_year as "academicYear", semester, terms.state as "termState", own.component, own.level, status, mark,
    outcome, unit, sections.name as section, adviser, meets
  from enrolments own
    join terms on terms.id = own.term_id
    left join sections on sections.id = section_id
  where student_id = $1
  order by academic_year desc, semester desc, own.id desc`

// The latest first. Index: credits_student.
const credits = sql`
  select kind, level, component, school, academic_year as "academicYear", mark
  from credits where student_id = $1 and revoked_at is null order by decided_at desc, id desc`

// The latest first. Index: certificates_student.
const certificates = sql`
  select number, kind, issued_on as "issuedOn", code
  from certificates where student_id = $1 and revoked_at is null order by issued_on desc, number desc`

// The latest paper that lists the student as a graduate. Index: paper_rows_student.
const paper = sql`
  select layout, coalesce((options ->> 'ofGraduates')::boolean, false) as "ofGraduates", state, sent_on as "sentOn"
  from paper_rows join papers on papers.id = paper_id
  where student_id = $1 and list = 'graduates' and state <> 'draft' order by frozen_at desc, papers.id limit 1`

/** The JSON array keeps the order of the rows. */
const listOf = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg(line), '[]') from (${rows}) line)`

const ownPage = sql`
  select reference, first_name as "firstName", academic_year as "academicYear", date_of_birth as "dateOfBirth", archived,
    restriction, nstp_component as component, serial_number as "serialNumber", ${listOf(enrolments)} as enrolments,
    ${listOf(credits)} as credits, ${listOf(certificates)} as certificates, (select to_json(line) from (${paper}) line) as paper
  from students where id = $1`

export interface OwnReading {
  day: string
  action: string
  role: Role | null
  actor: string
  times: number
}

/** What one student reads of the own record. */
export function createOwnPageReader({ db, queryPrepared }: Pick<AppDatabase, 'db' | 'queryPrepared'>) {
  const { all } = queriesOf(db)
  const { sql: text } = ownPage.compile(db.withoutPlugins())

  return {
    /** One statement, because several would take longer than all the rest of the request. Index: students_pkey. */
    async page(studentId: string): Promise<OwnPageRow | undefined> {
      const [found] = await queryPrepared<OwnPageRow & Record<string, unknown>>(text, [studentId])
      return found
    },

    // Index: students_pkey.
    record: (studentId: string) =>
      db.selectFrom('students').selectAll().where('id', '=', studentId).executeTakeFirst(),

    /**
     * Counts readings and changes of the record by day and role: never by a name or an address of the office.
     * Indexes: audit_events_student, audit_students_student, admins_pkey.
     */
    readings: (
      studentId: string,
      { actions, timeZone, most }: { actions: readonly string[]; timeZone: string; most: number },
    ) => all<OwnReading>`
        select to_char(own.at at time zone ${timeZone}, 'YYYY-MM-DD') as day, action, role,
          case when admin_id is null then actor else '' end as actor, count(*)::int as times
        from audit_events own left join admins on admins.id = admin_id
        where own.id in (
            select id from audit_events where student_id = ${studentId}
            union all select event_id from audit_students where student_id = ${studentId})
          and action = any(${[...actions]})
        group by 1, 2, 3, 4 order by 1 desc, 2, 3, 4 limit ${most}`,
  }
}
