import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeMessages } from '#shared/auth/account.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { type AuthOnDatabase, buildCaller, prepareAuth } from '#tests/setup/auth.ts'
import type { SignedIn } from '../service.ts'
import { actorFor } from '../session-cookies.ts'

const second = 1000
const step = 30 * second
const right = { email: adminEmail, password: adminPassword }
const atCode = (message: string) => ({
  code: 'unauthenticated',
  message,
  errors: [{ path: 'code', message }],
})
const wrongCode = atCode(codeMessages.wrong)

let setup: AuthOnDatabase
let owner: SignedIn
let secret: string
let recoveryCodes: string[]
prepareAuth((fresh) => {
  setup = fresh
})

function codeAt(seconds = 0): string {
  return new TOTP({ secret }).generate({ timestamp: setup.now().getTime() + seconds * second })
}

const proof = () => ({ password: adminPassword, code: codeAt() })
const signInWith = (code: string, caller = {}) => setup.signIn(caller, { ...right, code })
const callerOf = ({ sessionToken, deviceToken }: SignedIn) => buildCaller({ sessionToken, deviceToken })

async function turnOn() {
  owner = await setup.signIn()
  const caller = callerOf(owner)
  const begun = await setup.secondFactor.begin(adminPassword, owner.admin, caller)
  secret = begun.secret
  recoveryCodes = await setup.secondFactor.confirm(codeAt(), owner.admin, actorFor(caller, owner.admin))
  // The code of the set-up opens no sign-in.
  setup.pass(step)
}

async function mark(): Promise<string> {
  const last = await setup.db.selectFrom('auditEvents').select('id').orderBy('id', 'desc').executeTakeFirst()
  return last?.id ?? '00000000-0000-0000-0000-000000000000'
}

const eventsAfter = (id: string) =>
  setup.db
    .selectFrom('auditEvents')
    .select(['action', 'actor', 'detail'])
    .where('id', '>', id)
    .orderBy('id')
    .execute()

const actionsAfter = async (id: string) => (await eventsAfter(id)).map(({ action }) => action)

