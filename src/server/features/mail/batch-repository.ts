import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { MailBatchesTable, MailMessagesTable, Queryable } from '#server/database/schema.ts'
import type { Position } from '#server/lib/paging.ts'
import type { BatchDecision, MailCounts, MailKind, MailState } from '#shared/mail/mail.ts'
import { isMailAddress, trimAddress } from '#shared/mail/mail-address.ts'
import type { MailContent } from './mailer.ts'

export type StoredBatch = Selectable<MailBatchesTable>
export type NewBatch = Insertable<MailBatchesTable>

export interface BatchMessage extends Pick<Selectable<MailMessagesTable>, 'id' | 'state' | 'failure'> {
  position: number | null
}

export const noCounts: MailCounts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }

export function createBatchRepository(db: Queryable) {
  return {
    // False when this form submission was stored before. Index: mail_batches_submission_key_key.
    async insert(batch: NewBatch): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('mailBatches')
        .values(batch)
        .onConflict((conflict) => conflict.column('submissionKey').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows === 1n
    },

    // Primary key.
    async find(id: string): Promise<StoredBatch | undefined> {
      return await db.selectFrom('mailBatches').selectAll().where('id', '=', id).executeTakeFirst()
    },

    // Locks the batch until the transaction ends. By primary key.
    async lock(id: string): Promise<StoredBatch | undefined> {
      return await db
        .selectFrom('mailBatches')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
    },

    // Index: mail_batches_submission_key_key.
    async findByKey(key: string): Promise<StoredBatch | undefined> {
      return await db
        .selectFrom('mailBatches')
        .selectAll()
        .where('submissionKey', '=', key)
        .executeTakeFirst()
    },

    // Index: mail_batches_created.
    async list(after: Position | null, limit: number): Promise<StoredBatch[]> {
      return await db
        .selectFrom('mailBatches')
        .selectAll()
        .$if(after !== null, (query) =>
          query.where(sql<boolean>`(created_at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`),
        )
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    // Index only: mail_messages_batch.
    async counts(ids: readonly string[]): Promise<Map<string, MailCounts>> {
      const result = await sql<{ batchId: string; state: MailState; count: number }>`
        select batch_id, state, count(*)::int as count from mail_messages
        where batch_id = any(${[...ids]}::uuid[])
        group by batch_id, state`.execute(db)
      const counts = new Map<string, MailCounts>(ids.map((id) => [id, { ...noCounts }]))
      for (const { batchId, state, count } of result.rows) {
        const ofBatch = counts.get(batchId)
        if (ofBatch) ofBatch[state] = count
      }
      return counts
    },

    // Index: mail_messages_batch.
    async messages(id: string): Promise<BatchMessage[]> {
      return await db
        .selectFrom('mailMessages')
        .select(['id', 'state', 'failure', sql<number | null>`(content ->> 'position')::int`.as('position')])
        .where('batchId', '=', id)
        .orderBy('id')
        .execute()
    },

    // Primary key.
    async setState(id: string, state: BatchDecision): Promise<void> {
      await db.updateTable('mailBatches').set({ state }).where('id', '=', id).execute()
    },

    // Index: mail_messages_batch.
    async cancelQueued(id: string, now: Date): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('mailMessages')
        .set({ state: 'cancelled', endedAt: now })
        .where('batchId', '=', id)
        .where('state', '=', 'queued')
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }
}

interface FailedMessage {
  kind: MailKind
  studentId: string | null
  recipient: string
  studentEmail: string | null
  subject: string
  content: MailContent
}

/** Indexes: mail_messages_batch, students_pkey, mail_opt_outs_pkey. */
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

/** Indexes: mail_messages_batch, students_pkey. */
export async function failedMessages(db: Queryable, batchId: string): Promise<FailedMessage[]> {
  const result = await sql<FailedMessage>`
    select m.kind, m.student_id, m.recipient, s.email as student_email, m.subject, m.content
    from mail_messages m left join students s on s.id = m.student_id
    where m.batch_id = ${batchId} and m.state = 'failed' and ${neverRepeated()}
    order by m.id`.execute(db)
  return result.rows
}

/** Within a batch each address and each student is unique. Indexes: mail_batches_repeat_of, mail_messages_batch. */
export function neverRepeated() {
  return sql<SqlBool>`${notAmongRepeats(sql`r.recipient = m.recipient`)}
    and ${notAmongRepeats(sql`r.student_id = m.student_id`)}`
}

function notAmongRepeats(isSame: ReturnType<typeof sql>) {
  return sql`not exists (
    select from mail_batches b join mail_messages r on r.batch_id = b.id
    where b.repeat_of = m.batch_id and ${isSame} and r.state <> 'cancelled')`
}

interface Addressed {
  recipient: string
  studentEmail: string | null
}

/** The student’s record may have a corrected address. */
export function currentAddress({ recipient, studentEmail }: Addressed): string {
  const email = trimAddress(studentEmail ?? '')
  return isMailAddress(email) ? email : recipient
}
