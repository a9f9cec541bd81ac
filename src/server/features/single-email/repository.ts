import { type Selectable, sql } from 'kysely'
import type { MailMessagesTable, Queryable } from '#server/database/schema.ts'

export type KeyedMessage = Pick<
  Selectable<MailMessagesTable>,
  'kind' | 'recipient' | 'subject' | 'content' | 'state' | 'failure'
>

/** Where a mail that was asked for with a key is found again: its id is made from the key. */
export function createKeyedMessagesRepository(db: Queryable) {
  return {
    /** Lets one transaction at a time look for the message and add it. */
    async lock(id: string): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`mail ${id}`}, 0))`.execute(db)
    },

    /** Index: mail_messages_pkey. */
    async find(id: string): Promise<KeyedMessage | undefined> {
      return await db
        .selectFrom('mailMessages')
        .select(['kind', 'recipient', 'subject', 'content', 'state', 'failure'])
        .where('id', '=', id)
        .executeTakeFirst()
    },
  }
}
