import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { ApiTokensTable, Queryable } from '#server/database/schema.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import { before, knownDeviceLifetime, type Lifetimes, latestNow, sessionLimits } from './session-cookies.ts'

export interface Account extends SignedInAdmin {
  passwordHash: string
  isKnownDevice: boolean
  hasFirstPassword: boolean
  passwordChangedAt: Date
}

export interface EndedSession {
  userAgent: string
  deviceHash: Buffer | null
}

interface FoundSession extends SignedInAdmin {
  hasFirstPassword: boolean
  createdAt: Date
  lastUsedAt: Date
  provenAt: Date
  isKept: boolean
}

/** Each request of a signed-in person asks. Index: sessions_pkey. */
export function createSessionReader({ queryPrepared }: Pick<AppDatabase, 'queryPrepared'>) {
  return async (tokenHash: Buffer, lifetimes: Lifetimes) => {
    const { startedAfter, usedAfter, keptStartedAfter, keptUsedAfter, usedUntil } = lifetimes
    const [found] = await queryPrepared<FoundSession>(
      `select admins.id, email, display_name as "displayName", has_first_password as "hasFirstPassword",
         sessions.created_at as "createdAt", last_used_at as "lastUsedAt", proven_at as "provenAt", is_kept as "isKept"
       from sessions join admins on admins.id = admin_id
       where token_hash = $1 and last_used_at <= $2
         and sessions.created_at > case when is_kept then $3 else $4 end::timestamptz
         and last_used_at > case when is_kept then $5 else $6 end::timestamptz`,
      [tokenHash, usedUntil, keptStartedAfter, startedAfter, keptUsedAfter, usedAfter],
    )
    return found
  }
}

function isLive(lifetimes: Lifetimes) {
  const { startedAfter, usedAfter, keptStartedAfter, keptUsedAfter, usedUntil } = lifetimes
  return sql<boolean>`(last_used_at <= ${usedUntil}
    and created_at > case when is_kept then ${keptStartedAfter} else ${startedAfter} end::timestamptz
    and last_used_at > case when is_kept then ${keptUsedAfter} else ${usedAfter} end::timestamptz)`
}

