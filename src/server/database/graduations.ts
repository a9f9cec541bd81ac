import { type RawBuilder, sql } from 'kysely'

/**
 * The students who graduated by the records. They passed or were credited NSTP 1 and NSTP 2, and aren't exempt. Each
 * level counts when they first had it.
 * There is one line for each student: `student_id`, `academic_year` of the later level, `component` of level 2, null
 * where a credit doesn't say it, `enrolment_id` of level 2, and `is_transferee` where a credit is part of it. A
 * credit without a year counts as earlier than any other.
 * Papers, certificates and their verification all use this query. Indexes: enrolments_student, enrolments_passed,
 * credits_student, terms_pkey.
 * @param isWanted the condition of the students, by the column `own.student_id`
 */
export const graduations = (isWanted: string) => `
  select done.student_id,
    greatest(min(done.academic_year) filter (where level = 1), min(done.academic_year) filter (where level = 2))
      as academic_year,
    (array_agg(done.component order by enrolment_id) filter (where level = 2))[1] as component,
    (array_agg(enrolment_id order by enrolment_id) filter (where level = 2))[1] as enrolment_id,
    bool_or(enrolment_id is null) as is_transferee
  from (
    select own.student_id, own.level, own.component, terms.academic_year, own.id as enrolment_id
    from enrolments own join terms on terms.id = own.term_id
    where own.outcome = 'passed' and ${isWanted}
    union all
    select own.student_id, own.level, own.component, own.academic_year, null
    from credits own
    where own.revoked_at is null and own.level is not null and ${isWanted}
  ) done
  where not exists (
    select from credits where credits.student_id = done.student_id and kind = 'exemption' and revoked_at is null)
  group by done.student_id
  having bool_or(level = 1) and bool_or(level = 2)`

/**
 * The graduations of one academic year. Students who did nothing in it are left aside before all passed enrolments
 * are read. Indexes: those of `graduations`, and enrolments_term.
 */
export const graduationsOfYear = (year: string): RawBuilder<unknown> => sql`
  with active as materialized (
    select student_id from enrolments join terms on terms.id = term_id where academic_year = ${year}
    union
    select student_id from credits where academic_year = ${year}
  )
  select * from (${sql.raw(graduations('own.student_id in (select student_id from active)'))}) graduated
  where academic_year = ${year}`

/** Whether the records say what a certificate says, as of now: the graduation, its year and its component. */
export const confirmsCertificate = `exists (
  select from (${graduations('own.student_id = certificates.student_id')}) graduated
  where graduated.academic_year = certificates.academic_year and certificates.component = coalesce(graduated.component,
    (select nstp_component from students where students.id = graduated.student_id)))`
