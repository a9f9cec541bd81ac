import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { allOf, creatorName, inScope, isBehind } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { MailBatchesTable, MailMessagesTable, Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Position } from '#server/lib/paging.ts'
import type { BatchDecision, MailCounts, MailState } from '#shared/mail/mail.ts'
import { isMailAddress, trimAddress } from '#shared/mail/mail-address.ts'
import type { NewMessage } from './ledger-repository.ts'
import type { OptOutHash } from './opt-outs-repository.ts'
import { noCounts } from './queue-repository.ts'

export type StoredBatch = Selectable<MailBatchesTable> & { creator: string }
export type NewBatch = Insertable<MailBatchesTable>

interface Words {
  subject: string
  body: string
}

export interface BatchMessage extends Pick<Selectable<MailMessagesTable>, 'id' | 'state' | 'failure'> {
  position: number | null
}

export function createBatchRepository(db: Queryable) {
  const { first } = queriesOf(db)
  const batches = db.selectFrom('mailBatches').selectAll().select(creatorName.as('creator'))

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

    /** Race: until the transaction ends nobody else begins a bulk e-mail with these words. */
    lockWords: ({ subject, body }: Words) =>
      sql`select pg_advisory_xact_lock(hashtextextended(${`bulk ${subject}\n${body}`}, 0))`.execute(db),

    /**
     * The newest bulk e-mail of another account with these words, begun since then, that goes to some of these addresses.
     * Indexes: mail_batches_created, mail_messages_batch.
     * @param addresses by addressKey
     */
    findSameWords: (
      { subject, body, createdById }: Words & { createdById: string },
      addresses: readonly string[],
      since: Date,
    ) => first<{ createdAt: Date; creator: string; count: number }>`
        select created_at, ${creatorName} as creator, same.count from mail_batches
          cross join lateral (
            select count(*)::int as count from mail_messages
            where batch_id = mail_batches.id and state <> 'cancelled' and lower(recipient) = any(${[...addresses]}::text[])
          ) same
        where created_at > ${since} and subject = ${subject} and body = ${body}
          and created_by_id is distinct from ${createdById}::uuid and same.count > 0
        order by created_at desc limit 1`,

    find: (id: string) => batches.where('id', '=', id).executeTakeFirst(),

    // Locks the batch until the transaction ends. By primary key.
    lock: (id: string) => batches.where('id', '=', id).forUpdate().executeTakeFirst(),

    // Index: mail_batches_submission_key_key.
    findByKey: (key: string) => batches.where('submissionKey', '=', key).executeTakeFirst(),

    /** @param createdById null for those of everybody. Index: mail_batches_created. */
    list: (after: Position | null, { createdById, limit }: { createdById: string | null; limit: number }) =>
      batches
        .where(isBehind(after, 'created_at', 'id') ?? sql<SqlBool>`true`)
        .$if(createdById !== null, (own) => own.where('createdById', '=', createdById))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

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
    messages: (id: string): Promise<BatchMessage[]> =>
      db
        .selectFrom('mailMessages')
        .select(['id', 'state', 'failure', sql<number | null>`(content ->> 'position')::int`.as('position')])
        .where('batchId', '=', id)
        .orderBy('id')
        .execute(),

    setState: (id: string, state: BatchDecision) =>
      db.updateTable('mailBatches').set({ state }).where('id', '=', id).execute(),
  }
}

interface FailedMessage extends Pick<NewMessage, 'kind' | 'recipient' | 'subject' | 'content'> {
  studentId: string | null
  studentEmail: string | null
}

// A message whose student moved to a component out of scope keeps its address.
function failed(access: Access) {
  const scope = inScope(access, { column: 's.nstp_component' })
  return sql`from mail_messages m left join students s on ${allOf(sql`s.id = m.student_id`, scope)}
    where m.state = 'failed' and m.rejected_id is null and ${neverRepeated()}`
}

/** Indexes: mail_messages_batch, students_pkey, mail_opt_outs_pkey. */
export async function countRepeatable(
  db: Queryable,
  batchIds: readonly string[],
  { optOuts, access }: { optOuts: OptOutHash; access: Access },
): Promise<Map<string, number>> {
  const result = await sql<{ batchId: string; count: number }>`
    select m.batch_id, count(*)::int as count ${failed(access)} and m.batch_id = any(${[...batchIds]}::uuid[])
      and not ${optOuts.isStored(sql`coalesce(s.email, m.recipient)`)}
    group by m.batch_id`.execute(db)
  return new Map(result.rows.map(({ batchId, count }) => [batchId, count]))
}

/** Indexes: mail_messages_batch, students_pkey. */
export async function failedMessages(
  db: Queryable,
  batchId: string,
  access: Access,
): Promise<FailedMessage[]> {
  const result = await sql<FailedMessage>`
    select m.kind, m.student_id, m.recipient, s.email as student_email, m.subject, m.content
    ${failed(access)} and m.batch_id = ${batchId} order by m.id`.execute(db)
  return result.rows
}

/** Refused because of our account: they wait again, unless somebody has sent them again meanwhile. Index: mail_messages_pkey. */
export async function takeBackRefused(db: Queryable, ids: readonly string[], now: Date): Promise<void> {
  await sql`
    update mail_messages m set state = 'queued', failure = '', ended_at = null, not_before = ${now},
      attempts = greatest(0, attempts - 1)
    where id = any(${[...ids]}::uuid[]) and state in ('failed', 'queued') and ${neverRepeated()}`.execute(db)
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

/** The student’s record may have a corrected address. */
export function currentAddress(message: Pick<FailedMessage, 'recipient' | 'studentEmail'>) {
  const { recipient, studentEmail } = message
  const email = trimAddress(studentEmail ?? '')
  return isMailAddress(email) ? email : recipient
}
