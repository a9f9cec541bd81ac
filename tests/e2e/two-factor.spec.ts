import type { Browser, Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { canMoveClock, type ProductClock } from '#tests/setup/moved-clock.ts'
import type { Product } from '#tests/setup/product.ts'
import { changeSettings } from './change-settings.ts'
import { expect, expectAccessible, holdRequests, signIn, test } from './journey.ts'

// The browser itself reports refused codes and ended sessions.
test.use({ expectedErrors: [/40[129]|42[29]/] })
// The account is one for all journeys of a worker: each leaves it as it found it.
test.describe.configure({ mode: 'serial' })
test.use({ movesClock: true })

const newPassword = 'my tricycle broke down in Marikina'
const stepMs = 30_000

/** The pause after failures is one for all of a network, so each journey begins without those of another. */
const forgetFailures = ({ dataDir }: Product) => queryDatabase(dataDir, 'delete from sign_in_failures')
test.beforeEach(({ product }) => forgetFailures(product))

/** Codes of the app, never the same one twice: the product takes each step once, and also the step ahead. */
function createAuthenticator(secret: string, clock: ProductClock) {
  const totp = new TOTP({ secret })
  let last = 0
  return (): string => {
    last = Math.max(Math.floor(clock.now().getTime() / stepMs), last + 1)
    return totp.generate({ timestamp: last * stepMs })
  }
}

async function chooseInUserMenu(page: Page, name: string) {
  await page.getByRole('button', { name: /^User menu of/ }).click()
  await page.getByRole('menuitem', { name }).click()
}

async function openProfile(page: Page) {
  await page.goto('/admin')
  await chooseInUserMenu(page, 'Profile Settings')
  await page.waitForURL(/tab=profile-settings/)
  await expect(page.getByRole('heading', { name: 'Signed-in devices' })).toBeVisible()
}

async function signOut(page: Page) {
  await chooseInUserMenu(page, 'Logout')
  await page.waitForURL(/\/login/)
}

async function enterPassword(page: Page) {
  await page.goto('/login')
  await expectScripts(page)
  await sendPassword(page)
}

/** Before they run the form is a plain one. */
async function expectScripts(page: Page) {
  await expect(page.getByRole('button', { name: 'Show password' })).toBeVisible()
}

async function sendPassword(page: Page) {
  await page.locator('[name="email"]').fill(adminEmail)
  await page.locator('[name="password"]').fill(adminPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** From the top, because a control that is half under the page's head counts as a target too small. */
async function expectAccessibleFromTheTop(page: Page) {
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)
}

/** Another browser: its own cookies. */
async function openElsewhere(browser: Browser, baseURL: string | undefined) {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}) })
  return context.newPage()
}

/** Sets two-factor sign-in up on the profile's page. */
async function turnOn(page: Page, { clock }: Product) {
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Your password').fill(adminPassword)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  const secret = ((await page.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent()) ?? '').replaceAll(' ', '')
  const nextCode = createAuthenticator(secret, clock)
  await page.getByLabel('Code').fill(nextCode())
  await page.getByRole('button', { name: 'Turn on' }).click()
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  return { nextCode, recoveryCodes: await list.getByRole('listitem').allInnerTexts() }
}

/** As the screen does, for journeys about something else. */
async function turnOnAtOnce(page: Page): Promise<string[]> {
  const setUp = await page.request.post('/api/session/two-factor/set-up', {
    data: { password: adminPassword },
  })
  const { secret } = await setUp.json()
  const code = new TOTP({ secret }).generate()
  const { recoveryCodes } = await (
    await page.request.post('/api/session/two-factor', { data: { code } })
  ).json()
  return recoveryCodes
}

async function turnOffAtOnce(page: Page, code = ''): Promise<void> {
  const answer = await page.request.post('/api/session/two-factor/off', {
    data: { password: adminPassword, code },
  })
  expect(answer.ok()).toBe(true)
}

async function turnOff(page: Page, code: string) {
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Your password').fill(adminPassword)
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Recommended.')).toBeVisible()
}

