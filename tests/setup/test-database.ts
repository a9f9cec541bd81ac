import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import pino from 'pino'
import { inject } from 'vitest'
import { managingRole } from '#server/database/embedded/cluster.ts'
import { type AppDatabase, createDatabase } from '#server/database/pool.ts'
import { runOnce } from '#server/database/run-once.ts'
import type { ClusterAnswer, TestCluster } from './global-database.ts'

// In ms, for a machine that runs other tests too.
const manageMs = 60_000

export interface TestDatabase extends AppDatabase {
  url: string
  connection: pg.ClientConfig
}

let asked: Promise<TestCluster> | undefined

/** The run's database server, which the first one to ask starts. */
export function testCluster(): Promise<TestCluster> {
  asked ??= askForCluster()
  return asked
}

async function askForCluster(): Promise<TestCluster> {
  const answer: ClusterAnswer = JSON.parse(await text(connect(inject('clusterSocket'))))
  if ('failure' in answer) throw new Error(`the tests' database server did not start: ${answer.failure}`)
  return answer
}

/** A migrated database, empty except for what the migrations insert. `close` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connection, url, drop } = await createBareDatabase((await testCluster()).template)
  const patience = Number(process.env.TEST_SLOWNESS ?? '1')
  const database = createDatabase({ connection, log: pino({ level: 'silent' }) }, patience)
  return {
    ...database,
    connection,
    url,
    async close() {
      await database.close()
      await drop()
    },
  }
}

/** An unmigrated database, or a copy of `template`. */
export async function createBareDatabase(template = 'template1') {
  const { host, port, user } = await testCluster()
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const manage = (statement: string) =>
    runOnce({ host, port, user: managingRole, database: 'postgres' }, statement, manageMs)
  await manage(`create database ${name} template ${template} owner ${user}`)
  return {
    connection: { host, port, user, database: name },
    url: `postgresql://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    // By force: a listener that the test left open must not block it. And not as the product's role, which may
    // not end an autovacuum that happens to be at work there.
    drop: () => manage(`drop database ${name} with (force)`),
  }
}
