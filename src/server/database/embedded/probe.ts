import pg from 'pg'
import { codeOf } from '#server/database/errors.ts'

/** PostgreSQL's word for a database that doesn't exist. */
const noSuchDatabase = '3D000'
/** Longer than any answer of a server that is able to give one. */
const answerMs = 2_000

/** Whether the server takes connections to this database, which is created if the server doesn't have it. */
export async function isReady(connection: pg.ClientConfig): Promise<boolean> {
  try {
    await runOnce(connection, 'select 1')
    return true
  } catch (error) {
    if (codeOf(error) !== noSuchDatabase) return false
    const name = pg.escapeIdentifier(connection.database ?? '')
    await runOnce({ ...connection, database: 'postgres' }, `create database ${name}`)
    return true
  }
}

async function runOnce(connection: pg.ClientConfig, statement: string) {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: answerMs, query_timeout: answerMs })
  // Without a listener a lost connection would end the process; the call below fails with the same error.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    // Closing what never opened fails too, and says nothing new.
    await client.end().catch(() => undefined)
  }
}
