import pg from 'pg'
import { pino } from 'pino'
import { managingRole, serverRole } from '#server/database/embedded/cluster.ts'
import { clusterDirOf } from '#server/database/embedded/data-folder.ts'
import { findServer } from '#server/database/embedded/server-file.ts'
import { createDatabase } from '#server/database/pool.ts'
import { seedDemo } from '#server/demo/seed-demo.ts'

/** The product's own database, which the reference uses too, so that both have the same settings and data. */
export interface BenchDatabase {
  /** For other programs: libpq's variables. */
  env: Record<string, string>
  /** Removes all students. */
  empty: () => Promise<void>
  /** Puts so many students into the empty table. */
  fill: (count: number) => Promise<void>
  /** What decides how durable and how fast writing is. */
  settings: () => Promise<string>
}

const name = 'nstp_portal'

/** Joins the database of the product that runs on this folder. */
export function joinDatabase(dataDir: string): BenchDatabase {
  const server = findServer(clusterDirOf(dataDir))
  if (!server) throw new Error(`no database runs on ${dataDir}`)
  // Only the managing role may order a checkpoint.
  const connection = { ...server, user: managingRole, database: name }

  async function query(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(connection)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }

  return {
    env: {
      PGHOST: server.host,
      PGPORT: String(server.port),
      PGUSER: serverRole,
      PGDATABASE: name,
      // A prepared search is otherwise planned once for all terms, and the rare ones then take far longer: a
      // slow reference would flatter the product.
      PGOPTIONS: '-c plan_cache_mode=force_custom_plan',
    },
    async empty() {
      await query('truncate students cascade')
      await query('checkpoint')
    },
    async fill(count) {
      const database = createDatabase({ connection, log: pino({ level: 'silent' }) })
      try {
        await seedDemo({ database, count })
      } finally {
        await database.close()
      }
      await query('checkpoint')
    },
    async settings() {
      const rows = await query(
        `select string_agg(name || ' ' || setting, ', ' order by name) as text from pg_settings
         where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'server_version')`,
      )
      return String(rows[0]?.text)
    },
  }
}
