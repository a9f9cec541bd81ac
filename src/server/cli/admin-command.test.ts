// @module-tag rest
import { join } from 'node:path'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { createDatabase } from '#server/database/pool.ts'
import { type DatabaseServer, startEmbeddedServer } from '#server/database/server.ts'
import { actorFor } from '#server/features/auth/session-cookies.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { type AuthOnDatabase, buildCaller, createAuthOn } from '#tests/setup/auth.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer } from '#tests/setup/test-server.ts'
import { runAdminCommand } from './admin-command.ts'

const passwordPattern = /^ {4}([a-z2-9-]{19})$/m
const log = pino({ level: 'silent' })

async function run(args: string[], env: Record<string, string> = {}) {
  const output: string[] = []
  const errors: string[] = []
  const code = await runAdminCommand({
    args,
    env,
    print: (text) => output.push(text),
    printError: (text) => errors.push(text),
  })
  return { code, output: output.join('\n'), errors: errors.join('\n') }
}

describe('arguments', () => {
  test('--help prints the usage', async () => {
    const { code, output } = await run(['--help'])
    expect(code).toBe(0)
    expect(output).toMatch(/^Usage: npm run admin -- reset-password/)
  })

  test.each([
    [[], 'No command given.'],
    [['reset'], 'Unknown command: reset.'],
    [['reset-password', 'me@school.example'], 'Unexpected argument: me@school.example.'],
    [['reset-password', '--mail', 'x'], "Unknown option '--mail'"],
    [['reset-password', '--email'], "Option '--email <value>' argument missing"],
  ])('%j is answered with the usage and exit code 2', async (args, sentence) => {
    const { code, output, errors } = await run(args)
    expect(code).toBe(2)
    expect(output).toBe('')
    expect(errors).toContain(sentence)
    expect(errors).toContain('Usage: npm run admin -- reset-password')
  })

  test('an invalid variable is reported', async () => {
    const { code, errors } = await run(['reset-password'], { DATABASE_URL: 'mysql://elsewhere' })
    expect(code).toBe(1)
    expect(errors).toBe('DATABASE_URL must begin with postgres:// or postgresql://.')
  })

  test('an unreachable database is reported', async () => {
    const { code, errors } = await run(['reset-password'], { DATABASE_URL: 'postgres://127.0.0.1:4199/none' })
    expect(code).toBe(1)
    expect(errors).toBe('The database can not be reached. Nothing was changed.')
  })
})

