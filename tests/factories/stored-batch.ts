import type { Insertable } from 'kysely'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { MailBatchesTable, MailMessagesTable } from '#server/database/schema.ts'
import type { MailState } from '#shared/mail/mail.ts'

type NewBatch = Insertable<MailBatchesTable>
type NewMessageRow = Insertable<MailMessagesTable>

// No worker sends it during a test. A message more than a day ahead would count as a fault of the clock.
const notDue = new Date(Date.now() + 12 * 3_600_000)

export function buildStoredMessage(overrides: Partial<NewMessageRow> = {}): NewMessageRow {
  const createdAt = new Date('2026-11-20T02:00:00Z')
  const state: MailState = overrides.state ?? 'sent'
  const isOver = state !== 'queued' && state !== 'sending'
  const id = createId()
  return {
    id,
    kind: 'bulk',
    batchId: null,
    studentId: null,
    recipient: `${id}@student.example`,
    subject: 'Drill on Saturday',
    content: JSON.stringify({ template: 'batch', values: { firstName: 'Ana', lastName: 'Reyes' } }),
    state,
    priority: 1,
    createdAt,
    notBefore: notDue,
    endedAt: isOver ? createdAt : null,
    failure: state === 'failed' ? 'The mail server refused the address.' : '',
    ...overrides,
  }
}

/** Stores a bulk e-mail with one message in each of the states. */
export async function storeBatch(
  { db }: Pick<AppDatabase, 'db'>,
  messages: Partial<NewMessageRow>[],
  overrides: Partial<NewBatch> = {},
): Promise<{ id: string; messageIds: string[] }> {
  const id = createId()
  const batch: NewBatch = {
    id,
    kind: 'bulk',
    subject: 'Drill on Saturday',
    template: 'custom',
    body: 'Good day {firstName}, please come at seven.',
    createdAt: new Date('2026-11-20T02:00:00Z'),
    createdBy: 'coordinator@school.example',
    source: JSON.stringify({ kind: 'list' }),
    announcementId: null,
    repeatOf: null,
    recipientCount: messages.length,
    submissionKey: null,
    ...overrides,
  }
  const rows = messages.map((message) => buildStoredMessage({ batchId: batch.id, ...message }))
  await db.insertInto('mailBatches').values(batch).execute()
  if (rows.length > 0) await db.insertInto('mailMessages').values(rows).execute()
  return { id: batch.id, messageIds: rows.map((row) => row.id) }
}
