import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { MailKind } from '#shared/mail/mail.ts'
import type { MailContent } from './mailer.ts'

// PostgreSQL takes 65,535 parameters a statement.
const rowsAtOnce = 1_000

// Somebody waits at /my for a code. Anybody can cause welcome mail: mail that a person wrote to one other goes before it,
// bulk mail after it.
const priorities: Record<MailKind, Priority> = {
  ...{ code: -2, single: -1, test: -1 },
  ...{ welcome: 0, bulk: 1, announcement: 1 },
}
export type Priority = -2 | -1 | 0 | 1

/**
 * Every message is written here, in the transaction of its cause, and once, though two causes may ask for it at once. The
 * caller wakes the worker after the commit.
 * @returns ids in the order of the messages
 */
export async function enqueue(
  db: Queryable,
  messages: readonly NewMessage[],
  createdAt: Date,
): Promise<string[]> {
  const rows = messages.map((message) => messageRow(message, createdAt))
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    await db
      .insertInto('mailMessages')
      .values(rows.slice(first, first + rowsAtOnce))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
  return rows.map(({ id }) => id)
}

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

export interface NewMessage {
  // Given only when it is derived from a key that makes a repeated request one message.
  id?: string
  kind: MailKind
  batchId?: string
  studentId?: string | null
  recipient: string
  subject: string
  content: MailContent
}
