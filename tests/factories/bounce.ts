import type { Insertable } from 'kysely'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { MailBouncesTable } from '#server/database/schema.ts'

export async function storeBounce(
  { db }: Pick<AppDatabase, 'db'>,
  overrides: Partial<Insertable<MailBouncesTable>> = {},
): Promise<string> {
  const id = createId()
  await db
    .insertInto('mailBounces')
    .values({
      id,
      messageId: null,
      studentId: null,
      recipient: `${id}@example.edu`,
      receivedAt: new Date(),
      status: '5.1.1',
      diagnostic: '',
      mailboxUid: `test ${id}`,
      ...overrides,
    })
    .execute()
  return id
}
