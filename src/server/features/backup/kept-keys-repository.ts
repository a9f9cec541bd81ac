import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { type KeptKeys, keptKeysOf, keptKeysSchema, writtenKeys } from '#server/lib/kept-keys.ts'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'

const sealedWith = (secretKey: Buffer) => createSealedSecrets({ secretKey, purpose: 'kept keys' })

/** Reads the keys of a restored backup, even if the SECRET_KEY was changed since; else those of the SECRET_KEY itself. */
export async function readKeptKeys(db: Queryable, secretKey: Buffer): Promise<KeptKeys> {
  const own = keptKeysOf(secretKey)
  // A restore also meets databases of older versions.
  const { rows } = await sql`select where to_regclass('kept_keys') is not null`.execute(db)
  if (rows.length === 0) return own
  const row = await db.selectFrom('keptKeys').select('sealed').executeTakeFirst()
  const text = row ? sealedWith(secretKey).open(row.sealed) : null
  return text === null ? own : keptKeysSchema.parse(JSON.parse(text))
}

/** Stores the keys of a backup after its restore. */
export async function storeKeptKeys(tx: Queryable, secretKey: Buffer, keys: KeptKeys): Promise<void> {
  const sealed = sealedWith(secretKey).seal(JSON.stringify(writtenKeys(keys)))
  await tx.deleteFrom('keptKeys').execute()
  await tx.insertInto('keptKeys').values({ sealed }).execute()
}
