import { beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { passwordChangeSchema, passwordMessages } from '#shared/auth/account.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { type AuthOnDatabase, buildCaller, prepareAuth } from '#tests/setup/auth.ts'
import type { SignedIn } from '../service.ts'

const newPassword = 'my tricycle broke down in Marikina'
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'

let setup: AuthOnDatabase
let owner: SignedIn
prepareAuth((fresh) => {
  setup = fresh
})
beforeEach(async () => {
  owner = await setup.signIn({ userAgent: windows })
})

const callerOf = ({ sessionToken, deviceToken }: SignedIn) => buildCaller({ sessionToken, deviceToken })
const change = (passwords: { currentPassword?: string; newPassword?: string } = {}) =>
  setup.passwordService.change(
    { currentPassword: adminPassword, newPassword, endApiTokens: false, ...passwords },
    { ...owner.admin, isFresh: true },
    callerOf(owner),
  )

async function lastEvent() {
  return setup.db.selectFrom('auditEvents').selectAll().orderBy('id', 'desc').executeTakeFirst()
}

describe('changing the password', () => {
  test('replaces the password', async () => {
    await change()
    await expect(setup.signIn()).rejects.toMatchObject({ code: 'unauthenticated' })
    await setup.signIn({}, { email: adminEmail, password: newPassword })
  })

  test.each([
    ['with spaces at both ends', '  my tricycle broke down '],
    ['in any script, with signs and pictures', 'ang tricycle ko — «nasira» 三輪車 🛺'],
    ['without digits, capitals and signs', 'tricycle mountain sandal kettle'],
    ['of 128 characters', `${'tricycle mountain sandal kettle '.repeat(4)}`.slice(0, 127).padEnd(128, 'x')],
    [
      'of 1,000 characters',
      `${'tricycle mountain sandal kettle '.repeat(32)}`.slice(0, 999).padEnd(1000, 'x'),
    ],
  ])('takes a password %s as it is', async (_, chosen) => {
    const sent = { currentPassword: adminPassword, newPassword: chosen }
    expect(z.safeParse(passwordChangeSchema, sent).data).toMatchObject(sent)
    await change({ newPassword: chosen })
    await setup.signIn({}, { email: adminEmail, password: chosen })
    const cut = { email: adminEmail, password: chosen.slice(0, -1) }
    await expect(setup.signIn({}, cut)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('ends every other session; this one continues with a new token', async () => {
    const elsewhere = await setup.signIn()
    setup.published.length = 0
    const { sessionToken } = await change()
    expect(await setup.auth.readAdmin(elsewhere.sessionToken)).toBeNull()
    expect(await setup.auth.readAdmin(owner.sessionToken)).toBeNull()
    expect(await setup.auth.readAdmin(sessionToken)).toMatchObject(owner.admin)
    expect(setup.published).toEqual(['session'])
  })

  test('removes every other known device', async () => {
    const elsewhere = await setup.signIn()
    await change()
    for (let i = 0; i < 5; i++) await setup.fail()
    const credentials = { email: adminEmail, password: newPassword }
    await expect(setup.signIn({ deviceToken: elsewhere.deviceToken }, credentials)).rejects.toMatchObject({
      code: 'too_many_requests',
    })
    await setup.signIn({ deviceToken: owner.deviceToken }, credentials)
  })

  test('requires the current password, throttled like sign-ins', async () => {
    const wrong = {
      code: 'invalid',
      errors: [{ path: 'currentPassword', message: passwordMessages.currentWrong }],
    }
    for (let i = 0; i < 5; i++) {
      await expect(change({ currentPassword: 'a wrong pass phrase' })).rejects.toMatchObject(wrong)
    }
    await expect(change()).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 30 })
    setup.pass(30_000)
    await change()
  })

  test.each([
    ['passwordpassword', passwordMessages.guessable],
    [`${adminEmail}2026`, passwordMessages.guessable],
    ['Bagong Silang State College', passwordMessages.guessable],
    ['aaaaaaaaaaaaaaaaaaa', passwordMessages.guessable],
    [adminPassword, passwordMessages.same],
  ])('refuses %s', async (password, message) => {
    await expect(change({ newPassword: password })).rejects.toMatchObject({
      code: 'invalid',
      errors: [{ path: 'newPassword', message }],
    })
  })

  test('twice concurrently changes it once', async () => {
    const results = await Promise.allSettled([change(), change({ newPassword: `${newPassword}, twice` })])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is recorded in the audit trail without any value', async () => {
    await setup.signIn()
    await change()
    const event = await lastEvent()
    expect(event).toMatchObject({
      action: 'password-changed',
      actor: adminEmail,
      adminId: owner.admin.id,
      clientAddress: '203.0.113.7',
      requestId: 'test-request',
      detail: { endedSessions: 1 },
    })
    expect(JSON.stringify(event)).not.toContain('tricycle')
    expect(await setup.db.selectFrom('auditValues').selectAll().execute()).toEqual([])
  })
})

describe('signed-in devices', () => {
  const list = () => setup.devices.list(owner.admin, callerOf(owner))

  test('are listed by browser, system, times and address, this one first', async () => {
    setup.pass(60_000)
    await setup.signIn({ clientAddress: '198.51.100.4', userAgent: 'curl/8.5.0' })
    expect(await list()).toEqual([
      {
        id: expect.any(String),
        browser: 'Edge',
        system: 'Windows',
        signedInAt: new Date('2026-08-03T00:00:00.000Z'),
        lastUsedAt: new Date('2026-08-03T00:00:00.000Z'),
        clientAddress: '203.0.113.7',
        isCurrent: true,
        isKept: false,
      },
      {
        id: expect.any(String),
        browser: '',
        system: '',
        signedInAt: new Date('2026-08-03T00:01:00.000Z'),
        lastUsedAt: new Date('2026-08-03T00:01:00.000Z'),
        clientAddress: '198.51.100.4',
        isCurrent: false,
        isKept: false,
      },
    ])
  })

  test('with an expired session are not listed', async () => {
    await setup.signIn()
    setup.pass(7 * 3_600_000)
    await setup.auth.readAdmin(owner.sessionToken)
    setup.pass(2 * 3_600_000)
    expect(await list()).toHaveLength(1)
  })

  test('can be signed out one by one, and are no longer known', async () => {
    const lost = await setup.signIn({ userAgent: windows })
    const session = await setup.signIn()
    const [, , oldest] = (await list()).toSorted((a, b) => Number(a.isCurrent) - Number(b.isCurrent))
    expect(oldest?.isCurrent).toBe(true)
    const sessions = await setup.db.selectFrom('sessions').select(['id', 'userAgent']).execute()
    const ids = new Set(sessions.filter(({ userAgent }) => userAgent === windows).map(({ id }) => id))
    const other = (await list()).find(({ id, isCurrent }) => ids.has(id) && !isCurrent)
    setup.published.length = 0
    await setup.devices.signOut(other?.id ?? '', owner.admin, callerOf(owner))
    expect(await setup.auth.readAdmin(lost.sessionToken)).toBeNull()
    expect(await setup.auth.readAdmin(session.sessionToken)).not.toBeNull()
    expect(setup.published).toEqual(['session'])
    expect(await lastEvent()).toMatchObject({
      action: 'device-signed-out',
      detail: { browser: 'Edge', system: 'Windows' },
    })
    for (let i = 0; i < 5; i++) await setup.fail()
    await expect(setup.signIn({ deviceToken: lost.deviceToken })).rejects.toMatchObject({
      code: 'too_many_requests',
    })
  })

  test('an old session of the same browser ends while the browser stays known', async () => {
    // The session's cookie was lost with the window, the device's stays.
    const again = await setup.signIn({ deviceToken: owner.deviceToken })
    const [, old] = await setup.devices.list(again.admin, callerOf(again))
    await setup.devices.signOut(old?.id ?? '', again.admin, callerOf(again))
    for (let i = 0; i < 5; i++) await setup.fail()
    await setup.signIn({ deviceToken: owner.deviceToken })
  })

  test('that no longer exist are reported', async () => {
    const signingOut = setup.devices.signOut(
      '01990000-0000-4000-8000-000000000000',
      owner.admin,
      callerOf(owner),
    )
    await expect(signingOut).rejects.toMatchObject({
      code: 'not_found',
      message: 'This device is no longer signed in.',
    })
  })

  test('can be signed out everywhere else at once', async () => {
    await setup.signIn()
    await setup.signIn()
    expect(await setup.devices.signOutOthers(owner.admin, callerOf(owner))).toBe(2)
    expect(await list()).toHaveLength(1)
    expect(await lastEvent()).toMatchObject({ action: 'device-signed-out', affected: 2 })
    setup.published.length = 0
    expect(await setup.devices.signOutOthers(owner.admin, callerOf(owner))).toBe(0)
    expect(setup.published).toEqual([])
  })
})
