import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import { allOf, inScope, isUnrestricted, serialKeyOf } from '#server/database/conditions.ts'
import { confirmsCertificate, graduations, graduationsOfYear } from '#server/database/graduations.ts'
import type { CertificateContent } from '#server/database/paper-tables.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import { containsEach, searchedWords } from '#server/database/student-search.ts'
import type { Access } from '#server/lib/access.ts'
import type { CertificateKind, CertificateState } from '#shared/certificates/certificates.ts'
import type {
  GraduatesToCertify,
  ListedCertificate,
  PrintedCertificate,
} from '#shared/certificates/certificates-response.ts'
import type { Restriction } from '#shared/privacy/privacy.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { NamedStudent } from '#shared/students/student-name.ts'

/** What a certificate says of a student. */
export interface CertifiedStudent extends NamedStudent {
  id: string
  serialNumber: string
  // The component of the student's record; '' for none yet.
  nstpComponent: NstpComponent | ''
  restriction: Restriction | null
  /** Whether another student has the same serial number: then it is of nobody. */
  isShared: boolean
}

// Index: students_serial.
const isShared = sql<boolean>`(students.serial_number ~ '\\d' and exists (
  select from students other where other.id <> students.id and other.serial_number <> ''
    and ${serialKeyOf('other.serial_number')} = ${serialKeyOf('students.serial_number')}))`

const studentColumns = sql`students.id, last_name, first_name, middle_name, extension_name, serial_number,
  nstp_component, restriction, ${isShared} as is_shared`

const printed = ['lastName', 'firstName', 'middleName', 'extensionName', 'serialNumber'] as const
const printedTexts = sql`concat_ws(E'\\n', ${sql.join(printed.map((name) => sql`content ->> ${sql.lit(name)}`))})`
/** Made once for each row (offset 0), not once for each word. */
const searchedText = sql`
  select searchable(concat_ws(E'\\n', number, texts, case when texts ~* '\\y(ma|sta|sto)\\y' then spelled_out(texts) end))
    as text
  from (select ${printedTexts} as texts offset 0) printed offset 0`

const certificateColumns = sql`certificates.id, number, kind, component, certificates.academic_year, issued_on`
const contentColumns = sql.join(
  printed.map((name) => sql`coalesce(content ->> ${sql.lit(name)}, '') as ${sql.ref(name)}`),
)

const isOtherNow = sql`(${sql.join(printed.map((name) => sql`content ->> ${sql.lit(name)}`))})
  is distinct from (${sql.join(printed.map((name) => sql.ref(`students.${name}`)))})`

const state = sql<CertificateState>`case
  when revoked_at is not null then 'revoked'
  when certificates.student_id is null then 'erased'
  when not ${sql.raw(confirmsCertificate)} then 'unconfirmed'
  when ${isOtherNow} then 'differs'
  else 'issued' end`

/** Limits a list to the students of a section, or to the graduates of a paper. */
export interface WithinList {
  section: string | null
  paper: string | null
}

/** Indexes: enrolments_section, paper_rows_pkey. */
const isWithin = (column: RawBuilder<unknown>, { section, paper }: WithinList) =>
  allOf(
    section === null
      ? undefined
      : sql`${column} in (
          select student_id from enrolments where section_id = ${section} and status = 'enrolled')`,
    paper === null
      ? undefined
      : sql`${column} in (
          select student_id from paper_rows where paper_id = ${paper} and list = 'graduates')`,
  )

export interface CertificateFilter extends WithinList {
  academicYear: string
  component: string
  state: CertificateState | 'all'
  search: string
}

export interface WaitingFilter extends WithinList {
  academicYear: string
  component: string
  withoutSerial: boolean
}

export interface Graduation {
  academicYear: string
  // The component of the graduation. It is null where a credit doesn't say it; the record's component counts then.
  component: NstpComponent | null
}

interface FoundCertificate
  extends Pick<ListedCertificate, 'id' | 'number' | 'kind' | 'academicYear' | 'studentId'> {
  isRevoked: boolean
  content: CertificateContent
}

