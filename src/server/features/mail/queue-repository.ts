import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import { accountEnded } from '#shared/auth/account.ts'
import type { MailCounts, MailKind, MailState } from '#shared/mail/mail.ts'
import { mailDecisionSentences } from '#shared/mail/mail-history.ts'
import { codeLimits } from '#shared/my/my.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import type { Priority } from './ledger-repository.ts'
import type { OptOutHash } from './opt-outs-repository.ts'
import type { RenderableMessage } from './rendering/render.ts'

export interface Waiting {
  urgent: number
  bulk: number
  lastNotBefore: Date | null
}

const isDueSoon = sql`own.state = 'queued' and (own.batch_id is null
  or exists (select from mail_batches where id = own.batch_id and state = 'running'))`

export function createQueueRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    async waiting(): Promise<Waiting> {
      // mail_messages_queue
      const rows = await all<Waiting>`
        select count(*) filter (where priority <= 0)::int as urgent, count(*) filter (where priority = 1)::int as bulk,
          max(not_before) as last_not_before
        from mail_messages own where ${isDueSoon}`
      return rows[0] ?? nothing
    },

    async waitingUpTo(batchId: string): Promise<Waiting> {
      // mail_messages_batch, mail_messages_queue
      const rows = await all<Waiting>`
        with last as (
          select not_before, id from mail_messages where batch_id = ${batchId} and state = 'queued'
          order by not_before desc, id desc limit 1
        )
        select count(own.id) filter (where own.priority <= 0)::int as urgent,
          count(own.id) filter (where own.priority = 1)::int as bulk, last.not_before as last_not_before
        from last join mail_messages own on ${isDueSoon}
          and (own.priority <= 0 or (own.not_before, own.id) <= (last.not_before, last.id))
        group by last.not_before`
      return rows[0] ?? nothing
    },
  }
}

export function readOutcomes(db: Queryable, ids: readonly string[]) {
  return db.selectFrom('mailMessages').select(['id', 'state', 'failure']).where('id', 'in', ids).execute()
}

const nothing: Waiting = { urgent: 0, bulk: 0, lastNotBefore: null }

interface Spent {
  sending: number
  inMinute: number
  inDay: number
  // Welcome messages that were sent within a day, or are being sent now.
  welcomes: number
  // Codes of /my that were sent within a day, or are being sent now.
  codes: number
}

export const nothingSpent: Spent = { sending: 0, inMinute: 0, inDay: 0, welcomes: 0, codes: 0 }

/** Counts the last minute and day over all processes. */
export function createQuotaRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    async count(now: Date, { perDay, perMinute }: Quotas): Promise<Spent> {
      // mail_messages_claimed, mail_messages_ended
      const rows = await all<Spent>`select
        (select count(*) from mail_messages where state = 'sending')::int as sending,
        (select count(*) from (${endedWithin(now, minuteMs)} limit ${perMinute}) own)::int as in_minute,
        (select count(*) from (${endedWithin(now, dayMs)} limit ${perDay}) own)::int as in_day,
        ${ofKindInDay(now, perDay, 'welcome')} as welcomes, ${ofKindInDay(now, perDay, 'code')} as codes`
      // A select without a table has one row.
      return rows[0] ?? nothingSpent
    },

    /** When fewer messages than slots, of any kind or of one, were sent within the window; null when that is so now, or never. */
    async freeAt(now: Date, windowMs: number, slots: number, kind?: MailKind): Promise<Date | null> {
      if (slots < 1) return null
      const ofKind = kind ? sql`where kind = ${kind}` : sql``
      // mail_messages_ended
      const rows = await all<{ endedAt: Date }>`
        select ended_at from (${endedWithin(now, windowMs)}) own ${ofKind}
        order by ended_at desc offset ${slots - 1} limit 1`
      return rows[0] ? new Date(rows[0].endedAt.getTime() + windowMs) : null
    },

    async times(now: Date, spanMs: number): Promise<Date[]> {
      // mail_messages_ended
      const rows = await all<{ endedAt: Date }>`
        ${endedWithin(now, spanMs)} order by ended_at`
      return rows.map(({ endedAt }) => endedAt)
    },
  }
}

function ofKindInDay(now: Date, perDay: number, kind: MailKind) {
  return sql`(select count(*) from (${endedWithin(now, dayMs)} limit ${perDay}) own where kind = ${kind})::int
    + (select count(*) from mail_messages where state = 'sending' and kind = ${kind})::int`
}

