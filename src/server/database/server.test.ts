import { tmpdir } from 'node:os'
import pino from 'pino'
import { expect, test } from 'vitest'
import { readEnv } from '#server/env.ts'
import { joinDatabaseServer } from './server.ts'

test.each([
  ['on a socket', 'postgresql://nstp%20app@/portal?host=%2Fvar%2Frun%2Fpostgresql', 'nstp app'],
  ['over the network', 'postgresql://nstp_app:secret@database.school.example:6432/portal', 'nstp_app'],
])('the role of a database %s is that of DATABASE_URL', async (_where, DATABASE_URL, role) => {
  const DATABASE_OWNER_URL = DATABASE_URL.replace(/nstp[^:@]+/, 'owner')
  const env = readEnv({ DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR: tmpdir() })
  const server = await joinDatabaseServer(env, pino({ level: 'silent' }))
  expect(server.productRole).toBe(role)
  expect(server.connection).toEqual({ connectionString: DATABASE_OWNER_URL })
})
