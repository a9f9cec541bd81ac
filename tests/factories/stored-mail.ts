import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { MailState } from '#shared/mail/mail.ts'
import { buildStoredMessage } from './stored-batch.ts'

type Database = Pick<AppDatabase, 'db'>

// With texts that are hard to encode.
export async function storeMail(database: Database): Promise<void> {
  const { db } = database
  await sql`insert into mail_account
    (sender_address, password, host, port, secure, updated_at,
      sign_in, token_endpoint, token_scope, client_id, client_secret, refresh_token)
    values ('office@school.example', ${Buffer.from([1, 0, 255, 92])}, 'mail.school.example', 465, true, now(),
      'other', 'https://login.example/token', 'mail', 'app', ${Buffer.from([1, 92, 0])}, ${Buffer.from([255, 0, 34])})`.execute(
    db,
  )
  const batchId = createId()
  await sql`insert into mail_batches (id, kind, subject, template, body, created_at, created_by, source, recipient_count)
    values (${batchId}, 'bulk', 'Peña "drill" {firstName}', 'custom', E'line\nbreak \\ ☃', now(), 'me',
      '{"kind":"students","audience":{"component":"ROTC"}}', 1)`.execute(db)
  const messageId = await storeMessage(database, 'sent', batchId)
  await sql`insert into mail_bounces (id, message_id, recipient, received_at, status, diagnostic, mailbox_uid)
    values (${createId()}, ${messageId}, 'ana@student.example', now(), '5.1.1', '550 “unknown”', '7/12')`.execute(
    db,
  )
  await sql`insert into mail_opt_outs values (${Buffer.alloc(32, 7)}, now())`.execute(db)
}

export async function storeMessage(
  { db }: Database,
  state: MailState,
  batchId: string | null = null,
): Promise<string> {
  const now = new Date()
  const message = buildStoredMessage({
    kind: batchId === null ? 'single' : 'bulk',
    batchId,
    recipient: 'ana@student.example',
    content: JSON.stringify({ template: 'message', body: 'Please come at seven.', format: 'text' }),
    state,
    priority: 0,
    createdAt: now,
    notBefore: now,
    claimedUntil: state === 'sending' ? now : null,
  })
  await db.insertInto('mailMessages').values(message).execute()
  return message.id
}
