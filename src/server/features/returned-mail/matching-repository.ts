import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** A message of ours that may have come back. */
export interface SentMessage {
  id: string
  studentId: string | null
  recipient: string
}

/** A message that is on its way may come back before its end is noted. */
const mayComeBack = ['sent', 'unknown', 'sending'] as const

/** What messages that came back are looked up in. */
export function createMatchingRepository(db: Queryable) {
  return {
    /** Index: mail_messages_pkey. */
    async findByIds(ids: readonly string[]): Promise<SentMessage[]> {
      if (ids.length === 0) return []
      return await db
        .selectFrom('mailMessages')
        .select(['id', 'studentId', 'recipient'])
        .where('id', 'in', [...ids])
        .where('state', 'in', mayComeBack)
        .execute()
    },

    /** The last message to each address since then. @param addresses in lower case. Index: mail_messages_ended. */
    async findByRecipients(addresses: readonly string[], since: Date): Promise<SentMessage[]> {
      if (addresses.length === 0) return []
      const { rows } = await sql<SentMessage>`
        select distinct on (lower(recipient)) id, student_id, recipient
        from mail_messages
        where state in ('sent', 'unknown') and ended_at > ${since} and lower(recipient) = any(${[...addresses]}::text[])
        order by lower(recipient), ended_at desc`.execute(db)
      return rows
    },

    /**
     * The students who have these addresses, of several with one address the last who enlisted. Reads all students:
     * an index would make every enlistment dearer, for what is asked now and then.
     */
    async findStudents(addresses: readonly string[]): Promise<Map<string, string>> {
      if (addresses.length === 0) return new Map()
      const rows = await db
        .selectFrom('students')
        .select(['id', sql<string>`lower(email)`.as('address')])
        .where(sql<SqlBool>`lower(email) = any(${[...addresses]}::text[])`)
        .orderBy('registrationDate')
        .execute()
      return new Map(rows.map(({ address, id }) => [address, id]))
    },
  }
}
