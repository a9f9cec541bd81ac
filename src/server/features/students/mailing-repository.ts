import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Queryable, StudentsTable } from '#server/database/schema.ts'
import { allOf } from '#server/database/student-counts/count-sql.ts'
import { defaultStudentFilters } from '#shared/students/students.ts'
import { columnsOf, isSelected, type StudentSelection, sortOrder } from './selection-repository.ts'

const mailColumns = [
  'id',
  'email',
  'firstName',
  'lastName',
  'nstpComponent',
  'course',
  'academicYear',
  'reference',
] as const satisfies readonly (keyof StudentsTable)[]

/** What a mail to a student needs of the record. */
export type AddressedStudent = Pick<Selectable<StudentsTable>, (typeof mailColumns)[number]>

/** Which of the selected students are wanted. */
interface MailingLimits {
  course: string | null
  limit: number
  keep: boolean
}

const columns = columnsOf(mailColumns)

/** Where is read who is written to. */
export function createMailingRepository(db: Queryable) {
  return {
    /**
     * Selected students in the list's order, at most so many. Index: students_registration.
     *
     * @param keep whether they are kept from being erased, no more, until the transaction ends: a message stands
     *   only with its record
     */
    async addressed(
      selection: StudentSelection,
      { course, limit, keep }: MailingLimits,
    ): Promise<AddressedStudent[]> {
      const condition = allOf(
        isSelected(selection),
        course === null ? undefined : sql<SqlBool>`students.course = ${course}`,
      )
      const result = await sql<AddressedStudent>`
        select ${columns} from students where ${condition}
        order by ${sortOrder(selection.sort)}
        limit ${limit}
        ${keep ? sql`for key share` : sql``}`.execute(db)
      return result.rows
    },

    /**
     * Active students of some addresses, the newest first. Reads all students, once for a whole list: an index would
     * make every enlistment dearer, for what is asked now and then.
     *
     * @param keys the addresses in lower case
     * @param keep as of `addressed`
     */
    async withAddresses(keys: readonly string[], keep: boolean): Promise<AddressedStudent[]> {
      const result = await sql<AddressedStudent>`
        select ${columns} from students where lower(email) = any(${[...keys]}::text[]) and not archived
        order by ${sortOrder(defaultStudentFilters.sort)}
        ${keep ? sql`for key share` : sql``}`.execute(db)
      return result.rows
    },
  }
}
