import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { MailKind } from '#shared/mail/mail.ts'
import type { MailContent } from './mailer.ts'

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

/** A message to write into the ledger. */
export interface NewMessage {
  /** Made from the key of a request that must not be carried out twice; otherwise left out. */
  id?: string
  kind: MailKind
  batchId?: string
  studentId?: string
  /** Exactly one address, checked by `isMailAddress`. */
  recipient: string
  /** As the recipient reads it. */
  subject: string
  content: MailContent
}

/** Whose messages are: with a record its mail goes. */
export function createMessageOwnersRepository(tx: Queryable) {
  return {
    /**
     * Gives one student's messages, and those that came back, to another one: before two records become one.
     *
     * Indexes: mail_messages_student, mail_bounces_student.
     */
    async move(fromId: string, toId: string): Promise<void> {
      for (const table of ['mailMessages', 'mailBounces'] as const) {
        await tx.updateTable(table).set({ studentId: toId }).where('studentId', '=', fromId).execute()
      }
    },
  }
}
