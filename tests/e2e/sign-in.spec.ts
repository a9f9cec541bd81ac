import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { startProduct } from '#tests/setup/product.ts'
import { firstPassword } from '#tests/setup/sign-in.ts'
import { registerStudent } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, holdRequests, longWait, signIn, test } from './journey.ts'

test('a password can be pasted, shown, and filled in by a password manager', async ({ page }) => {
  await page.goto('/login', { waitUntil: 'networkidle' })
  const email = page.locator('[name="email"]')
  const password = page.locator('[name="password"]')
  await expect(email).toHaveAttribute('autocomplete', 'username')
  await expect(password).toHaveAttribute('autocomplete', 'current-password')
  await expect(page.locator('form:has([name="password"])')).not.toHaveAttribute('autocomplete', 'off')
  await email.fill(adminPassword)
  await email.press('ControlOrMeta+a')
  await email.press('ControlOrMeta+x')
  await password.press('ControlOrMeta+v')
  await expect(password).toHaveValue(adminPassword)
  await page.getByRole('button', { name: /show password/i }).click()
  await expect(password).toHaveAttribute('type', 'text')
})

test.describe('without a connection', () => {
  // The browser itself reports requests that fail.
  test.use({ expectedErrors: [/Failed to load resource|net::ERR|Failed to fetch manifest patches/] })

  test('signing in says so and keeps what is typed, for another try', async ({ page, context }) => {
    await page.goto('/login', { waitUntil: 'networkidle' })
    await page.locator('[name="email"]').fill(adminEmail)
    await page.locator('[name="password"]').fill(adminPassword)
    const submit = page.getByRole('button', { name: /^(log|sign) ?in$/i })
    await context.setOffline(true)
    await submit.click()
    await expect(page.getByRole('alert')).toContainText('Failed to sign in: We could not reach the server.')
    await expect(page.locator('[name="email"]')).toHaveValue(adminEmail)
    await expect(page.locator('[name="password"]')).toHaveValue(adminPassword)
    await context.setOffline(false)
    await page.route(/\/login\.data/, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 502, body: 'Bad gateway' })
        : route.continue(),
    )
    const refused = page.waitForResponse((response) => response.status() === 502)
    await submit.click()
    await refused
    await expect(page.getByRole('alert')).toContainText('Failed to sign in: We could not reach the server.')
    await expect(page.locator('[name="password"]')).toHaveValue(adminPassword)
    await page.unroute(/\/login\.data/)
    await submit.click()
    await page.waitForURL(/\/admin/)
  })
})

test.describe('a wrong password', () => {
  // The browser itself reports the refusal.
  test.use({ expectedErrors: [/401/] })

  test('is refused, a right one leads to the page that was asked for, stays on this device, and logging out closes the records', {
    tag: '@journey',
  }, async ({ page, browser, baseURL }) => {
    // From a page that may come from memory, within its scripts.
    const listening = page.waitForRequest(/\/api\/events$/)
    await page.goto('/')
    await listening
    await page
      .getByRole('link', { name: /log ?in/i })
      .first()
      .click()
    await page.waitForURL(/\/login/)
    const [email, password] = [page.locator('[name="email"]'), page.locator('[name="password"]')]
    const submit = page.getByRole('button', { name: /^(log|sign) ?in$/i })
    await email.fill(adminEmail)
    await password.fill(adminPassword)
    await submit.click()
    await page.waitForURL(/\/admin$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    // An open page would notice the ended session and go to the login by itself.
    await page.goto('about:blank')
    await page.context().clearCookies()

    await page.goto('/admin?tab=students&component=ROTC')
    await page.waitForURL(/\/login/)
    // The address is named only to a browser that signed in before.
    await expect(email).toHaveValue('')
    const keep = page.getByLabel('Keep me signed in on this device')
    await expect(keep).not.toBeChecked()
    await keep.check()
    await email.fill(adminEmail)
    await password.fill('not the password')
    await submit.click()
    await expect(page.getByText('Failed to sign in: Invalid email or password')).toBeVisible()
    await expect(email).toHaveValue(adminEmail)
    await expectAccessible(page)
    await password.fill(adminPassword)
    await submit.click()
    await page.waitForURL(/\/admin\?tab=students&component=ROTC$/)

    await test.step('a browser that was closed and opened again needs no password', async () => {
      const { cookies } = await page.context().storageState()
      // What a browser still has after its end.
      const left = cookies.filter(({ expires }) => expires !== -1)
      const context = await browser.newContext({
        ...(baseURL ? { baseURL } : {}),
        storageState: { cookies: left, origins: [] },
      })
      const again = await context.newPage()
      await again.goto('/admin?tab=profile-settings')
      await expect(again.getByText('stays signed in').first()).toBeVisible({ timeout: longWait })
      await context.close()
    })

    await page.getByRole('button', { name: /user menu|account/i }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL(/\/login/)
    await page.goto('/admin')
    await page.waitForURL(/\/login/)
  })
})

test('nothing is read while logging out, neither what was under way nor what a panel asks for then', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page)
  // The bell's number is still under way when the session ends.
  const hasEnded = await holdRequests(page, '**/api/students/unseen')
  await page.goto('/admin')
  await expectReady(page)
  await expect(page.getByRole('region', { name: 'Recent Activity' })).toBeVisible()
  const read: string[] = []
  await page.route('**/api/session', async (route) => {
    // A page that asks whether its session is valid reads its panels rightly.
    if (route.request().method() !== 'DELETE') return await route.continue()
    const response = await route.fetch()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/^\/api\/(?!events|session)/.test(pathname)) read.push(pathname)
    })
    // As when the window is looked at again: the panels are read anew.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    hasEnded()
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.waitForURL(/\/login/)
  expect(read).toEqual([])
})

