import { type SqlBool, sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import { deskRoles, keptRoles } from '#shared/people/permissions.ts'
import type { Account } from './account-repository.ts'
import { type AccountEnd, before, type Lifetimes, latestNow, sessionLimits } from './session-cookies.ts'

export interface EndedSession {
  userAgent: string
  deviceHash: Buffer | null
}

interface FoundSession extends SignedInAdmin, AccountEnd {
  hasFirstPassword: boolean
  // The last instant to set up a second factor; null once it is on.
  secondFactorDue: Date | null
  createdAt: Date
  lastUsedAt: Date
  provenAt: Date
  isKept: boolean
}

/** Each request of a signed-in person asks. Index: sessions_pkey, admins_pkey, second_factors_pkey. */
export function createSessionReader({ queryPrepared }: Pick<AppDatabase, 'queryPrepared'>) {
  return async (tokenHash: Buffer, lifetimes: Lifetimes) => {
    const { startedAfter, usedAfter, deskUsedAfter, keptStartedAfter, keptUsedAfter, usedUntil } = lifetimes
    const [found] = await queryPrepared<FoundSession>(
      `select admins.id, email, display_name as "displayName", role, components,
         expires_on as "expiresOn", disabled_at as "disabledAt",
         has_first_password as "hasFirstPassword",
         case when confirmed_at is null then second_factor_due end as "secondFactorDue",
         sessions.created_at as "createdAt", last_used_at as "lastUsedAt", proven_at as "provenAt", is_kept and role = any($7) as "isKept"
       from sessions join admins on admins.id = sessions.admin_id
         left join second_factors on second_factors.admin_id = admins.id
       where token_hash = $1 and last_used_at <= $2
         and sessions.created_at > case when is_kept and role = any($7) then $3 else $4 end::timestamptz
         and last_used_at > case when is_kept and role = any($7) then $5
           when role = any($8) then $9 else $6 end::timestamptz`,
      [
        ...[tokenHash, usedUntil, keptStartedAfter, startedAfter, keptUsedAfter, usedAfter],
        ...[keptRoles, deskRoles, deskUsedAfter],
      ],
    )
    return found
  }
}

// An account's role may have become another one since the sign-in.
const isKept = sql<boolean>`(is_kept and role = any(${keptRoles}))`

/** A count that began within the hour goes on. */
function isSince(column: 'records_since' | 'removals_since', now: Date) {
  const since = sql.ref(column)
  const { within } = sessionLimits.records
  return sql<boolean>`(${since} > ${before(now, within)} and ${since} <= ${latestNow(now)})`
}

function isLive(lifetimes: Lifetimes) {
  const { startedAfter, usedAfter, deskUsedAfter, keptStartedAfter, keptUsedAfter, usedUntil } = lifetimes
  return sql<boolean>`(last_used_at <= ${usedUntil}
    and sessions.created_at > case when ${isKept} then ${keptStartedAfter} else ${startedAfter} end::timestamptz
    and last_used_at > case when ${isKept} then ${keptUsedAfter}
      when role = any(${deskRoles}) then ${deskUsedAfter} else ${usedAfter} end::timestamptz)`
}

export function createSessionRepository(db: Queryable) {
  return {
    /**
     * Race: locks the row and checks it again, so that a change of password or an end ends this session too.
     * @returns whether it was started
     */
    async insertSession(session: {
      tokenHash: Buffer
      deviceHash: Buffer
      account: Account
      userAgent: string
      clientAddress: string
      isKept: boolean
      now: Date
    }): Promise<boolean> {
      const { tokenHash, deviceHash, account, userAgent, clientAddress, isKept, now } = session
      const { numAffectedRows } = await sql`
        insert into sessions
          (token_hash, device_hash, admin_id, created_at, last_used_at, proven_at, user_agent, client_address, is_kept)
        select ${tokenHash}, ${deviceHash}, id, ${now}, ${now}, ${now}, ${userAgent}, ${clientAddress}, ${isKept}
        from admins
        where id = ${account.id} and password_hash = ${account.passwordHash} and disabled_at is null
        for share`.execute(db)
      return numAffectedRows === 1n
    },

    // Index: sessions_admin.
    listSessions: (adminId: string, lifetimes: Lifetimes) =>
      db
        .selectFrom('sessions')
        .innerJoin('admins', 'admins.id', 'sessions.adminId')
        .where(isLive(lifetimes))
        .select([
          'sessions.id',
          'tokenHash',
          'userAgent',
          'clientAddress',
          'sessions.createdAt',
          'lastUsedAt',
        ])
        .select(isKept.as('isKept'))
        .where('adminId', '=', adminId)
        .orderBy('lastUsedAt', 'desc')
        .orderBy('sessions.id')
        .execute(),

    async recordUse(tokenHash: Buffer, now: Date, unlessAfter: Date): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ lastUsedAt: now })
        .where('tokenHash', '=', tokenHash)
        .where('lastUsedAt', '<=', unlessAfter)
        .execute()
    },

    async recordProof(tokenHash: Buffer, now: Date): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ provenAt: now, recordsRead: 0 })
        .where('tokenHash', '=', tokenHash)
        .execute()
    },

    /** Race: one statement on one row, so that concurrent requests can't pass the limit. Index: sessions_pkey. */
    async takeRecords(
      tokenHash: Buffer,
      { cost, most }: { cost: number; most: number },
      now: Date,
    ): Promise<boolean> {
      const isOfHour = isSince('records_since', now)
      const taken = sql<number>`case when ${isOfHour} then records_read else 0 end + ${cost}::integer`
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({
          recordsRead: taken,
          recordsSince: sql<Date>`case when ${isOfHour} then records_since else ${now} end`,
        })
        .where('tokenHash', '=', tokenHash)
        .where(sql<SqlBool>`${taken} <= ${most}`)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    /**
     * Index: sessions_pkey.
     * @returns how many of the hour, with these; 0 for a session that has ended meanwhile
     */
    async addRemovals(tokenHash: Buffer, count: number, now: Date): Promise<number> {
      const isOfHour = isSince('removals_since', now)
      const added = await db
        .updateTable('sessions')
        .set({
          removals: sql<number>`case when ${isOfHour} then removals else 0 end + ${count}::integer`,
          removalsSince: sql<Date>`case when ${isOfHour} then removals_since else ${now} end`,
        })
        .where('tokenHash', '=', tokenHash)
        .returning('removals')
        .executeTakeFirst()
      return added?.removals ?? 0
    },

    renewToken: (from: Buffer, to: Buffer): Promise<{ isKept: boolean } | undefined> =>
      db
        .updateTable('sessions')
        .set({ tokenHash: to })
        .where('tokenHash', '=', from)
        .returning('isKept')
        .executeTakeFirst(),

    // Index: sessions_pkey.
    deleteSession: (tokenHash: Buffer): Promise<{ id: string; email: string } | undefined> =>
      db
        .deleteFrom('sessions')
        .using('admins')
        .whereRef('admins.id', '=', 'sessions.adminId')
        .where('sessions.tokenHash', '=', tokenHash)
        .returning(['admins.id', 'admins.email'])
        .executeTakeFirst(),

    /**
     * Index: sessions_id, sessions_admin.
     * @param which one by its id; all but one by its token; all
     */
    async deleteSessions(
      adminId: string,
      which: { id?: string; except?: Buffer | undefined } = {},
    ): Promise<EndedSession[]> {
      const { id, except } = which
      return db
        .deleteFrom('sessions')
        .where('adminId', '=', adminId)
        .$if(id !== undefined, (sessions) => sessions.where('id', '=', id ?? ''))
        .$if(except !== undefined, (sessions) => sessions.where('tokenHash', '!=', except ?? Buffer.of()))
        .returning(['userAgent', 'deviceHash'])
        .execute()
    },

    async deleteEnded(lifetimes: Lifetimes): Promise<void> {
      await db
        .deleteFrom('sessions')
        .using('admins')
        .whereRef('admins.id', '=', 'sessions.adminId')
        .where(sql<SqlBool>`not ${isLive(lifetimes)}`)
        .execute()
    },
  }
}