/** Reads only the components that the account may see. */
export function createCertificatesRepository(db: Queryable, access: Access) {
  const { all, exists, first } = queriesOf(db)
  const scope = inScope(access, { column: 'component' })
  const listedWhere = (condition: RawBuilder<unknown>, end: RawBuilder<unknown>) =>
    sql<ListedCertificate>`
      select ${certificateColumns}, certificates.student_id, ${contentColumns}, ${state} as state, prints,
        revoke_reason, batch_id
      from certificates left join students on students.id = certificates.student_id
      where ${condition} order by number desc ${end}`.execute(db)

  return {
    /** Indexes: certificates_year, students_pkey, and those of a list. */
    async list(
      { academicYear, component, state: wanted, search, ...list }: CertificateFilter,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ items: ListedCertificate[]; total: number }> {
      const contains = (word: string) => sql<SqlBool>`strpos(searched.text, searchable(${word})) > 0`
      const condition = allOf(
        academicYear === 'all' ? undefined : sql`certificates.academic_year = ${academicYear}`,
        inScope(access, { component, column: 'component' }),
        wanted === 'all' ? undefined : sql`${state} = ${wanted}`,
        isWithin(sql`certificates.student_id`, list),
        search === ''
          ? undefined
          : sql`(select ${containsEach(searchedWords(search), contains)} from (${searchedText}) searched)`,
      )
      const counted = await sql<{ total: number }>`
        select count(*)::int as total
        from certificates left join students on students.id = certificates.student_id
        where ${condition}`.execute(db)
      const { rows } = await listedWhere(condition, sql`limit ${limit} offset ${offset}`)
      return { items: rows, total: counted.rows[0]?.total ?? 0 }
    },

    /** Index: certificates_student. */
    async ofStudent(studentId: string): Promise<ListedCertificate[]> {
      return (await listedWhere(allOf(sql`certificates.student_id = ${studentId}`, scope), sql``)).rows
    },

    // Index: students_pkey.
    hasStudent: (id: string) => exists`
        select from students where ${allOf(sql`id = ${id}`, inScope(access))}`,

    /**
     * The graduates of a year without a valid certificate of completion: how many, and the first of those whose certificates
     * can be issued, by component and name. Indexes: those of graduationsOfYear and of a list, certificates_valid,
     * students_pkey, students_serial.
     */
    async waiting(
      { academicYear, component, withoutSerial, ...list }: WaitingFilter,
      limit: number,
    ): Promise<GraduatesToCertify> {
      const isOfThose = sql`${isUnrestricted('waiting')} and not is_shared and (${withoutSerial} or serial_number <> '')`
      // A single statement finds once who graduated, for the counts and the page.
      const rows = await all<Omit<GraduatesToCertify, 'items'> & { page: GraduatesToCertify['items'] }>`
        with waiting as materialized (
          select ${studentColumns}, sort_name, coalesce(graduated.component, nstp_component) as component
          from (${graduationsOfYear(academicYear)}) graduated join students on students.id = graduated.student_id
          where ${allOf(
            inScope(access, { component, column: 'coalesce(graduated.component, nstp_component)' }),
            isWithin(sql`students.id`, list),
            sql`not exists (
              select from certificates
              where student_id = students.id and kind = 'completion' and revoked_at is null)`,
          )}
        ), page as (
          select id, last_name, first_name, middle_name, extension_name, component, serial_number, sort_name
          from waiting where ${isOfThose} order by component, sort_name, id limit ${limit}
        )
        select count(*) filter (where ${isOfThose})::int as total,
          count(*) filter (where ${isUnrestricted('waiting')} and serial_number = '')::int as without_serial,
          count(*) filter (where ${isUnrestricted('waiting')} and is_shared)::int as shared,
          count(*) filter (where not ${isUnrestricted('waiting')})::int as blocked,
          (
            select coalesce(json_agg(json_build_object('id', id, 'lastName', last_name, 'firstName', first_name,
              'middleName', middle_name, 'extensionName', extension_name, 'component', component,
              'serialNumber', serial_number) order by component, sort_name, id), '[]') from page
          ) as page
        from waiting`
      const { page: items = [], ...counts } = rows[0] ?? { total: 0, withoutSerial: 0, shared: 0, blocked: 0 }
      return { ...counts, items }
    },

    /** Blocks others from certifying or editing the students until the transaction ends. Index: students_pkey. */
    lockStudents: (ids: readonly string[]) => all<CertifiedStudent>`
        select ${studentColumns} from students where id = any(${[...ids]}::uuid[])
        order by id for no key update`,

    /** When and in which component students graduated. Indexes: those of `graduations`. */
    async graduations(ids: readonly string[]): Promise<Map<string, Graduation>> {
      const rows = await all<Graduation & { studentId: string }>`
        with wanted as (select unnest(${[...ids]}::uuid[]) as student_id)
        ${sql.raw(graduations('own.student_id in (select student_id from wanted)'))}`
      return new Map(
        rows.map(({ studentId, academicYear, component }) => [studentId, { academicYear, component }]),
      )
    },

    /** The students who have a valid certificate of this kind. Index: certificates_valid. */
    async certified(ids: readonly string[], kind: CertificateKind): Promise<Set<string>> {
      const rows = await all<{ studentId: string }>`
        select student_id from certificates
        where student_id = any(${[...ids]}::uuid[]) and kind = ${kind} and revoked_at is null`
      return new Set(rows.map(({ studentId }) => studentId))
    },

    /** Index: certificates_batch. */
    countBatch: (batchId: string): Promise<number> =>
      countIn(db, sql`certificates where batch_id = ${batchId}`),

    /**
     * Blocks others from taking numbers of the year until the transaction ends.
     * @returns the last number given
     */
    async lockNumbers(year: number): Promise<number> {
      await sql`
        insert into certificate_numbers (year, last) values (${year}, 0) on conflict do nothing`.execute(db)
      const rows = await all<{ last: number }>`
        select last from certificate_numbers where year = ${year} for update`
      return rows[0]?.last ?? 0
    },

    async setLastNumber(year: number, last: number): Promise<void> {
      await sql`update certificate_numbers set last = ${last} where year = ${year}`.execute(db)
    },

    insert: (rows: readonly Insertable<Tables['certificates']>[]) =>
      db.insertInto('certificates').values(rows).execute(),

    /** Locks it. Index: certificates_pkey. */
    find: (id: string) => first<FoundCertificate>`
        select ${certificateColumns}, student_id, revoked_at is not null as is_revoked, content
        from certificates where ${allOf(sql`id = ${id}`, scope)} for update`,

    async revoke(id: string, { at, byId, reason }: { at: Date; byId: string | null; reason: string }) {
      await sql`
        update certificates set revoked_at = ${at}, revoked_by_id = ${byId}::uuid, revoke_reason = ${reason}
        where id = ${id}`.execute(db)
    },

    /**
     * Counts the print. Valid ones alone, and none that is held back. Indexes: certificates_pkey, certificates_batch,
     * students_pkey, students_serial, and those of `graduations`.
     */
    async print(
      named: NamedCertificates,
      most: number,
    ): Promise<(PrintedCertificate & { studentId: string })[]> {
      // Locked, so that one that is revoked or erased meanwhile is left out.
      const rows = await all<PrintedCertificate & { studentId: string }>`
        update certificates set prints = prints + 1
        where id in (
          select id from certificates where ${allOf(isNamed(named), sql`not ${isHeldBack}`, scope)}
          order by number limit ${most} for update)
        returning ${certificateColumns}, student_id, code, ${contentColumns},
          content -> 'signatories' as signatories`
      return rows.sort((one, other) => (one.number < other.number ? -1 : 1))
    },

    /** Counts certificates that may be printed, and those that a print leaves out. Indexes as above. */
    async countNamed(named: NamedCertificates): Promise<{ printable: number; heldBack: number }> {
      const rows = await all<{ printable: number; heldBack: number }>`
        select count(*) filter (where not ${isHeldBack})::int as printable,
          count(*) filter (where ${isHeldBack})::int as held_back
        from certificates where ${allOf(isNamed(named), scope)}`
      return rows[0] ?? { printable: 0, heldBack: 0 }
    },
  }
}

