import { type RawBuilder, type Selectable, sql } from 'kysely'
import { allOf, inScope, isBehind } from '#server/database/conditions.ts'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { MailMessagesTable, Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { Position } from '#server/lib/paging.ts'
import type { BatchDecision, MailCounts, MailKind, MailState } from '#shared/mail/mail.ts'
import { studentMailLimit } from '#shared/mail/mail-history.ts'
import { neverRepeated } from './batch-repository.ts'
import type { MailContent } from './mailer.ts'
import { batchText, noCounts } from './queue-repository.ts'
import type { BatchText } from './rendering/render.ts'

export type MessageRow = Record<'firstName' | 'lastName' | 'reference', string> &
  Omit<Selectable<MailMessagesTable>, 'content' | 'priority' | 'claim' | 'claimedUntil' | 'rejectedId'>

export interface MessageFilters {
  state: MailState | 'all'
  search: string
}

export type StoredMessage = MessageRow & { content: MailContent; batch: BatchText | null }

const columns = sql`
  m.id, m.kind, m.batch_id, m.student_id, m.recipient, m.subject, m.state, m.created_at, m.attempts, m.ended_at,
  m.not_before, m.failure,
  coalesce(m.content -> 'values' ->> 'firstName', '') as first_name,
  coalesce(m.content -> 'values' ->> 'lastName', '') as last_name,
  coalesce(m.content -> 'values' ->> 'reference', '') as reference`

export const noticeTitle = 'Security notice: '

// A notice is recognized by its subject, as notices of earlier versions have nothing else in common.
export const isNoNotice = sql`not (m.kind = 'single' and m.student_id is null and starts_with(m.subject, ${noticeTitle}))`

/**
 * The condition of messages that an account may see: those to students in scope, and those of its own bulk e-mails.
 * Accounts of all components see every message, but notices about the sign-ins of others only with `people`. It is
 * undefined where all are seen. Index: the primary key.
 */
function isShown({ access, adminId }: Staff) {
  const scope = inScope(access, { column: 'students.nstp_component' })
  if (!scope) return access.can('people') ? undefined : isNoNotice
  return sql`(exists (select from students where students.id = m.student_id and ${scope})
    or exists (select from mail_batches where mail_batches.id = m.batch_id and created_by_id = ${adminId}))`
}

export function createMessagesRepository(db: Queryable) {
  const { all, first } = queriesOf(db)
  async function list(where: Condition[], order: RawBuilder<unknown>, limit: number): Promise<MessageRow[]> {
    return await all<MessageRow>`
      select ${columns} from mail_messages m where ${allOf(...where)} order by ${order} limit ${limit}`
  }

  const newestFirst = sql`m.created_at desc, m.id desc`
  const isOf = (batchId: string, filters: MessageFilters) => [
    sql`m.batch_id = ${batchId}`,
    ...narrowed(filters),
  ]

  return {
    // Index: mail_messages_created; mail_messages_unknown for that state. Rare matches scan the table: 100 ms for 200,000 rows.
    history(
      { kind, after, ...filters }: MessageFilters & { kind: MailKind | 'all'; after: Position | null },
      staff: Staff,
      limit: number,
    ) {
      const ofKind = kind === 'all' ? undefined : sql`m.kind = ${kind}`
      const isAfter = isBehind(after, 'm.created_at', 'm.id')
      return list([...narrowed(filters), ofKind, isShown(staff), isAfter], newestFirst, limit)
    },

    // Index: mail_messages_student.
    ofStudent: (id: string) => list([sql`m.student_id = ${id}`], newestFirst, studentMailLimit),

    // Index: mail_messages_batch.
    ofBatch(
      batchId: string,
      { afterId, ...filters }: MessageFilters & { afterId: string | null },
      limit: number,
    ) {
      const isAfter = afterId === null ? undefined : sql`m.id > ${afterId}::uuid`
      return list([...isOf(batchId, filters), isAfter], sql`m.id`, limit)
    },

    // Index: mail_messages_batch.
    countOfBatch: (batchId: string, filters: MessageFilters): Promise<number> =>
      countIn(db, sql`mail_messages m where ${allOf(...isOf(batchId, filters))}`),

    // Indexes: mail_messages_queue, mail_messages_claimed, mail_messages_unknown, mail_messages_ended.
    async counts(endedSince: Date, staff: Staff): Promise<MailCounts> {
      const shown = isShown(staff)
      const rows = await all<MailCounts>`select
          (select count(*) from mail_messages m where ${allOf(sql`m.state = 'queued'`, shown)})::int as queued,
          (select count(*) from mail_messages m where ${allOf(sql`m.state = 'sending'`, shown)})::int as sending,
          (select count(*) from mail_messages m where ${allOf(sql`m.state = 'unknown'`, shown)})::int as unknown,
          count(*) filter (where state = 'sent')::int as sent,
          count(*) filter (where state = 'failed')::int as failed,
          count(*) filter (where state = 'cancelled')::int as cancelled
        from mail_messages m where ${allOf(sql`ended_at > ${endedSince}`, shown)}`
      return rows[0] ?? noCounts
    },

    // Primary keys.
    find: (id: string, staff: Staff) => first<StoredMessage>`
        select ${columns}, m.content, ${batchText}
        from mail_messages m left join mail_batches batch on batch.id = m.batch_id
        where ${allOf(sql`m.id = ${id}`, isShown(staff))}`,
  }
}

type Condition = RawBuilder<unknown> | undefined

function narrowed({ state, search }: MessageFilters): Condition[] {
  return [
    state === 'all' ? undefined : sql`m.state = ${state}`,
    search === '' ? undefined : sql`strpos(m.search_text, lower(normalize(${search}::text, NFC))) > 0`,
  ]
}

export interface DecidedMessage extends Pick<MessageRow, 'kind' | 'state' | 'studentId' | 'recipient'> {
  studentEmail: string | null
  batchState: BatchDecision | null
  isRepeated: boolean
  isRejected: boolean
}

/** Requires a transaction. */
export function createDecisionsRepository(tx: Queryable) {
  return {
    // Lock order: the batch first, as cancelling and repeating do. Primary keys; indexes: mail_batches_repeat_of, mail_messages_batch.
    async lock(id: string, staff: Staff): Promise<DecidedMessage | undefined> {
      await sql`
        select from mail_batches where id = (select batch_id from mail_messages where id = ${id})
        for update`.execute(tx)
      const result = await sql<DecidedMessage>`
        select m.kind, m.state, m.student_id, m.recipient,
          (select state from mail_batches where id = m.batch_id) as batch_state,
          not (${neverRepeated()}) as is_repeated, m.rejected_id is not null as is_rejected,
          (select email from students where ${allOf(sql`id = m.student_id`, inScope(staff.access))})
            as student_email
        from mail_messages m where ${allOf(sql`m.id = ${id}`, isShown(staff))}
        for update of m`.execute(tx)
      return result.rows[0]
    },

    // The claim is removed too, so that a worker that still holds the message can’t store its result. Index: the primary key.
    queue: (id: string, recipient: string, now: Date) =>
      tx
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
        .execute(),

    // Leaves the end time as it is: the quota counts by it. Primary key; index: mail_messages_batch.
    async settle(of: { id: string } | { batchId: string }, state: 'sent' | 'failed', failure: string) {
      const { numUpdatedRows } = await tx
        .updateTable('mailMessages')
        .set({ state, failure, claim: null })
        .where('state', '=', 'unknown')
        .where((eb) => ('id' in of ? eb('id', '=', of.id) : eb('batchId', '=', of.batchId)))
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }
}

export function findMailedStudent(db: Queryable, id: string, access: Access) {
  return db
    .selectFrom('students')
    .select(['id', 'reference', 'email', 'firstName', 'lastName', 'nstpComponent'])
    .where(allOf(sql`id = ${id}`, inScope(access)))
    .executeTakeFirst()
}

const keyed = ['kind', 'recipient', 'subject', 'content', 'state', 'failure'] as const
export type KeyedMessage = Pick<Selectable<MailMessagesTable>, (typeof keyed)[number]>

/** Race: serialises the search for the message and its insert. Index: mail_messages_pkey. */
export async function lockKeyedMessage(tx: Queryable, id: string): Promise<KeyedMessage | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mail ${id}`}, 0))`.execute(tx)
  return await tx.selectFrom('mailMessages').select(keyed).where('id', '=', id).executeTakeFirst()
}

export function createCodeMessages(db: Queryable) {
  const columns = ['state', 'createdAt', 'endedAt'] as const
  return {
    // Index: mail_messages_pkey.
    find: (id: string) =>
      db.selectFrom('mailMessages').select(columns).where('id', '=', id).executeTakeFirst(),

    // Index: mail_messages_queue.
    countQueued: (): Promise<number> =>
      countIn(db, sql`mail_messages where state = 'queued' and priority = -2`),

    // Newest first. One that was cancelled went to nobody. Index: mail_messages_student.
    ofDay: (studentId: string, since: Date) =>
      db
        .selectFrom('mailMessages')
        .select(columns)
        .where('studentId', '=', studentId)
        .where('kind', '=', 'code')
        .where('state', '<>', 'cancelled')
        .where('createdAt', '>', since)
        .orderBy('createdAt', 'desc')
        .execute(),

    // Index: students_pkey.
    references: (ids: readonly string[]) =>
      db
        .selectFrom('students')
        .select(['reference', 'academicYear'])
        .where('id', 'in', ids)
        .orderBy('academicYear', 'desc')
        .execute(),
  }
}

/** Locks the address until the transaction ends. Index: mail_messages_welcome. */
export async function mayWelcome(tx: Queryable, address: string, since: Date, most: number) {
  const { rows } = await sql<{ may: boolean }>`
    select may_welcome(${address}, ${since}, ${most}) as may`.execute(tx)
  return rows[0]?.may ?? false
}

// The order matters: a bulk e-mail stays as long as its messages.
export const expiringTables = ['mail_messages', 'mail_batches', 'mail_bounces'] as const

const expired = {
  mail_messages: (before: Date) => sql`created_at < ${before} and state not in ('queued', 'sending')`,
  mail_batches: (before: Date) =>
    sql`created_at < ${before} and not exists (select from mail_messages where batch_id = own.id)`,
  mail_bounces: (before: Date) => sql`received_at < ${before}`,
}

/** At most `limit` rows. Indexes: mail_messages_created, mail_batches_created; mail_bounces is small. */
export async function deleteExpired(
  db: Queryable,
  table: (typeof expiringTables)[number],
  before: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} own where ${expired[table](before)}
      order by ${sql.ref(table === 'mail_bounces' ? 'received_at' : 'created_at')} limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
