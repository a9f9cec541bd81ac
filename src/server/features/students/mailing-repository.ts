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

export type AddressedStudent = Pick<Selectable<StudentsTable>, (typeof mailColumns)[number]>

interface MailingLimits {
  course: string | null
  limit: number
  keep: boolean
}

const columns = columnsOf(mailColumns)

export function createMailingRepository(db: Queryable) {
  return {
    /**
     * Index: students_registration.
     * @param keep locks the students until the transaction ends: a message needs its record
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
     * Reads all students once for a list: an index would slow every enlistment for a rare query.
     * @param keys addresses in lower case
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
