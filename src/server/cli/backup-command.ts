import { statSync } from 'node:fs'
import pino from 'pino'
import { missingOf } from '#server/database/migrate.ts'
import { ConfigurationError, type Env, readEnv } from '#server/env.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import type { RowCounts } from '#server/features/backup/format.ts'
import { readKeptKeys } from '#server/features/backup/kept-keys-repository.ts'
import { refuseExisting, writeNewFile } from '#server/features/backup/new-file.ts'
import { readInstallation } from '#server/features/backup/restore-repository.ts'
import { createBackupService } from '#server/features/backup/service.ts'
import { ownActor } from '#server/lib/actor.ts'
import { systemClock } from '#server/lib/clock.ts'
import { findSecretKey } from '#server/lib/secret-key.ts'
import { generatePassword } from '#shared/auth/generated-password.ts'
import {
  type CommandOptions,
  fileSentenceOf,
  type OperatorDatabase,
  openOperatorDatabase,
  readFileName,
  runCommand,
  sentenceOf,
  studentsIn,
} from './command.ts'
import { choosePassphrase, type Terminal } from './terminal.ts'

const usage = `Usage: npm run backup -- FILE [--encrypt | --unencrypted]

  FILE         the new file; existing files are never overwritten
  --encrypt    asks for a passphrase, unless BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE is set
  --unencrypted
               writes a file that anyone can read
  --help       prints this help

The file is encrypted. Without a passphrase of yours, one is generated and printed once.

The backup contains all records, accounts, settings and files and the audit trail, as of one moment. Run it
with the product's environment (DATABASE_URL or DATA_DIR). The product may run or be stopped. The secret key isn't
in the backup: store SECRET_KEY, or secret.key of the data folder, elsewhere.`

const neverStarted = 'There is nothing to back up: NSTP Portal has not been started on this database.'

export interface FileCommandOptions extends CommandOptions {
  terminal: Terminal
  signal: AbortSignal
}

interface Request {
  file: string
  isAsking: boolean
  isUnencrypted: boolean
}

export function runBackupCommand(options: FileCommandOptions): Promise<number> {
  return runCommand(
    {
      usage,
      flags: { encrypt: { type: 'boolean' }, unencrypted: { type: 'boolean' } },
      read({ encrypt, unencrypted }, words): Request | string {
        if (encrypt && unencrypted) return 'Choose either --encrypt or --unencrypted.'
        const named = readFileName(words, 'Name the file to write.')
        return typeof named === 'string'
          ? named
          : { ...named, isAsking: encrypt === true, isUnencrypted: unencrypted === true }
      },
      async run(request, options) {
        const { rows, generated } = await makeBackup(request, options)
        options.print(`${request.file}: ${wordsFor(rows, statSync(request.file).size)}`)
        if (generated) options.print(`The passphrase of this backup:\n\n    ${generated}\n\n${shownOnce}`)
      },
      explain: (error, { file }) => fileSentenceOf(error, file) ?? sentenceOf(error, neverStarted),
    },
    options,
  )
}

const shownOnce =
  'It is shown only once. Store it apart from the file: without it the backup cannot be opened.'

async function makeBackup({ file, isAsking, isUnencrypted }: Request, options: FileCommandOptions) {
  const env = readEnv(options.env)
  refuseExisting(file)
  if (isUnencrypted) {
    options.printError('The backup is not encrypted: store it where only you can read it. See --help.')
  }
  const isChosen = isAsking || env.BACKUP_PASSPHRASE !== undefined
  const generated = isChosen || isUnencrypted ? undefined : generatePassword()
  const passphrase = isUnencrypted
    ? undefined
    : (generated ?? (await choosePassphrase(env, options.terminal)))
  // Errors are printed as a sentence at the end; the log belongs to the running product.
  const operator = await openOperatorDatabase(env, pino({ level: 'silent' }))
  try {
    await checkVersion(operator)
    const service = await createService(operator, env)
    const { content, rows } = await service.make({ actor: ownActor('command line'), passphrase })
    await writeNewFile(file, content, options.signal)
    return { rows: rows(), generated }
  } finally {
    await operator.close()
  }
}

async function checkVersion({ database }: OperatorDatabase): Promise<void> {
  const { migrations } = await readInstallation(database.db)
  if (migrations.length === 0) throw new ConfigurationError(neverStarted)
  if (missingOf(migrations).length > 0) {
    throw new ConfigurationError(
      'The database has an older version of NSTP Portal. Back it up with that version, or start this version first.',
    )
  }
}

async function createService({ database, dataDir }: OperatorDatabase, env: Env) {
  const secretKey = await findSecretKey(env.SECRET_KEY, dataDir)
  return createBackupService({
    database,
    audit: createAudit({ clock: systemClock }),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    timeZone: env.TZ_PROGRAM,
    secretKey,
    keptKeys: secretKey ? await readKeptKeys(database.db, secretKey) : undefined,
  })
}

function wordsFor(rows: RowCounts, bytes: number): string {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
  return `${studentsIn(rows.students ?? 0)}, ${all.toLocaleString('en-US')} rows in all, ${(bytes / 1e6).toFixed(1)} MB.`
}
