import { CompiledQuery, sql, type Transaction } from 'kysely'
import pg from 'pg'
import {
  type AppliedMigration,
  checksumOf,
  createMigrationsTable,
  firstOfOldChain,
  listMigrations,
  type Migration,
  migrationLock,
} from '#server/database/migrate.ts'
import { wakeProcesses } from '#server/database/notices.ts'
import { grantsFor } from '#server/database/product-role.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import type { Erasure } from '#server/features/privacy/erasure-repository.ts'
import { ownFunctions, ownTables } from './snapshot-repository.ts'

export interface Installation {
  migrations: AppliedMigration[]
  students: number
}

export type SetAside = readonly string[]

const name = (identifier: string) => sql.raw(pg.escapeIdentifier(identifier))

export async function readInstallation(db: Queryable): Promise<Installation> {
  const exists = await sql<{ migrations: boolean; students: boolean }>`
    select to_regclass('schema_migrations') is not null as migrations,
      to_regclass('students') is not null as students`.execute(db)
  const { migrations = false, students = false } = exists.rows[0] ?? {}
  const applied = migrations
    ? await sql<AppliedMigration>`select name, checksum from schema_migrations`.execute(db)
    : { rows: [] }
  const count = students
    ? await sql<{ count: number }>`select count(*)::int as count from students`.execute(db)
    : { rows: [] }
  return { migrations: applied.rows, students: count.rows[0]?.count ?? 0 }
}

/** Ours, which lead on from those of a backup; null where it was made by a version before 0.1.0. */
export function migrationsOf(backedUp: readonly Pick<AppliedMigration, 'name'>[]): Migration[] | null {
  return backedUp.some(({ name }) => name === firstOfOldChain) ? null : listMigrations()
}

/** The methods are in the order of use, within one transaction. */
export function createRestoreRepository(tx: Transaction<Tables>) {
  const { all } = queriesOf(tx)
  const run = async (statement: string) => {
    await tx.executeQuery(CompiledQuery.raw(statement))
  }

  return {
    // Disables the server's timeouts for this transaction and blocks migrations.
    async begin(): Promise<void> {
      await sql`select set_config('statement_timeout', '0', true),
        set_config('idle_in_transaction_session_timeout', '0', true),
        -- Emptying the audit trail, which is filled again.
        set_config('nstp.retention', 'on', true),
        set_config('maintenance_work_mem', '128MB', true)`.execute(tx)
      await sql`select pg_advisory_xact_lock(${migrationLock}::bigint)`.execute(tx)
    },

    savepoint: () => run('savepoint locks'),
    rollbackToSavepoint: () => run('rollback to savepoint locks'),

    // Locks all tables at once or fails after `waitMs` ms; other requests wait.
    async lockTables(waitMs: number): Promise<void> {
      const tables = await existing(tx, ownTables)
      if (tables.length === 0) return
      await sql`select set_config('lock_timeout', ${String(waitMs)}, true)`.execute(tx)
      await run(`lock table ${tables.map(pg.escapeIdentifier).join(', ')} in access exclusive mode`)
      await sql`select set_config('lock_timeout', '0', true)`.execute(tx)
    },

    async readTopics(): Promise<Map<string, number>> {
      if ((await existing(tx, ['topics'])).length === 0) return new Map()
      const topics = await tx.selectFrom('topics').selectAll().execute()
      return new Map(topics.map(({ name, version }) => [name, Number(version)]))
    },

    // The replaced database's: the backup may be older than them.
    async readErasures(): Promise<Erasure[]> {
      if ((await existing(tx, ['erasures'])).length === 0) return []
      return await tx.selectFrom('erasures').selectAll().execute()
    },

    async dropEverything(): Promise<void> {
      for (const table of await existing(tx, ownTables))
        await sql`drop table ${name(table)} cascade`.execute(tx)
      for (const routine of ownFunctions)
        await sql`drop function if exists ${name(routine)} cascade`.execute(tx)
    },

    async migrate(migrations: readonly Migration[]): Promise<void> {
      await run(createMigrationsTable)
      for (const migration of migrations) {
        await run(migration.sql)
        await sql`insert into schema_migrations (name, checksum)
          values (${migration.name}, ${checksumOf(migration)})`.execute(tx)
      }
    },

    grantTo: (productRole: string) => run(grantsFor(productRole)),

    async setAside(tables: readonly string[]): Promise<SetAside> {
      const rows = await all<{ drop: string; restore: string }>`
        select 1 as position,
          format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
          format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
            as restore
        from pg_constraint
        where contype = 'f' and conrelid = any(${tables}::text[]::regclass[])
        union all
        select 2, format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
        from pg_index
        where indrelid = any(${tables}::text[]::regclass[])
          and not exists (select from pg_constraint where conindid = indexrelid)
        union all
        select 3, format('alter table %s disable trigger user', own),
          format('alter table %s enable trigger user', own)
        from unnest(${tables}::text[]::regclass[]) own
        order by position`
      for (const { drop } of rows) await run(drop)
      // The order is reversed: indexes come before the foreign keys that need them.
      return rows.map(({ restore }) => restore).reverse()
    },

    async empty(tables: readonly string[]): Promise<void> {
      await run(`truncate ${tables.map(pg.escapeIdentifier).join(', ')} cascade`)
    },

    async bringBack(statements: SetAside): Promise<void> {
      for (const statement of statements) await run(statement)
    },

    async insert(table: string, columns: readonly string[], rows: Buffer): Promise<void> {
      const names = sql.join(columns.map(name))
      // A Buffer is sent as it is, without a conversion to a string.
      await sql`
        insert into ${name(table)} (${names}) overriding system value
        select ${names} from json_populate_recordset(null::${name(table)}, ${rows}::json)`.execute(tx)
    },

    async setTopic(topic: string, version: number): Promise<void> {
      await sql`insert into topics (name, version) values (${topic}, ${version})`.execute(tx)
    },
  }
}

/** Notifies running processes, updates planner statistics and the visibility map. */
export async function settle(db: Queryable, tables: readonly string[]): Promise<void> {
  await wakeProcesses(db)
  for (const table of tables) await sql`vacuum (analyze) ${name(table)}`.execute(db)
}

async function existing(db: Queryable, tables: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select own as table from unnest(${tables}::text[]) own where to_regclass(own) is not null`.execute(db)
  return rows.map(({ table }) => table)
}
