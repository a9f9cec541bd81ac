import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { ApiTokensTable, Queryable } from '#server/database/schema.ts'

export type ApiTokenRow = Omit<Selectable<ApiTokensTable>, 'tokenHash' | 'revokedAt' | 'usedOn' | 'usedCount'>

const given = [
  ...(['apiTokens.id', 'name', 'prefix', 'apiTokens.createdAt', 'createdById', 'lastUsedAt'] as const),
  ...(['expiresAt', 'domain', 'dailyLimit'] as const),
] as const

// The last instant to set up a second factor; null once it is on.
const secondFactorDue = sql<Date | null>`case when confirmed_at is null then second_factor_due end`

/** Found by api_tokens_pkey. */
export function createApiTokensRepository(db: Queryable) {
  const inUse = () => db.selectFrom('apiTokens').select(given).where('revokedAt', 'is', null)

  return {
    // Race: one transaction at a time, for unique names.
    async lock(): Promise<void> {
      await sql`lock table api_tokens in share row exclusive mode`.execute(db)
    },

    list: (): Promise<ApiTokenRow[]> => inUse().orderBy('createdAt', 'desc').orderBy('id', 'desc').execute(),

    /**
     * Finds a token together with the administrator that it belongs to. Index: api_tokens_token_hash_key,
     * admins_pkey, second_factors_pkey.
     */
    findByHash: (tokenHash: Buffer, now: Date) =>
      inUse()
        .innerJoin('admins', 'admins.id', 'createdById')
        .leftJoin('secondFactors', 'secondFactors.adminId', 'admins.id')
        .select(['admins.expiresOn', 'admins.disabledAt', secondFactorDue.as('secondFactorDue')])
        .where('tokenHash', '=', tokenHash)
        // Race: one may be made while its owner loses the role.
        .where('admins.role', '=', 'administrator')
        .where('expiresAt', '>', now)
        .executeTakeFirst(),

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

    /** Revokes the tokens that belong to an account. @returns their names */
    async revokeOf(adminId: string, now: Date): Promise<string[]> {
      const revoked = await db
        .updateTable('apiTokens')
        .set({ revokedAt: now })
        .where('revokedAt', 'is', null)
        .where('createdById', '=', adminId)
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
