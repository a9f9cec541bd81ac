import pg from 'pg'
import { codeOf } from '#server/database/errors.ts'
import { runOnce } from '#server/database/run-once.ts'

/** PostgreSQL's word for a database that doesn't exist. */
const noSuchDatabase = '3D000'

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