test('two-factor sign-in: set up, code, recovery code once, off', { tag: '@journey' }, async ({
  page,
  product,
}) => {
  test.slow()
  await signIn(page)
  await page.goto('/admin?tab=system-settings#sign-in')
  const rule = page.getByRole('region', { name: 'Sign-in' })
  const setRule = async (of: 'Nobody' | 'Everyone') => {
    await rule.getByLabel('Who must use two-factor sign-in').selectOption(of)
    await rule.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Sign-in updated successfully').last()).toBeVisible()
  }
  await setRule('Everyone')
  const hint = page.getByRole('region', { name: 'Required sign-in' })
  await expect(hint).toBeVisible()
  await openProfile(page)
  await expect(hint).toBeVisible()
  await expect(page.getByText('Administrator', { exact: true }).last()).toBeVisible()
  await expect(page.getByText('Required.', { exact: true })).toBeVisible()

  // A wrong password and a wrong code stay at their fields, and nothing is lost.
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Your password').fill('not the password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('The current password is incorrect.')).toBeVisible()
  await expectAccessibleFromTheTop(page)
  await page.getByRole('button', { name: 'Cancel' }).click()

  const { nextCode, recoveryCodes } = await turnOn(page, product)
  await expect(hint).toBeHidden()
  await expectAccessibleFromTheTop(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('nstp-recovery-codes.txt')
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByText('10 recovery codes left.')).toBeVisible()
  await expectAccessibleFromTheTop(page)
  // A new password needs a code too.
  await page.getByLabel('Current password').fill(adminPassword)
  await page.getByLabel('New password', { exact: false }).first().fill(newPassword)
  await page.getByLabel('Confirm new password').fill(newPassword)
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByRole('textbox', { name: /^Code/ })).toBeVisible()
  await expect(page.getByText('Please enter the 6-digit code from your authenticator app.')).toBeVisible()
  await page.getByRole('textbox', { name: /^Code/ }).fill('000000')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('The code is incorrect.')).toBeVisible()
  await page.reload()
  await signOut(page)

  await enterPassword(page)
  const code = page.getByLabel('Authentication code')
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expectAccessibleFromTheTop(page)
  await code.fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('The code is incorrect.')).toBeVisible()
  await expect(code).toBeFocused()
  await expectAccessibleFromTheTop(page)
  const used = nextCode()
  await code.fill(used)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/admin/)
  await signOut(page)

  // The same code opens nothing more; a recovery code does, once.
  await enterPassword(page)
  await page.getByLabel('Authentication code').fill(used)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('The code is incorrect.')).toBeVisible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/admin/)
  await signOut(page)
  await enterPassword(page)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('This recovery code is incorrect or was already used.')).toBeVisible()
  await page.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/admin/)

  await openProfile(page)
  await expect(page.getByText('8 recovery codes left.')).toBeVisible()
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByLabel('Your password').fill(adminPassword)
  await page.getByLabel('Code').fill(recoveryCodes[2] ?? '')
  await page.getByRole('button', { name: 'Create new codes' }).click()
  const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(list).toHaveCount(10)
  const renewed = await list.allInnerTexts()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(page.getByText('10 recovery codes left.')).toBeVisible()

  await expect(page.getByText(/requires two-factor sign-in, so it can’t be turned off/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeHidden()
  await page.goto('/admin?tab=system-settings#sign-in')
  await setRule('Nobody')
  await openProfile(page)
  await turnOff(page, renewed[0] ?? '')
  await expect(page.getByText('Two-factor sign-in is off.')).toBeVisible()
  await expect(hint).toBeHidden()
})

test('before its scripts run, the second question is a plain form, and keeps what is typed', async ({
  page,
  browser,
  baseURL,
  product,
}) => {
  await signIn(page)
  const recoveryCodes = await turnOnAtOnce(page)

  const slow = await openElsewhere(browser, baseURL)
  const arrive = await holdRequests(slow, '**/assets/*.js')
  await slow.goto('/login', { waitUntil: 'commit' })
  await sendPassword(slow)
  await expect(slow.getByText('Please enter your password again')).toBeVisible()
  const password = slow.locator('[name="password"]')
  await password.fill(adminPassword)
  arrive()
  await expectScripts(slow)
  await expect(password).toHaveValue(adminPassword)
  await password.fill('')
  await slow.getByLabel('Authentication code').fill(recoveryCodes[0] ?? '')
  await slow.getByRole('button', { name: 'Sign in' }).click()
  await expect(slow.getByText('Please fill in the password field.', { exact: true })).toBeVisible()
  await expect(password).toBeFocused()
  await password.fill(adminPassword)
  await slow.getByRole('button', { name: 'Sign in' }).click()
  await slow.waitForURL(/\/admin/)
  await slow.context().close()

  await test.step('while others guess, a new browser reads that it is to wait, and a recovery code opens', async () => {
    // The question that was answered without a password counts as a failure too.
    await forgetFailures(product)
    const login = await openElsewhere(browser, baseURL)
    for (let guesses = 0; guesses < 5; guesses++) {
      const guess = { email: adminEmail, password: 'a wrong pass phrase' }
      expect((await login.request.post('/api/session', { data: guess })).status()).toBe(401)
    }
    await enterPassword(login)
    await expect(login.getByText(/Too many failed attempts/)).toBeVisible()
    await expect(login.getByLabel('Email')).toHaveValue(adminEmail)
    await expectAccessibleFromTheTop(login)
    await login.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '')
    await login.getByRole('button', { name: 'Sign in' }).click()
    await login.waitForURL(/\/admin/)
    await login.context().close()
    await forgetFailures(product)
  })

  await turnOffAtOnce(page, recoveryCodes[2])
})

