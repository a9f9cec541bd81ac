import { startFlooded } from '#tests/setup/flooded-product.ts'
import { putEnlistment } from './enlistment-form.ts'
import { expect, test as journey, longWait } from './journey.ts'

// More than usual have enlisted here.
const test = journey.extend({
  startOwn: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
    async ({}, use) => use(startFlooded),
    { scope: 'worker' },
  ],
})

// The browser itself reports the refusal.
test.use({ expectedErrors: [/403/] })

test('while many enlist, the form proves its work by itself', { tag: '@journey' }, async ({ page }) => {
  await page.goto('/register')
  await putEnlistment(page)
  await page.getByRole('button', { name: 'Submit registration' }).click()
  await expect(page.getByText(/^NSTP-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible({ timeout: longWait })
})

test.describe('without the solver', () => {
  test.use({ expectedErrors: [/403|ERR_FAILED/] })

  test('the form waits, and sends by itself', async ({ page }) => {
    await page.route('**/assets/pbkdf2-*', (route) => route.abort())
    await page.clock.install()
    await page.goto('/register')
    await putEnlistment(page)
    await page.getByRole('button', { name: 'Submit registration' }).click()
    await expect(page.getByText('Many students are enlisting right now.')).toBeFocused()
    const sentAgain = page.waitForRequest((request) => request.method() === 'POST')
    await page.clock.fastForward('01:01')
    expect((await sentAgain).headers()['registration-challenge']).toContain('"issuedAt"')
    await expect(page.locator('[name="lastName"]')).toHaveValue('Dela Cruz')
  })
})
