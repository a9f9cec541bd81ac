import type { Transaction } from 'kysely'
import pino from 'pino'
import { codeOf } from '#server/database/errors.ts'
import { missingOf } from '#server/database/migrate.ts'
import { createUnlimitedDatabase } from '#server/database/pool.ts'
import type { Tables } from '#server/database/schema.ts'
import { type DatabaseServer, startDatabaseServer } from '#server/database/server.ts'
import { rebuildCounts } from '#server/database/student-counts/maintenance.ts'
import { ConfigurationError, type Env, readEnv } from '#server/env.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import {
  type BackupFile,
  type BackupSummary,
  openBackupFile,
  verifyBackup,
} from '#server/features/backup/backup-file.ts'
import { backupSignature } from '#server/features/backup/format.ts'
import { readKeptKeys, storeKeptKeys } from '#server/features/backup/kept-keys-repository.ts'
import { restoreBackup, splitMigrations } from '#server/features/backup/restore.ts'
import { readInstallation, settle } from '#server/features/backup/restore-repository.ts'
import { createAnnouncementMailRepository } from '#server/features/mail/announcement-repository.ts'
import { endRestoredMail } from '#server/features/mail/queue-repository.ts'
import { eraseAgain } from '#server/features/privacy/erasure-repository.ts'
import { rebuildStudentSearch } from '#server/features/students/filter-and-order-repository.ts'
import { systemClock } from '#server/lib/clock.ts'
import { findSecretKey, fingerprintOf, readSecretKey } from '#server/lib/secret-key.ts'
import { announcementMailSentences } from '#shared/announcements/announcement-mail.ts'
import type { FileCommandOptions } from './backup-command.ts'
import { fileSentenceOf, readFileName, runCommand, sentenceOf, studentsIn } from './command.ts'
import { recallPassphrase, type Terminal } from './terminal.ts'

const usage = `Usage: npm run restore -- FILE [--yes]

  FILE      a backup from npm run backup or the system settings
  --yes     replaces existing data without asking
  --help    prints this help

Stop the product first, and run this with the product's environment (DATABASE_URL or DATA_DIR). The whole file is
checked before anything changes, and the accounts in it are listed. Then it replaces everything in the database or, if
anything fails, nothing. An encrypted backup asks for its passphrase, unless BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE
is set.`

const diskFull = '53100'
const progressEveryRows = 10_000

interface Request {
  file: string
  isConfirmed: boolean
}

export function runRestoreCommand(options: FileCommandOptions): Promise<number> {
  return runCommand(
    {
      usage,
      flags: { yes: { type: 'boolean', short: 'y' } },
      read({ yes }, words): Request | string {
        const named = readFileName(words, 'Name the backup to restore.')
        return typeof named === 'string' ? named : { ...named, isConfirmed: yes === true }
      },
      run: restore,
      explain: (error, { file }) =>
        codeOf(error) === diskFull
          ? "The database's disk is full. Nothing was changed."
          : (fileSentenceOf(error, file) ?? sentenceOf(error, 'The database has unexpected tables.')),
      interrupted: 'Interrupted. Nothing was changed.',
    },
    options,
  )
}

async function restore({ file: path, isConfirmed }: Request, options: FileCommandOptions): Promise<void> {
  const { print, terminal, signal } = options
  const env = readEnv(options.env)
  const file = await openBackupFile(path, () => recallPassphrase(env, terminal))
  print(`Checking ${path}…`)
  const summary = await verifyBackup(file)
  // A newer version's is refused before the database is even started.
  splitMigrations(summary.header)
  print(`The backup is complete: ${wordsFor(summary)}.`)
  signal.throwIfAborted()
  const server = await startDatabaseServer(env, pino({ level: 'silent' }))
  try {
    if (server.insteadOf !== undefined) {
      print(`The database's user can't open ${server.insteadOf}, so the data is in ${server.dataDir}.`)
    }
    const secretKey = await findSecretKey(env.SECRET_KEY, server.dataDir)
    warn(secretKey, server, summary, env, options)
    print(`It brings these accounts: ${summary.accounts.map(printable).join(', ') || 'none'}.`)
    // A new machine gets its key by the restore, to seal what the backup brings; with DATABASE_URL the product may run
    // elsewhere.
    const keyFolder = env.DATABASE_URL === undefined ? server.dataDir : null
    const timeZone = env.TZ_PROGRAM
    await replace(server, { file, summary, isConfirmed, secretKey, keyFolder, timeZone }, options)
  } finally {
    await server.stop()
  }
}

interface Replacement {
  file: BackupFile
  summary: BackupSummary
  isConfirmed: boolean
  secretKey: Buffer | null
  /** The folder in which a secret key is made if there is none. */
  keyFolder: string | null
  timeZone: string
}

