import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { putEnlistment, showStep, typeBirthDate, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'

const success = 'Registration successful! Thank you for registering for the NSTP program.'
const waiting = 'No connection. Your enlistment is not sent yet.'
const back = 'Your answers are back. If they are not yours, start over.'
const submit = 'Submit registration'

// The browser itself reports requests that fail.
test.use({
  expectedErrors: [/Failed to load resource|net::ERR|Failed to fetch|when fetching the script/],
})

const lastName = (page: Page) => page.locator('[name="lastName"]')
const step = (page: Page) => page.getByRole('heading', { name: /^Step \d of \d/ })

const sent = /^An enlistment submitted here at .+ was sent\./
const unsent = /^An enlistment submitted here at .+ is not sent yet\./

async function showWaiting(page: Page) {
  await page.getByRole('button', { name: 'Show the enlistment that waits' }).click()
  await typeBirthDate(page)
}

/** Until the form's copy for a visit without a connection is there. */
async function openForm(page: Page) {
  await page.goto('/register')
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
}

/** Accepts the browser's own question about unsaved answers, and ours. */
function agree(page: Page) {
  page.on('dialog', (dialog) => void dialog.accept())
}

async function stored(page: Page): Promise<string> {
  return await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))
}

async function countRecords(page: Page, name: string): Promise<number> {
  await signIn(page)
  const answer = await page.request.get(`/api/students?search=${encodeURIComponent(name)}`)
  const { total }: { total: number } = await answer.json()
  return total
}

/** The student submits without a connection, and unless told otherwise without the number that isn't stored. */
async function submitOffline(page: Page, overrides: Record<string, string>) {
  await openForm(page)
  await putEnlistment(page, { socialSecurityNumber: '', ...overrides })
  await page.context().setOffline(true)
  await page.getByRole('button', { name: submit }).click()
  await expect(page.getByText(waiting)).toBeVisible()
}

test('a reload in any step keeps its answers and its place, with and without a connection', {
  tag: ['@phone', '@journey'],
}, async ({ page, context }) => {
  agree(page)
  await openForm(page)
  await putEnlistment(page, { lastName: 'Macaraeg', socialSecurityNumber: '34-1234567-8' })
  for (const field of ['lastName', 'address', 'course', 'emergencyContactName', 'consent']) {
    const control = page.locator(`[name="${field}"]`)
    await showStep(control)
    for (const isOffline of [true, false]) {
      await context.setOffline(isOffline)
      await page.reload()
      await expect(page.getByText(back)).toBeVisible()
      await expect(control).toBeVisible()
      await expect(lastName(page)).toHaveValue('Macaraeg')
      await expect(page.locator('[name="nstpComponent"]:checked')).toHaveCount(1)
      await expect(page.locator('[name="consent"]')).not.toBeChecked()
    }
  }
  await expect(page.getByRole('region', { name: 'Your answers' })).toContainText('Macaraeg')
  await expect(page.locator('[name="socialSecurityNumber"]')).toHaveValue('')
  expect(await stored(page)).not.toContain('34-1234567-8')
  await expectAccessible(page)
})

test('a closed form goes on where it was, for whom knows the birth date', {
  tag: ['@phone', '@journey'],
}, async ({ page, context }) => {
  const kept = () => page.evaluate(() => localStorage.getItem('nstp-enlistment-draft'))
  const goOn = /^Go on with answers typed here at \d/
  await page.goto('/register')
  await putEnlistment(page, { lastName: 'Macaraeg', socialSecurityNumber: '34-1234567-8', course: '' })
  const key = await page.locator('[name="idempotencyKey"]').inputValue()
  await expect.poll(kept).not.toBeNull()
  expect(await stored(page)).not.toContain('34-1234567-8')
  const open = async () => {
    await page.close()
    page = await context.newPage()
    await page.goto('/register')
    await expect(page.getByRole('button', { name: goOn })).toBeVisible()
  }

  // Once more after a look without the date.
  await open()
  await open()
  await expect(lastName(page)).toHaveValue('')
  expect(await stored(page)).not.toContain('Macaraeg')
  await page.getByRole('button', { name: goOn }).click()
  await expectAccessible(page)
  await typeBirthDate(page, '2007-12-31')
  await expect(
    page.getByText('No answers on this device are of a student with this birth date.'),
  ).toBeVisible()
  await expect(lastName(page)).toHaveValue('')
  await typeBirthDate(page)
  // The first step without an answer.
  await expect(page.locator('[name="course"]')).toBeVisible()
  await expect(lastName(page)).toHaveValue('Macaraeg')
  await expect(page.getByRole('button', { name: goOn })).toBeHidden()
  expect(await page.locator('[name="idempotencyKey"]').inputValue()).toBe(key)

  await open()
  await page.getByRole('button', { name: 'Start anew' }).click()
  await expect(page.getByRole('button', { name: goOn })).toBeHidden()
  expect(await kept()).toBeNull()
})

