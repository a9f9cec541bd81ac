import pino from 'pino'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { AppDatabase } from '#server/database/pool.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import { createRefusals } from '#server/features/audit/service.ts'
import { createAdministrators } from '#server/features/auth/administrators.ts'
import { createDevicesService } from '#server/features/auth/device-service.ts'
import {
  createPasswordProof,
  createPasswordService,
  createPasswords,
  type Passwords,
} from '#server/features/auth/password-service.ts'
import {
  createSecondFactorCheck,
  createSecondFactorService,
} from '#server/features/auth/second-factor-service.ts'
import { createAuthService } from '#server/features/auth/service.ts'
import type { Caller } from '#server/features/auth/session-cookies.ts'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import type { SignIn } from '#shared/auth/session.ts'
import type { Topic } from '#shared/topics.ts'
import { adminEmail, adminPassword, cheapestCost, endFirstPassword } from './administrator.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export function createAuthOn(database: AppDatabase) {
  const passwords = createPasswords(cheapestCost)
  const published: Topic[] = []
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) })
  let now = new Date('2026-08-03T08:00:00+08:00')
  const clock = () => now
  const publish = (topic: Topic) => published.push(topic)
  const audit = createAudit({ clock })
  const refusals = createRefusals({ audit, database, clock, log })
  const noteRefusal = refusals.note
  const secrets = createSecrets('the secret key of every test server')
  const secondFactorCheck = createSecondFactorCheck({ secrets, log })
  const checkCode = secondFactorCheck.check
  const proof = createPasswordProof({ database, passwords, clock, noteRefusal, checkCode })

  function createService({ secretKey, ...options }: { passwords?: Passwords; secretKey?: string } = {}) {
    return createAuthService({
      database,
      passwords,
      clock,
      timeZone: 'Asia/Manila',
      publish,
      audit,
      noteRefusal,
      secondFactor: secretKey
        ? createSecondFactorCheck({ secrets: createSecrets(secretKey), log })
        : secondFactorCheck,
      ...options,
    })
  }

  const auth = createService()
  const administrators = createAdministrators({ database, passwords, clock, publish, audit })

  return {
    db: database.db,
    auth,
    administrators,
    passwords,
    passwordService: createPasswordService({
      database,
      passwords,
      proof,
      clock,
      publish,
      audit,
      ownWords: () => ['Bagong Silang State College'],
    }),
    devices: createDevicesService({ database, clock, publish, audit }),
    secondFactor: createSecondFactorService({
      database,
      proof,
      secrets,
      clock,
      publish,
      audit,
      systemName: () => 'NSTP Portal',
    }),
    secondFactorCheck,
    refusals,
    published,
    logged,
    createService,
    now: () => now,
    // In ms.
    pass(milliseconds: number) {
      now = new Date(now.getTime() + milliseconds)
    },
    async reset() {
      for (const table of ['signInFailures', 'knownDevices', 'sessions', 'admins'] as const) {
        await database.db.deleteFrom(table).execute()
      }
      await administrators.ensureFirstAdministrator({ email: adminEmail, password: adminPassword })
      await endFirstPassword(database.db)
      published.length = 0
      logged.length = 0
    },
    signIn: (
      caller: Partial<Caller> = {},
      credentials: SignIn = { email: adminEmail, password: adminPassword },
    ) => auth.signIn(credentials, buildCaller(caller)),
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

function createSecrets(secretKey: string) {
  return createSealedSecrets({ secretKey: Buffer.from(secretKey), purpose: 'two-factor sign-in' })
}

export type AuthOnDatabase = ReturnType<typeof createAuthOn>

/** For a whole test file: one database, which each test gets with only the tests' administrator. */
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

export function buildCaller(overrides: Partial<Caller> = {}): Caller {
  return {
    clientAddress: '203.0.113.7',
    userAgent: 'Test Browser',
    requestId: 'test-request',
    sessionToken: undefined,
    deviceToken: undefined,
    ...overrides,
  }
}
