import { type SqlBool, sql } from 'kysely'

/**
 * Whether no bulk e-mail that sends failed ones again has a message `m`. In a batch each address stands once, and each
 * student; it went to the address that the student had by then. Index: mail_batches_repeat_of, mail_messages_batch.
 */
export function neverRepeated() {
  return sql<SqlBool>`${notAmongRepeats(sql`r.recipient = m.recipient`)}
    and ${notAmongRepeats(sql`r.student_id = m.student_id`)}`
}

function notAmongRepeats(isSame: ReturnType<typeof sql>) {
  return sql`not exists (
    select from mail_batches b join mail_messages r on r.batch_id = b.id
    where b.repeat_of = m.batch_id and ${isSame} and r.state <> 'cancelled')`
}
