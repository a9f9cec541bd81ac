import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { neverRepeated } from '#server/mail/ledger/repeated-condition.ts'
import type { MailContent } from '#server/mail/mail-content.ts'
import type { MailKind } from '#shared/mail.ts'

/** A message that certainly did not go out. */
export interface FailedMessage {
  kind: MailKind
  studentId: string | null
  recipient: string
  /** As the record has it by now. */
  studentEmail: string | null
  subject: string
  content: MailContent
}

/**
 * How many messages of batches failed, were not sent again yet, and go to somebody who wants them. Indexes:
 * mail_messages_batch, students_pkey, mail_opt_outs_pkey.
 */
export async function countRepeatable(
  db: Queryable,
  batchIds: readonly string[],
): Promise<Map<string, number>> {
  const result = await sql<{ batchId: string; count: number }>`
    select m.batch_id, count(*)::int as count
    from mail_messages m left join students s on s.id = m.student_id
    where m.batch_id = any(${[...batchIds]}::uuid[]) and m.state = 'failed' and ${neverRepeated()}
      and not exists (
        select from mail_opt_outs where address_hash = sha256(convert_to(lower(coalesce(s.email, m.recipient)), 'UTF8')))
    group by m.batch_id`.execute(db)
  return new Map(result.rows.map(({ batchId, count }) => [batchId, count]))
}

/** What of a batch failed and was not sent again yet, in its order. Index: mail_messages_batch, students_pkey. */
export async function failedMessages(db: Queryable, batchId: string): Promise<FailedMessage[]> {
  const result = await sql<FailedMessage>`
    select m.kind, m.student_id, m.recipient, s.email as student_email, m.subject, m.content
    from mail_messages m left join students s on s.id = m.student_id
    where m.batch_id = ${batchId} and m.state = 'failed' and ${neverRepeated()}
    order by m.id`.execute(db)
  return result.rows
}