// Clock skew: rows slightly in the future count, rows far in the future don't.
function endedWithin(now: Date, spanMs: number) {
  const [since, until] = [new Date(now.getTime() - spanMs), new Date(now.getTime() + spanMs)]
  return sql`select ended_at, kind from mail_messages
    where ended_at > ${since} and ended_at <= ${until} and state in ('sent', 'unknown')`
}

export interface Quotas {
  perDay: number
  perMinute: number
}

export const minuteMs = 60_000
export const dayMs = 86_400_000

// Race: two processes would both see the last free slot, so one process at a time counts and claims.
const claimLock = 4_113_801

export interface ClaimedMessage extends RenderableMessage {
  id: string
  claim: string
  attempts: number
}

export interface ClaimEnd {
  id: string
  claim: string
  state: Extract<MailState, 'sent' | 'failed' | 'unknown' | 'queued'>
  failure: string
  at: Date | null
  isAttempt: boolean
}

export function createClaimsRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    // Blocks all other claims until the transaction ends.
    lock: () => sql`select pg_advisory_xact_lock(${claimLock})`.execute(db),

    // Requires the lock. In the order of the priorities.
    async claimNext(claim: string, now: Date, until: Date, priorities: readonly Priority[]) {
      // mail_messages_queue, once for each priority
      const rows = await all<ClaimedMessage>`
        with next as (
          select first.id, first.batch_id from unnest(${[...priorities]}::smallint[]) priority cross join lateral (
            select id, batch_id from mail_messages own
            where state = 'queued' and not_before <= ${now} and own.priority = priority.priority
              and rejected_id is null and (own.priority > -2 or ${isLateCode(now)} is false)
              and (batch_id is null
                or exists (select from mail_batches where id = own.batch_id and state = 'running'))
            order by not_before, id
            limit 1 for update skip locked
          ) first
          order by priority.priority limit 1
        )
        update mail_messages own set state = 'sending', claim = ${claim}, claimed_until = ${until}
        from next left join mail_batches batch on batch.id = next.batch_id
        where own.id = next.id
        returning own.id, own.claim, own.kind, own.recipient, own.subject, own.content, own.attempts, ${batchText}`
      return rows[0]
    },

    // Requires the lock. Primary key.
    claim: (id: string, claim: string, until: Date) =>
      db
        .updateTable('mailMessages')
        .set({ state: 'sending', claim, claimedUntil: until })
        .where('id', '=', id)
        .execute(),

    async nextTime(now: Date): Promise<Date | null> {
      // mail_messages_queue, once for each priority
      const rows = await all<{ at: Date | null }>`
        select min(own.not_before) as at from (values (-2), (-1), (0), (1)) priorities (priority) cross join lateral (
          select not_before from mail_messages
          where state = 'queued' and priority = priorities.priority and not_before > ${now}
          order by not_before limit 1
        ) own`
      return rows[0]?.at ?? null
    },

    /**
     * Stores how a claim ended. A claim that expired and was marked `unknown` can still be ended.
     * @returns false when the message was settled by hand or deleted
     */
    async end({ id, claim, state, failure, at, isAttempt }: ClaimEnd): Promise<boolean> {
      const isOver = state !== 'queued'
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

    // Race: releases a claim whose commit was in doubt. Its message was not sent.
    async release(claim: string): Promise<void> {
      // mail_messages_claimed
      await db
        .updateTable('mailMessages')
        .set({ state: 'queued', claim: null, claimedUntil: null })
        .where('state', '=', 'sending')
        .where('claim', '=', claim)
        .execute()
    },

    // Clears the failures of due messages only. An answer about themselves has put the others off. Index:
    // mail_messages_queue.
    clearFailures: (now: Date) =>
      db
        .updateTable('mailMessages')
        .set({ failure: '' })
        .where('state', '=', 'queued')
        .where('notBefore', '<=', now)
        .where('failure', '!=', '')
        .execute(),

    // Clock skew: releases messages that wait longer than `longestMs` ms.
    async bringForward(now: Date, longestMs: number): Promise<void> {
      // mail_messages_queue
      await db
        .updateTable('mailMessages')
        .set({ notBefore: now })
        .where('state', '=', 'queued')
        .where('priority', 'in', [-2, -1, 0, 1])
        .where('notBefore', '>', new Date(now.getTime() + longestMs))
        .execute()
    },

    // Marks messages as unknown whose claim expired (worker dead or cut off) or lasts longer than `longestMs` ms (clock skew).
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

/**
 * The condition of a message with a code that is of no use to its reader any more: its ten minutes are over, or another
 * code took its place. Index: student_keys_pkey.
 */
const isLateCode = (
  now: Date,
) => sql<SqlBool>`(own.created_at <= ${new Date(now.getTime() - codeLimits.validMs)}
  or not exists (select from student_keys keys where keys.student_id = own.student_id and keys.code_id = own.id))`

/** The bulk e-mail of a message as JSON; null for a message without one. */
export const batchText = sql`case when batch.id is not null then jsonb_build_object('template', batch.template,
  'body', batch.body, 'bodyFormat', batch.body_format, 'announcementId', batch.announcement_id) end as batch`

export function createCancellationsRepository(db: Queryable) {
  /** Index: mail_messages_queue where no other is named. @param failure null for a batch, which says it itself */
  async function cancel(now: Date, condition: RawBuilder<unknown>, failure: string | null): Promise<number> {
    const { numAffectedRows } = await sql`
      update mail_messages own set state = 'cancelled', ended_at = ${now}, failure = coalesce(${failure}, failure)
      where own.state = 'queued' and ${condition}`.execute(db)
    return Number(numAffectedRows ?? 0n)
  }

  const { optedOut, codeTooLate, rejected } = mailDecisionSentences
  const isToMany = sql`own.kind in ('bulk', 'announcement')`

  return {
    // Index: mail_messages_batch.
    ofBatch: (batchId: string, now: Date) => cancel(now, sql`own.batch_id = ${batchId}`, null),

    // A bulk e-mail may wait for days.
    ofAddress: (address: string, now: Date) =>
      cancel(now, sql`${isToMany} and lower(own.recipient) = lower(${address})`, optedOut),

    /** Cancels what must not be sent any more. Race: it was queued again, or written, after that was decided. */
    async stale(now: Date, today: CalendarDate, optOuts: OptOutHash): Promise<number> {
      // mail_messages_batch, mail_batches_pkey
      const isOfBatch = (condition: RawBuilder<unknown>) => sql`exists (
        select from mail_batches batch left join admins on admins.id = batch.created_by_id
        where batch.id = own.batch_id and ${condition})`
      const isEnded = sql`(disabled_at is not null or expires_on < ${today}::date)`
      // mail_opt_outs_pkey, students_pkey
      const isUnwanted = sql`(${optOuts.isStored(sql`own.recipient`)} or exists (
        select from students where students.id = own.student_id and restriction is not null))`
      return (
        (await cancel(now, isOfBatch(sql`batch.state = 'cancelled'`), null)) +
        // mail_messages_rejected
        (await cancel(now, sql`own.rejected_id is not null`, rejected)) +
        (await cancel(
          now,
          sql`own.priority = -2 and own.kind = 'code' and ${isLateCode(now)}`,
          codeTooLate,
        )) +
        (await cancel(now, isOfBatch(isEnded), accountEnded)) +
        (await cancel(now, sql`${isToMany} and ${isUnwanted}`, optedOut))
      )
    },
  }
}

/** Restored unsent mail was sent since the backup, or is out of date. Claimed mail may have been sent. */
export async function endRestoredMail(db: Queryable, now: Date): Promise<void> {
  const cancelled =
    'This e-mail was waiting when the restored backup was made. It was cancelled because it may have been sent since then.'
  const unknown =
    'This e-mail was being sent when the restored backup was made, so it may or may not have been delivered.'
  // mail_messages_queue, mail_messages_claimed
  await sql`update mail_messages set ended_at = ${now},
      state = case state when 'queued' then 'cancelled' else 'unknown' end,
      failure = case state when 'queued' then ${cancelled} else ${unknown} end
    where state in ('queued', 'sending')`.execute(db)
  // Undoing a rejection must not send it either.
  await sql`update rejected_students set waiting = '{}'`.execute(db)
}

export async function readDatabaseFacts(db: Queryable) {
  const { rows } = await sql<{ version: string; sizeBytes: string | null }>`
    select current_setting('server_version') as version,
      pg_database_size(current_database()) as size_bytes`.execute(db)
  const { version = '', sizeBytes = null } = rows[0] ?? {}
  return { version, sizeBytes: sizeBytes === null ? null : Number(sizeBytes) }
}

/** Counts the whole table, without an index. */
export async function countMessages(db: Queryable): Promise<MailCounts> {
  const rows = await db
    .selectFrom('mailMessages')
    .select(['state', (eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count')])
    .groupBy('state')
    .execute()
  return { ...noCounts, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) }
}

export const noCounts: MailCounts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }
