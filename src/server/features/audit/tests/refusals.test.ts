import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase } from '#server/database/pool.ts'
import type { Actor } from '#server/lib/actor.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { createAudit } from '../repository.ts'
import { createRefusals } from '../service.ts'

const second = 1000
const log = pino({ level: 'silent' })

let database: TestDatabase
let now: Date
let refusals: ReturnType<typeof createRefusals>

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  // Each test reads only later entries; the trail can't be emptied.
  now = new Date((now ?? new Date('2026-08-03T08:00:00Z')).getTime() + 24 * 3600 * second)
  begin = now
  const clock = () => now
  refusals = createRefusals({ audit: createAudit({ clock }), database, clock, log })
})
let begin: Date

const pass = (milliseconds: number) => {
  now = new Date(now.getTime() + milliseconds)
}

function knock({ from = '203.0.113.7', name = '', what = 'wrong address or password' } = {}) {
  const actor: Actor = { adminId: null, name, clientAddress: from, userAgent: '', requestId: '' }
  return refusals.note({ action: 'sign-in-refused', actor, what })
}

function trail() {
  return database.db
    .selectFrom('auditEvents')
    .select(['actor', 'clientAddress', 'affected', 'detail'])
    .where('at', '>=', begin)
    .orderBy('id')
    .execute()
}

describe('refusals', () => {
  test('the first is recorded at once', async () => {
    await knock()
    expect(await trail()).toEqual([
      {
        actor: '',
        clientAddress: '203.0.113.7',
        affected: 1,
        detail: { reason: 'wrong address or password' },
      },
    ])
  })

  test('later ones within a minute are one entry with their count', async () => {
    for (let i = 0; i < 1000; i++) await knock()
    pass(59 * second)
    await refusals.writeDue()
    expect(await trail()).toHaveLength(1)
    pass(second)
    await refusals.writeDue()
    expect((await trail()).map(({ affected }) => affected)).toEqual([1, 999])
  })

  test('after a minute without any the next is recorded at once', async () => {
    await knock()
    pass(60 * second)
    await refusals.writeDue()
    await knock()
    expect((await trail()).map(({ affected }) => affected)).toEqual([1, 1])
  })

  test('an entry names the reasons, and the administrator whose account was tried', async () => {
    await knock()
    await knock({ name: 'coordinator@school.example', what: 'wrong code' })
    await knock({ what: 'too many attempts' })
    await refusals.close()
    expect((await trail()).at(-1)).toEqual({
      actor: 'coordinator@school.example',
      clientAddress: '203.0.113.7',
      affected: 2,
      detail: { reason: 'wrong code, too many attempts' },
    })
  })

  test('of ten thousand networks are 200 entries and one for all others', async () => {
    for (let i = 0; i < 10_000; i++) await knock({ from: `10.0.${i >> 8}.${i & 255}` })
    await refusals.close()
    const entries = await trail()
    expect(entries).toHaveLength(202)
    expect(entries.reduce((sum, { affected }) => sum + affected, 0)).toBe(10_000)
    expect(entries.at(-1)).toMatchObject({ clientAddress: '', affected: 9_799 })
  })

  test('addresses of one IPv6 network are one caller', async () => {
    await knock({ from: '2001:db8::1' })
    await knock({ from: '2001:db8::2' })
    expect(await trail()).toHaveLength(1)
    await refusals.close()
    expect(await trail()).toHaveLength(2)
  })

  test("a failed write of the trail doesn't affect the caller", async () => {
    const away = createDatabase({ connection: { host: '127.0.0.1', port: 4199 }, log })
    const clock = () => now
    const lost = createRefusals({ audit: createAudit({ clock }), database: away, clock, log })
    const actor: Actor = { adminId: null, name: '', clientAddress: 'x', userAgent: '', requestId: '' }
    await expect(
      lost.note({ action: 'access-refused', actor, what: '/api/students' }),
    ).resolves.toBeUndefined()
    await lost.close()
    await away.close()
  })
})
