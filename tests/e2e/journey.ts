import AxeBuilder from '@axe-core/playwright'
import { type APIRequestContext, test as base, expect, type Locator, type Page } from '@playwright/test'
import axe from 'axe-core'
import type { Role } from '#shared/people/permissions.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { canMoveClock } from '#tests/setup/moved-clock.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { uniqueLastName } from './enlistment-form.ts'

export interface JourneyFixtures {
  /**
   * Console messages of level error that the whole journey brings about on purpose, as patterns. `test.use` takes one
   * alone: Playwright reads a second object as the options of the fixture.
   */
  expectedErrors: RegExp[]
  /** The console messages of level error so far. */
  consoleErrors: string[]
  /** Runs a part of the journey that alone brings such messages about. */
  expectErrors: (pattern: RegExp, part: () => Promise<void>) => Promise<void>
}

declare global {
  interface Window {
    layoutShift: number
  }
}

/** Tracing wants to run a script of its own in each frame; one that shows a mail runs none. */
const ofTracing = /Blocked script execution in 'about:srcdoc'/
// The router looks for the routes of links that it sees, and says so when the connection is cut at that moment.
const ofRouter = /^Failed to fetch manifest patches/
const lostConnections = ['net::ERR_INTERNET_DISCONNECTED', 'net::ERR_FAILED', 'net::ERR_CONNECTION_REFUSED']

/**
 * A journey's test: each file has a product of its own (process, database, port), so that it finds nothing of another
 * file. An error on a page's console, or thrown by its scripts, fails the test.
 */
export const test = base.extend<
  JourneyFixtures & { product: Product },
  { movesClock: boolean; startOwn: () => Promise<Product>; running: Map<string, Product> }
>({
  // Whether the file's journeys move the time of the product and its database, where they can.
  movesClock: [false, { option: true, scope: 'worker' }],
  startOwn: [
    async ({ movesClock }, use) =>
      use(() =>
        startProduct({ RATE_LIMITS: 'off' }, [], movesClock && canMoveClock ? { clock: new Date() } : {}),
      ),
    { scope: 'worker' },
  ],
  running: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
    async ({}, use) => {
      const running = new Map<string, Product>()
      await use(running)
      for (const product of running.values()) await product.remove()
    },
    { scope: 'worker' },
  ],
  product: async ({ running, startOwn }, use, { file }) => {
    // A worker runs one file after another.
    for (const [former, product] of running) {
      if (former === file) continue
      running.delete(former)
      await product.remove()
    }
    const product = running.get(file) ?? (await startOwn())
    running.set(file, product)
    await use(product)
  },
  baseURL: async ({ product }, use) => use(product.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
  expectedErrors: async ({}, use) => use([]),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
  consoleErrors: async ({}, use) => use([]),
  expectErrors: async ({ consoleErrors }, use) =>
    use(async (pattern, part) => {
      const before = consoleErrors.length
      await part()
      const during = consoleErrors.splice(before)
      consoleErrors.push(...during.filter((text) => !pattern.test(text)))
    }),
  context: async ({ context, browser, expectedErrors, consoleErrors }, use) => {
    context.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(message.text())
    })
    context.on('weberror', (error) => consoleErrors.push(String(error.error())))
    await use(context)
    // A visitor's pages would go on: their slides move and their streams are open.
    const others = browser.contexts().filter((other) => other !== context)
    await Promise.all(others.map((other) => other.close()))
    const isCut = expectedErrors.some((pattern) => lostConnections.some((text) => pattern.test(text)))
    const known = [ofTracing, ...expectedErrors, ...(isCut ? [ofRouter] : [])]
    expect(consoleErrors.filter((text) => !known.some((pattern) => pattern.test(text)))).toEqual([])
  },
})

export { expect }

/** In ms: three times what is waited for as a rule, times how much longer than usual this machine takes. */
export const longWait = 3 * 10_000 * Number(process.env.TEST_SLOWNESS ?? 1)

/** A page of the administration shows before its scripts run; until then its controls are disabled. */
export async function expectReady(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: /^User menu/ })).toBeEnabled({ timeout: longWait })
  await expect(page.locator('fieldset[data-waiting]')).toHaveCount(0, { timeout: longWait })
}

/** As a page's own requests do: a session's cookie is accepted from nowhere else. */
export function nameOrigin(request: APIRequestContext): void {
  const send = request.fetch.bind(request)
  request.fetch = (url, { headers, ...options } = {}) =>
    send(url, { ...options, headers: { 'Sec-Fetch-Site': 'same-origin', ...headers } })
}

