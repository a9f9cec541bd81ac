import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import type { AccountScope, Role } from '#shared/people/permissions.ts'
import { rolesConcerned, type TwoFactorRequirement } from '#shared/settings/settings-schema.ts'
import { type AccountEnd, before, knownDeviceLifetime, latestNow } from './session-cookies.ts'

export interface Account extends SignedInAdmin, AccountEnd {
  passwordHash: string
  isKnownDevice: boolean
  hasFirstPassword: boolean
  // The last instant to set up a second factor; null where none is required.
  secondFactorDue: Date | null
  passwordChangedAt: Date
}

export function createAccountRepository(db: Queryable) {
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
        .select(['admins.role', 'admins.components', 'admins.expiresOn', 'admins.disabledAt'])
        .select(['admins.hasFirstPassword', 'admins.secondFactorDue', 'admins.passwordChangedAt'])
        .select(sql<boolean>`known_devices.token_hash is not null`.as('isKnownDevice'))
        .where(sql<SqlBool>`lower(admins.email) = ${email}`)
        .executeTakeFirst(),

    // Index: admins_pkey.
    findScope: (id: string): Promise<(AccountScope & AccountEnd) | undefined> =>
      db
        .selectFrom('admins')
        .select(['role', 'components', 'expiresOn', 'disabledAt'])
        .where('id', '=', id)
        .executeTakeFirst(),

    listAdmins: (): Promise<{ id: string; email: string; role: Role }[]> =>
      db.selectFrom('admins').select(['id', 'email', 'role']).orderBy('createdAt').orderBy('id').execute(),

    // Race: one transaction at a time adds or ends accounts; reads aren't blocked.
    async lockAdmins(): Promise<void> {
      await sql`lock table admins in share row exclusive mode`.execute(db)
    },

    async insertAdmin(admin: NewAccount): Promise<void> {
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
     * Whoever it already concerned keeps the date.
     * @param adminId undefined for all
     */
    async requireSecondFactor(of: TwoFactorRequirement, due: Date, adminId?: string): Promise<void> {
      const isConcerned = sql`role = any(${[...rolesConcerned[of]]}::text[])`
      await db
        .updateTable('admins')
        .set({
          secondFactorDue: sql<Date | null>`case when ${isConcerned} then coalesce(second_factor_due, ${due}) end`,
        })
        .$if(adminId !== undefined, (one) => one.where('id', '=', adminId ?? ''))
        .execute()
    },

    async postponeSecondFactor(adminId: string, due: Date): Promise<void> {
      const required = db.updateTable('admins').where('secondFactorDue', 'is not', null)
      await required.set({ secondFactorDue: due }).where('id', '=', adminId).execute()
    },
  }
}

// An account without a given role is an administrator.
export interface NewAccount extends Omit<SignedInAdmin, keyof AccountScope>, Partial<AccountScope> {
  expiresOn?: string | null
  seesPhoneNumbers?: boolean
  passwordHash: string
  now: Date
}

interface NewHash {
  from?: string
  to: string
  now?: Date
  isFirst?: boolean
}
