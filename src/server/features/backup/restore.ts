import type { Kysely, Transaction } from 'kysely'
import type { Migration } from '#server/database/migrate.ts'
import type { Tables } from '#server/database/schema.ts'
import { ConfigurationError } from '#server/env.ts'
import { checkTrail, type TrailCheck } from '#server/features/audit/service.ts'
import type { Erasure } from '#server/features/privacy/erasure-repository.ts'
import { ownActor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import { sleep } from '#server/lib/scheduler.ts'
import { publicTopics, staffTopics } from '#shared/topics.ts'
import type { BackupFile, BackupSummary } from './backup-file.ts'
import { BackupFileError, type BackupHeader } from './format.ts'
import { createRestoreRepository, migrationsOf } from './restore-repository.ts'
import { ownTables } from './snapshot-repository.ts'

// ms for each try: requests queue behind it.
const lockMs = 2_000
const lockTries = 15
// PostgreSQL: lock_not_available, deadlock_detected.
const lockRefusals = ['55P03', '40P01']

type Repository = ReturnType<typeof createRestoreRepository>

interface RestoreOptions {
  db: Kysely<Tables>
  file: BackupFile
  summary: BackupSummary
  audit: Audit
  /** Erases records again before the data is rebuilt. */
  erase: (tx: Transaction<Tables>, known: readonly Erasure[]) => Promise<void>
  rebuild: (tx: Transaction<Tables>) => Promise<void>
  productRole?: string | undefined
  onProgress?: (rows: number) => void
}

/**
 * One transaction: the old data stays visible until the commit.
 * @returns how the audit trail in the backup was found
 */
export async function restoreBackup(options: RestoreOptions): Promise<TrailCheck> {
  const { db, summary, audit, erase, rebuild, productRole } = options
  const { header, rows } = summary
  const { own, later } = splitMigrations(header)
  return await db.transaction().execute(async (tx) => {
    const repository = createRestoreRepository(tx)
    await repository.begin()
    await takeTables(repository)
    const topics = await repository.readTopics()
    const erasures = await repository.readErasures()
    await repository.dropEverything()
    await repository.migrate(own)
    await repository.empty(header.tables)
    const aside = await repository.setAside(header.tables)
    await loadRows(repository, options)
    await repository.bringBack(aside)
    await repository.migrate(later)
    await erase(tx, erasures)
    if (productRole) await repository.grantTo(productRole)
    await rebuild(tx)
    const trail = await checkTrail(tx)
    for (const topic of new Set([...topics.keys(), ...publicTopics, ...staffTopics])) {
      await repository.setTopic(topic, (topics.get(topic) ?? 0) + 1)
    }
    await audit.record(tx, {
      action: 'backup-restored',
      actor: ownActor('command line'),
      affected: Object.values(rows).reduce((sum, count) => sum + count, 0),
      detail: {
        backupOf: header.createdAt,
        product: header.product,
        students: rows.students ?? 0,
        intact: !trail.fault,
      },
    })
    return trail
  })
}

interface SplitMigrations {
  /** The migrations of the backup: its rows fit their tables. */
  own: Migration[]
  later: Migration[]
}

export function splitMigrations({ migrations, product, tables }: BackupHeader): SplitMigrations {
  const all = migrationsOf(migrations)
  const names = new Set(migrations.map(({ name }) => name))
  if (all === null) {
    throw new BackupFileError(
      'The backup was made by a version before 0.1.0. Restore it with NSTP Portal 0.2.0, and back it up again with that version.',
    )
  }
  const unknown = [...names].find((name) => !all.some((migration) => migration.name === name))
  if (unknown) {
    throw new BackupFileError(
      `The backup was made by a newer version of NSTP Portal (${product}, with the migration ${unknown}). Install that version and restore with it.`,
    )
  }
  // Its tables are emptied and filled: others in the same database are not ours to touch.
  if (!tables.every((table) => ownTables.includes(table))) {
    throw new BackupFileError('The file is damaged: unknown tables.')
  }
  return { own: all.filter(({ name }) => names.has(name)), later: all.filter(({ name }) => !names.has(name)) }
}

// Deadlock with a running product's requests: release and try again.
async function takeTables(repository: Repository): Promise<void> {
  await repository.savepoint()
  for (let attempt = 1; ; attempt++) {
    try {
      return await repository.lockTables(lockMs)
    } catch (error) {
      if (!isLockRefusal(error)) throw error
      if (attempt === lockTries) {
        throw new ConfigurationError(
          'The tables are in use, perhaps by a backup or an export. Stop every NSTP Portal on this database and try again.',
          { cause: error },
        )
      }
    }
    await repository.rollbackToSavepoint()
    await sleep(Math.random() * lockMs)
  }
}

function isLockRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && lockRefusals.includes(String(error.code))
}

// Loads the rows, and verifies the file again while it is read.
async function loadRows(
  repository: Repository,
  { file, summary, onProgress }: RestoreOptions,
): Promise<void> {
  let loaded = 0
  for await (const part of file.parts()) {
    if (part.kind === 'rows') {
      // An insert has as many rows as the reader decompresses at a time.
      await repository.insert(part.table, part.columns, toArray(part.lines))
      loaded += part.lines.length
      onProgress?.(loaded)
    }
    if (part.kind === 'end' && part.sha256 !== summary.sha256) {
      throw new BackupFileError('The file was changed while it was being restored.')
    }
  }
}

function toArray(rows: readonly Buffer[]): Buffer {
  const parts = rows.flatMap((row, index) => [index === 0 ? '[' : ',', row])
  return Buffer.concat([...parts, ']'].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}
