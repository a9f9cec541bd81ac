import { type Insertable, type SqlBool, sql } from 'kysely'
import { allOf, inScope, isBehind } from '#server/database/conditions.ts'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { MailBouncesTable, Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Position } from '#server/lib/paging.ts'
import type { ReturnedMessage } from '#shared/mail/mail-response.ts'
import type { MailboxPosition } from './mailbox-reader.ts'
import { isNoNotice } from './messages-repository.ts'

type BounceRow = Omit<ReturnedMessage, 'receivedAt' | 'subject'> & {
  receivedAt: Date
  subject: string | null
}

// The rule is that of the outbox: returned notices about the sign-ins of others need `people`.
function open(access: Access, isAfter?: ReturnType<typeof isBehind>) {
  return sql`mail_bounces b
      left join students s on s.id = b.student_id
      left join mail_messages m on m.id = b.message_id
    where ${allOf(
      sql`b.resolved_at is null and (s.id is null or lower(s.email) = lower(b.recipient))`,
      access.can('people') ? undefined : sql`(m.id is null or ${isNoNotice})`,
      inComponents(access),
      isAfter,
    )}`
}

const inComponents = (access: Access) => inScope(access, { column: 's.nstp_component' })

export function createBouncesRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    // Stores a returned message once. One that names a message resolves earlier ones of the address. Index:
    // mail_bounces_mailbox_uid_key, mail_bounces_open.
    async insert(bounce: Insertable<MailBouncesTable>): Promise<void> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('mailBounces')
        .values(bounce)
        .onConflict((conflict) => conflict.column('mailboxUid').doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows !== 1n || bounce.messageId == null) return
      await db
        .updateTable('mailBounces')
        .set({ resolvedAt: bounce.receivedAt })
        .where('resolvedAt', 'is', null)
        .where('id', '!=', bounce.id)
        .where(sql<SqlBool>`lower(recipient) = lower(${bounce.recipient})`)
        .execute()
    },

    // Index: mail_bounces_open.
    listOpen: (after: Position | null, access: Access, limit: number) => all<BounceRow>`
        select b.id, b.recipient, b.received_at, b.status, b.diagnostic, b.student_id,
          s.last_name || ', ' || s.first_name as student_name, b.message_id, m.subject, m.kind
        from ${open(access, isBehind(after, 'b.received_at', 'b.id'))}
        order by b.received_at desc, b.id desc
        limit ${limit}`,

    // Index: mail_bounces_open.
    countOpen: (access: Access): Promise<number> => countIn(db, open(access)),

    // Undefined when not found. Index: mail_bounces_pkey.
    async resolve(id: string, access: Access, at: Date) {
      const scope = inComponents(access)
      const bounce = await db
        .selectFrom('mailBounces')
        .select(['studentId', 'resolvedAt'])
        .where('id', '=', id)
        .$if(scope !== undefined, (own) =>
          own.where(
            sql<SqlBool>`exists (select from students s where s.id = mail_bounces.student_id and ${scope})`,
          ),
        )
        .forUpdate()
        .executeTakeFirst()
      if (!bounce) return undefined
      const isChanged = bounce.resolvedAt === null
      if (isChanged)
        await db.updateTable('mailBounces').set({ resolvedAt: at }).where('id', '=', id).execute()
      return { studentId: bounce.studentId, isChanged }
    },
  }
}

// seconds: after that the reading process counts as dead.
const leaseSeconds = 120

export function createMailboxRepository(db: Queryable) {
  return {
    find: () =>
      db
        .selectFrom('mailMailbox')
        .select([
          'checkedAt',
          'failure',
          sql<boolean>`coalesce(claimed_until > now(), false)`.as('isChecking'),
        ])
        .executeTakeFirst(),

    /**
     * Race: one process gets the lease.
     * @param dueMinutes minutes since the last check; null to check now
     * @returns undefined when another process has it or it is not due
     */
    async claim(token: string, dueMinutes: number | null): Promise<MailboxPosition | undefined> {
      await db
        .insertInto('mailMailbox')
        .values({ onlyRow: true })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const isDue =
        dueMinutes === null
          ? sql<SqlBool>`true`
          : sql<SqlBool>`(checked_at is null or checked_at < now() - make_interval(mins => ${dueMinutes})
              or checked_at < (select updated_at from mail_account))`
      const row = await db
        .updateTable('mailMailbox')
        .set({
          claim: token,
          claimedUntil: sql<Date>`now() + make_interval(secs => ${sql.lit(leaseSeconds)})`,
        })
        .where(sql<SqlBool>`(claimed_until is null or claimed_until < now())`)
        .where(isDue)
        .returning(['uidValidity', 'lastUid'])
        .executeTakeFirst()
      return row && { name: row.uidValidity, lastUid: Number(row.lastUid) }
    },

    async advance(token: string, { name, lastUid }: MailboxPosition): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('mailMailbox')
        .set({ uidValidity: name, lastUid })
        .where('claim', '=', token)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    release: (token: string) =>
      db
        .updateTable('mailMailbox')
        .set({ claim: null, claimedUntil: null })
        .where('claim', '=', token)
        .execute(),

    finish: (token: string, failure: string) =>
      db
        .updateTable('mailMailbox')
        .set({ claim: null, claimedUntil: null, checkedAt: sql<Date>`now()`, failure })
        .where('claim', '=', token)
        .execute(),
  }
}

export interface SentMessage {
  id: string
  studentId: string | null
  recipient: string
}

// A report may arrive before the end of the sending is stored.
const returnableStates = ['sent', 'unknown', 'sending'] as const

export function createMatchingRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    findByIds: (ids: readonly string[]): Promise<SentMessage[]> =>
      db
        .selectFrom('mailMessages')
        .select(['id', 'studentId', 'recipient'])
        .where(sql<SqlBool>`id = any(${[...ids]}::uuid[])`)
        .where('state', 'in', returnableStates)
        .execute(),

    /** @param addresses in lower case. Index: mail_messages_ended. */
    async findByRecipients(addresses: readonly string[], since: Date): Promise<SentMessage[]> {
      if (addresses.length === 0) return []
      const rows = await all<SentMessage>`
        select distinct on (lower(recipient)) id, student_id, recipient
        from mail_messages
        where state in ('sent', 'unknown') and ended_at > ${since} and lower(recipient) = any(${[...addresses]}::text[])
        order by lower(recipient), ended_at desc`
      return rows
    },

    // Reads all students: an index would slow every enlistment for a rare query.
    async findStudents(addresses: readonly string[]): Promise<Map<string, string>> {
      if (addresses.length === 0) return new Map()
      const rows = await db
        .selectFrom('students')
        .select(['id', sql<string>`lower(email)`.as('address')])
        .where(sql<SqlBool>`lower(email) = any(${[...addresses]}::text[])`)
        .orderBy('registrationDate')
        .execute()
      return new Map(rows.map(({ address, id }) => [address, id]))
    },
  }
}
