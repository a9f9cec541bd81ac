import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TwoFactorSetUp } from '#shared/auth/account.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { canMoveClock } from '#tests/setup/moved-clock.ts'
import { openOffice } from '#tests/setup/office-client.ts'
import { openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { answerOf, shownText, textOf } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const hour = 3_600_000
const day = 24 * hour

let product: Product

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' }, [], canMoveClock ? { clock: new Date() } : {})
})
afterAll(() => product.remove())
afterEach(async () => {
  if (canMoveClock) product.clock.moveTo(new Date())
  await (await openOffice(product.url)).changeSettings({ twoFactorRequired: 'nobody' })
})

/** A new account with the administrator's password. */
async function addAccount(name: string): Promise<string> {
  const email = `${name}@school.example`
  await queryDatabase(
    product.dataDir,
    `insert into admins (id, email, display_name, password_hash, has_first_password, role, components)
     select gen_random_uuid(), '${email}', '${name}', password_hash, false, 'coordinator', '{}'
     from admins where email = '${adminEmail}'`,
  )
  return email
}

/** Turns two-factor sign-in on; gives the recovery codes, and an authenticator. */
async function turnOn(email: string) {
  const { done } = await openOffice(product.url, email)
  const { secret } = await done<TwoFactorSetUp>('POST', '/session/two-factor/set-up', {
    password: adminPassword,
  })
  const totp = new TOTP({ secret })
  const codeNow = () => totp.generate({ timestamp: product.clock.now().getTime() })
  const { recoveryCodes } = await done<{ recoveryCodes: string[] }>('POST', '/session/two-factor', {
    code: codeNow(),
  })
  return { recoveryCodes, codeNow }
}

test('the second question is a plain form: the password again, and a recovery code, once', async () => {
  const email = await addAccount('ana')
  const [recoveryCode = ''] = (await turnOn(email)).recoveryCodes
  const given = { email, password: adminPassword }
  const { open, press } = openPlainBrowser(product.url)
  const asked = await press(await open('/login'), 'Sign in', given)
  expect(asked.address).toMatch(/^\/login/)
  expect(shownText(asked)).toContain(
    'Two-factor sign-in is on. Please enter your password again and the 6-digit code from your authenticator app.',
  )
  expect(shownText(asked)).toContain('You can also use a recovery code.')
  expect(answerOf(asked, 'email')).toBe('ana@school.example')
  expect(answerOf(asked, 'password')).toBe('')
  expect(asked.html).not.toContain(adminPassword)

  const wrong = await press(asked, 'Sign in', { password: adminPassword, code: '000000' })
  expect(textOf(wrong, '#code-error')).toMatch(/^The code is incorrect\./)
  const signedIn = await press(wrong, 'Sign in', { password: adminPassword, code: recoveryCode })
  expect(signedIn.address).toBe('/admin')

  const other = openPlainBrowser(product.url)
  const again = await other.press(await other.open('/login'), 'Sign in', given)
  const refused = await other.press(again, 'Sign in', { password: adminPassword, code: recoveryCode })
  expect(textOf(refused, '#code-error')).toBe(
    'This recovery code is incorrect or was already used. Each code works once.',
  )
})

test('a code without the password opens nothing', async () => {
  const email = await addAccount('ben')
  const [recoveryCode = ''] = (await turnOn(email)).recoveryCodes
  const { open, press } = openPlainBrowser(product.url)
  const asked = await press(await open('/login'), 'Sign in', { email, password: adminPassword })
  const refused = await press(asked, 'Sign in', { code: recoveryCode })
  expect(textOf(refused, '#password-error')).toBe('Please fill in the password field.')
})

test('while others guess, a recovery code signs in on a new browser', async () => {
  const email = await addAccount('elena')
  const [recoveryCode = ''] = (await turnOn(email)).recoveryCodes
  for (let guesses = 0; guesses < 5; guesses++) {
    const guess = await fetch(`${product.url}/api/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password: 'a wrong pass phrase' }),
    })
    expect(guess.status).toBe(401)
  }
  const { open, press } = openPlainBrowser(product.url)
  const paused = await press(await open('/login'), 'Sign in', { email, password: adminPassword })
  expect(shownText(paused)).toContain('Too many failed attempts')
  expect(answerOf(paused, 'email')).toBe('elena@school.example')
  const signedIn = await press(paused, 'Sign in', { password: adminPassword, code: recoveryCode })
  expect(signedIn.address).toBe('/admin')
})

describe.skipIf(!canMoveClock)('in time', () => {
  const later = (ms: number) => product.clock.moveTo(new Date(product.clock.now().getTime() + ms))

  test('once the week of required two-factor sign-in is over, every page leads to its set-up', async () => {
    const email = await addAccount('carla')
    await (await openOffice(product.url)).changeSettings({ twoFactorRequired: 'everyone' })
    const signIn = async () =>
      openPlainBrowser(product.url, { Cookie: (await openOffice(product.url, email)).cookie })
    later(7 * day - hour)
    expect((await (await signIn()).open('/statistics')).address).toBe('/statistics')
    later(2 * hour)
    const { open } = await signIn()
    for (const path of ['/admin', '/admin/archived', '/admin?tab=system-settings', '/statistics', '/help']) {
      const page = await open(path)
      expect([path, page.address]).toEqual([path, '/second-factor'])
      expect(shownText(page)).toContain('Set it up to continue.')
    }
  })

  test('a code is taken in its half minute and in the next one, and no more after that', async () => {
    const email = await addAccount('dina')
    const { codeNow } = await turnOn(email)
    const signIn = async (code: string) => {
      const body = JSON.stringify({ email, password: adminPassword, code })
      const headers = { 'Content-Type': 'application/json' }
      return (await fetch(`${product.url}/api/session`, { method: 'POST', headers, body })).status
    }
    later(hour)
    const code = codeNow()
    later(30_000)
    expect(await signIn(code)).toBe(200)
    later(hour)
    const old = codeNow()
    later(90_000)
    expect(await signIn(old)).toBe(401)
    expect(await signIn(codeNow())).toBe(200)
  })
})
