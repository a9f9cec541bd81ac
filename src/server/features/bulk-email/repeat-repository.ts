import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { MailContent } from '#server/mail/mail-content.ts'
import { wasRepeated } from '#server/mail/repeated-condition.ts'
import type { MailKind } from '#shared/mail.ts'

/** A message that certainly did not go out. */
export interface FailedMessage {
  kind: MailKind
  studentId: string | null
  recipient: string
  subject: string
  content: MailContent
}

/** What of a batch failed and was not sent again yet, in its order. Index: mail_messages_batch. */
export async function failedMessages(db: Queryable, batchId: string): Promise<FailedMessage[]> {
  const result = await sql<FailedMessage>`
    select m.kind, m.student_id, m.recipient, m.subject, m.content from mail_messages m
    where m.batch_id = ${batchId} and m.state = 'failed' and not ${wasRepeated()}
    order by m.id`.execute(db)
  return result.rows
}
