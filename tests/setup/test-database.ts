import { randomUUID } from 'node:crypto'
import pg from 'pg'
import pino from 'pino'
import { inject } from 'vitest'
import { type AppDatabase, createDatabase } from '#server/database/pool.ts'

export interface TestDatabase extends AppDatabase {
  /** For whoever connects by itself, as with DATABASE_URL. */
  url: string
  connection: pg.ClientConfig
}

/** A migrated database of its own, empty but for what the migrations put there. `close` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { template, ...server } = inject('cluster')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runOnServer(`create database ${name} template ${template}`)
  const connection = { ...server, database: name }
  const database = createDatabase({ connection, log: pino({ level: 'silent' }) })

  return {
    ...database,
    connection,
    url: `postgresql://${server.user}@/${name}?host=${encodeURIComponent(server.host)}&port=${server.port}`,
    async close() {
      await database.close()
      // A listener that the test left open must not keep the database.
      await runOnServer(`drop database ${name} with (force)`)
    },
  }
}

async function runOnServer(statement: string) {
  const { host, port, user } = inject('cluster')
  const client = new pg.Client({ host, port, user, database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
