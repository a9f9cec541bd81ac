import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { ApiTokensTable, Queryable } from '#server/database/schema.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import type { Lifetimes } from './session-cookies.ts'

export interface Account extends SignedInAdmin {
  passwordHash: string
  isKnownDevice: boolean
}

export interface EndedSession {
  userAgent: string
  deviceHash: Buffer | null
}

export function createAuthRepository(db: Queryable) {
  const adminsInOrder = () =>
    db.selectFrom('admins').select(['id', 'email']).orderBy('createdAt').orderBy('id')

  return {
    /**
     * Index: admins_email; known_devices_pkey.
     * @param email in lower case
     */
    async findAccount(email: string, device: Buffer | null, seenAfter: Date): Promise<Account | undefined> {
      return db
        .selectFrom('admins')
        .leftJoin('knownDevices', (join) =>
          join
            .onRef('knownDevices.adminId', '=', 'admins.id')
            .on('knownDevices.tokenHash', '=', device)
            .on('knownDevices.lastUsedAt', '>', seenAfter),
        )
        .select(['admins.id', 'admins.email', 'admins.displayName', 'admins.passwordHash'])
        .select(sql<boolean>`known_devices.token_hash is not null`.as('isKnownDevice'))
        .where(sql<SqlBool>`lower(admins.email) = ${email}`)
        .executeTakeFirst()
    },

    async findFirstAdmin(): Promise<{ id: string; email: string } | undefined> {
      return adminsInOrder().executeTakeFirst()
    },

    async listAdmins(): Promise<{ id: string; email: string }[]> {
      return adminsInOrder().execute()
    },

    // Race: one transaction at a time creates the first administrator; reads aren't blocked.
    async lockAdmins(): Promise<void> {
      await sql`lock table admins in share row exclusive mode`.execute(db)
    },

    async insertAdmin(admin: SignedInAdmin & { passwordHash: string; now: Date }): Promise<void> {
      const { id, email, displayName, passwordHash, now } = admin
      await db
        .insertInto('admins')
        .values({ id, email, displayName, passwordHash, createdAt: now, passwordChangedAt: now })
        .execute()
    },

    async setPassword(adminId: string, passwordHash: string, now: Date): Promise<void> {
      await db
        .updateTable('admins')
        .set({ passwordHash, passwordChangedAt: now })
        .where('id', '=', adminId)
        .execute()
    },

    // Race: returns false when the password was changed since `from` was read.
    async replacePassword(
      adminId: string,
      { from, to, now }: { from: string; to: string; now: Date },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('admins')
        .set({ passwordHash: to, passwordChangedAt: now })
        .where('id', '=', adminId)
        .where('passwordHash', '=', from)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    // Race: does nothing when the password was changed meanwhile.
    async renewHash(adminId: string, { from, to }: { from: string; to: string }): Promise<void> {
      await db
        .updateTable('admins')
        .set({ passwordHash: to })
        .where('id', '=', adminId)
        .where('passwordHash', '=', from)
        .execute()
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
      now: Date
    }): Promise<boolean> {
      const { tokenHash, deviceHash, account, userAgent, clientAddress, now } = session
      const { numAffectedRows } = await sql`
        insert into sessions
          (token_hash, device_hash, admin_id, created_at, last_used_at, user_agent, client_address)
        select ${tokenHash}, ${deviceHash}, id, ${now}, ${now}, ${userAgent}, ${clientAddress} from admins
        where id = ${account.id} and password_hash = ${account.passwordHash} for share`.execute(db)
      return numAffectedRows === 1n
    },

    // Index: sessions_pkey.
    async findSession(
      tokenHash: Buffer,
      { startedAfter, usedAfter, usedUntil }: Lifetimes,
    ): Promise<(SignedInAdmin & { lastUsedAt: Date }) | undefined> {
      return db
        .selectFrom('sessions')
        .innerJoin('admins', 'admins.id', 'sessions.adminId')
        .select(['admins.id', 'admins.email', 'admins.displayName', 'sessions.lastUsedAt'])
        .where('sessions.tokenHash', '=', tokenHash)
        .where('sessions.createdAt', '>', startedAfter)
        .where('sessions.lastUsedAt', '>', usedAfter)
        .where('sessions.lastUsedAt', '<=', usedUntil)
        .executeTakeFirst()
    },

    async recordUse(tokenHash: Buffer, now: Date, unlessAfter: Date): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ lastUsedAt: now })
        .where('tokenHash', '=', tokenHash)
        .where('lastUsedAt', '<=', unlessAfter)
        .execute()
    },

    // Index: sessions_pkey.
    async deleteSession(tokenHash: Buffer): Promise<{ id: string; email: string } | undefined> {
      return db
        .deleteFrom('sessions')
        .using('admins')
        .whereRef('admins.id', '=', 'sessions.adminId')
        .where('sessions.tokenHash', '=', tokenHash)
        .returning(['admins.id', 'admins.email'])
        .executeTakeFirst()
    },

    // Index: sessions_admin.
    async listSessions(adminId: string, { startedAfter, usedAfter, usedUntil }: Lifetimes) {
      return db
        .selectFrom('sessions')
        .select(['id', 'tokenHash', 'userAgent', 'clientAddress', 'createdAt', 'lastUsedAt'])
        .where('adminId', '=', adminId)
        .where('createdAt', '>', startedAfter)
        .where('lastUsedAt', '>', usedAfter)
        .where('lastUsedAt', '<=', usedUntil)
        .orderBy('lastUsedAt', 'desc')
        .orderBy('id')
        .execute()
    },

    async renewToken(from: Buffer, to: Buffer): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('sessions')
        .set({ tokenHash: to })
        .where('tokenHash', '=', from)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    // Index: sessions_id.
    async deleteSessionById(adminId: string, id: string): Promise<EndedSession | undefined> {
      return db
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('adminId', '=', adminId)
        .returning(['userAgent', 'deviceHash'])
        .executeTakeFirst()
    },

    /** @param tokenHash the session that stays; null for none. Index: sessions_admin. */
    async deleteOtherSessions(adminId: string, tokenHash: Buffer | null): Promise<EndedSession[]> {
      return db
        .deleteFrom('sessions')
        .where('adminId', '=', adminId)
        .where(sql<SqlBool>`token_hash is distinct from ${tokenHash}`)
        .returning(['userAgent', 'deviceHash'])
        .execute()
    },

    // Index: sessions_admin.
    async deleteSessionsOf(adminId: string): Promise<void> {
      await db.deleteFrom('sessions').where('adminId', '=', adminId).execute()
    },

    async saveDevice(tokenHash: Buffer, adminId: string, now: Date): Promise<void> {
      await db
        .insertInto('knownDevices')
        .values({ tokenHash, adminId, lastUsedAt: now })
        .onConflict((conflict) => conflict.column('tokenHash').doUpdateSet({ adminId, lastUsedAt: now }))
        .execute()
    },

    // Index: known_devices_pkey.
    async deleteDevices(hashes: readonly Buffer[]): Promise<void> {
      if (hashes.length === 0) return
      await db.deleteFrom('knownDevices').where('tokenHash', 'in', hashes).execute()
    },

    /** @param hash the device that stays known; null for none. Index: known_devices_admin. */
    async deleteOtherDevices(adminId: string, hash: Buffer | null): Promise<void> {
      await db
        .deleteFrom('knownDevices')
        .where('adminId', '=', adminId)
        .where(sql<SqlBool>`token_hash is distinct from ${hash}`)
        .execute()
    },

    /** Index: sessions_last_used for the idle ones, which nearly all are, and those dated in the future. */
    async deleteEnded(
      { startedAfter, usedAfter, usedUntil }: Lifetimes,
      devicesSeenAfter: Date,
    ): Promise<void> {
      await db.deleteFrom('sessions').where('lastUsedAt', '<=', usedAfter).execute()
      await db.deleteFrom('sessions').where('lastUsedAt', '>', usedUntil).execute()
      await db.deleteFrom('sessions').where('createdAt', '<=', startedAfter).execute()
      await db.deleteFrom('knownDevices').where('lastUsedAt', '<=', devicesSeenAfter).execute()
    },
  }
}