test('submitting in one tab deletes what another tab would keep', async ({ page, context }) => {
  await page.goto('/register')
  await putEnlistment(page, { lastName: 'Macaraeg' })
  const kept = () => page.evaluate(() => localStorage.getItem('nstp-enlistment-draft'))
  await expect.poll(kept).not.toBeNull()
  const other = await context.newPage()
  await other.goto('/register')
  await other.getByRole('button', { name: /^Go on with/ }).click()
  await typeBirthDate(other)
  await expect(lastName(other)).toHaveValue('Macaraeg')
  await page.getByRole('button', { name: submit }).click()
  await expect(page.getByRole('heading', { name: success })).toBeVisible()
  await other.close()
  const next = await context.newPage()
  await next.goto('/register')
  await expect(lastName(next)).toHaveValue('')
  expect(await next.evaluate(() => localStorage.getItem('nstp-enlistment-draft'))).toBeNull()
})

test('a reload opens the first step that is not complete; "Start over" deletes the answers', {
  tag: '@phone',
}, async ({ page }) => {
  agree(page)
  const key = page.locator('[name="idempotencyKey"]')
  // The last step without answers opens the first.
  await page.goto('/register#step-review')
  await expect(step(page)).toHaveText(/^Step 1 /)
  await putEnlistment(page, { lastName: 'Macaraeg', course: '' })
  await page.evaluate(() => {
    window.location.hash = 'step-review'
  })
  await page.reload()
  await expect(page.locator('[name="course"]')).toBeVisible()
  await page.goto('/')
  await page.goto('/register')
  await expect(page.locator('[name="course"]')).toBeVisible()
  await expect(lastName(page)).toHaveValue('Macaraeg')

  const before = await key.inputValue()
  await page.getByRole('link', { name: 'Start over' }).click()
  await expect(page.getByText(back)).toBeHidden()
  await expect(lastName(page)).toHaveValue('')
  expect(await key.inputValue()).not.toBe(before)
  expect(await stored(page)).not.toContain('Macaraeg')
})

test('answers that are refused because the form was sent before leave with a new form', async ({ page }) => {
  await page.clock.install()
  await page.goto('/register')
  const name = uniqueLastName()
  await putEnlistment(page, { lastName: name })
  await page.route(
    '**/api/registrations',
    async (route) => {
      await route.fetch()
      await page.locator('[name="firstName"]').evaluate((control: HTMLInputElement) => {
        control.value = 'Another'
      })
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: submit }).click()
  await expect(page.getByText(waiting)).toBeVisible()
  await page.clock.fastForward(10_000)
  await page.getByRole('link', { name: 'Start a new form for someone else' }).click()
  await expect(lastName(page)).toHaveValue('')
  expect(await stored(page)).not.toContain(name)
})

test('an enlistment that waits survives a reload without a connection, and is sent once', {
  tag: ['@phone', '@journey'],
}, async ({ page, context }) => {
  agree(page)
  const name = uniqueLastName()
  await submitOffline(page, { lastName: name })
  await page.reload()
  await expect(page.getByText(unsent)).toBeVisible()
  await expect(lastName(page)).toHaveValue('')
  await expectAccessible(page)
  await showWaiting(page)
  await expect(page.getByText(waiting)).toBeVisible()
  await expect(lastName(page)).toHaveValue(name)
  await expect(page.getByText('This enlistment was submitted, but not confirmed.')).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: success })).toBeVisible()
  expect(await stored(page)).not.toContain(name)
  expect(await countRecords(page, name)).toBe(1)
})

test('the next student of a phone sees nothing of an enlistment that waits, and it is sent meanwhile', {
  tag: '@phone',
}, async ({ page, context }) => {
  agree(page)
  const name = uniqueLastName()
  await submitOffline(page, { lastName: name })
  await page.reload()
  await expect(page.getByText(unsent)).toBeVisible()
  await lastName(page).fill('Bituin')
  await expect(page.locator('main')).not.toContainText(name)
  await context.setOffline(false)
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(
    'The enlistment that waited on this device was sent.',
  )
  await expect(page.getByText(sent)).toBeVisible()
  await expect(page.locator('body')).not.toContainText(/NSTP-\d/)
  await expect(lastName(page)).toHaveValue('Bituin')
  expect(await stored(page)).not.toContain(name)
  expect(await countRecords(page, name)).toBe(1)
})

