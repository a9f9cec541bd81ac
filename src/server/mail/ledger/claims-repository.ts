import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { BatchText, RenderableMessage } from '#server/mail/rendering/render.ts'
import type { MailState } from '#shared/mail.ts'

/** One process at a time counts the quota and claims: two would both see the last free place. */
const claimLock = 4_113_801

/** A message that one worker has for itself. */
export interface ClaimedMessage extends RenderableMessage {
  id: string
  claim: string
  /** Temporary refusals so far. */
  attempts: number
}

/** How a claim ends. */
export interface ClaimEnd {
  id: string
  claim: string
  state: Extract<MailState, 'sent' | 'failed' | 'unknown' | 'queued'>
  failure: string
  /** When the state became final; for `queued` when it is tried again, and null for when it was to be tried before. */
  at: Date | null
  /** Whether this counts as an attempt of the message. */
  isAttempt: boolean
}

interface ClaimOrder {
  claim: string
  now: Date
  /** When the claim runs out. */
  until: Date
  /** Only what one person waits for. */
  isUrgentOnly: boolean
}

export type ClaimsRepository = ReturnType<typeof createClaimsRepository>

/** Whose turn it is in the ledger. */
export function createClaimsRepository(db: Queryable) {
  return {
    /** Makes all other claims wait until the transaction ends. */
    async lock(): Promise<void> {
      await sql`select pg_advisory_xact_lock(${claimLock})`.execute(db)
    },

    /** Claims the next message, unless none may go now. In a transaction that holds the lock. */
    async claimNext({ claim, now, until, isUrgentOnly }: ClaimOrder): Promise<ClaimedMessage | undefined> {
      // mail_messages_queue
      const { rows } = await sql<ClaimedRow>`
        with next as (
          select id, batch_id from mail_messages own
          where state = 'queued' and not_before <= ${now} and priority <= ${isUrgentOnly ? 0 : 1}
            and (batch_id is null
              or exists (select from mail_batches where id = own.batch_id and state = 'running'))
          order by priority, not_before, id
          limit 1 for update skip locked
        )
        update mail_messages own set state = 'sending', claim = ${claim}, claimed_until = ${until}
        from next left join mail_batches batch on batch.id = next.batch_id
        where own.id = next.id
        returning own.id, own.kind, own.recipient, own.subject, own.content, own.attempts,
          batch.kind as batch_kind, batch.template, batch.body, batch.body_format, batch.announcement_id`.execute(
        db,
      )
      const row = rows[0]
      return row && { ...messageOf(row), claim }
    },

    /** When the next message that waits for its time may go; null when none waits. */
    async nextTime(now: Date): Promise<Date | null> {
      // mail_messages_queue, once for each priority
      const { rows } = await sql<{ at: Date | null }>`
        select min(own.not_before) as at from (values (0), (1)) priorities (priority) cross join lateral (
          select not_before from mail_messages
          where state = 'queued' and priority = priorities.priority and not_before > ${now}
          order by not_before limit 1
        ) own`.execute(db)
      return rows[0]?.at ?? null
    },

    /**
     * Writes how a claim ended. One that ran out meanwhile became `unknown`: now it is known.
     *
     * @returns false when the message was decided about otherwise, or is gone
     */
    async end({ id, claim, state, failure, at, isAttempt }: ClaimEnd): Promise<boolean> {
      const isOver = state !== 'queued'
      // The primary key.
      const result = await db
        .updateTable('mailMessages')
        .set((eb) => ({
          state,
          failure,
          claim: null,
          claimedUntil: null,
          endedAt: isOver ? at : null,
          ...(isOver || at === null ? {} : { notBefore: at }),
          attempts: eb('attempts', '+', isAttempt ? 1 : 0),
        }))
        .where('id', '=', id)
        .where('claim', '=', claim)
        .where('state', 'in', ['sending', 'unknown'])
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    /** Gives back what a claim may have got whose commit nobody heard of: nothing of it was sent. */
    async giveBack(claim: string): Promise<void> {
      // mail_messages_claimed
      await db
        .updateTable('mailMessages')
        .set({ state: 'queued', claim: null, claimedUntil: null })
        .where('state', '=', 'sending')
        .where('claim', '=', claim)
        .execute()
    },

    /** Ends everything that waits or is under way, of all workers. */
    async endAll(now: Date, failures: { queued: string; sending: string }): Promise<void> {
      // mail_messages_queue, mail_messages_claimed
      await sql`update mail_messages set ended_at = ${now},
          state = case state when 'queued' then 'cancelled' else 'unknown' end,
          failure = case state when 'queued' then ${failures.queued} else ${failures.sending} end
        where state in ('queued', 'sending')`.execute(db)
    },

    /** Lets go now what waits for longer than anything is made to wait: a clock was ahead when it was written. */
    async bringForward(now: Date, longestMs: number): Promise<void> {
      // mail_messages_queue
      await db
        .updateTable('mailMessages')
        .set({ notBefore: now })
        .where('state', '=', 'queued')
        .where('priority', 'in', [0, 1])
        .where('notBefore', '>', new Date(now.getTime() + longestMs))
        .execute()
    },

    /**
     * Says of claims that ran out that nobody knows their end: their worker died, or is cut off from the database. The
     * same of claims that last longer than any: their worker's clock was ahead.
     */
    async expire(now: Date, longestMs: number, failure: string): Promise<number> {
      // mail_messages_claimed
      const result = await db
        .updateTable('mailMessages')
        .set({ state: 'unknown', endedAt: now, failure })
        .where('state', '=', 'sending')
        .where(({ eb, or }) =>
          or([eb('claimedUntil', '<', now), eb('claimedUntil', '>', new Date(now.getTime() + longestMs))]),
        )
        .executeTakeFirst()
      return Number(result.numUpdatedRows)
    },
  }
}

interface ClaimedRow extends Omit<RenderableMessage, 'batch'>, Omit<BatchText, 'kind'> {
  id: string
  attempts: number
  batchKind: BatchText['kind'] | null
}

function messageOf(row: ClaimedRow): Omit<ClaimedMessage, 'claim'> {
  const { batchKind, template, body, bodyFormat, announcementId, ...message } = row
  if (batchKind === null) return { ...message, batch: null }
  return { ...message, batch: { kind: batchKind, template, body, bodyFormat, announcementId } }
}