test.describe('an expired session', () => {
  test.use({ expectedErrors: [/401/] })

  test('leads to the login with a sentence, and back to the same list', { tag: '@journey' }, async ({
    page,
    context,
  }) => {
    await signIn(page)
    await page.goto('/admin?tab=students&component=CWTS')
    await expect(page.getByRole('heading', { name: 'Students', exact: true })).toBeVisible()
    await expectReady(page)
    await context.clearCookies()
    // A change elsewhere makes the page read its list again.
    await registerStudent(page, {})
    await page.waitForURL(/\/login/)
    await expect(page.getByText('Your session has ended. Please sign in again.').first()).toBeVisible()
    await page.locator('[name="email"]').fill(adminEmail)
    await page.locator('[name="password"]').fill(adminPassword)
    await page.getByRole('button', { name: /^(log|sign) ?in$/i }).click()
    await page.waitForURL(/component=CWTS/)
  })
})

test.describe('a session that ends while something is typed', () => {
  test.use({ expectedErrors: [/401/] })

  test('is reported once, and no more requests are sent until signing in again, which leads back', {
    tag: '@journey',
  }, async ({ page, context }) => {
    await signIn(page)
    await page.goto('/admin?tab=system-settings#names')
    const names = page.getByRole('form', { name: 'Names', exact: true })
    const office = names.getByLabel('Office address on the ROTC form')
    const former = await office.inputValue()
    await office.fill('Typed before the end')
    await context.clearCookies()

    // A change elsewhere makes the page read again, and so does the next one.
    await registerStudent(page, {})
    const notices = page.getByRole('log').getByRole('group')
    await expect(notices).toHaveCount(1)
    await expect(notices).toContainText('Your session has ended. Sign in in another tab, then save here')
    const read: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'GET' && /^\/api\/(?!events|session)/.test(pathname)) read.push(pathname)
    })
    await registerStudent(page, {})

    // Nor is it told twice to somebody who saves all the same.
    const save = names.getByRole('button', { name: 'Save' })
    await save.click()
    await expect(names.getByRole('alert')).toBeVisible()
    await expect(notices).toHaveCount(1)
    await expectAccessible(page)
    expect(read).toEqual([])

    const opening = context.waitForEvent('page')
    await notices.getByRole('button', { name: 'Sign in' }).click()
    const other = await opening
    await expect(other.getByText('Your session has ended. Please sign in again.').first()).toBeVisible()
    await other.locator('[name="email"]').fill(adminEmail)
    await other.locator('[name="password"]').fill(adminPassword)
    await other.getByRole('button', { name: /^(log|sign) ?in$/i }).click()
    await other.waitForURL(/\/admin\?tab=system-settings(#names)?$/)
    await expect(other.getByRole('heading', { name: 'System Settings' })).toBeVisible()

    await expect(notices).toHaveCount(0)
    await expect(office).toHaveValue('Typed before the end')
    await save.click()
    await expect(page.getByText('Names updated successfully')).toBeVisible()
    await expect.poll(() => read.length).toBeGreaterThan(0)
    await office.fill(former)
    await save.click()
    await expect(names.getByRole('button', { name: 'Discard' })).toHaveCount(0)
  })
})

test('the first password opens only the form that changes it', { tag: '@journey' }, async ({ browser }) => {
  // It starts a product of its own.
  test.slow()
  const product = await startProduct({ RATE_LIMITS: 'off' }, [], { keepsFirstPassword: true })
  const context = await browser.newContext({ baseURL: product.url })
  const page = await context.newPage()
  await page.goto('/login')
  await expect(page.locator('[name="email"]')).toHaveValue(adminEmail)
  await page.locator('[name="password"]').fill(firstPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('/first-password')
  for (const path of ['/admin', '/statistics']) {
    await page.goto(path)
    await expect(page).toHaveURL('/first-password')
  }
  await expectAccessible(page)
  await expect(page.locator('[name="currentPassword"]')).toHaveCount(0)
  await page.locator('[name="newPassword"]').fill(adminPassword)
  await page.locator('[name="repeatedPassword"]').fill(adminPassword)
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.waitForURL('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await context.close()
  await product.remove()
})

test.describe('a link for a new browser', () => {
  // The browser itself reports the link that was used.
  test.use({ expectedErrors: [/404/] })

  test('works by its button, once', async ({ page, product }) => {
    const link = 'e2e'.padEnd(43, 'x')
    await queryDatabase(
      product.dataDir,
      `insert into known_devices (token_hash, admin_id, last_used_at)
       select sha256('${link}'), id, now() - interval '179 days 23 hours 30 minutes'
       from admins where email = '${adminEmail}'`,
    )
    await page.goto(`/trust-browser?link=${link}`)
    await page.reload()
    await expectAccessible(page)
    const trust = page.getByRole('button', { name: 'Trust this browser' })
    await trust.click()
    await page.waitForURL(/\/login/)
    await expect(page.locator('[name="email"]')).toHaveValue(adminEmail)
    await page.goto(`/trust-browser?link=${link}`)
    await trust.click()
    await expect(page.getByText('This link was already used, or is older than an hour.')).toBeVisible()
  })
})