test('an enlistment opened over the answers of another student takes none of them, waits for Submit, and is never sent once it is discarded', {
  tag: '@phone',
}, async ({ page, context }) => {
  agree(page)
  const name = uniqueLastName()
  await submitOffline(page, { lastName: name, middleName: '' })
  await page.reload()
  await lastName(page).fill('Bituin')
  await page.locator('[name="middleName"]').fill('Reyes')
  await showWaiting(page)
  await expect(lastName(page)).toHaveValue(name)
  await expect(page.locator('[name="middleName"]')).toHaveValue('')
  const submitted = page.getByText('This enlistment was submitted, but not confirmed.')
  await expect(submitted).toBeFocused()
  await page.getByRole('link', { name: 'Discard it' }).click()
  await expect(lastName(page)).toHaveValue('')
  await expect(submitted).toBeHidden()
  expect(await stored(page)).not.toContain(name)
  await context.setOffline(false)
  await page.reload()
  expect(await countRecords(page, name)).toBe(0)

  const next = uniqueLastName()
  await submitOffline(page, { lastName: next })
  await page.reload()
  await lastName(page).fill('Bituin')
  await showWaiting(page)
  await expect(submitted).toBeFocused()
  await context.setOffline(false)
  await showStep(page.locator('[name="consent"]'))
  await page.getByRole('button', { name: submit }).click()
  await expect(page.getByRole('heading', { name: success })).toBeVisible()
  expect(await countRecords(page, next)).toBe(1)
})

test('a waiting enlistment with a social security number asks for it again', async ({ page, context }) => {
  agree(page)
  const name = uniqueLastName()
  await submitOffline(page, { lastName: name, socialSecurityNumber: '34-1234567-8' })
  expect(await stored(page)).not.toContain('34-1234567-8')
  await page.reload()
  await expect(page.getByText(unsent)).toContainText('social security number')
  await showWaiting(page)
  const number = page.locator('[name="socialSecurityNumber"]')
  await expect(number).toBeFocused()
  await expect(page.locator('#socialSecurityNumber-error')).toHaveText(
    /^Type your social security number again/,
  )
  await context.setOffline(false)
  await number.fill('34-1234567-8')
  await showStep(page.locator('[name="consent"]'))
  await page.getByRole('button', { name: submit }).click()
  await expect(page.getByRole('heading', { name: success })).toBeVisible()
  expect(await countRecords(page, name)).toBe(1)
})

test('an enlistment whose answer got lost is sent again after the browser ended, and stays one record', {
  tag: '@phone',
}, async ({ product, launchOptions, viewport }) => {
  const folder = makeTemporaryFolder()
  const open = () =>
    chromium.launchPersistentContext(folder.path, {
      ...launchOptions,
      baseURL: product.url,
      viewport: viewport ?? null,
      locale: 'en-PH',
    })
  const pageOf = (context: BrowserContext) => context.pages()[0] ?? context.newPage()
  const name = uniqueLastName()

  // Two kills: the first while the answer is on its way, the second while there is no connection.
  let context = await open()
  let page = await pageOf(context)
  await openForm(page)
  await putEnlistment(page, { lastName: name, socialSecurityNumber: '' })
  let deliver: () => void = () => undefined
  const isStored = new Promise<void>((resolve) => {
    deliver = resolve
  })
  await context.route('**/api/registrations', async (route) => {
    await route.fetch()
    deliver()
  })
  await page.getByRole('button', { name: submit }).click()
  await isStored
  await context.close()

  context = await open()
  await context.setOffline(true)
  page = await pageOf(context)
  await page.goto('/register')
  await expect(page.getByText(unsent)).toBeVisible()
  await context.close()

  context = await open()
  page = await pageOf(context)
  await page.goto('/register')
  await expect(page.getByText(sent)).toBeVisible()
  await page.getByRole('button', { name: 'Show its reference code' }).click()
  await typeBirthDate(page)
  await expect(page.getByRole('heading', { name: success })).toBeVisible()
  expect(await stored(page)).not.toContain(name)
  expect(await countRecords(page, name)).toBe(1)
  await context.close()
  folder.remove()
})
