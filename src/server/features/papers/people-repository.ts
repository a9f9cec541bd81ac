import { type RawBuilder, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import { graduationsOfYear } from '#server/database/graduations.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { isVisible } from '#server/lib/visible.ts'
import { type PaperField, type PaperPerson, paperFields } from '#shared/papers/papers.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { cogCellsOf, type EnteredPart } from '#shared/terms/mark-proposal.ts'
import type { Level } from '#shared/terms/terms.ts'

// Index: credits_student.
const isExempt = sql<boolean>`exists (
  select from credits where student_id = chosen.student_id and kind = 'exemption' and revoked_at is null)`

interface Wanted {
  academicYear: string
  // Undefined means all components.
  components?: readonly NstpComponent[]
}

type PersonRow = Omit<PaperPerson, 'list' | 'isListed' | 'fields' | 'studentId' | 'cog'> &
  Record<Exclude<PaperField, 'yearLevel'>, string> & {
    personId: string
    yearLevel: number
    parts: readonly EnteredPart[]
  }

const fieldColumns = sql.join(paperFields.map((field) => sql.ref(`students.${field}`)))

/**
 * Everybody enrolled in a term of a year, or in one term, by their latest enrolment; archived records too. In the order of
 * names. Indexes: enrolments_term, students_pkey, enrolments_student, credits_student.
 */
export async function enrolledIn(
  db: Queryable,
  access: Access,
  { academicYear, components, termId, level }: Wanted & { termId?: string | null; level?: Level },
): Promise<PaperPerson[]> {
  const isEnrolled = allOf(
    sql`own.status = 'enrolled' and terms.academic_year = ${academicYear}`,
    termId ? sql`own.term_id = ${termId}` : undefined,
    level && sql`own.level = ${level}`,
  )
  return await listPeople(db, access, {
    list: 'enrolment',
    components,
    chosen: sql`
      select distinct on (own.student_id) own.student_id, own.id as enrolment_id, own.level, own.component,
        own.entry = 'transferee' as is_transferee
      from enrolments own join terms on terms.id = own.term_id
      where ${isEnrolled}
      order by own.student_id, semester desc, own.level desc, own.id desc`,
  })
}

/** The graduates of a year, as `graduations` has them. In the order of names. */
export async function graduatesOf(
  db: Queryable,
  access: Access,
  { academicYear, components }: Wanted,
): Promise<PaperPerson[]> {
  return await listPeople(db, access, {
    list: 'graduates',
    components,
    chosen: sql`
      select graduated.student_id, enrolment_id, 2 as level, is_transferee, coalesce(graduated.component,
        (select nstp_component from students where id = graduated.student_id)) as component
      from (${graduationsOfYear(academicYear)}) graduated`,
  })
}

interface Chosen {
  list: PaperPerson['list']
  components: Wanted['components'] | undefined
  chosen: RawBuilder<unknown>
}

async function listPeople(
  db: Queryable,
  access: Access,
  { list, components, chosen }: Chosen,
): Promise<PaperPerson[]> {
  // The component is that of the latest enrolment, which may differ from the record's.
  const isWanted = allOf(
    components && sql`chosen.component = any(${[...components]}::text[])`,
    inScope(access, { column: 'chosen.component' }),
  )
  const { rows } = await sql<PersonRow>`
    with chosen as materialized (${chosen})
    select chosen.student_id as person_id, students.version, ${fieldColumns}, chosen.component, chosen.level,
      chosen.is_transferee, semester,
      coalesce(terms.starts_on::text, '') as starts_on, own.term_id, own.section_id, coalesce(unit, '') as unit,
      coalesce(sections.name, '') as section, coalesce(own.entry, '') as entry, coalesce(own.school, '') as school,
      own.official_at is not null as is_official, coalesce(own.mark, '') as mark,
      coalesce(own.percent::text, '') as percent, coalesce(own.parts, '[]') as parts,
      coalesce(own.outcome, 'none') as outcome, first.is_done is not null as has_nstp1,
      coalesce(first.component, '') as nstp1_component, ${isExempt} as is_exempt, restriction
    from chosen
      join students on students.id = chosen.student_id
      left join enrolments own on own.id = chosen.enrolment_id
      left join terms on terms.id = own.term_id
      left join sections on sections.id = own.section_id
      left join lateral (
        select true as is_done, done.component, terms.academic_year, done.id
        from enrolments done join terms on terms.id = done.term_id
        where done.student_id = chosen.student_id and level = 1 and outcome = 'passed'
        union all
        select true, component, academic_year, id from credits
        where student_id = chosen.student_id and level = 1 and revoked_at is null
        order by academic_year, id
        limit 1
      ) first on true
    where ${isWanted}
    order by sort_name, students.id`.execute(db)
  return rows.map((row) => {
    const { personId, version, component, level, semester, startsOn, unit, section, entry } = row
    const { termId, sectionId } = row
    const { school, isOfficial, mark, outcome, hasNstp1, nstp1Component, isTransferee, isExempt } = row
    return {
      list,
      isListed: true,
      studentId: personId,
      version,
      fields: fieldsOf(row, access),
      component,
      level,
      semester,
      startsOn,
      termId,
      sectionId,
      unit,
      section,
      entry,
      school,
      isOfficial,
      mark,
      outcome,
      percent: row.percent,
      cog: cogCellsOf(row.parts),
      hasNstp1,
      nstp1Component,
      isTransferee,
      isExempt,
      restriction: row.restriction,
    }
  })
}

function fieldsOf(row: PersonRow, access: Access): PaperPerson['fields'] {
  // Typed by hand because fromEntries loses the key type.
  return Object.fromEntries(
    paperFields.map((field) => [field, isVisible(field, access) ? row[field] : '']),
  ) as PaperPerson['fields']
}
