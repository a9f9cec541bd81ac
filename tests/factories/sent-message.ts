import type { Insertable } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { MailMessagesTable } from '#server/database/schema.ts'
import { buildStoredMessage } from './stored-batch.ts'

export async function storeSentMessage(
  { db }: Pick<AppDatabase, 'db'>,
  overrides: Partial<Insertable<MailMessagesTable>> = {},
): Promise<string> {
  const now = new Date()
  const message = buildStoredMessage({
    kind: 'welcome',
    recipient: 'juan@example.edu',
    subject: 'Welcome to NSTP',
    content: JSON.stringify({ template: 'test' }),
    priority: 0,
    createdAt: now,
    notBefore: now,
    endedAt: now,
    attempts: 1,
    ...overrides,
  })
  await db.insertInto('mailMessages').values(message).execute()
  return message.id
}
