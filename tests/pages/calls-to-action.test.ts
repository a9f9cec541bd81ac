import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { SettingsChange } from '#shared/settings/settings.ts'
import { defaultSettings } from '#shared/settings/settings.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { openOffice } from '#tests/setup/office-client.ts'
import { isShown, openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { shownText } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const { enlistment, quotas } = defaultSettings
const notToday = { opensAt: '', closesAt: '', message: 'Closed until the office has counted its rifles.' }

let product: Product
let office: Awaited<ReturnType<typeof openOffice>>

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
  office = await openOffice(product.url)
})
afterAll(() => product.remove())
afterEach(() => office.changeSettings({ enlistment, quotas }))

/** Where the links of header and content lead that ask somebody to enlist. The foot is for finding one's way. */
async function callsOf(path: string): Promise<string[]> {
  const { document } = await openPlainBrowser(product.url).open(path)
  return [...document.querySelectorAll('header a, main a')]
    .filter((link) => isShown(link) && link.getAttribute('href')?.startsWith('/register'))
    .map(({ textContent }) => textContent)
}

async function textOf(path: string): Promise<string> {
  return shownText(await openPlainBrowser(product.url).open(path))
}

test('while enlistment is open, every place leads to the form', async () => {
  expect(await callsOf('/')).toEqual(['REGISTER', 'Register Now', 'Start enlistment'])
  expect(await callsOf('/programs')).toEqual(['REGISTER', 'Enlist in ROTC', 'Enlist in CWTS'])
})

const states: [string, SettingsChange['enlistment'] & object, string][] = [
  ['is closed', { ...notToday, state: 'closed' }, notToday.message],
  [
    'opens later',
    { ...notToday, state: 'dates', opensAt: '2099-06-01T08:00' },
    'Enlistment opens on June 1, 2099 at 8:00 AM.',
  ],
  [
    'is over',
    { ...notToday, state: 'dates', closesAt: '2020-06-01T08:00' },
    'Enlistment closed on June 1, 2020 at 8:00 AM.',
  ],
]

test.each(states)(
  'while enlistment %s, no place leads to the form, and each says why',
  async (_is, setting, why) => {
    await office.changeSettings({ enlistment: setting })
    for (const path of ['/', '/programs', '/faq', '/announcements']) expect(await callsOf(path)).toEqual([])
    for (const path of ['/', '/programs']) expect(await textOf(path)).toContain(why)
    expect(await textOf('/')).toContain('See the announcements')
    expect(await textOf('/')).not.toContain('is online')
  },
)

test('a full component says so and offers the other; two full ones lead to the office', async () => {
  await office.changeSettings({ quotas: { ...quotas, ROTC: 1 } })
  const { currentAcademicYear } = await office.done<{ currentAcademicYear: string }>(
    'GET',
    '/registrations/offer',
  )
  const enlist = (nstpComponent: 'ROTC' | 'CWTS') =>
    fetch(`${product.url}/api/registrations`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(buildRegistration({ nstpComponent, academicYear: currentAcademicYear })),
    })
  expect((await enlist('ROTC')).status).toBe(201)
  // The count follows the record.
  await expect.poll(() => callsOf('/programs')).toEqual(['REGISTER', 'Enlist in CWTS', 'Enlist in CWTS'])
  expect(await textOf('/programs')).toContain('ROTC is full for this academic year.')
  expect(await textOf('/')).toContain('ROTC is full for this academic year.')
  expect(await callsOf('/')).toEqual(['REGISTER', 'Register Now', 'Enlist in CWTS', 'Start enlistment'])

  expect((await enlist('CWTS')).status).toBe(201)
  await office.changeSettings({ quotas: { ...quotas, ROTC: 1, CWTS: 1 } })
  await expect.poll(() => callsOf('/')).toEqual([])
  expect(await textOf('/')).toContain('ROTC and CWTS are full for this academic year. Ask the NSTP office.')
})