test('required two-factor sign-in has a week, which each screen counts down; then only its set-up opens', async ({
  page,
  product,
}) => {
  test.slow()
  test.skip(!canMoveClock, 'needs libfaketime')
  await signIn(page)
  await changeSettings(page.request, { twoFactorRequired: 'everyone' })
  await page.goto('/statistics')
  const notice = page.getByRole('region', { name: 'Required sign-in' })
  await expect(notice).toContainText('You have 7 days to set it up.')
  const hour = 3_600_000
  const begin = product.clock.now().getTime()
  /** Whoever signs in so long after the rule began. */
  const signInAfter = async (hours: number) => {
    // An open page would notice the ended session and go to the sign-in by itself.
    await page.goto('about:blank')
    product.clock.moveTo(new Date(begin + hours * hour))
    await page.clock.setSystemTime(product.clock.now())
    await signIn(page)
  }
  await signInAfter(7 * 24 - 1.5)
  await page.goto('/statistics')
  await expect(notice).toContainText('You have 1 hour to set it up.')
  await notice.getByRole('link', { name: 'Set up' }).click()
  await page.waitForURL('/second-factor')
  await expect(page.getByText(/You can work without it until/)).toBeVisible()
  await expectAccessible(page)

  await signInAfter(7 * 24 + 0.1)
  for (const path of ['/admin', '/admin/archived', '/admin?tab=system-settings', '/statistics', '/help']) {
    await page.goto(path)
    await expect(page).toHaveURL('/second-factor')
  }
  await expect(page.getByText('Set it up to continue.')).toBeVisible()
  expect((await page.request.get('/api/students')).status()).toBe(403)
  await expectAccessible(page)

  const { recoveryCodes } = await turnOn(page, product)
  await expect(page).toHaveURL('/second-factor')
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.waitForURL('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(notice).toBeHidden()
  await changeSettings(page.request, { twoFactorRequired: 'nobody' })
  await turnOffAtOnce(page, recoveryCodes[0])
  product.clock.moveTo(new Date())
})

test('changing the password ends the session of another browser, keeps this one, and ends its API tokens', {
  tag: '@journey',
}, async ({ page, browser, baseURL }) => {
  await signIn(page)
  const elsewhere = await openElsewhere(browser, baseURL)
  await signIn(elsewhere)
  await elsewhere.goto('/admin')
  await openProfile(page)
  const change = async (current: string, next: string, repeated = next) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password', { exact: false }).first().fill(next)
    await page.getByLabel('Confirm new password').fill(repeated)
    await page.getByRole('button', { name: 'Change Password' }).click()
  }

  await change(adminPassword, newPassword, 'something else')
  await expect(page.getByText('The new passwords do not match.')).toBeVisible()
  await change(adminPassword, 'passwordpassword')
  await expect(page.getByText('Easy to guess', { exact: true })).toBeVisible()
  await expect(page.getByText('Please choose a password that is harder to guess.')).toBeVisible()
  await change('not the password', newPassword)
  await expect(page.getByText('The current password is incorrect.')).toBeVisible()
  // Nothing that was typed is lost.
  await expect(page.getByLabel('Confirm new password')).toHaveValue(newPassword)
  await expectAccessibleFromTheTop(page)

  await change(adminPassword, newPassword)
  await expect(page.getByText('Your password was changed.')).toBeVisible()
  await elsewhere.waitForURL(/\/login/)
  await page.reload()
  await expect(page.getByText('No other devices.')).toBeVisible()

  await page.evaluate(() =>
    fetch('/api/tokens', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Registrar' }),
    }),
  )
  const ends = page.getByLabel('End my API token too')
  await expect(ends).toBeChecked()
  await expectAccessibleFromTheTop(page)
  await change(newPassword, adminPassword)
  await expect(page.getByText('Your password was changed.').last()).toBeVisible()
  await expect(ends).toBeHidden()
  await page.goto('/admin?tab=system-settings#api-tokens')
  const tokens = page.getByRole('region', { name: 'API tokens', exact: true })
  await expect(tokens.getByRole('button', { name: 'Create token' })).toBeVisible()
  await expect(tokens.getByText('Registrar')).toBeHidden()
  await elsewhere.context().close()
})

test('a device is signed out from the list, and all others at once', async ({ page, browser, baseURL }) => {
  await signIn(page)
  const phone = await openElsewhere(browser, baseURL)
  await signIn(phone)
  await phone.goto('/admin')
  await openProfile(page)
  await expect(page.getByText('This device')).toHaveCount(1)
  await page
    .getByRole('button', { name: /^Sign out Chrome/ })
    .first()
    .click()
  await phone.waitForURL(/\/login/)
  await expect(page.getByText(/was signed out\.$/)).toBeVisible()

  await signIn(phone)
  await phone.goto('/admin')
  const everywhere = page.getByRole('button', { name: 'Sign out everywhere else' })
  await everywhere.click()
  await phone.waitForURL(/\/login/)
  await expect(page.getByText('No other devices.')).toBeVisible()
  await phone.context().close()
})
