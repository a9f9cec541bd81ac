import { type RawBuilder, sql } from 'kysely'

// Sexes compare in any case (spec §5).
export const countedValues = {
  sex: sql`case when lower(sex) in ('male', 'female') then lower(sex) else 'other' end`,
  course: sql`btrim(course)`,
  yearLevel: sql`year_level::text`,
}

export function dayIn(timeZone: string): RawBuilder<unknown> {
  return sql`(registration_date at time zone ${timeZone}::text)::date`
}

// One array: a lookup in it costs a fraction of a lookup in the table.
export const markList = sql`
  (select coalesce(array_agg(mark order by mark), '{""}') as marks from student_name_marks) as list`

export const markOfName = sql`marks[width_bucket(sort_name, marks)]`
