import { type RawBuilder, sql } from 'kysely'

/** How the values of a record are counted. Sexes compare in any case (spec §5). */
export const countedValues = {
  sex: sql`case when lower(sex) in ('male', 'female') then lower(sex) else 'other' end`,
  course: sql`btrim(course)`,
  yearLevel: sql`year_level::text`,
}

/** The day of a record by the calendar of a time zone. */
export function dayIn(timeZone: string): RawBuilder<unknown> {
  return sql`(registration_date at time zone ${timeZone}::text)::date`
}

/** The marks as one array: looking a name up in it takes a fraction of looking it up in the table. */
export const markList = sql`
  (select coalesce(array_agg(mark order by mark), '{""}') as marks from student_name_marks) as list`

/** The mark that a name belongs to, where `markList` is at hand. */
export const markOfName = sql`marks[width_bucket(sort_name, marks)]`
