import type { Page } from '@playwright/test'
import { fillEnlistment, uniqueLastName } from './enlistment-form.ts'
import { expect, test } from './journey.ts'

test.use({ expectedErrors: [/./] })

/** What Safari 15.4, Chrome 99 or Firefox 97 lacks, and any browser on plain http. */
function lackNewerFunctions() {
  const lack = (owner: object, names: string) => {
    for (const name of names.split(' ')) Object.defineProperty(owner, name, { value: undefined })
  }
  lack(AbortSignal, 'timeout any')
  lack(Element.prototype, 'checkVisibility')
  lack(URL, 'canParse parse')
  lack(Array.prototype, 'toSorted toSpliced toReversed with findLast findLastIndex')
  lack(HTMLFormElement.prototype, 'requestSubmit')
  lack(Promise, 'withResolvers')
  lack(Object, 'groupBy')
  lack(Set.prototype, 'union intersection difference isSubsetOf')
  lack(Crypto.prototype, 'randomUUID subtle')
  lack(Navigator.prototype, 'clipboard serviceWorker locks')
  lack(window, 'requestIdleCallback caches')
}

test('a student enlists in a browser without the newer functions', { tag: ['@phone', '@journey'] }, async ({
  page,
}) => {
  await page.addInitScript(lackNewerFunctions)
  const posts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname)
  })
  await page.goto('/register')
  await fillEnlistment(page, { lastName: uniqueLastName() })
  // The scripts run: they count the answers.
  await expect(page.getByText(/^1\d(\/| of )1\d required/).filter({ visible: true })).toBeVisible()
  await page.getByRole('button', { name: 'Submit registration' }).click()
  await expect(page.getByText(/^NSTP-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible()
  expect(posts).toEqual(['/api/registrations'])
})

const throwing = { contentType: 'text/javascript', body: 'throw new Error("of Dela Cruz")' }

const failAtStart = (page: Page) => page.route('**/assets/site-*.js', (route) => route.fulfill(throwing))

const failures: Record<string, (page: Page) => Promise<unknown>> = {
  'the browser lacks what all scripts need': (page) =>
    page.addInitScript(() => Object.defineProperty(window, 'TransformStream', { value: undefined })),
  'the first script does not load': (page) =>
    page.route('**/assets/entry.client-*.js', (route) => route.abort()),
  'a script of the page does not load': (page) =>
    page.route('**/assets/register-*.js', (route) => route.abort()),
  'a script throws when it starts': failAtStart,
  'the page throws as scripts take it over': (page) =>
    page.addInitScript(() => {
      window.requestIdleCallback = () => {
        throw new TypeError('of Dela Cruz')
      }
    }),
}

test('the form is a plain one where its scripts fail, and enlists', { tag: '@phone' }, async ({
  context,
}) => {
  for (const [name, fail] of Object.entries(failures)) {
    await test.step(name, async () => {
      const page = await context.newPage()
      await fail(page)
      await page.goto('/register')
      await expect(page.locator('html[data-plain]')).toBeVisible()
      // One page, not in steps.
      await expect(page.locator('[name="consent"]')).toBeVisible()
      const wrong = page.getByText('Please enter a valid email address.')
      const post = async (email: string) => {
        await page.locator('[name="email"]').fill(email)
        const loaded = page.waitForEvent('load')
        await page.getByRole('button', { name: 'Submit registration' }).click()
        await loaded
        await expect(page.getByText('Please fill in the last name field.').first()).toBeVisible()
      }
      await post('juan@')
      await expect(wrong.first()).toBeVisible()
      await post('juan@school.example')
      await expect(wrong).toHaveCount(0)
      await page.close()
    })
  }

  const page = await context.newPage()
  await failAtStart(page)
  await page.goto('/register')
  await fillEnlistment(page, { lastName: uniqueLastName() })
  await page.getByRole('button', { name: 'Submit registration' }).click()
  await page.waitForURL('**/register/confirmation#code')
  await expect(page.getByText(/^NSTP-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible()
})

test('a script that fails is told to the log, without what its error says', { tag: '@phone' }, async ({
  page,
  product,
}) => {
  await page.goto('/?search=Dela+Cruz')
  await expect(page.locator('html[data-live]')).toBeVisible()
  const told = page.waitForResponse('**/api/script-errors')
  await page.evaluate(() => {
    // As of a script of the build, of an extension, and of a call that was given up.
    const failed = (address: string, error: Error) =>
      window.dispatchEvent(
        new ErrorEvent('error', {
          error: Object.assign(error, { stack: `${error.name}: Dela Cruz\n    at f (${address}:1:23)` }),
        }),
      )
    failed('chrome-extension://abcdef/content.js', new TypeError('Dela Cruz'))
    failed(`${window.location.origin}/assets/site-AbCd_123.js`, new DOMException('Dela Cruz', 'AbortError'))
    failed(`${window.location.origin}/assets/site-AbCd_123.js`, new TypeError('Dela Cruz'))
    failed(`${window.location.origin}/assets/site-AbCd_123.js`, new TypeError('Dela Cruz'))
  })
  expect((await told).status()).toBe(204)
  const lines = () =>
    product
      .output()
      .split('\n')
      .filter((line) => line.includes('a script of a page failed') && line.includes('AbCd_123'))
  await expect.poll(lines).toHaveLength(1)
  expect(lines()[0]).toContain(
    '"name":"TypeError","script":"/assets/site-AbCd_123.js","line":1,"column":23,"route":"/"',
  )
  expect(product.output()).not.toContain('Cruz')
})
