import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { enlistmentAnswers } from '#tests/setup/enlistment-answers.ts'
import { openPlainBrowser, type PlainBrowser } from '#tests/setup/plain-browser.ts'
import { referenceOf, shownText, textOf } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const success = 'Registration successful! Thank you for registering for the NSTP program.'
const confirmationPath = '/register/confirmation'

let product: Product

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
})
afterAll(() => product.remove())

/** Enlists by the form; gives the reference that the confirmation shows. */
async function enlist({ open, press }: PlainBrowser, lastName: string): Promise<string> {
  const confirmation = await press(
    await open('/register'),
    'Submit registration',
    enlistmentAnswers({ lastName }),
  )
  expect(confirmation.address).toBe(confirmationPath)
  expect(textOf(confirmation, 'article h1')).toBe(success)
  return referenceOf(confirmation)
}

test('the notice and the confirmation are for each enlistment its own', async () => {
  const browser = openPlainBrowser(product.url)
  const references: string[] = []
  for (const lastName of ['Dela Cruz', 'Macaraeg']) {
    const reference = await enlist(browser, lastName)
    const opened = await browser.open(confirmationPath)
    expect(referenceOf(opened)).toBe(reference)
    expect(shownText(opened)).not.toContain(reference)
    for (const path of ['/', '/register']) {
      const page = await browser.open(path)
      expect(shownText(page)).toContain(`You enlisted today: NSTP-…-${reference.slice(-4)}`)
      const confirmation = await browser.follow(page, 'Open the confirmation')
      expect(confirmation.address).toBe(confirmationPath)
      expect(referenceOf(confirmation)).toBe(reference)
    }
    references.push(reference)
  }
  expect(new Set(references).size).toBe(2)
})

test('what needs scripts is not offered, and nothing counts down', async () => {
  const browser = openPlainBrowser(product.url)
  await enlist(browser, 'Dela Cruz')
  const shown = shownText(await browser.open(confirmationPath))
  for (const text of ['Print or save', 'Save as picture', 'Stay here']) expect(shown).not.toContain(text)
})

test('nobody else is shown it', async () => {
  const reference = await enlist(openPlainBrowser(product.url), 'Dela Cruz')
  const { open } = openPlainBrowser(product.url)
  for (const path of ['/', '/register', confirmationPath]) {
    const { html } = await open(path)
    expect(html).not.toContain('You enlisted today')
    expect(html).not.toContain(reference)
  }
})

test('answers with a receipt are for one browser, and all others still get the cached page', async () => {
  const registered = await fetch(`${product.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(buildRegistration()),
  })
  const { reference }: { reference: string } = await registered.json()
  const Cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(Cookie).toMatch(/^nstp-receipt=/)
  const mine = (path: string) => fetch(`${product.url}${path}`, { headers: { Cookie } })
  const theirs = (path: string) => fetch(`${product.url}${path}`)
  for (const path of ['/', '/_root.data']) {
    await (await theirs(path)).text()
    const ofMine = await mine(path)
    expect(await ofMine.text()).toContain(reference)
    expect(ofMine.headers.get('Cache-Control')).toBe('private, no-cache')
    expect(ofMine.headers.get('ETag')).toBeNull()
    const ofTheirs = await theirs(path)
    expect(await ofTheirs.text()).not.toContain(reference)
    expect(ofTheirs.headers.get('ETag')).toMatch(/"/)
    expect(ofTheirs.headers.get('Vary')).toBe('Accept-Encoding, Accept-Language, Cookie')
  }
  const confirmation = await mine(confirmationPath)
  expect(await confirmation.text()).toContain(reference)
  const kept = /^private, max-age=(\d+)$/.exec(confirmation.headers.get('Cache-Control') ?? '')
  expect(Number(kept?.[1])).toBeGreaterThan(3_500)
  expect(Number(kept?.[1])).toBeLessThanOrEqual(3_600)
  expect(confirmation.headers.get('Vary')).toMatch(/\bCookie\b/i)
  const missing = await theirs(confirmationPath)
  expect([missing.status, missing.headers.get('Cache-Control')]).toEqual([404, 'no-store'])
})