async function replace(
  { connection, productRole }: DatabaseServer,
  { file, summary, isConfirmed, secretKey, keyFolder, timeZone }: Replacement,
  { print, terminal, signal }: FileCommandOptions,
): Promise<void> {
  const database = createUnlimitedDatabase({ connection, log: pino({ level: 'silent' }) })
  try {
    const { migrations, students } = await readInstallation(database.db)
    // A newer database may have tables that this version wouldn't replace.
    missingOf(migrations)
    if (migrations.length > 0 && !isConfirmed) await confirm(students, terminal)
    const current = secretKey && (await readKeptKeys(database.db, secretKey))
    print('Restoring…')
    let erased = 0
    const trail = await restoreBackup({
      db: database.db,
      file,
      summary,
      audit: createAudit({ clock: systemClock }),
      productRole,
      async erase(tx, known) {
        if (known.length > 0 && current === null) throw new ConfigurationError(unknownErasures)
        const next = summary.keys ?? current
        const sealWith = secretKey ?? (next && keyFolder && (await readSecretKey(undefined, keyFolder)))
        if (next && sealWith) await storeKeptKeys(tx, sealWith, next)
        if (next && current) erased = await eraseAgain(tx, known, { keys: current, next })
      },
      rebuild: (tx) => rebuildDerived(tx, timeZone),
      onProgress: createProgress(summary, print, signal),
    })
    if (erased > 0) print(`Deleted again, because they were erased since the backup: ${studentsIn(erased)}.`)
    if (trail.fault) print(`Warning. ${trail.fault}`)
    if (trail.exception) print(trail.exception)
    print('Done. All sessions have ended. Administrators have the passwords from the backup.')
    // The restore has committed: an error here must not report that nothing was changed.
    await settle(database.db, summary.header.tables).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      print(`The tables could not be vacuumed (${reason}). PostgreSQL will do it later.`)
    })
  } finally {
    await database.close()
  }
}

async function confirm(students: number, terminal: Terminal): Promise<void> {
  const what = `everything in this database (${studentsIn(students)})`
  if (!terminal.isInteractive) {
    throw new ConfigurationError(
      `This would replace ${what} with the backup. Run it again with --yes. Nothing was changed.`,
    )
  }
  const answer = await terminal.ask(`This replaces ${what} with the backup. Type yes to continue: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new ConfigurationError('Nothing was changed.')
}

const unknownErasures =
  'Records were erased on request since the backup. To find them in it, set SECRET_KEY to the key of this database, or put its secret.key into the data folder. Nothing was changed.'

function warn(
  secretKey: Buffer | null,
  { dataDir }: DatabaseServer,
  { header, sha256, signature }: BackupSummary,
  env: Env,
  { print }: FileCommandOptions,
): void {
  if (header.secretKey !== null && (secretKey === null || fingerprintOf(secretKey) !== header.secretKey)) {
    print(
      `The secret key differs from the backup's: stored secrets, such as those of two-factor sign-in, can't be read. To use them, set SECRET_KEY or copy secret.key into ${dataDir} before the product starts. Without the old key: npm run admin -- reset-password --without-second-factor`,
    )
  }
  if (secretKey === null || signature !== backupSignature(secretKey, sha256)) {
    print(
      "Warning. The backup isn't signed with the secret key of this installation: another installation or an older version made it, or it was changed.",
    )
  }
  if (header.timeZone !== env.TZ_PROGRAM) {
    print(`The backup has the time zone ${header.timeZone}; here TZ_PROGRAM is ${env.TZ_PROGRAM}.`)
  }
}

// Security: characters of a hostile file that would move the cursor or turn the direction of the text.
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?')
}

function createProgress({ rows }: BackupSummary, print: (text: string) => void, signal: AbortSignal) {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
  let printed = 0
  return (loaded: number) => {
    signal.throwIfAborted()
    if (loaded - printed < progressEveryRows) return
    printed = loaded
    print(`${loaded.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} rows`)
  }
}

function wordsFor({ header, rows }: BackupSummary): string {
  const made = new Date(header.createdAt).toISOString().slice(0, 16).replace('T', ' ')
  return `${studentsIn(rows.students ?? 0)}, made on ${made} UTC by version ${header.product}`
}

/**
 * Rebuilds the tables computed from other rows, which no backup contains, and ends work that must not resume. Features
 * with such tables add theirs.
 * @param timeZone the program's time zone, used for counts by day
 */
async function rebuildDerived(tx: Transaction<Tables>, timeZone: string): Promise<void> {
  await rebuildCounts(tx, timeZone)
  await rebuildStudentSearch(tx)
  await endRestoredMail(tx, new Date())
  await createAnnouncementMailRepository(tx).noteRestored(announcementMailSentences.restored)
}