describe('setting up', () => {
  beforeEach(async () => {
    owner = await setup.signIn()
  })
  const begin = () => setup.secondFactor.begin(adminPassword, owner.admin, callerOf(owner))
  const confirm = (code: string) =>
    setup.secondFactor.confirm(code, owner.admin, actorFor(callerOf(owner), owner.admin))

  test('gives the secret as text, URI and QR code', async () => {
    const begun = await begin()
    expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(begun.uri)
    expect(uri.href).toContain(`otpauth://totp/NSTP%20Portal:${encodeURIComponent(adminEmail)}?`)
    expect(uri.searchParams.get('secret')).toBe(begun.secret)
    expect(decodeURIComponent(begun.qrCode)).toMatch(/^data:image\/svg\+xml,<svg .*<path .*<\/svg>$/)
  })

  test('is not required at sign-ins before a code was confirmed', async () => {
    await begin()
    await setup.signIn()
    expect(await setup.secondFactor.state(owner.admin)).toEqual({
      isOn: false,
      isRequired: false,
      since: null,
      recoveryCodesLeft: 0,
    })
  })

  test('accepts a right code, returns ten recovery codes and notifies open pages', async () => {
    ;({ secret } = await begin())
    const before = await mark()
    setup.published.length = 0
    const codes = await confirm(codeAt())
    expect(new Set(codes).size).toBe(10)
    expect(setup.published).toEqual(['session'])
    expect(await setup.secondFactor.state(owner.admin)).toEqual({
      isOn: true,
      isRequired: false,
      since: setup.now().toISOString(),
      recoveryCodesLeft: 10,
    })
    expect(await actionsAfter(before)).toEqual(['two-factor-on'])
  })

  test('refuses a wrong code, and can continue', async () => {
    ;({ secret } = await begin())
    const message = codeMessages.wrongAtSetUp
    for (const code of ['000000', '12345', 'abcdef', codeAt(-90), codeAt(90)]) {
      await expect(confirm(code)).rejects.toMatchObject({
        code: 'invalid',
        errors: [{ path: 'code', message }],
      })
    }
    await confirm(codeAt())
  })

  test('started again replaces the secret', async () => {
    ;({ secret } = await begin())
    const ofFirst = codeAt()
    ;({ secret } = await begin())
    await expect(confirm(ofFirst)).rejects.toMatchObject({ code: 'invalid' })
    await confirm(codeAt())
  })

  test('must be started before it is confirmed, and ends with that', async () => {
    await expect(confirm('000000')).rejects.toMatchObject({
      code: 'conflict',
      message: codeMessages.notBegun,
    })
    ;({ secret } = await begin())
    await confirm(codeAt())
    await expect(begin()).rejects.toMatchObject({ code: 'conflict', message: codeMessages.alreadyOn })
    await expect(confirm(codeAt())).rejects.toMatchObject({
      code: 'conflict',
      message: codeMessages.alreadyOn,
    })
  })

  test('requires the password, and counts failures', async () => {
    for (let i = 0; i < 5; i++) {
      await expect(
        setup.secondFactor.begin('a wrong pass phrase', owner.admin, callerOf(owner)),
      ).rejects.toMatchObject({
        code: 'invalid',
        errors: [{ path: 'password', message: 'The current password is incorrect.' }],
      })
    }
    await expect(begin()).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  test('the database stores neither the secret nor a recovery code in plain text', async () => {
    ;({ secret } = await begin())
    const codes = await confirm(codeAt())
    const [factor] = await setup.db.selectFrom('secondFactors').selectAll().execute()
    expect(factor?.secret.includes(secret)).toBe(false)
    expect(factor?.secret.includes(Buffer.from(Secret.fromBase32(secret).buffer))).toBe(false)
    const stored = await setup.db.selectFrom('recoveryCodes').selectAll().execute()
    expect(stored).toHaveLength(codes.length)
    for (const code of codes.flatMap((one) => [one, one.replaceAll('-', '')])) {
      expect(stored.every(({ codeHash }) => !codeHash.includes(code))).toBe(true)
    }
  })
})

describe('signing in', () => {
  beforeEach(turnOn)

  test('asks for the code only after the right password', async () => {
    await expect(setup.signIn()).rejects.toMatchObject(atCode(codeMessages.required))
    await expect(signInWith('  ')).rejects.toMatchObject({ code: 'unauthenticated' })
    const wrong = { ...right, password: 'a wrong pass phrase' }
    // Nothing tells a guesser that there is a second factor.
    for (const code of [undefined, '000000', 'aaaa-bbbb-cccc-dddd', codeAt()]) {
      await setup.db.deleteFrom('signInFailures').execute()
      await expect(setup.signIn({}, { ...wrong, ...(code && { code }) })).rejects.toMatchObject({
        code: 'unauthenticated',
        message: 'Invalid email or password',
        errors: undefined,
      })
    }
  })

  test('accepts the current code', async () => {
    const { admin, sessionToken } = await signInWith(codeAt())
    expect(await setup.auth.readAdmin(sessionToken)).toEqual({
      ...admin,
      endsAt: expect.any(Date),
      isFresh: true,
      takeRecords: expect.any(Function),
      takeRemovals: expect.any(Function),
      noteRemovals: expect.any(Function),
    })
  })

  test('reports wrong digits as a wrong code, not as a wrong recovery code', async () => {
    await expect(signInWith('123')).rejects.toMatchObject(wrongCode)
  })

  test('accepts a code with a space inside', async () => {
    const code = codeAt()
    await signInWith(`${code.slice(0, 3)} ${code.slice(3)}`)
  })

  test('accepts the codes of the steps before and after, and no others', async () => {
    // At the very beginning of a step.
    setup.pass(10 * step - (setup.now().getTime() % step))
    await expect(signInWith(codeAt(-31))).rejects.toMatchObject(wrongCode)
    await expect(signInWith(codeAt(60))).rejects.toMatchObject(wrongCode)
    await signInWith(codeAt(-1))
    await signInWith(codeAt(0))
    await signInWith(codeAt(59))
  })

  test('accepts each code once', async () => {
    const code = codeAt()
    await signInWith(code)
    await expect(signInWith(code)).rejects.toMatchObject(wrongCode)
    setup.pass(step)
    await expect(signInWith(code)).rejects.toMatchObject(wrongCode)
  })

  test('refuses a code older than the last accepted one', async () => {
    const before = codeAt(-30)
    await signInWith(codeAt())
    await expect(signInWith(before)).rejects.toMatchObject(wrongCode)
  })

  test('accepts a code once in ten concurrent requests', async () => {
    const code = codeAt()
    const attempts = Array.from({ length: 10 }, (_, i) => signInWith(code, { clientAddress: `192.0.2.${i}` }))
    const results = await Promise.allSettled(attempts)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    // The owner's session of the set-up, and the one of the code.
    expect(await setup.db.selectFrom('sessions').selectAll().execute()).toHaveLength(2)
  })

  test('a code is not used up by a sign-in that fails', async () => {
    const code = codeAt()
    const failing = setup.createService({
      passwords: {
        ...setup.passwords,
        async verify(...parameters) {
          const isRight = await setup.passwords.verify(...parameters)
          await setup.db
            .updateTable('admins')
            .set({ displayName: 'Other', passwordHash: 'changed' })
            .execute()
          return isRight
        },
      },
    })
    const { passwordHash } = await setup.db
      .selectFrom('admins')
      .select('passwordHash')
      .executeTakeFirstOrThrow()
    await expect(failing.signIn({ ...right, code }, buildCaller())).rejects.toMatchObject({
      message: 'Invalid email or password',
    })
    await setup.db.updateTable('admins').set({ passwordHash }).execute()
    await signInWith(code)
  })

  test('counts wrong codes like wrong passwords', async () => {
    for (let i = 0; i < 5; i++) await expect(signInWith('000000')).rejects.toMatchObject(wrongCode)
    await expect(signInWith(codeAt())).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 30 })
    setup.pass(step)
    await signInWith(codeAt())
  })

  test('a recovery code opens the account while others guess, and has pauses of its own', async () => {
    for (let i = 0; i < 5; i++) await expect(setup.fail()).resolves.toMatchObject({ code: 'unauthenticated' })
    const [code = ''] = recoveryCodes
    await expect(signInWith(codeAt())).rejects.toMatchObject({ code: 'too_many_requests' })
    await expect(signInWith('aaaa-bbbb-cccc-dddd')).rejects.toMatchObject({ code: 'too_many_requests' })
    await signInWith(code)
    await expect(signInWith(code)).rejects.toMatchObject({ code: 'too_many_requests' })
    expect(await setup.fail()).toMatchObject({ code: 'too_many_requests' })

    const [, next = ''] = recoveryCodes
    const guess = { ...right, password: 'a wrong pass phrase', code: next }
    for (let i = 0; i < 5; i++) {
      await expect(setup.signIn({}, guess)).rejects.toMatchObject({ code: 'unauthenticated' })
    }
    await expect(signInWith(next)).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  test("a right password alone doesn't reset the failures", async () => {
    for (let i = 0; i < 2; i++) {
      await expect(signInWith('000000')).rejects.toMatchObject(wrongCode)
      await expect(setup.signIn()).rejects.toMatchObject({ code: 'unauthenticated' })
    }
    await expect(signInWith('000000')).rejects.toMatchObject(wrongCode)
    await expect(setup.signIn()).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  test('from a known device works while others guess codes', async () => {
    for (let i = 0; i < 6; i++) await signInWith('000000').catch(() => undefined)
    await expect(signInWith(codeAt())).rejects.toMatchObject({ code: 'too_many_requests' })
    await signInWith(codeAt(), { deviceToken: owner.deviceToken })
  })

  test('is recorded in the audit trail with its method', async () => {
    setup.pass(step)
    const before = await mark()
    await setup.signIn().catch(() => undefined)
    await signInWith('000000').catch(() => undefined)
    await signInWith(codeAt())
    const events = await eventsAfter(before)
    // The request for the code is no refusal.
    expect(events).toEqual([
      { action: 'sign-in-refused', actor: adminEmail, detail: { reason: 'wrong code' } },
      { action: 'signed-in', actor: adminEmail, detail: { secondProof: 'code', newDevice: true } },
    ])
  })
})

describe('a recovery code', () => {
  beforeEach(turnOn)

  test('is accepted for one sign-in', async () => {
    const [code = ''] = recoveryCodes
    const before = await mark()
    await signInWith(code)
    await expect(signInWith(code)).rejects.toMatchObject(atCode(codeMessages.wrongRecovery))
    expect(await setup.secondFactor.state(owner.admin)).toMatchObject({ recoveryCodesLeft: 9 })
    expect(await actionsAfter(before)).toEqual(['signed-in', 'recovery-code-used', 'sign-in-refused'])
  })

  test('is accepted in capitals, with spaces and without hyphens', async () => {
    const [first = '', next = ''] = recoveryCodes
    await signInWith(` ${first.toUpperCase()} `)
    await signInWith(next.replaceAll('-', ' '))
  })

  test('is accepted for one of ten concurrent sign-ins', async () => {
    const [code = ''] = recoveryCodes
    const attempts = Array.from({ length: 10 }, (_, i) => signInWith(code, { clientAddress: `192.0.2.${i}` }))
    const results = await Promise.allSettled(attempts)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('works with another SECRET_KEY, while the app can not, and the reason is logged', async () => {
    const elsewhere = setup.createService({ secretKey: 'the secret key of another server' })
    await expect(elsewhere.signIn({ ...right, code: codeAt() }, buildCaller())).rejects.toMatchObject(
      atCode(codeMessages.unreadable),
    )
    expect(setup.logged.join()).toContain('sealed with another SECRET_KEY: only recovery codes work')
    await elsewhere.signIn({ ...right, code: recoveryCodes[0] }, buildCaller())
  })

  test('is invalid after new ones were created', async () => {
    const before = await mark()
    const renewed = await setup.secondFactor.renewRecoveryCodes(proof(), owner.admin, callerOf(owner))
    expect(renewed).toHaveLength(10)
    expect(await actionsAfter(before)).toEqual(['recovery-codes-renewed'])
    await expect(signInWith(recoveryCodes[0] ?? '')).rejects.toMatchObject({ code: 'unauthenticated' })
    await signInWith(renewed[0] ?? '')
  })
})

describe('turning off', () => {
  beforeEach(turnOn)

  test('requires a code too, each once, and wrong ones count as failed sign-ins', async () => {
    const turnOff = (code?: string) =>
      setup.secondFactor.turnOff({ password: adminPassword, code }, owner.admin, callerOf(owner))
    await expect(turnOff()).rejects.toMatchObject({ code: 'invalid', message: codeMessages.required })
    for (let i = 0; i < 4; i++) {
      await expect(turnOff('000000')).rejects.toMatchObject({ code: 'invalid', message: codeMessages.wrong })
    }
    await expect(turnOff(codeAt())).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  test('allows sign-in by the password alone', async () => {
    const before = await mark()
    await setup.secondFactor.turnOff(proof(), owner.admin, callerOf(owner))
    expect(await actionsAfter(before)).toEqual(['two-factor-off'])
    await setup.signIn()
    expect(await setup.db.selectFrom('recoveryCodes').selectAll().execute()).toEqual([])
  })

  test('requires the password', async () => {
    await expect(
      setup.secondFactor.turnOff(
        { ...proof(), password: 'a wrong pass phrase' },
        owner.admin,
        callerOf(owner),
      ),
    ).rejects.toMatchObject({ code: 'invalid' })
    await expect(setup.signIn()).rejects.toMatchObject(atCode(codeMessages.required))
  })

  test('is refused when it is off already', async () => {
    await setup.secondFactor.turnOff(proof(), owner.admin, callerOf(owner))
    const again = setup.secondFactor.turnOff(proof(), owner.admin, callerOf(owner))
    await expect(again).rejects.toMatchObject({ code: 'conflict', message: codeMessages.alreadyOff })
    const renewal = setup.secondFactor.renewRecoveryCodes(proof(), owner.admin, callerOf(owner))
    await expect(renewal).rejects.toMatchObject({ code: 'conflict', message: codeMessages.alreadyOff })
  })

  test('can be done by the operator together with a new password', async () => {
    const unchanged = await setup.administrators.resetPassword()
    expect(unchanged.hasSecondFactor).toBe(true)
    const credentials = { email: adminEmail, password: unchanged.password }
    await expect(setup.signIn({}, credentials)).rejects.toMatchObject(atCode(codeMessages.required))

    const before = await mark()
    const reset = await setup.administrators.resetPassword({ withoutSecondFactor: true })
    expect(reset.hasSecondFactor).toBe(false)
    expect(await actionsAfter(before)).toEqual(expect.arrayContaining(['password-changed', 'two-factor-off']))
    await setup.signIn({}, { email: adminEmail, password: reset.password })
  })
})