interface NamedCertificates {
  ids?: string[] | undefined
  batchId?: string | undefined
  after: string
}

const isNamed = ({ ids, batchId, after }: NamedCertificates) =>
  allOf(
    ids && sql`id = any(${ids}::uuid[])`,
    batchId === undefined ? undefined : sql`batch_id = ${batchId}`,
    sql`number > ${after}`,
    sql`revoked_at is null and student_id is not null`,
  )

/** The record is blocked, shares its serial number, or doesn't say any more what the certificate says. */
const isHeldBack = sql<SqlBool>`(not ${sql.raw(confirmsCertificate)} or exists (
  select from students where students.id = certificates.student_id and (not ${isUnrestricted()} or ${isShared})))`

export interface VerifiedRow
  extends Pick<ListedCertificate, 'number' | 'component' | 'academicYear' | 'issuedOn'> {
  isRevoked: boolean
  isErased: boolean
  isConfirmed: boolean
  content: CertificateContent
}

/** Anybody may use this query. Indexes: certificates_code_key, and those of `graduations`. */
export async function findByCode(
  { queryPrepared }: Pick<AppDatabase, 'queryPrepared'>,
  code: string,
): Promise<VerifiedRow | undefined> {
  const [found] = await queryPrepared<VerifiedRow>(
    `select number, component, academic_year as "academicYear", issued_on as "issuedOn",
       revoked_at is not null as "isRevoked", student_id is null as "isErased",
       ${confirmsCertificate} as "isConfirmed", content
     from certificates where code = $1`,
    [code],
  )
  return found
}

/** Whether two students have what one can't have twice. Index: certificates_valid. */
export async function haveSameCertificate(tx: Queryable, from: string, to: string): Promise<boolean> {
  return await queriesOf(tx).exists`
    select from certificates one join certificates other on other.kind = one.kind
    where one.student_id = ${from} and other.student_id = ${to}
      and one.revoked_at is null and other.revoked_at is null limit 1`
}
