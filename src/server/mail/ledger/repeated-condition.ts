import { type SqlBool, sql } from 'kysely'

/**
 * Whether a message `m` goes out, or went out, with a bulk e-mail that sends failed ones again. In a batch each
 * address stands once, so the address tells. Index: mail_batches_repeat_of, mail_messages_batch.
 */
export function wasRepeated() {
  return sql<SqlBool>`exists (
    select from mail_batches b join mail_messages r on r.batch_id = b.id
    where b.repeat_of = m.batch_id and r.recipient = m.recipient and r.state <> 'cancelled')`
}
