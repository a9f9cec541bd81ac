import pg from 'pg'
import { codeOf } from '#server/database/errors.ts'
import { runOnce } from '#server/database/run-once.ts'
import { managingRole } from './cluster.ts'

/** PostgreSQL's words for a role and for a database that don't exist. */
const missing = new Set(['28000', '3D000'])
/** Its words for one that does. */
const alreadyThere = new Set(['42710', '42P04'])

/** Whether the server takes connections to the product's database, which the first question creates. */
export async function isReady(connection: pg.ClientConfig): Promise<boolean> {
  try {
    await runOnce(connection, 'select 1')
    return true
  } catch (error) {
    if (!missing.has(codeOf(error) ?? '')) return false
    await createDatabase(connection)
    return true
  }
}

async function createDatabase({ host, port, user, database }: pg.ClientConfig) {
  const manager = { ...(host && port ? { host, port } : {}), user: managingRole, database: 'postgres' }
  const role = pg.escapeIdentifier(user ?? '')
  for (const statement of [
    `create role ${role} login`,
    `create database ${pg.escapeIdentifier(database ?? '')} owner ${role}`,
  ]) {
    try {
      await runOnce(manager, statement)
    } catch (error) {
      // An earlier first start got this far.
      if (!alreadyThere.has(codeOf(error) ?? '')) throw error
    }
  }
}
