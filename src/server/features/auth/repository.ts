import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { SignedInAdmin } from '#server/http/context.ts'

/** An administrator with what signing in needs. */
export interface Account extends SignedInAdmin {
  passwordHash: string
  /** Whether the device that asks signed in as this administrator before. */
  isKnownDevice: boolean
}

export interface Lifetimes {
  /** Sessions that began before this moment are over. */
  startedAfter: Date
  /** Sessions not used since this moment are over. */
  usedAfter: Date
}

/** Administrators, their sessions and devices. */
export function createAuthRepository(db: Queryable) {
  /** A handful of rows; the first is who was there first. */
  const adminsInOrder = () =>
    db.selectFrom('admins').select(['id', 'email']).orderBy('createdAt').orderBy('id')

  return {
    /**
     * Index: admins_email; known_devices_pkey.
     *
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

    /** The administrator who was there first, if any. */
    async findFirstAdmin(): Promise<{ id: string; email: string } | undefined> {
      return adminsInOrder().executeTakeFirst()
    },

    async listAdmins(): Promise<{ id: string; email: string }[]> {
      return adminsInOrder().execute()
    },

    /** Lets one transaction at a time decide whether there is an administrator; reading goes on. */
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

    /** Replaces a hash of the same password; a password changed meanwhile stays. */
    async renewHash(adminId: string, { from, to }: { from: string; to: string }): Promise<void> {
      await db
        .updateTable('admins')
        .set({ passwordHash: to })
        .where('id', '=', adminId)
        .where('passwordHash', '=', from)
        .execute()
    },

    /**
     * Starts a session if the password that was just verified is still the one. The lock makes a change of
     * password wait, so that it ends this session with the others.
     *
     * @returns whether it was
     */
    async insertSession(session: {
      tokenHash: Buffer
      account: Account
      userAgent: string
      now: Date
    }): Promise<boolean> {
      const { tokenHash, account, userAgent, now } = session
      const { numAffectedRows } = await sql`
        insert into sessions (token_hash, admin_id, created_at, last_used_at, user_agent)
        select ${tokenHash}, id, ${now}, ${now}, ${userAgent} from admins
        where id = ${account.id} and password_hash = ${account.passwordHash} for share`.execute(db)
      return numAffectedRows === 1n
    },

    /** Index: sessions_pkey. */
    async findSession(
      tokenHash: Buffer,
      { startedAfter, usedAfter }: Lifetimes,
    ): Promise<(SignedInAdmin & { lastUsedAt: Date }) | undefined> {
      return db
        .selectFrom('sessions')
        .innerJoin('admins', 'admins.id', 'sessions.adminId')
        .select(['admins.id', 'admins.email', 'admins.displayName', 'sessions.lastUsedAt'])
        .where('sessions.tokenHash', '=', tokenHash)
        .where('sessions.createdAt', '>', startedAfter)
        .where('sessions.lastUsedAt', '>', usedAfter)
        .executeTakeFirst()
    },

    /** Notes a session's use unless another request has done so since `unlessAfter`. */
    async noteUse(tokenHash: Buffer, now: Date, unlessAfter: Date): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ lastUsedAt: now })
        .where('tokenHash', '=', tokenHash)
        .where('lastUsedAt', '<=', unlessAfter)
        .execute()
    },

    /** @returns whether there was one */
    async deleteSession(tokenHash: Buffer): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('tokenHash', '=', tokenHash)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** Index: sessions_admin. */
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

    /** Index: sessions_last_used for the idle ones, which nearly all are. */
    async deleteEnded({ startedAfter, usedAfter }: Lifetimes, devicesSeenAfter: Date): Promise<void> {
      await db.deleteFrom('sessions').where('lastUsedAt', '<=', usedAfter).execute()
      await db.deleteFrom('sessions').where('createdAt', '<=', startedAfter).execute()
      await db.deleteFrom('knownDevices').where('lastUsedAt', '<=', devicesSeenAfter).execute()
    },
  }
}
