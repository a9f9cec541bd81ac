import { z } from '@hono/zod-openapi'
import { deriveKey, signatureOf } from '#server/lib/digest.ts'
import { keptKeysSchema } from '#server/lib/kept-keys.ts'

// gzip over lines of JSON: the header; each table's name and columns, its rows, an empty line; last the row counts and the SHA-256 of all bytes
// before. With a passphrase the whole is sealed (`seal.ts`).
const formatName = 'nstp-portal-backup'
export const formatVersion = 1

export const gzipMagic = Buffer.from([0x1f, 0x8b])

const migrationSchema = z.strictObject({ name: z.string(), checksum: z.string() })

export const formatSchema = z.object({ format: z.literal(formatName), formatVersion: z.int() })

export const headerSchema = z.strictObject({
  ...formatSchema.shape,
  product: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(migrationSchema),
  timeZone: z.string(),
  // Fingerprint of SECRET_KEY; null without one.
  secretKey: z.string().nullable(),
  tables: z.array(z.string()),
})

export const tableSchema = z.strictObject({ table: z.string(), columns: z.array(z.string()).min(1) })

/** The part of a row that a restore shows before it asks. */
export const accountSchema = z.object({ email: z.string() })

export const endSchema = z.strictObject({
  rows: z.record(z.string(), z.int()),
  sha256: z.string(),
  // Backups without a secret key and those of older versions have no signature.
  signature: z.string().optional(),
  // Only sealed backups have them.
  keys: keptKeysSchema.optional(),
})

export type BackupHeader = z.output<typeof headerSchema>
export type BackupOrigin = Pick<BackupHeader, 'product' | 'createdAt' | 'timeZone'>
export type RowCounts = Record<string, number>

export function createHeader(parts: Omit<BackupHeader, 'format' | 'formatVersion'>): BackupHeader {
  return { format: formatName, formatVersion, ...parts }
}

/** Only the installation that made a backup can sign it. */
export function backupSignature(secretKey: Buffer, sha256: string): string {
  return signatureOf(deriveKey(secretKey, 'backup'), sha256).toString('hex')
}

export class BackupFileError extends Error {
  override name = 'BackupFileError'
}
