import { v7 as createId } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import { createAccountRepository } from '#server/features/auth/account-repository.ts'
import { adminEmail, adminPassword, endFirstPassword } from '#tests/setup/administrator.ts'
import { type AuthOnDatabase, buildCaller, prepareAuth } from '#tests/setup/auth.ts'

const otherEmail = 'encoder@school.example'
const minute = 60_000

let setup: AuthOnDatabase
prepareAuth((fresh) => {
  setup = fresh
})

beforeEach(async () => {
  const accounts = createAccountRepository(setup.db)
  const { passwordHash } = await setup.db
    .selectFrom('admins')
    .select('passwordHash')
    .executeTakeFirstOrThrow()
  const named = { id: createId(), email: otherEmail, displayName: 'Encoder', passwordHash }
  await accounts.insertAdmin({ ...named, now: setup.now() })
  await endFirstPassword(setup.db)
})

/** What the browser has after a sign-in. */
async function signInAs(email: string, deviceToken?: string): Promise<string> {
  setup.pass(minute)
  const signedIn = await setup.signIn({ deviceToken }, { email, password: adminPassword })
  return signedIn.deviceToken
}

const newDevices = async () =>
  (
    await setup.db
      .selectFrom('auditEvents')
      .select(['actor', 'detail'])
      .where('action', '=', 'signed-in')
      .orderBy('at')
      .execute()
  ).map(({ actor, detail }) => [actor, 'newDevice' in detail])

async function isKnownTo(email: string, deviceToken: string): Promise<boolean> {
  for (let tries = 0; tries < 5; tries++) await setup.fail({}, email)
  const attempt = setup.signIn({ deviceToken }, { email, password: adminPassword })
  const isKnown = await attempt.then(
    () => true,
    () => false,
  )
  await setup.db.deleteFrom('signInFailures').execute()
  return isKnown
}

test("one person's sign-in on a shared computer leaves the browser known to the other", async () => {
  const first = await signInAs(adminEmail)
  const both = await signInAs(otherEmail, first)
  expect(await signInAs(adminEmail, both)).toBe(both)
  expect(await newDevices()).toEqual([
    [adminEmail, true],
    [otherEmail, true],
    [adminEmail, false],
  ])
  expect(await isKnownTo(adminEmail, both)).toBe(true)
  expect(await isKnownTo(otherEmail, both)).toBe(true)
  // Whoever kept a copy from before.
  expect(await isKnownTo(adminEmail, first)).toBe(false)
  expect(await isKnownTo(otherEmail, first)).toBe(false)
})

test('the login names the account that signed in there last', async () => {
  const nameFor = (deviceToken: string) => setup.auth.knownEmail(buildCaller({ deviceToken }))
  const first = await signInAs(adminEmail)
  const both = await signInAs(otherEmail, first)
  expect(await nameFor(both)).toBe(otherEmail)
  await signInAs(adminEmail, both)
  expect(await nameFor(both)).toBe(adminEmail)
})

test('a link that trusts a browser leaves it known to the others', async () => {
  const first = await signInAs(otherEmail)
  const { token } = await setup.administrators.allowDevice({ email: adminEmail })
  const both = await setup.auth.useDeviceLink(token, buildCaller({ deviceToken: first }))
  expect(await isKnownTo(adminEmail, both)).toBe(true)
  expect(await isKnownTo(otherEmail, both)).toBe(true)
})

test('signing it out from elsewhere makes it unknown to that account alone', async () => {
  const first = await signInAs(adminEmail)
  const both = await signInAs(otherEmail, first)
  const elsewhere = await setup.signIn()
  await setup.devices.signOutOthers(elsewhere.admin, buildCaller(elsewhere))
  expect(await isKnownTo(adminEmail, both)).toBe(false)
  expect(await isKnownTo(otherEmail, both)).toBe(true)
})