export type ApiTokenRow = Omit<Selectable<ApiTokensTable>, 'tokenHash' | 'revokedAt'>

const given = ['id', 'name', 'prefix', 'createdAt', 'createdBy', 'lastUsedAt'] as const

/** Found by api_tokens_pkey. */
export function createApiTokensRepository(db: Queryable) {
  return {
    // Race: one transaction at a time, for unique names.
    async lock(): Promise<void> {
      await sql`lock table api_tokens in share row exclusive mode`.execute(db)
    },

    async list(): Promise<ApiTokenRow[]> {
      return await db
        .selectFrom('apiTokens')
        .select(given)
        .where('revokedAt', 'is', null)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .execute()
    },

    // Index: api_tokens_token_hash_key.
    async findByHash(tokenHash: Buffer): Promise<ApiTokenRow | undefined> {
      return await db
        .selectFrom('apiTokens')
        .select(given)
        .where('tokenHash', '=', tokenHash)
        .where('revokedAt', 'is', null)
        .executeTakeFirst()
    },

    async insert(token: Insertable<ApiTokensTable>): Promise<ApiTokenRow> {
      return await db.insertInto('apiTokens').values(token).returning(given).executeTakeFirstOrThrow()
    },

    async revoke(id: string, now: Date): Promise<{ name: string } | undefined> {
      return await db
        .updateTable('apiTokens')
        .set({ revokedAt: now })
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .returning('name')
        .executeTakeFirst()
    },

    async recordUse(id: string, now: Date, unlessAfter: Date): Promise<void> {
      await db
        .updateTable('apiTokens')
        .set({ lastUsedAt: now })
        .where('id', '=', id)
        .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<=', unlessAfter)]))
        .execute()
    },
  }
}
