import { createHash } from 'node:crypto'
import { pipeline, Readable, Transform } from 'node:stream'
import { createGzip } from 'node:zlib'
import { codeOf } from '#server/database/errors.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { type KeptKeys, writtenKeys } from '#server/lib/kept-keys.ts'
import { fingerprintOf } from '#server/lib/secret-key.ts'
import { productVersion } from '#server/lib/version.ts'
import { calendarDateOf, perZone } from '#shared/program-calendar.ts'
import { type BackupOrigin, backupSignature, createHeader, type RowCounts } from './format.ts'
import { createSealer, createSealKey } from './seal.ts'
import { backedUpTables, createSnapshotRepository, noteBackup, type Snapshot } from './snapshot-repository.ts'

// Higher levels are slower than the disk.
const compression = { level: 1, chunkSize: 256 * 1024 }
const bufferedBytes = 1024 * 1024

interface BackupServiceOptions extends Pick<AppContext, 'database' | 'audit' | 'clock' | 'log' | 'timeZone'> {
  secretKey: Buffer | null
  keptKeys: KeptKeys | undefined
}

interface BackupWanted {
  actor: Actor
  passphrase: string | undefined
  isNightly?: boolean
}

export type BackupService = ReturnType<typeof createBackupService>

export function createBackupService(options: BackupServiceOptions) {
  const { database, clock, timeZone, secretKey, keptKeys } = options
  const snapshots = createSnapshotRepository(database)

  return {
    status: async () => ({ last: (await snapshots.findLast()) ?? null }),

    /**
     * The database ends a stalled download after two minutes, because it keeps a snapshot open.
     * @param passphrase undefined only by the command line's --unencrypted
     * @param isNightly the caller ends it by `finish` or `breakOff`, when it knows whether the file is on the disk
     */
    async make({ actor, passphrase, isNightly = false }: BackupWanted) {
      const key = passphrase === undefined ? undefined : await createSealKey(passphrase)
      const snapshot = await snapshots.open()
      if (!snapshot) {
        const detail = 'Another backup is in progress. Please try again when it has finished.'
        throw new AppError('too_many_requests', { detail, retryAfter: 30 })
      }
      const now = clock()
      const entry = createEntry(options, { actor, at: now, isSealed: key !== undefined, isNightly })
      let rows: RowCounts = {}
      try {
        await entry.begin()
      } catch (error) {
        await snapshot.close()
        throw error
      }
      const counter = createCounter()
      const origin = { product: productVersion, createdAt: now.toISOString(), timeZone }
      const tables = backedUpTables
      const lines = writeBackup({
        snapshot,
        tables,
        origin,
        secretKey,
        keptKeys: key ? keptKeys : undefined,
        async beforeEnd(counted) {
          rows = counted
          if (!isNightly) await entry.finish(counted)
        },
      })
      const source = Readable.from(lines, { objectMode: false, highWaterMark: bufferedBytes })
      const parts = key ? [createGzip(compression), createSealer(key)] : [createGzip(compression)]
      // The reader gets the error from the last of them.
      pipeline([source, ...parts, counter.stream], () => undefined)
      // However it ends: read to the end, broken off by the reader, or failed.
      counter.stream.once('close', () => {
        void snapshot.close()
        if (!isNightly) void entry.breakOff(counter.bytes())
      })
      return {
        fileName: backupFileName(now, timeZone),
        content: counter.stream,
        rows: () => rows,
        finish: () => entry.finish(rows),
        breakOff: () => entry.breakOff(counter.bytes()),
      }
    },
  }
}

/** SQLSTATE of PostgreSQL's full disk. */
const diskFull = '53100'

/**
 * Written before the first byte, so that no file, also no part of one, is missing from the trail, and so that a disk
 * without room for the entry refuses with a sentence. How it ended is a second entry.
 */
function createEntry(
  { database, audit, log }: BackupServiceOptions,
  { actor, at, isSealed, isNightly }: { actor: Actor; at: Date; isSealed: boolean; isNightly: boolean },
) {
  let isFinished = false
  const how = { sealed: isSealed, ...(isNightly && { nightly: true }) }

  return {
    async begin() {
      const detail = { begun: true, ...how }
      try {
        await audit.record(database.db, { action: 'backup-made', actor, affected: 0, detail })
      } catch (cause) {
        if (codeOf(cause) !== diskFull) throw cause
        const sentence =
          "The database's disk is full, so the backup can't be recorded, and none was made. Free some space and try again."
        throw new AppError('unavailable', { detail: sentence, cause })
      }
    },
    async finish(rows: RowCounts) {
      isFinished = true
      const affected = Object.values(rows).reduce((sum, count) => sum + count, 0)
      const detail = { finished: true, ...how, students: rows.students ?? 0 }
      try {
        await database.transact(async (tx) => {
          await noteBackup(tx, { at, isSealed })
          await audit.record(tx, { action: 'backup-made', actor, affected, detail })
        })
      } catch (error) {
        // The trail has its beginning, and who makes a backup while the disk fills up needs the whole file.
        log.error({ err: error }, 'the end of a backup is missing in the audit trail')
      }
    },
    async breakOff(bytes: number) {
      if (isFinished) return
      const detail = { finished: false, ...how, bytes }
      try {
        await audit.record(database.db, { action: 'backup-made', actor, affected: 0, detail })
      } catch (error) {
        log.error({ err: error }, 'the end of a backup is missing in the audit trail')
      }
    },
  }
}

function createCounter() {
  let bytes = 0
  const stream = new Transform({
    readableHighWaterMark: bufferedBytes,
    transform(part: Buffer, _encoding, done) {
      bytes += part.length
      done(null, part)
    },
  })
  return { stream, bytes: () => bytes }
}

const clocks = perZone(
  (timeZone) => new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }),
)

function backupFileName(at: Date, timeZone: string): string {
  return `NSTP Portal backup ${calendarDateOf(at, timeZone)} ${clocks(timeZone).format(at).replace(':', '')}.nstp`
}

interface WriteOptions {
  snapshot: Snapshot
  tables: readonly string[]
  origin: BackupOrigin
  secretKey: Buffer | null
  /** The keys are given only where the file is sealed. */
  keptKeys?: KeptKeys | undefined
  // Runs before the last line, which completes the file.
  beforeEnd: (rows: RowCounts) => Promise<void>
}

export async function* writeBackup(options: WriteOptions): AsyncGenerator<Buffer> {
  const { snapshot, tables, origin, secretKey, keptKeys, beforeEnd } = options
  const hash = createHash('sha256')
  const rows: RowCounts = {}

  function write(text: string): Buffer {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    return bytes
  }

  const header = createHeader({
    ...origin,
    secretKey: secretKey && fingerprintOf(secretKey),
    migrations: snapshot.migrations,
    tables: [...tables],
  })
  yield write(`${JSON.stringify(header)}\n`)
  for (const table of tables) {
    const { columns, batches } = await snapshot.openTable(table)
    yield write(`${JSON.stringify({ table, columns })}\n`)
    let count = 0
    for await (const lines of batches) {
      count += lines.length
      yield write(`${lines.join('\n')}\n`)
    }
    rows[table] = count
    yield write('\n')
  }
  await beforeEnd(rows)
  const sha256 = hash.digest('hex')
  const signature = secretKey ? backupSignature(secretKey, sha256) : undefined
  const keys = keptKeys && writtenKeys(keptKeys)
  yield Buffer.from(`${JSON.stringify({ rows, sha256, signature, keys })}\n`)
}
