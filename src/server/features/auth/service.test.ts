import { hash } from '@node-rs/argon2'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { createDatabase } from '#server/database/pool.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import { roles } from '#shared/people/permissions.ts'
import { endingRoles } from '#shared/people/person.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { type AuthOnDatabase, buildCaller, prepareAuth } from '#tests/setup/auth.ts'
import { createAuthService } from './service.ts'
import { createToken } from './session-cookies.ts'

const minute = 60_000
const hour = 60 * minute
const wrong = { code: 'unauthenticated', message: 'Invalid email or password' }

let setup: AuthOnDatabase
prepareAuth((fresh) => {
  setup = fresh
})

describe('signing in', () => {
  test("returns the administrator and the session's token", async () => {
    const { admin, sessionToken } = await setup.signIn()
    expect(admin).toMatchObject({ email: adminEmail, displayName: 'Administrator' })
    expect(await setup.auth.readAdmin(sessionToken)).toEqual({
      ...admin,
      endsAt: expect.any(Date),
      isFresh: true,
      takeRecords: expect.any(Function),
      takeRemovals: expect.any(Function),
      noteRemovals: expect.any(Function),
    })
  })

  test("the address's case doesn't matter", async () => {
    const { admin } = await setup.signIn({}, { email: adminEmail.toUpperCase(), password: adminPassword })
    expect(admin.email).toBe(adminEmail)
  })

  test('a wrong password and an unknown address get the same answer', async () => {
    expect(await setup.fail()).toMatchObject(wrong)
    expect(await setup.fail({}, 'nobody@school.example')).toMatchObject(wrong)
    expect(await setup.fail({}, 'no address at all')).toMatchObject(wrong)
    expect(await setup.fail({}, 'nul\0@school.example')).toMatchObject(wrong)
  })

  test('an unknown address takes as long as a wrong password: one check, of the decoy', async () => {
    const checked: string[] = []
    const auth = setup.createService({
      passwords: {
        ...setup.passwords,
        verify(passwordHash, ...rest) {
          checked.push(passwordHash)
          return setup.passwords.verify(passwordHash, ...rest)
        },
      },
    })
    const { passwordHash } = await setup.db
      .selectFrom('admins')
      .select('passwordHash')
      .executeTakeFirstOrThrow()
    for (const email of [adminEmail, 'nobody@school.example', 'no address at all']) {
      const attempt = auth.signIn({ email, password: 'a wrong pass phrase' }, buildCaller())
      await expect(attempt).rejects.toMatchObject(wrong)
    }
    expect(checked).toEqual([passwordHash, setup.passwords.decoyHash, setup.passwords.decoyHash])
  })

  test('the database stores hashes of tokens only', async () => {
    const { sessionToken, deviceToken } = await setup.signIn()
    const sessions = await setup.db.selectFrom('sessions').selectAll().execute()
    const devices = await setup.db.selectFrom('knownDevices').selectAll().execute()
    expect(sessions).toHaveLength(1)
    expect(devices).toHaveLength(1)
    // All 32 bytes differ from one token to the next somewhere.
    const made = Array.from({ length: 50 }, () => Buffer.from(createToken().text, 'base64url'))
    for (let at = 0; at < 32; at++) expect(new Set(made.map((bytes) => bytes[at])).size).toBeGreaterThan(30)
    const stored = [...sessions, ...devices].map(({ tokenHash }) => tokenHash.toString('latin1'))
    for (const token of [sessionToken, deviceToken]) {
      expect(stored).not.toContain(token)
      expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('latin1'))
    }
  })

  test('each sign-in gets a new token and ends the session it replaces', async () => {
    const first = await setup.signIn()
    const elsewhere = await setup.signIn()
    const second = await setup.signIn({ sessionToken: first.sessionToken })
    expect(second.sessionToken).not.toBe(first.sessionToken)
    expect(await setup.auth.readAdmin(first.sessionToken)).toBeNull()
    expect(await setup.auth.readAdmin(second.sessionToken)).not.toBeNull()
    expect(await setup.auth.readAdmin(elsewhere.sessionToken)).not.toBeNull()
  })

  test('a hash of former parameters is replaced', async () => {
    const former = await hash(adminPassword, { memoryCost: 8192, timeCost: 1 })
    await setup.db.updateTable('admins').set({ passwordHash: former }).execute()
    await setup.signIn()
    const { passwordHash } = await setup.db
      .selectFrom('admins')
      .select('passwordHash')
      .executeTakeFirstOrThrow()
    expect(passwordHash).not.toBe(former)
    expect(setup.passwords.isOutdated(passwordHash)).toBe(false)
    await setup.signIn()
  })

  test('a password that is replaced while it is verified creates no session', async () => {
    const auth = setup.createService({
      passwords: {
        ...setup.passwords,
        async verify(...parameters) {
          const isRight = await setup.passwords.verify(...parameters)
          await setup.administrators.resetPassword()
          return isRight
        },
      },
    })
    const attempt = auth.signIn({ email: adminEmail, password: adminPassword }, buildCaller())
    await expect(attempt).rejects.toMatchObject(wrong)
    expect(await setup.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  })
})

