import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { AppDatabase } from '#server/database/pool.ts'
import { createAudit } from '#server/features/audit/recorder.ts'
import { createAdministrators } from '#server/features/auth/administrators.ts'
import { createPasswords, type Passwords } from '#server/features/auth/passwords.ts'
import { type Caller, createAuthService } from '#server/features/auth/service.ts'
import type { Topic } from '#shared/topics.ts'
import { adminEmail, adminPassword } from './administrator.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** The services of signing in on a test's database, at a time that the test moves. */
export function createAuthOn(database: AppDatabase) {
  const passwords = createPasswords()
  const published: Topic[] = []
  let now = new Date('2026-08-03T08:00:00+08:00')

  function createService(options: { passwords?: Passwords } = {}) {
    return createAuthService({
      database,
      passwords,
      clock: () => now,
      publish: (topic) => published.push(topic),
      defaultEmail: 'default@school.example',
      audit: createAudit({ clock: () => now }),
      ...options,
    })
  }

  const auth = createService()
  const administrators = createAdministrators({
    database,
    passwords,
    clock: () => now,
    publish: (topic) => published.push(topic),
  })

  return {
    db: database.db,
    auth,
    administrators,
    passwords,
    published,
    createService,
    now: () => now,
    /** Lets time pass, in milliseconds. */
    pass(milliseconds: number) {
      now = new Date(now.getTime() + milliseconds)
    },
    /** Empties the tables of signing in and creates the tests' administrator. */
    async reset() {
      for (const table of ['signInFailures', 'knownDevices', 'sessions', 'admins'] as const) {
        await database.db.deleteFrom(table).execute()
      }
      await administrators.ensureFirstAdministrator({ email: adminEmail, password: adminPassword })
      published.length = 0
    },
    signIn: (caller: Partial<Caller> = {}, credentials = { email: adminEmail, password: adminPassword }) =>
      auth.signIn(credentials, buildCaller(caller)),
    /** Tries a wrong password; gives the error. */
    async fail(caller: Partial<Caller> = {}, email = adminEmail): Promise<unknown> {
      try {
        await auth.signIn({ email, password: 'a wrong pass phrase' }, buildCaller(caller))
      } catch (error) {
        return error
      }
      throw new Error('a wrong password was accepted')
    },
  }
}

export type AuthOnDatabase = ReturnType<typeof createAuthOn>

/** For a whole test file: one database, in which each test finds the tests' administrator and nothing else. */
export function prepareAuth(use: (setup: AuthOnDatabase) => void) {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    const setup = createAuthOn(database)
    await setup.reset()
    use(setup)
  })
}

/** A browser that nobody knows. */
export function buildCaller(overrides: Partial<Caller> = {}): Caller {
  return {
    clientAddress: '203.0.113.7',
    userAgent: 'Test Browser',
    sessionToken: undefined,
    deviceToken: undefined,
    ...overrides,
  }
}