export function createAuthRepository(db: Queryable) {
  return {
    /**
     * Index: admins_email; known_devices_pkey.
     * @param email in lower case
     */
    findAccount: (email: string, device: Buffer | null, now: Date): Promise<Account | undefined> =>
      db
        .selectFrom('admins')
        .leftJoin('knownDevices', (join) =>
          join
            .onRef('knownDevices.adminId', '=', 'admins.id')
            .on('knownDevices.tokenHash', '=', device)
            .on('knownDevices.lastUsedAt', '>', before(now, knownDeviceLifetime))
            .on('knownDevices.lastUsedAt', '<=', latestNow(now)),
        )
        .select(['admins.id', 'admins.email', 'admins.displayName', 'admins.passwordHash'])
        .select(['admins.hasFirstPassword', 'admins.passwordChangedAt'])
        .select(sql<boolean>`known_devices.token_hash is not null`.as('isKnownDevice'))
        .where(sql<SqlBool>`lower(admins.email) = ${email}`)
        .executeTakeFirst(),

    /** Index: known_devices_pkey. */
    findByDevice: (device: Buffer, now: Date): Promise<{ id: string; email: string } | undefined> =>
      db
        .selectFrom('knownDevices')
        .innerJoin('admins', 'admins.id', 'knownDevices.adminId')
        .select(['admins.id', 'admins.email'])
        .where('knownDevices.tokenHash', '=', device)
        .where('knownDevices.lastUsedAt', '>', before(now, knownDeviceLifetime))
        .where('knownDevices.lastUsedAt', '<=', latestNow(now))
        .executeTakeFirst(),

    listAdmins: (): Promise<{ id: string; email: string }[]> =>
      db.selectFrom('admins').select(['id', 'email']).orderBy('createdAt').orderBy('id').execute(),

    // Race: one transaction at a time creates the first administrator; reads aren't blocked.
    async lockAdmins(): Promise<void> {
      await sql`lock table admins in share row exclusive mode`.execute(db)
    },

    async insertAdmin(admin: SignedInAdmin & { passwordHash: string; now: Date }): Promise<void> {
      const { now, ...values } = admin
      const row = { ...values, createdAt: now, passwordChangedAt: now, hasFirstPassword: true }
      await db.insertInto('admins').values(row).execute()
    },

    /**
     * Race: with `from`, false when the password was changed since that was read.
     * @param now undefined for the same password hashed again
     * @param isFirst not chosen by its owner
     */
    async setPassword(adminId: string, { from, to, now, isFirst = false }: NewHash): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('admins')
        .set({ passwordHash: to, ...(now && { passwordChangedAt: now, hasFirstPassword: isFirst }) })
        .where('id', '=', adminId)
        .$if(from !== undefined, (update) => update.where('passwordHash', '=', from ?? ''))
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    /**
     * Race: locks the row and checks the password hash, so that a change of password ends this session too.
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
        where id = ${account.id} and password_hash = ${account.passwordHash} for share`.execute(db)
      return numAffectedRows === 1n
    },

    // Index: sessions_admin.
    listSessions: (adminId: string, lifetimes: Lifetimes) =>
      db
        .selectFrom('sessions')
        .where(isLive(lifetimes))
        .select(['id', 'tokenHash', 'userAgent', 'clientAddress', 'createdAt', 'lastUsedAt', 'isKept'])
        .where('adminId', '=', adminId)
        .orderBy('lastUsedAt', 'desc')
        .orderBy('id')
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
      await db.updateTable('sessions').set({ provenAt: now }).where('tokenHash', '=', tokenHash).execute()
    },

    /** Race: one statement on one row, so that concurrent requests can't pass the limit. Index: sessions_pkey. */
    async takeRecords(tokenHash: Buffer, count: number, now: Date): Promise<boolean> {
      const { count: most, within } = sessionLimits.wholeRecords
      const isOfHour = sql<boolean>`(records_since > ${before(now, within)} and records_since <= ${latestNow(now)})`
      const taken = sql<number>`case when ${isOfHour} then records_read else 0 end + ${count}::integer`
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

    async saveDevice(tokenHash: Buffer, adminId: string, now: Date): Promise<void> {
      await db
        .insertInto('knownDevices')
        .values({ tokenHash, adminId, lastUsedAt: now })
        .onConflict((conflict) => conflict.column('tokenHash').doUpdateSet({ adminId, lastUsedAt: now }))
        .execute()
    },

    listDevices: (): Promise<{ tokenHash: Buffer; lastUsedAt: Date }[]> =>
      db.selectFrom('knownDevices').select(['tokenHash', 'lastUsedAt']).execute(),

    // Index: known_devices_pkey.
    async deleteDevices(hashes: readonly Buffer[]): Promise<number> {
      if (hashes.length === 0) return 0
      const deleted = db.deleteFrom('knownDevices').where('tokenHash', 'in', hashes)
      return Number((await deleted.executeTakeFirstOrThrow()).numDeletedRows)
    },

    /** @param hash the device that stays known; null for none. Index: known_devices_admin. */
    async deleteOtherDevices(adminId: string, hash: Buffer | null): Promise<void> {
      const isOther = sql<SqlBool>`token_hash is distinct from ${hash}`
      await db.deleteFrom('knownDevices').where('adminId', '=', adminId).where(isOther).execute()
    },

    async deleteEnded(lifetimes: Lifetimes, seenAfter: Date): Promise<void> {
      await db
        .deleteFrom('sessions')
        .where(sql<SqlBool>`not ${isLive(lifetimes)}`)
        .execute()
      await db.deleteFrom('knownDevices').where('lastUsedAt', '<=', seenAfter).execute()
      await db.deleteFrom('knownDevices').where('lastUsedAt', '>', lifetimes.usedUntil).execute()
    },
  }
}

interface NewHash {
  from?: string
  to: string
  now?: Date
  isFirst?: boolean
}

export type ApiTokenRow = Omit<Selectable<ApiTokensTable>, 'tokenHash' | 'revokedAt' | 'usedOn' | 'usedCount'>

const limits = ['expiresAt', 'domain', 'dailyLimit'] as const
const given = ['id', 'name', 'prefix', 'createdAt', 'createdBy', 'lastUsedAt', ...limits] as const

/** Found by api_tokens_pkey. */
export function createApiTokensRepository(db: Queryable) {
  const inUse = () => db.selectFrom('apiTokens').select(given).where('revokedAt', 'is', null)

  return {
    // Race: one transaction at a time, for unique names.
    async lock(): Promise<void> {
      await sql`lock table api_tokens in share row exclusive mode`.execute(db)
    },

    list: (): Promise<ApiTokenRow[]> => inUse().orderBy('createdAt', 'desc').orderBy('id', 'desc').execute(),

    // Index: api_tokens_token_hash_key.
    findByHash: (tokenHash: Buffer, now: Date): Promise<ApiTokenRow | undefined> =>
      inUse().where('tokenHash', '=', tokenHash).where('expiresAt', '>', now).executeTakeFirst(),

    /** Race: one statement on one row, so that concurrent requests can't pass the limit. */
    async takeMails(id: string, count: number, day: string): Promise<boolean> {
      const used = sql<number>`case when used_on = ${day}::date then used_count else 0 end + ${count}::integer`
      const { numUpdatedRows } = await db
        .updateTable('apiTokens')
        .set({ usedOn: day, usedCount: used })
        .where('id', '=', id)
        .where(sql<SqlBool>`(daily_limit is null or ${used} <= daily_limit)`)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    insert: (token: Insertable<ApiTokensTable>): Promise<ApiTokenRow> =>
      db.insertInto('apiTokens').values(token).returning(given).executeTakeFirstOrThrow(),

    revoke: (id: string, now: Date): Promise<{ name: string } | undefined> =>
      db
        .updateTable('apiTokens')
        .set({ revokedAt: now })
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .returning('name')
        .executeTakeFirst(),

    /** Those that an administrator made. @returns their names */
    async revokeOf(email: string, now: Date): Promise<string[]> {
      const revoked = await db
        .updateTable('apiTokens')
        .set({ revokedAt: now })
        .where('revokedAt', 'is', null)
        .where(sql<SqlBool>`lower(created_by) = lower(${email})`)
        .returning('name')
        .execute()
      return revoked.map(({ name }) => name)
    },

    async recordUse(id: string, now: Date, unlessAfter: Date): Promise<void> {
      await sql`
        update api_tokens set last_used_at = ${now}
        where id = ${id} and (last_used_at is null or last_used_at <= ${unlessAfter})`.execute(db)
    },
  }
}
