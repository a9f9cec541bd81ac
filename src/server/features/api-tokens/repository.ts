import { type Insertable, type Selectable, sql } from 'kysely'
import type { ApiTokensTable, Queryable } from '#server/database/schema.ts'

export type ApiTokenRow = Omit<Selectable<ApiTokensTable>, 'tokenHash' | 'revokedAt'>

const given = ['id', 'name', 'prefix', 'createdAt', 'createdBy', 'lastUsedAt'] as const

/** Where API tokens are kept, those that were revoked too. Single ones are found by api_tokens_pkey. */
export function createApiTokensRepository(db: Queryable) {
  return {
    /** Lets one transaction at a time make a token: names are told apart among those in use. */
    async lock(): Promise<void> {
      await sql`lock table api_tokens in share row exclusive mode`.execute(db)
    },

    /** Those in use, newest first: a few rows, read as they lie. */
    async list(): Promise<ApiTokenRow[]> {
      return await db
        .selectFrom('apiTokens')
        .select(given)
        .where('revokedAt', 'is', null)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .execute()
    },

    /** The one in use with this hash. Index: api_tokens_token_hash_key. */
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

    /** @returns the revoked one; undefined when it is not in use */
    async revoke(id: string, now: Date): Promise<{ name: string } | undefined> {
      return await db
        .updateTable('apiTokens')
        .set({ revokedAt: now })
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .returning('name')
        .executeTakeFirst()
    },

    /** Notes a token's use unless another request has done so since `unlessAfter`. */
    async noteUse(id: string, now: Date, unlessAfter: Date): Promise<void> {
      await db
        .updateTable('apiTokens')
        .set({ lastUsedAt: now })
        .where('id', '=', id)
        .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<=', unlessAfter)]))
        .execute()
    },
  }
}
