import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { MailKind } from '#shared/mail.ts'
import type { NewMessage } from './new-message.ts'

/** Rows of one statement: PostgreSQL takes 65,535 values. */
const rowsAtOnce = 1_000

/** What one person waits for goes before what thousands get. */
const priorities: Record<MailKind, number> = { welcome: 0, single: 0, test: 0, bulk: 1, announcement: 1 }

/**
 * Writes messages into the ledger; the worker sends them after the commit.
 *
 * @param db the transaction of what the messages are about
 * @returns their ids, in the order of the messages
 */
export async function addMessages(
  db: Queryable,
  messages: readonly NewMessage[],
  createdAt: Date,
): Promise<string[]> {
  const rows = messages.map((message) => messageRow(message, createdAt))
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    await db
      .insertInto('mailMessages')
      .values(rows.slice(first, first + rowsAtOnce))
      .execute()
  }
  return rows.map(({ id }) => id)
}

/** A message as a row, for statements that write it together with its cause. */
export function messageRow(message: NewMessage, createdAt: Date) {
  const { id, kind, recipient, subject, content, batchId, studentId } = message
  return {
    id: id ?? createId(),
    kind,
    recipient,
    subject,
    batchId: batchId ?? null,
    studentId: studentId ?? null,
    content: JSON.stringify(content),
    priority: priorities[kind],
    createdAt,
    notBefore: createdAt,
  }
}
