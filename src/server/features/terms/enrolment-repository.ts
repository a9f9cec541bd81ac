import { type Insertable, type Selectable, sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { allOf, inScope } from '#server/database/conditions.ts'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { EnrolmentsTable, Queryable, TermsTable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { EnteredPart } from '#shared/terms/mark-proposal.ts'
import type { EnrolmentChange, EnrolmentEntry, Level, Outcome, Semester } from '#shared/terms/terms.ts'
import type { RecentBatch } from '#shared/terms/terms-response.ts'

interface NewEnrolment {
  id: string
  studentId: string
  entry: EnrolmentEntry
  sectionId: string | null
}

interface Change {
  enrolmentId: string
  what: EnrolmentChange
  before: object
  after: object
  version: number
}

export interface ChangeCause {
  at: Date
  byId: string | null
  batchId: string | null
  reason?: string
}

interface Batch {
  termId: string
  what: EnrolmentChange
  byId: string | null
}

interface ListedBatch extends Omit<RecentBatch, 'at' | 'mayUndo'> {
  at: Date
  byId: string | null
}

interface ChangedValues {
  sectionId?: string | null
  statusOn?: string
  mark?: string
  outcome?: Outcome
  percent?: string | null
  parts?: readonly EnteredPart[] | null
}

export interface StoredMark {
  id: string
  mark: string
  outcome: Outcome
  // Null where the mark was typed.
  percent: string | null
  parts: readonly EnteredPart[] | null
}

export interface UndoneChange {
  id: string
  enrolmentId: string
  studentId: string
  component: NstpComponent
  level: Level
  // The section as of now.
  sectionId: string | null
  statusOn: string
  what: EnrolmentChange
  before: ChangedValues
  after: ChangedValues
  version: number
  // Whether the enrolment is still as the change left it.
  isSame: boolean
}

/** An enrolment that a merge gave to another record, at the version that it has there. */
export interface GivenEnrolment {
  id: string
  version: number
}

/** An enrolment that was moved, its version since, its day before, and the one in its place. */
export interface FollowedEnrolment {
  movedId: string
  version: number
  statusOn: string
  newId: string
}

interface FoundEnrolment extends FollowedEnrolment {
  // Whether the section was deleted since.
  isSectionGone: boolean
}

type UnreadColumn = 'status' | 'reason' | 'officialAt' | 'mark' | 'percent' | 'parts' | 'scores' | 'outcome'

interface Misfit
  extends Omit<Selectable<EnrolmentsTable>, UnreadColumn>,
    Pick<Selectable<TermsTable>, 'academicYear' | 'semester'> {
  unit: string | null
  section: string | null
  // The component that the student's record has now.
  wanted: NstpComponent
}

// What a list changed is undone with the list. Index: imports_pkey.
const ofNoList = sql`not exists (select from imports where imports.id = batch_id)`

// A mark can be taken back also after the student dropped, moved or became official; a drop also after its mark was taken
// back. Who moved doesn't get a pass back: the other component has a row of its own. Who has scores stays enrolled. Index: enrolment_changes_enrolment.
const isAsLeft = sql`case when change.what not in ('mark', 'dropped')
    then enrolments.version = change.version and (change.what <> 'enrolled' or enrolments.scores = '{}')
  else not exists (
    select from enrolment_changes later
    where later.enrolment_id = enrolments.id and later.version > change.version
      and later.after -> (case change.what when 'mark' then 'mark' else 'status' end) is not null)
    and not (change.what = 'mark' and enrolments.status = 'moved' and change.before ->> 'outcome' = 'passed') end`

const inComponents = (access: Access) => inScope(access, { column: 'enrolments.component' })

/**
 * Give it the transaction of a change. What changes rows is given what was found or locked; by primary key, where nothing
 * else is said.
 */
export function createEnrolmentsRepository(tx: Queryable) {
  const { all, exists, first } = queriesOf(tx)
  return {
    async enrol(
      enrolments: readonly NewEnrolment[],
      {
        termId,
        component,
        level,
        on,
      }: { termId: string; component: NstpComponent; level: Level; on: string },
    ): Promise<void> {
      await sql`
        insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
        select id, ${termId}, "studentId", ${component}, ${level}, "sectionId", ${on}::date, entry
        from jsonb_to_recordset(${JSON.stringify(enrolments)}::jsonb)
          as own (id uuid, "studentId" uuid, "sectionId" uuid, entry text)`.execute(tx)
    },

    async setSections(enrolments: readonly { id: string; sectionId: string | null }[]): Promise<void> {
      await sql`
        update enrolments set section_id = own."sectionId", version = version + 1
        from jsonb_to_recordset(${JSON.stringify(enrolments)}::jsonb) as own (id uuid, "sectionId" uuid)
        where enrolments.id = own.id`.execute(tx)
    },

    async setMarks(marks: readonly StoredMark[]): Promise<void> {
      await sql`
        update enrolments set mark = own.mark, outcome = own.outcome, percent = own.percent, parts = own.parts,
          version = version + 1
        from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb)
          as own (id uuid, mark text, outcome text, percent numeric, parts jsonb)
        where enrolments.id = own.id`.execute(tx)
    },

    async note(changes: readonly Change[], { at, byId, batchId, reason = '' }: ChangeCause): Promise<void> {
      const rows = changes.map((change) => ({ ...change, id: createId() }))
      await sql`
        insert into enrolment_changes (id, enrolment_id, at, by_id, what, before, after, reason, batch_id, version)
        select id, "enrolmentId", ${at}, ${byId}::uuid, what, before, after, ${reason}, ${batchId}::uuid, version
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as own (id uuid, "enrolmentId" uuid, what text, before jsonb, after jsonb, version integer)`.execute(
        tx,
      )
    },

    // Index: enrolment_changes_batch.
    countBatch: (batchId: string): Promise<number> =>
      countIn(tx, sql`enrolment_changes where batch_id = ${batchId}`),

    // A move that is undone deletes the new enrolment with its history. Index: enrolment_changes_batch.
    countMoved: (batchId: string, at: Date): Promise<number> =>
      countIn(tx, sql`enrolment_changes where batch_id = ${batchId} and what = 'enrolled' and at = ${at}`),

    // Index: enrolment_changes_batch.
    findBatch: (batchId: string, since: Date, access: Access) => first<Batch>`
        select term_id, by_id, what from enrolment_changes join enrolments on enrolments.id = enrolment_id
        where ${allOf(sql`batch_id = ${batchId} and at > ${since}`, ofNoList, inComponents(access))} limit 1`,

    /**
     * Lists the changes since an instant; those of a day are few. A student who was moved is counted once, in the new
     * enrolment. Indexes: enrolments_term, enrolment_changes_enrolment.
     */
    async listBatches(termId: string, since: Date, access: Access): Promise<ListedBatch[]> {
      // The enrollment in place of another one.
      const isMove = sql`change.what = 'enrolled' and change.before <> '{}'`
      const rows = await all<ListedBatch>`
        select batch_id as id, min(change.at) as at, by_id, admins.display_name as by,
          case when bool_or(${isMove}) then 'moved' else min(change.what) end as what,
          jsonb_agg(distinct jsonb_build_object('component', component, 'level', level)) as cells,
          count(*)::int as count,
          count(*) filter (where ${isAsLeft})::int as undoable
        from enrolments
          join enrolment_changes change on change.enrolment_id = enrolments.id
          left join admins on admins.id = change.by_id
        where ${allOf(
          sql`term_id = ${termId} and change.at > ${since} and batch_id is not null and change.what <> 'moved'`,
          ofNoList,
          inComponents(access),
        )}
        group by batch_id, by_id, admins.display_name
        order by 2 desc, batch_id`
      return rows
    },

    // Lock: the enrolments. Index: enrolment_changes_batch.
    lockBatch: (batchId: string, access: Access) => all<UndoneChange>`
        select change.id, enrolment_id, student_id, component, level, section_id, status_on, what, before, after,
          enrolments.version, ${isAsLeft} as is_same
        from enrolment_changes change join enrolments on enrolments.id = enrolment_id
        where ${allOf(sql`batch_id = ${batchId}`, inComponents(access))}
        order by enrolments.id for update of enrolments`,

    /**
     * Enrolled again, since the day before they dropped or were moved, where they are at the version which that gave them.
     * @returns how many
     */
    async restore(enrolments: readonly { id: string; version: number; statusOn: string }[]): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        update enrolments set status = 'enrolled', status_on = own."statusOn", reason = '',
          version = enrolments.version + 1
        from jsonb_to_recordset(${JSON.stringify(enrolments)}::jsonb)
          as own (id uuid, version integer, "statusOn" date)
        where enrolments.id = own.id and enrolments.version = own.version`.execute(tx)
      return Number(numAffectedRows)
    },

    /** Whether one is in a closed term, or a section of more students than places. Index: enrolments_section. */
    isUnfit: (ids: readonly string[]) => exists`
        select from enrolments own
          join terms on terms.id = own.term_id
          left join sections on sections.id = own.section_id
        where own.id = any(${[...ids]}::uuid[]) and (terms.state = 'closed' or sections.capacity < (
          select count(*) from enrolments where section_id = own.section_id and status = 'enrolled'))
        limit 1`,

    /** The enrollments of students in a term. Index: enrolments_live. */
    findLive: (termId: string, studentIds: readonly string[]) => all<{
      id: string
      studentId: string
      level: Level
    }>`
        select id, student_id, level from enrolments
        where student_id = any(${[...studentIds]}::uuid[]) and term_id = ${termId} and status = 'enrolled'`,

    /** Deletes enrolments with their history. */
    async delete(ids: readonly string[]): Promise<void> {
      await sql`delete from enrolments where id = any(${[...ids]}::uuid[])`.execute(tx)
    },

    // Lock: the terms in which students are, in the order of their ids. Index: enrolments_student.
    async lockTermsOf(studentIds: readonly string[]): Promise<number> {
      const rows = await all<{ id: string }>`
        select id from terms
        where id in (select term_id from enrolments where student_id = any(${[...studentIds]}::uuid[]))
        order by id for no key update`
      return rows.length
    },

    /**
     * The enrolments of students of another component by now; marks stay where they were earned, and so does what is in a
     * closed term. Lock: the enrolments. Index: enrolments_student.
     */
    lockMisfits: (studentIds: readonly string[]) => all<Misfit>`
        select own.id, own.term_id, terms.academic_year, terms.semester, own.student_id, own.component, own.level, own.section_id, unit,
          sections.name as section, own.status_on, own.entry, own.school, own.version, students.nstp_component as wanted
        from enrolments own
          join terms on terms.id = own.term_id
          join students on students.id = own.student_id
          left join sections on sections.id = own.section_id
        where own.student_id = any(${[...studentIds]}::uuid[]) and own.status = 'enrolled' and own.outcome = 'none'
          and terms.state <> 'closed' and own.component <> students.nstp_component
          and students.nstp_component in (${sql.join(nstpComponents.map((name) => sql.lit(name)))})
        order by own.id for update of own`,

    /**
     * Finds enrolments of students who have their earlier component again: they moved with the component and were not
     * changed since. Terms that are closed and sections that are full are left out. Lock: their terms are locked.
     * Indexes: enrolments_student, enrolment_changes_enrolment, enrolments_section.
     */
    findFollowed: (studentIds: readonly string[]) => all<FoundEnrolment>`
        with followed as (
          select moved.id as moved_id, moved.version, own.id as new_id, moved.section_id,
            coalesce((change.before ->> 'statusOn')::date, moved.status_on) as status_on,
            change.before ->> 'sectionId' is not null and moved.section_id is null as is_section_gone,
            row_number() over (partition by moved.section_id order by moved.id) as place
          from enrolments own
            join terms on terms.id = own.term_id and terms.state <> 'closed'
            join students on students.id = own.student_id
            join enrolment_changes entered on entered.enrolment_id = own.id and entered.version = 1
            join enrolments moved on moved.student_id = own.student_id and moved.term_id = own.term_id
              and moved.level = own.level and moved.status = 'moved' and moved.component = students.nstp_component
            join enrolment_changes change on change.enrolment_id = moved.id and change.version = moved.version
              and change.what = 'moved' and change.at = entered.at
          where own.student_id = any(${[...studentIds]}::uuid[]) and own.status = 'enrolled' and own.version = 1
            and own.outcome = 'none' and own.scores = '{}' and own.component <> students.nstp_component
        )
        select moved_id, followed.version, new_id, status_on, is_section_gone
        from followed left join sections on sections.id = section_id
        where section_id is null or place <= sections.capacity - (
          select count(*) from enrolments where enrolments.section_id = sections.id and status = 'enrolled')`,

    async setMoved(ids: readonly string[], on: string, reason = ''): Promise<void> {
      await sql`
        update enrolments set status = 'moved', status_on = ${on}::date, reason = ${reason}, version = version + 1
        where id = any(${[...ids]}::uuid[])`.execute(tx)
    },

    insert: (rows: readonly Insertable<EnrolmentsTable>[]) =>
      tx
        .insertInto('enrolments')
        .values([...rows])
        .execute(),

    /** Deletes enrolments that a move made and nobody changed since. @returns how many */
    async deleteNew(ids: readonly string[]): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        delete from enrolments where id = any(${[...ids]}::uuid[]) and version = 1`.execute(tx)
      return Number(numAffectedRows)
    },

    /** What two students can't both have when they are one; passes first. Index: enrolments_student. */
    findClash: (from: string, to: string) => first<{
      academicYear: string
      semester: Semester
      level: Level
      isPassed: boolean
    }>`
        select terms.academic_year, terms.semester, one.level,
          one.outcome = 'passed' and other.outcome = 'passed' as is_passed
        from enrolments one
          join enrolments other on other.level = one.level and (
            one.status = 'enrolled' and other.status = 'enrolled' and one.term_id = other.term_id
            or one.outcome = 'passed' and other.outcome = 'passed')
          join terms on terms.id = one.term_id
        where one.student_id = ${from} and other.student_id = ${to}
        order by is_passed desc limit 1`,

    /**
     * Moves enrolments to another student, with the rows of lists that mean them. Indexes: enrolments_student,
     * import_rows_record.
     * @param rows only these, at their version; without them all
     * @returns what was moved
     */
    async giveTo(
      to: string,
      { from, rows: own }: { from: string; rows?: readonly GivenEnrolment[] },
    ): Promise<GivenEnrolment[]> {
      const isMoved = allOf(
        sql`student_id = ${from}`,
        own &&
          sql`(id, version) in (
            select id, version from jsonb_to_recordset(${JSON.stringify(own)}::jsonb) as own (id uuid, version integer))`,
      )
      const rows = await all<GivenEnrolment>`
        with moved as (
          update enrolments set student_id = ${to} where ${isMoved} returning id, version
        ), of_lists as (
          update import_rows set record_id = ${to} from moved
          where import_rows.record_id = ${from} and import_rows.enrolment_id = moved.id
        )
        select id, version from moved`
      return rows
    },
  }
}
