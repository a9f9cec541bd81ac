import pg from 'pg'
import { pino } from 'pino'
import { managingRole, serverRole } from '#server/database/embedded/cluster.ts'
import { clusterDirOf } from '#server/database/embedded/data-folder.ts'
import { findServer } from '#server/database/embedded/stale-server.ts'
import { wakeProcesses } from '#server/database/notices.ts'
import { createDatabase } from '#server/database/pool.ts'
import { rebuildStudentCounts, vacuumChanges } from '#server/database/student-counts/maintenance.ts'
import { fillContent, seedDemo } from '#server/demo/fill-with-demo.ts'
import { readEnv } from '#server/env.ts'
import { listIndexes, multiplyStudents } from './multiply.ts'

/** The product's own database. The reference uses it too, so that both have the same settings and data. */
export interface BenchDatabase {
  run: (text: string) => Promise<void>
  // libpq's variables.
  env: Record<string, string>
  empty: () => Promise<void>
  refill: (count: number) => Promise<void>
  fillContent: () => Promise<void>
  // Made one at a time; returns their bytes in total.
  addFiles: (makers: readonly (() => Buffer)[]) => Promise<number>
  digest: () => Promise<string>
  settings: () => Promise<string>
}

const name = 'nstp_portal'
// Records above this number are copies of the generated ones.
const maxGenerated = 100_000
// The product's defaults, for the time zone of counts by day.
const env = readEnv({})

export function joinDatabase(dataDir: string): BenchDatabase {
  const server = findServer(clusterDirOf(dataDir))
  if (!server) throw new Error(`no database runs on ${dataDir}`)
  // Only the managing role may order a checkpoint.
  const connection = { ...server, user: managingRole, database: name }

  async function query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(connection)
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  async function empty() {
    // The values of edits go with their students: a trigger otherwise refuses to empty those.
    await query(`
      select set_config('nstp.retention', 'on', true);
      truncate students, terms, announcements, slides, org_nodes cascade`)
    await query('delete from files')
    await query('checkpoint')
  }

  async function multiply(times: number) {
    const indexes = await query(listIndexes)
    for (const { name } of indexes) await query(`drop index ${name}`)
    await query(multiplyStudents(times))
    for (const { definition } of indexes) await query(String(definition))
  }

  return {
    async run(text) {
      await query(text)
    },
    env: {
      PGHOST: server.host,
      PGPORT: String(server.port),
      PGUSER: serverRole,
      PGDATABASE: name,
      // A prepared search is otherwise planned once for all terms, and the rare ones then take far longer: a
      // slow reference would flatter the product.
      PGOPTIONS: '-c plan_cache_mode=force_custom_plan',
    },
    empty,
    async refill(count) {
      await empty()
      const generated = Math.min(count, maxGenerated)
      const database = createDatabase({ connection, log: pino({ level: 'silent' }) })
      try {
        await seedDemo({ database, count: generated })
        if (count > generated) await multiply(count / generated)
        await rebuildStudentCounts(database, env.TZ_PROGRAM)
        // As the product does after many changes: every reader scans the table.
        await vacuumChanges(database.db)
      } finally {
        await database.close()
      }
      await query('vacuum (analyze)')
      await query('checkpoint')
    },
    async fillContent() {
      if ((await query('select 1 from announcements limit 1')).length > 0) return
      const database = createDatabase({ connection, log: pino({ level: 'silent' }) })
      try {
        await database.transact((tx) => fillContent(tx, new Date()), { long: true })
        // Written directly to the database, so the product must be notified.
        await query('update topics set version = version + 1')
        await wakeProcesses(database.db)
      } finally {
        await database.close()
      }
    },
    async addFiles(makers) {
      let all = 0
      for (const make of makers) {
        const bytes = make()
        all += bytes.length
        await query(
          `insert into files (id, media_type, bytes) values (encode(sha256($1), 'hex'), 'image/webp', $1)`,
          [bytes],
        )
      }
      return all
    },
    async digest() {
      const rows = await query(
        `select md5(string_agg(line, '' order by line)) as text from (
           select md5(row_to_json(students)::text) as line from students
           union all select md5(id || media_type || md5(bytes)) from files
         ) as lines`,
      )
      return String(rows[0]?.text)
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
