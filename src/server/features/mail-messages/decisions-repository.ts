import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { neverRepeated } from '#server/mail/ledger/repeated-condition.ts'
import type { BatchDecision, MailKind, MailState } from '#shared/mail.ts'

/** What decides about a message. */
export interface DecidedMessage {
  kind: MailKind
  state: MailState
  studentId: string | null
  recipient: string
  /** As the record has it by now. */
  studentEmail: string | null
  batchState: BatchDecision | null
  /** Whether it goes out, or went out, with a bulk e-mail that sends failed ones again. */
  isRepeated: boolean
}

/** Messages whose end somebody decides. Give it a transaction. */
export function createDecisionsRepository(tx: Queryable) {
  return {
    /**
     * A message; nobody else decides about it, or about its batch, until the transaction ends. The batch first, as
     * whoever cancels or repeats it does. Primary keys; indexes: mail_batches_repeat_of, mail_messages_batch.
     */
    async lock(id: string): Promise<DecidedMessage | undefined> {
      await sql`
        select from mail_batches where id = (select batch_id from mail_messages where id = ${id})
        for update`.execute(tx)
      const result = await sql<DecidedMessage>`
        select m.kind, m.state, m.student_id, m.recipient,
          (select state from mail_batches where id = m.batch_id) as batch_state,
          not (${neverRepeated()}) as is_repeated,
          (select email from students where id = m.student_id) as student_email
        from mail_messages m where m.id = ${id}
        for update of m`.execute(tx)
      return result.rows[0]
    },

    /** It waits for its turn again; a worker that may still have it can't write its end any more. Primary key. */
    async queue(id: string, recipient: string, now: Date): Promise<void> {
      await tx
        .updateTable('mailMessages')
        .set({
          state: 'queued',
          recipient,
          notBefore: now,
          attempts: 0,
          claim: null,
          claimedUntil: null,
          endedAt: null,
          failure: '',
        })
        .where('id', '=', id)
        .execute()
    },

    /** Its end is known now. When it ended stays: the quota counts it there. Primary key. */
    async settle(id: string, state: 'sent' | 'failed', failure: string): Promise<void> {
      await tx.updateTable('mailMessages').set({ state, failure, claim: null }).where('id', '=', id).execute()
    },

    /** The same of all of a batch whose end is unknown; gives their number. Index: mail_messages_batch. */
    async settleBatch(batchId: string, state: 'sent' | 'failed', failure: string): Promise<number> {
      const { numUpdatedRows } = await tx
        .updateTable('mailMessages')
        .set({ state, failure, claim: null })
        .where('batchId', '=', batchId)
        .where('state', '=', 'unknown')
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }
}
