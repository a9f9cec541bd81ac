import { type ControlledTransaction, sql } from 'kysely'
import pg from 'pg'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Tables } from '#server/database/schema.ts'
import type { BackupHeader } from './format.ts'

// Advisory lock: one backup at a time over all processes.
const lockKey = 7_191_630_002
const rowsAtATime = 500

export interface SnapshotTable {
  columns: string[]
  batches: AsyncGenerator<string[]>
}

export interface Snapshot {
  migrations: BackupHeader['migrations']
  openTable: (table: string) => Promise<SnapshotTable>
  close: () => Promise<void>
}

export function createSnapshotRepository({ db, longDb }: Pick<AppDatabase, 'db' | 'longDb'>) {
  return {
    // Index: audit_events_action.
    async findLast(): Promise<{ at: Date; isSealed: boolean } | undefined> {
      const result = await sql<{ at: Date; isSealed: boolean }>`
        select at, detail->>'sealed' = 'true' as is_sealed from audit_events
        where action = 'backup-made' and detail->>'finished' = 'true'
        order by at desc, id desc limit 1`.execute(db)
      return result.rows[0]
    },

    async open(): Promise<Snapshot | undefined> {
      const tx = await longDb
        .startTransaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute()
      try {
        const snapshot = await openSnapshot(tx)
        if (!snapshot) await tx.rollback().execute()
        return snapshot
      } catch (error) {
        await tx.rollback().execute()
        throw error
      }
    },
  }
}

async function openSnapshot(tx: ControlledTransaction<Tables>): Promise<Snapshot | undefined> {
  const lock = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock(${lockKey}::bigint) as is_ours`.execute(tx)
  if (!lock.rows[0]?.isOurs) return undefined
  await sql`set local time zone 'UTC'`.execute(tx)
  const migrations = await sql<BackupHeader['migrations'][number]>`
    select name, checksum from schema_migrations order by name`.execute(tx)
  let closing: Promise<void> | undefined
  // Waits for a statement that is under way. A lost connection frees it as well; the reader of the rows gets the error.
  const end = () =>
    tx
      .rollback()
      .execute()
      .catch(() => undefined)
  return {
    migrations: migrations.rows,
    openTable: (table) => openTable(tx, table),
    async close() {
      closing ??= end()
      await closing
    },
  }
}

async function openTable(tx: ControlledTransaction<Tables>, table: string): Promise<SnapshotTable> {
  const { rows: columns } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(tx)
  if (columns.length === 0) throw new Error(`there is no table ${table} to back up`)
  const names = columns.map(({ name }) => name)
  // A file's bytes can be many megabytes: such rows are taken one by one.
  const atATime = columns.some(({ type }) => type === 'bytea') ? 1 : rowsAtATime
  return { columns: names, batches: readRows(tx, { table, names, atATime }) }
}

async function* readRows(
  tx: ControlledTransaction<Tables>,
  { table, names, atATime }: { table: string; names: readonly string[]; atATime: number },
): AsyncGenerator<string[]> {
  const columns = sql.raw(names.map(pg.escapeIdentifier).join(', '))
  await sql`
    declare backup_rows no scroll cursor for
    select row_to_json(line)::text as line
    from (select ${columns} from ${sql.raw(pg.escapeIdentifier(table))}) line`.execute(tx)
  const fetch = sql<{ line: string }>`fetch forward ${sql.lit(atATime)} from backup_rows`
  for (;;) {
    const batch = await fetch.execute(tx)
    if (batch.rows.length === 0) break
    yield batch.rows.map(({ line }) => line)
  }
  await sql`close backup_rows`.execute(tx)
}
