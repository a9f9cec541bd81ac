import { z } from '@hono/zod-openapi'

/**
 * The file: gzip over lines of JSON. The first line is the header. Each table is a line with its name and columns,
 * then a line for each row as PostgreSQL writes it, then an empty line. The last line has the number of rows by
 * table and the SHA-256 of every byte before it. With a passphrase, all of it is sealed (`seal.ts`).
 */
const formatName = 'nstp-portal-backup'
/** Raised when a reader of before would misread a file. */
export const formatVersion = 1

/** What a compressed file begins with. */
export const gzipMagic = Buffer.from([0x1f, 0x8b])

const migrationSchema = z.strictObject({ name: z.string(), checksum: z.string() })

/** Says what a file is; the rest of a newer format's header is unknown. */
export const formatSchema = z.object({ format: z.literal(formatName), formatVersion: z.int() })

export const headerSchema = z.strictObject({
  ...formatSchema.shape,
  /** The version of the product that wrote it. */
  product: z.string(),
  createdAt: z.iso.datetime(),
  /** The migrations of the database, in order. */
  migrations: z.array(migrationSchema),
  /** The program's. */
  timeZone: z.string(),
  /** Tells whether stored secrets can be read: of the SECRET_KEY, null when there was none. */
  secretKey: z.string().nullable(),
  tables: z.array(z.string()),
})

export const tableSchema = z.strictObject({ table: z.string(), columns: z.array(z.string()).min(1) })

export const endSchema = z.strictObject({
  rows: z.record(z.string(), z.int()),
  sha256: z.string(),
})

export type BackupHeader = z.output<typeof headerSchema>
/** What the writer is told of the header. */
export type BackupOrigin = Pick<BackupHeader, 'product' | 'createdAt' | 'timeZone' | 'secretKey'>
export type RowCounts = Record<string, number>

export function createHeader(parts: Omit<BackupHeader, 'format' | 'formatVersion'>): BackupHeader {
  return { format: formatName, formatVersion, ...parts }
}

/** A file that can't be restored; `message` is the sentence for the operator. */
export class BackupFileError extends Error {
  override name = 'BackupFileError'
}