describe('a session', () => {
  test('ends at signing out, and the other tabs are notified', async () => {
    const { sessionToken } = await setup.signIn()
    setup.published.length = 0
    await setup.auth.signOut(buildCaller({ sessionToken }))
    expect(await setup.auth.readAdmin(sessionToken)).toBeNull()
    expect(setup.published).toEqual(['session'])
  })

  test('that has expired can be ended without an error', async () => {
    await setup.auth.signOut(buildCaller())
    await setup.auth.signOut(buildCaller({ sessionToken: 'not a token' }))
    await setup.auth.signOut(buildCaller({ sessionToken: 'x'.repeat(43) }))
    expect(setup.published).toEqual([])
  })

  test('lasts 8 hours without use', async () => {
    const { sessionToken } = await setup.signIn()
    setup.pass(8 * hour - 1)
    expect(await setup.auth.readAdmin(sessionToken)).not.toBeNull()
    setup.pass(8 * hour)
    expect(await setup.auth.readAdmin(sessionToken)).toBeNull()
  })

  test('lasts 7 days in any case', async () => {
    const { sessionToken } = await setup.signIn()
    for (let hours = 7; hours < 7 * 24; hours += 7) {
      setup.pass(7 * hour)
      expect(await setup.auth.readAdmin(sessionToken)).not.toBeNull()
    }
    setup.pass(7 * hour)
    expect(await setup.auth.readAdmin(sessionToken)).toBeNull()
  })

  test('that is kept lasts 7 days without use, and 30 days in any case', async () => {
    const day = 24 * hour
    const kept = { email: adminEmail, password: adminPassword, keepSignedIn: true }
    const { sessionToken } = await setup.signIn({}, kept)
    for (let days = 6; days < 30; days += 6) {
      setup.pass(6 * day)
      await setup.auth.deleteExpired()
      expect(await setup.auth.readAdmin(sessionToken)).toMatchObject({ isFresh: false })
    }
    setup.pass(6 * day)
    expect(await setup.auth.readAdmin(sessionToken)).toBeNull()

    const { sessionToken: unused } = await setup.signIn({}, kept)
    setup.pass(7 * day)
    expect(await setup.auth.readAdmin(unused)).toBeNull()
    await setup.auth.deleteExpired()
    expect(await setup.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  })

  test.each(roles)('of %s: idle time and "Keep me signed in" by role', async (role) => {
    const day = 24 * hour
    const idle = role === 'assistant' || role === 'registrar' ? hour : 8 * hour
    const expiresOn = endingRoles.includes(role) ? '2199-12-31' : null
    await setup.db.updateTable('admins').set({ role, expiresOn }).execute()
    const { sessionToken } = await setup.signIn()
    setup.pass(idle - 1)
    expect(await setup.auth.readAdmin(sessionToken)).toMatchObject({ role })
    setup.pass(idle)
    expect(await setup.auth.readAdmin(sessionToken)).toBeNull()

    const asked = { email: adminEmail, password: adminPassword, keepSignedIn: true }
    const { sessionToken: kept, isKept } = await setup.signIn({}, asked)
    expect(isKept).toBe(role === 'administrator' || role === 'coordinator')
    setup.pass(isKept ? 7 * day - 1 : idle - 1)
    await setup.auth.deleteExpired()
    expect(await setup.auth.readAdmin(kept)).not.toBeNull()
    setup.pass(isKept ? 7 * day : idle)
    expect(await setup.auth.readAdmin(kept)).toBeNull()
    await setup.auth.deleteExpired()
    expect(await setup.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  })

  test('that is kept is an ordinary one from the moment its account may not keep one', async () => {
    const asked = { email: adminEmail, password: adminPassword, keepSignedIn: true }
    const { sessionToken } = await setup.signIn({}, asked)
    setup.pass(2 * hour)
    expect(await setup.auth.readAdmin(sessionToken, false)).not.toBeNull()
    await setup.db.updateTable('admins').set({ role: 'registrar' }).execute()
    expect(await setup.auth.readAdmin(sessionToken, false)).toBeNull()
  })

  test('is updated at most once a minute', async () => {
    const { sessionToken } = await setup.signIn()
    const lastUsed = async () => {
      const session = await setup.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
      return session.lastUsedAt.getTime()
    }
    const began = setup.now().getTime()
    setup.pass(minute - 1)
    await setup.auth.readAdmin(sessionToken)
    expect(await lastUsed()).toBe(began)
    setup.pass(1)
    await setup.auth.readAdmin(sessionToken)
    expect(await lastUsed()).toBe(began + minute)
  })

  test('is deleted when it has expired', async () => {
    await setup.signIn()
    setup.pass(8 * hour)
    const { sessionToken } = await setup.signIn()
    await setup.auth.deleteExpired()
    expect(await setup.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
    expect(await setup.auth.readAdmin(sessionToken)).not.toBeNull()
  })

  test('dated in the future is deleted, and so are its failed sign-ins', async () => {
    setup.pass(1000 * hour)
    await setup.signIn()
    await setup.fail()
    setup.pass(-1000 * hour)
    await setup.auth.deleteExpired()
    for (const table of ['sessions', 'signInFailures'] as const) {
      expect(await setup.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })

  test('is looked up in the database only with a token', async () => {
    const unreachable = createDatabase({
      connection: { host: '127.0.0.1', port: 4199 },
      log: pino({ level: 'silent' }),
    })
    const { passwords, now } = setup
    const auth = createAuthService({
      database: unreachable,
      passwords,
      clock: now,
      timeZone: 'Asia/Manila',
      publish: () => undefined,
      audit: createAudit({ clock: now }),
      noteRefusal: () => Promise.resolve(),
      secondFactor: setup.secondFactorCheck,
    })
    for (const token of [undefined, '', 'x'.repeat(42), `${'x'.repeat(42)}=`, 'x'.repeat(4000)]) {
      expect(await auth.readAdmin(token)).toBeNull()
    }
    await expect(auth.readAdmin('x'.repeat(43))).rejects.toThrow()
    await unreachable.close()
  })
})