/** Signs the administrator in without a screen: by form and script it takes two seconds of a processor. */
export async function signIn(page: Page): Promise<void> {
  nameOrigin(page.request)
  const answer = await page.request.post('/api/session', {
    data: { email: adminEmail, password: adminPassword },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** As a new account with the administrator's password. */
export async function signInAs(
  page: Page,
  { dataDir }: Product,
  role: Role,
  components: NstpComponent[] = [],
): Promise<string> {
  const email = `${uniqueLastName().toLowerCase()}@school.example`
  await queryDatabase(
    dataDir,
    `insert into admins (id, email, display_name, password_hash, has_first_password, role, components, expires_on)
     select gen_random_uuid(), '${email}', '${role}', password_hash, false, '${role}', '{${components}}',
       case when '${role}' in ('assistant', 'facilitator') then date '2199-12-31' end
     from admins where email = '${adminEmail}'`,
  )
  nameOrigin(page.request)
  const answer = await page.request.post('/api/session', { data: { email, password: adminPassword } })
  expect(answer.ok(), await answer.text()).toBe(true)
  return email
}

/** From the menu of a row or card. */
export async function chooseAction(page: Page, of: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${of}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** On a phone the choices of Terms & Sections are folded away. */
export async function unfoldTermBar(page: Page): Promise<void> {
  const fold = page.getByRole('button', { name: / semester .+ · NSTP [12]$/ })
  if (await fold.isVisible()) await fold.click()
}

/** Signs the administrator in through the login screen. */
export async function signInByForm(page: Page): Promise<void> {
  nameOrigin(page.request)
  await page.goto('/login')
  await page.locator('[name="email"]').fill(adminEmail)
  await page.locator('[name="password"]').fill(adminPassword)
  await page.getByRole('button', { name: /^(log|sign) ?in$/i }).click()
  await page.waitForURL(/\/admin/)
}

/** How far a page's parts moved by themselves since it was loaded (cumulative layout shift). To be called before. */
export async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    window.layoutShift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ('value' in entry) window.layoutShift += Number(entry.value)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => window.layoutShift)
}

/** Waits until nothing moves or fades in any more: what is half there has other measures and colours. */
export async function waitForMotion(page: Page): Promise<void> {
  // Before its first frame nothing moves yet.
  await expect(page.locator('[data-starting-style]')).toHaveCount(0)
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
      .filter(({ playState }) => playState === 'running')
    // One that is cancelled is over as well.
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** Checks a screen against WCAG 2.2 AA and axe's best practices; at the other width too, unless a tag chooses the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  const top = await page.evaluate(() => window.scrollY)
  // A control that is half under the page's head counts as a target too small.
  await scrollTo(page, 0)
  await expectNoViolations(page)
  const own = page.viewportSize()
  if (own !== null && !test.info().tags.some((tag) => /^@(both|phone|desktop)$/.test(tag))) {
    await page.setViewportSize({ ...own, width: own.width < 1_280 ? 1_280 : 390 })
    await scrollTo(page, 0)
    // Half of a check's time goes into colours, which are the same at each width: screens.spec.ts has them at both.
    await expectNoViolations(page, (axe) => axe.withTags(ofStandards).disableRules(['color-contrast']))
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0)
    await page.setViewportSize(own)
  }
  await scrollTo(page, top)
}

function scrollTo(page: Page, top: number): Promise<void> {
  return page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), top)
}

/** Checks the colours of a screen alone. */
export async function expectContrast(page: Page): Promise<void> {
  await scrollTo(page, 0)
  await expectNoViolations(page, (axe) => axe.withRules(['color-contrast']))
}

const ofStandards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function expectNoViolations(
  page: Page,
  choose = (axe: AxeBuilder) => axe.withTags(ofStandards),
): Promise<void> {
  // An address comes before its screen, whose scripts may still load.
  await expect(page.locator('h1')).not.toHaveCount(0)
  await waitForMotion(page)
  // Only frames need a page of its own on which their results are put together.
  const hasFrames = page.frames().length > 1
  // The builder would send its 600 kB to the page twice at each check, which takes a third of it.
  if (!hasFrames && !(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const builder = new AxeBuilder({ page, ...(hasFrames ? {} : { axeSource: ';' }) })
    .setLegacyMode(!hasFrames)
    .options({ resultTypes: ['violations'] })
    // Base UI's focus guards are empty by design and hidden from assistive technology.
    .exclude('[data-base-ui-focus-guard]')
  const { violations } = await choose(builder).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`)).toEqual(
    [],
  )
}

/** A key that is pressed before the page's scripts run does nothing, as everywhere. */
export async function pressWhenReady(page: Page, key: string, control: Locator) {
  await expectReady(page)
  await page.keyboard.press(key)
  await expect(control).toBeFocused()
}

/** Two frames later, what follows at once from the last action is on the screen. */
export function waitForFrames(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )
}

/** From now on each answer takes this long, in milliseconds. @returns cuts the line, and brings it back */
export async function slowDown(page: Page, latency = 700): Promise<(offline: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const setLine = async (offline: boolean) => {
    const line = { offline, latency, downloadThroughput: 50_000, uploadThroughput: 50_000 }
    await session.send('Network.emulateNetworkConditions', line)
  }
  await setLine(false)
  return setLine
}

/** Requests of the address wait until the returned function is called. */
export async function holdRequests(page: Page, address: string | RegExp): Promise<() => void> {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** As a person does with a notice that has Undo: it stays for 20 s, and on a phone it covers what comes next. */
export async function dismissNotice(page: Page, text: string): Promise<void> {
  const notice = page
    .getByRole('region', { name: 'Notifications' })
    .getByRole('group')
    .filter({ hasText: text })
  await notice.getByRole('button', { name: 'Dismiss notification' }).click()
}
