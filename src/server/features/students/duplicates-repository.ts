import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { areNotKnownApart, sharesKey } from './duplicate-condition.ts'
import { recordColumns, type StudentRow } from './repository.ts'

/** More records of one person are nothing to compare; an e-mail address shared by a whole class may have them. */
const mostDuplicates = 20

export type DuplicatesRepository = ReturnType<typeof createDuplicatesRepository>

/** Where records of the same person are found. Give it the transaction of a change. */
export function createDuplicatesRepository(db: Queryable) {
  return {
    /** The records that may be the same person as this one, the earliest first. */
    async find(id: string): Promise<StudentRow[]> {
      const columns = sql.join(recordColumns.map((column) => sql.ref(`other.${column}`)))
      const result = await sql<StudentRow>`
        select ${columns} from students, students other
        where students.id = ${id} and other.id <> students.id and ${sharesKey()} and ${areNotKnownApart()}
        order by other.registration_date, other.id
        limit ${mostDuplicates}`.execute(db)
      return result.rows
    },

    /** Notes that two records are two people; whether that is new. */
    async noteDifferent([first, second]: readonly [string, string], at: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        insert into different_students (first_id, second_id, noted_at)
        values (least(${first}::uuid, ${second}::uuid), greatest(${first}::uuid, ${second}::uuid), ${at})
        on conflict do nothing`.execute(db)
      return numAffectedRows === 1n
    },
  }
}
