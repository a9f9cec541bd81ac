import type { Insertable } from 'kysely'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { MailMessagesTable } from '#server/database/schema.ts'

/** Puts a message straight into the ledger, sent just now but for the overrides; gives its id. */
export async function storeSentMessage(
  { db }: Pick<AppDatabase, 'db'>,
  overrides: Partial<Insertable<MailMessagesTable>> = {},
): Promise<string> {
  const id = createId()
  const now = new Date()
  await db
    .insertInto('mailMessages')
    .values({
      id,
      kind: 'welcome',
      batchId: null,
      studentId: null,
      recipient: 'juan@example.edu',
      subject: 'Welcome to NSTP',
      content: JSON.stringify({ template: 'test' }),
      state: 'sent',
      priority: 0,
      createdAt: now,
      notBefore: now,
      endedAt: now,
      attempts: 1,
      ...overrides,
    })
    .execute()
  return id
}
