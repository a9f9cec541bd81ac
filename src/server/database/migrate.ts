/// <reference types="vite/types/importMeta.d.ts" />
import pg from 'pg'
import type { Logger } from 'pino'
import { ConfigurationError } from '#server/env.ts'
import { sha256 } from '#server/lib/digest.ts'
import { codeOf } from './errors.ts'
import { grantsFor } from './product-role.ts'

// Arbitrary, but the same in every process.
export const migrationLock = 7_191_630_001

// Building an index on a million records takes minutes.
const longestMigrationMs = 10 * 60_000
const lockNotAvailable = '55P03'

// Bundled, so that a built product needs no source folder.
const files: Record<string, string> = import.meta.glob('./migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
})

// The first migration of versions before 0.1.0, whose tables release 0.2.0 still updates (decision 026).
export const firstOfOldChain = '0001-students'

export const createMigrationsTable = `create table if not exists schema_migrations (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

export interface Migration {
  // 'NNNN-what-it-does': the order, and the key in `schema_migrations`.
  name: string
  sql: string
}

interface MigrateOptions {
  connection: pg.ClientConfig
  log: Logger
  migrations?: Migration[]
  print?: (sentence: string) => void
  lockMs?: number
  // The role of the running product, if it isn't the owner.
  productRole?: string | undefined
}

export function listMigrations(): Migration[] {
  return Object.entries(files)
    .map(([path, text]) => ({ name: path.replace(/^.*\//, '').replace(/\.sql$/, ''), sql: text }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Applies missing migrations, forward only. Processes that start together wait for one lock; each migration is one
 * transaction.
 */
export async function migrate({
  connection,
  log,
  migrations = listMigrations(),
  print = () => undefined,
  lockMs = longestMigrationMs,
  productRole,
}: MigrateOptions): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'nstp-portal migrate', keepAlive: true })
  // A lost connection without a listener ends the process. The query that waits gets the error anyway.
  client.on('error', (error) => log.warn({ code: error.name }, 'database connection lost while migrating'))
  await client.connect()
  try {
    await lockMigrations(client, lockMs, print)
    await client.query(createMigrationsTable)
    const { rows } = await client.query<AppliedMigration>('select name, checksum from schema_migrations')
    const missing = missingOf(rows, migrations)
    for (const migration of missing) await apply(client, migration)
    const last = missing.at(-1)?.name
    if (last) log.info({ count: missing.length, last }, 'migrations applied')
    if (productRole) await client.query(grantsFor(productRole))
  } finally {
    await client.end()
  }
}

// The lock ends with the connection.
async function lockMigrations(client: pg.Client, lockMs: number, print: (sentence: string) => void) {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    migrationLock,
  ])
  if (rows[0]?.locked) return
  print('Waiting for another process that updates the tables of this database…')
  await client.query("select set_config('lock_timeout', $1, false)", [String(lockMs)])
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
  } catch (cause) {
    if (codeOf(cause) !== lockNotAvailable) throw cause
    throw new ConfigurationError(
      "Another process is still updating the tables of this database. Wait until it has ended, or end it (select pid from pg_locks where locktype = 'advisory'), then start NSTP Portal again.",
      { cause },
    )
  }
  await client.query('reset lock_timeout')
}

export interface AppliedMigration {
  name: string
  checksum: string
}

/** @throws ConfigurationError for a database that a newer version wrote, or one before 0.1.0 */
export function missingOf(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[] = listMigrations(),
): Migration[] {
  checkApplied(applied, migrations)
  const names = new Set(applied.map(({ name }) => name))
  return migrations.filter(({ name }) => !names.has(name))
}

function checkApplied(applied: readonly AppliedMigration[], migrations: readonly Migration[]) {
  if (applied.some(({ name }) => name === firstOfOldChain)) {
    throw new ConfigurationError(
      'The database was written by a version before 0.1.0. Start NSTP Portal 0.2.0 on it once, which updates it, then start this version.',
    )
  }
  const byName = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const migration = byName.get(name)
    if (!migration) {
      throw new ConfigurationError(
        `The database was written by a newer version of NSTP Portal (it has the migration ${name}). Start that version, or restore a backup made by this one.`,
      )
    }
    if (checksumOf(migration) !== checksum) {
      throw new ConfigurationError(
        `The migration ${name} was changed after this database applied it. Undo the change and add a new migration instead.`,
      )
    }
  }
}

async function apply(client: pg.Client, migration: Migration) {
  try {
    await client.query('begin')
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      checksumOf(migration),
    ])
    await client.query('commit')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The migration ${migration.name} failed: ${reason}`, { cause })
  }
}

/** Ignores line ends: git may check them out either way. */
export function checksumOf({ sql }: Migration): string {
  return sha256(sql.replaceAll('\r\n', '\n')).toString('hex')
}