describe('with DATABASE_URL', () => {
  let database: TestDatabase
  let setup: AuthOnDatabase

  beforeEach(async () => {
    database = await createTestDatabase()
    setup = createAuthOn(database)
    await setup.reset()
  })
  afterEach(() => database.close())

  test('the administrator gets a new password, and the sessions end', async () => {
    const { sessionToken } = await setup.signIn()
    const { code, output, errors } = await run(['reset-password'], { DATABASE_URL: database.url })
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain(`The new password of ${adminEmail}:`)
    expect(await setup.auth.readAdmin(sessionToken)).toBeNull()
    await expect(setup.signIn()).rejects.toMatchObject({ code: 'unauthenticated' })
    setup.pass(Date.now() - setup.now().getTime())
    await setup.signIn({}, { email: adminEmail, password: passwordPattern.exec(output)?.[1] ?? '' })
  })

  test('two-factor sign-in stays on unless it is removed explicitly', async () => {
    const owner = await setup.signIn()
    const caller = buildCaller(owner)
    const { secret } = await setup.secondFactor.begin(adminPassword, owner.admin, caller)
    const code = new TOTP({ secret }).generate({ timestamp: setup.now().getTime() })
    await setup.secondFactor.confirm(code, owner.admin, actorFor(caller, owner.admin))

    const unchanged = await run(['reset-password'], { DATABASE_URL: database.url })
    expect(unchanged.output).toContain('Two-factor sign-in is still on')
    const args = ['reset-password', '--without-second-factor']
    const { output } = await run(args, { DATABASE_URL: database.url })
    expect(output).not.toContain('Two-factor sign-in')
    setup.pass(Date.now() - setup.now().getTime())
    await setup.signIn({}, { email: adminEmail, password: passwordPattern.exec(output)?.[1] ?? '' })
  })

  test('a link for one browser is printed, which works once', async () => {
    const env = { DATABASE_URL: database.url, PUBLIC_URL: 'https://nstp.school.edu.ph' }
    const { code, output } = await run(['allow-device'], env)
    expect(code).toBe(0)
    expect(output).toContain(`new browser of ${adminEmail}, once, within an hour`)
    const [link = ''] = /https:\/\/nstp\.school\.edu\.ph\/\S+/.exec(output) ?? []
    const { pathname, searchParams } = new URL(link)
    expect(pathname).toBe('/trust-browser')
    const server = await startTestServer({ database })
    const body = JSON.stringify({ link: searchParams.get('link') })
    const headers = { 'Content-Type': 'application/json' }
    const open = () => fetch(`${server.url}/api/session/device`, { method: 'POST', headers, body })
    expect((await open()).status).toBe(204)
    expect((await open()).status).toBe(404)
    await server.close()
  })

  test('a database that does not exist is reported', async () => {
    const none = database.url.replace(/\/test_\w+/, '/nothing_of_this_name')
    const { code, errors } = await run(['verify-audit'], { DATABASE_URL: none })
    expect(code).toBe(1)
    expect(errors).toBe(
      'The database that DATABASE_URL names can\'t be used: database "nothing_of_this_name" does not exist. Correct DATABASE_URL or DATABASE_OWNER_URL.',
    )
  })

  test('the audit trail is checked, and a changed entry is reported', async () => {
    await setup.signIn()
    const intact = await run(['verify-audit'], { DATABASE_URL: database.url })
    expect(intact).toMatchObject({
      code: 0,
      output: expect.stringContaining('The audit trail is intact: 1 entries'),
    })
    await sql`alter table audit_events disable trigger user`.execute(database.db)
    await database.db.updateTable('auditEvents').set({ actor: 'somebody else' }).execute()
    const changed = await run(['verify-audit'], { DATABASE_URL: database.url })
    expect(changed).toMatchObject({
      code: 1,
      errors: expect.stringContaining('entry 1 is not as it was written'),
    })
  })

  test('an address that no administrator has is reported', async () => {
    const args = ['reset-password', '--email', 'nobody@school.example']
    const { code, errors } = await run(args, { DATABASE_URL: database.url })
    expect(code).toBe(1)
    expect(errors).toBe('There is no account with the address nobody@school.example.')
    await setup.signIn()
  })
})

describe('with the embedded database', () => {
  let folder: TemporaryFolder
  let env: { DATA_DIR: string }
  const servers: DatabaseServer[] = []

  async function startServer(): Promise<DatabaseServer> {
    const server = await startEmbeddedServer({ dataDir: env.DATA_DIR, log, fsync: false })
    servers.push(server)
    return server
  }

  beforeEach(() => {
    folder = makeTemporaryFolder()
    env = { DATA_DIR: join(folder.path, 'data') }
  })
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop()
    folder.remove()
  })

  test('a running embedded server is used, and a stopped one is started', async () => {
    const server = await startServer()
    const { connection } = server
    await migrate({ connection, log })
    const database = createDatabase({ connection, log })
    const setup = createAuthOn(database)
    await setup.administrators.ensureFirstAdministrator({ email: adminEmail, password: adminPassword })

    const first = await run(['reset-password'], env)
    expect(first).toMatchObject({ code: 0, errors: '' })
    setup.pass(Date.now() - setup.now().getTime())
    await setup.signIn({}, { email: adminEmail, password: passwordPattern.exec(first.output)?.[1] ?? '' })
    await database.close()
    await server.stop()

    const second = await run(['reset-password'], env)
    expect(second).toMatchObject({ code: 0, errors: '' })
    expect(second.output).not.toBe(first.output)
    // It left no process running: the folder can be locked again.
    await startServer()
  })

  test('before the first start there is no administrator', async () => {
    const { code, errors } = await run(['reset-password'], env)
    expect(code).toBe(1)
    expect(errors).toBe('There is no administrator yet. Start the product once to create one.')
  })
})
