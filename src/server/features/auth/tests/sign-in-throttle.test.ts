import { describe, expect, test } from 'vitest'
import { adminEmail } from '#tests/setup/administrator.ts'
import { type AuthOnDatabase, buildCaller, prepareAuth } from '#tests/setup/auth.ts'

const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute
const wrong = { code: 'unauthenticated' }

let setup: AuthOnDatabase
prepareAuth((fresh) => {
  setup = fresh
})

async function failTimes(count: number, ...attempt: Parameters<AuthOnDatabase['fail']>) {
  for (let i = 0; i < count; i++) expect(await setup.fail(...attempt)).toMatchObject(wrong)
}

const refusal = (amount: string, retryAfter: number) => ({
  code: 'too_many_requests',
  message: `Too many failed attempts. Please try again in ${amount}.`,
  retryAfter,
})

describe('an account', () => {
  test('after five failures refuses even the right password', async () => {
    await failTimes(5)
    await expect(setup.signIn()).rejects.toMatchObject(refusal('30 seconds', 30))
    setup.pass(30 * second)
    await expect(setup.signIn()).resolves.toMatchObject({ admin: { email: adminEmail } })
  })

  test('waits longer after each further failure, at most 15 minutes', async () => {
    await failTimes(5)
    const pauses = [30, 60, 120, 240, 480, 900, 900]
    for (const pause of pauses) {
      const pauseText = pause < 60 ? '30 seconds' : `${pause / 60} minute${pause === 60 ? '' : 's'}`
      expect(await setup.fail()).toMatchObject(refusal(pauseText, pause))
      setup.pass(pause * second)
      await failTimes(1)
    }
  })

  test('counts failures from all addresses', async () => {
    for (let i = 0; i < 5; i++) await failTimes(1, { clientAddress: `192.0.2.${i}` })
    expect(await setup.fail({ clientAddress: '192.0.2.99' })).toMatchObject(refusal('30 seconds', 30))
  })

  test('counts failures under the normalized address', async () => {
    for (const email of [adminEmail, adminEmail.toUpperCase()]) await failTimes(2, {}, email)
    await failTimes(1)
    expect(await setup.fail({}, adminEmail.toUpperCase())).toMatchObject({ code: 'too_many_requests' })
  })

  test("that doesn't exist is refused like any other", async () => {
    await failTimes(5, {}, 'nobody@school.example')
    expect(await setup.fail({}, 'nobody@school.example')).toMatchObject(refusal('30 seconds', 30))
  })

  test('is reset by a success', async () => {
    await failTimes(4)
    await setup.signIn()
    await failTimes(5)
  })

  test('is reset after a day without failures', async () => {
    await failTimes(5)
    setup.pass(day)
    await failTimes(5)
    expect(await setup.fail()).toMatchObject(refusal('30 seconds', 30))
  })

  test('verifies five of fifty concurrent guesses', async () => {
    let verified = 0
    const auth = setup.createService({
      passwords: {
        ...setup.passwords,
        verify(...guess) {
          verified += 1
          return setup.passwords.verify(...guess)
        },
      },
    })
    const guess = { email: adminEmail, password: 'a wrong pass phrase' }
    const attempts = Array.from({ length: 50 }, () =>
      auth.signIn(guess, buildCaller()).catch((error: unknown) => error),
    )
    const errors = await Promise.all(attempts)
    const codes = errors.map((error) => (error instanceof Error && 'code' in error ? error.code : error))
    expect(codes.filter((code) => code === 'unauthenticated')).toHaveLength(5)
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(45)
    // A refusal that comes after the check would let a right guess in.
    expect(verified).toBe(5)
  })

  test("doesn't wait longer because of refused attempts", async () => {
    await failTimes(5)
    for (let i = 0; i < 5; i++) await setup.fail()
    setup.pass(30 * second)
    await setup.signIn()
  })
})

describe('a network', () => {
  const guessAt = (i: number) => setup.fail({ clientAddress: '2001:db8::1' }, `nobody${i}@school.example`)

  test('is refused after twenty failures at any accounts', async () => {
    for (let i = 0; i < 20; i++) expect(await guessAt(i)).toMatchObject(wrong)
    expect(await guessAt(20)).toMatchObject(refusal('30 seconds', 30))
    // A neighbour in the same /64 is the same caller, and its refusal doesn't count at the account.
    const neighbour = { clientAddress: '2001:db8::ffff' }
    await expect(setup.signIn(neighbour)).rejects.toMatchObject(refusal('30 seconds', 30))
    await expect(setup.signIn({ clientAddress: '2001:db8:0:1::1' })).resolves.toBeDefined()
  })
})

describe('a device that signed in before', () => {
  test('can sign in while others guess, also from the same address', async () => {
    const { deviceToken } = await setup.signIn()
    await failTimes(5)
    for (let i = 0; i < 15; i++) await failTimes(1, {}, `nobody${i}@school.example`)
    await expect(setup.signIn()).rejects.toMatchObject({ code: 'too_many_requests' })
    const again = await setup.signIn({ deviceToken })
    expect(again.deviceToken).toBe(deviceToken)
    // Its success doesn't give the guessers new tries.
    expect(await setup.fail()).toMatchObject({ code: 'too_many_requests' })
  })

  test('has its own tries and pauses', async () => {
    const { deviceToken } = await setup.signIn()
    await failTimes(5, { deviceToken })
    await expect(setup.signIn({ deviceToken })).rejects.toMatchObject(refusal('30 seconds', 30))
    await failTimes(5)
    setup.pass(30 * second)
    await setup.signIn({ deviceToken })
    await failTimes(5, { deviceToken })
  })

  test('is known only to the account it signed in to', async () => {
    const { deviceToken } = await setup.signIn()
    const email = 'nobody@school.example'
    await failTimes(5, { deviceToken }, email)
    expect(await setup.fail({}, email)).toMatchObject({ code: 'too_many_requests' })
  })

  test('is forgotten 180 days after its last sign-in', async () => {
    const { deviceToken } = await setup.signIn()
    setup.pass(180 * day)
    await failTimes(5)
    await expect(setup.signIn({ deviceToken })).rejects.toMatchObject({ code: 'too_many_requests' })
    setup.pass(minute)
    const again = await setup.signIn({ deviceToken })
    expect(again.deviceToken).not.toBe(deviceToken)
    await setup.auth.deleteExpired()
    expect(await setup.db.selectFrom('knownDevices').selectAll().execute()).toHaveLength(1)
  })
})

test('counts are deleted after a day', async () => {
  await failTimes(1, {}, 'nobody@school.example')
  setup.pass(day / 2)
  await failTimes(1)
  setup.pass(day / 2)
  await setup.auth.deleteExpired()
  const counts = await setup.db.selectFrom('signInFailures').select('subject').execute()
  expect(counts.map(({ subject }) => subject.split(':')[0]).sort()).toEqual(['account', 'network'])
})
