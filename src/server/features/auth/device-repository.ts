import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { before, knownDeviceLifetime, latestNow } from './session-cookies.ts'

/** The known devices: browsers that an account signed in with, or was allowed to by a link. */
export function createDeviceRepository(db: Queryable) {
  return {
    /** Returns the account that signed in last on the device. Index: known_devices_pkey. */
    findByDevice: (device: Buffer, now: Date): Promise<{ id: string; email: string } | undefined> =>
      db
        .selectFrom('knownDevices')
        .innerJoin('admins', 'admins.id', 'knownDevices.adminId')
        .select(['admins.id', 'admins.email'])
        .where('knownDevices.tokenHash', '=', device)
        .where('knownDevices.lastUsedAt', '>', before(now, knownDeviceLifetime))
        .where('knownDevices.lastUsedAt', '<=', latestNow(now))
        .orderBy('knownDevices.lastUsedAt', 'desc')
        .limit(1)
        .executeTakeFirst(),

    /** The one account of an installation that nobody has signed in to. */
    findBeforeFirstDevice: (): Promise<{ email: string } | undefined> =>
      db
        .selectFrom('admins')
        .select('email')
        .where('hasFirstPassword', '=', true)
        // The password is the first one, and not that of a reset.
        .whereRef('passwordChangedAt', '=', 'createdAt')
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom('knownDevices').select('tokenHash'))))
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('admins as others').select('id').whereRef('others.id', '<>', 'admins.id'))),
        )
        .executeTakeFirst(),

    async saveDevice(tokenHash: Buffer, adminId: string, now: Date): Promise<void> {
      await db
        .insertInto('knownDevices')
        .values({ tokenHash, adminId, lastUsedAt: now })
        .onConflict((conflict) => conflict.columns(['tokenHash', 'adminId']).doUpdateSet({ lastUsedAt: now }))
        .execute()
    },

    /**
     * The browser gets another token, and stays known to the accounts that know it. Index: known_devices_pkey; a
     * session's device has none, as they are few.
     */
    async replaceToken(from: Buffer, to: Buffer): Promise<void> {
      await db.updateTable('knownDevices').set({ tokenHash: to }).where('tokenHash', '=', from).execute()
      await db.updateTable('sessions').set({ deviceHash: to }).where('deviceHash', '=', from).execute()
    },

    listDevices: (): Promise<{ tokenHash: Buffer; lastUsedAt: Date }[]> =>
      db
        .selectFrom('knownDevices')
        .select(['tokenHash', sql<Date>`max(last_used_at)`.as('lastUsedAt')])
        .groupBy('tokenHash')
        .execute(),

    // Index: known_devices_pkey.
    async deleteDevices(adminId: string, hashes: readonly Buffer[]): Promise<number> {
      if (hashes.length === 0) return 0
      const deleted = db
        .deleteFrom('knownDevices')
        .where('tokenHash', 'in', hashes)
        .where('adminId', '=', adminId)
      return Number((await deleted.executeTakeFirstOrThrow()).numDeletedRows)
    },

    /** @param hash the device that stays known; null for none. Index: known_devices_admin. */
    async deleteOtherDevices(adminId: string, hash: Buffer | null): Promise<void> {
      const isOther = sql<SqlBool>`token_hash is distinct from ${hash}`
      await db.deleteFrom('knownDevices').where('adminId', '=', adminId).where(isOther).execute()
    },

    async deleteEnded(now: Date): Promise<void> {
      await db
        .deleteFrom('knownDevices')
        .where('lastUsedAt', '<=', before(now, knownDeviceLifetime))
        .execute()
      await db.deleteFrom('knownDevices').where('lastUsedAt', '>', latestNow(now)).execute()
    },
  }
}
