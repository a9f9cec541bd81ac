import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Settings } from '#shared/settings/settings.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { enlistmentAnswers } from '#tests/setup/enlistment-answers.ts'
import { canMoveClock } from '#tests/setup/moved-clock.ts'
import { openOffice } from '#tests/setup/office-client.ts'
import { openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { shownText } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const right = { email: adminEmail, password: adminPassword }
const start = new Date('2026-11-28T08:00:00+08:00')
const hour = 3_600_000

describe.skipIf(!canMoveClock)('a product whose clock moves', () => {
  let product: Product

  beforeAll(async () => {
    product = await startProduct({ RATE_LIMITS: 'off' }, [], { clock: start, keepsNewSettings: true })
    return product.remove
  })
  afterEach(() => product.clock.moveTo(start))

  const later = (ms: number) => product.clock.moveTo(new Date(product.clock.now().getTime() + ms))

  test('on 11 August 2028 what was started today signs in, takes an enlistment and has ended the old session', async () => {
    const before = openPlainBrowser(product.url)
    await before.press(await before.open('/login'), 'Sign in', right)
    product.clock.moveTo(new Date('2028-08-11T08:00:00+08:00'))
    expect((await before.open('/admin')).address).toMatch(/^\/login/)

    const student = openPlainBrowser(product.url)
    const form = await student.open('/register')
    const answers = enlistmentAnswers({ academicYear: '2028-2029' })
    const done = await student.press(form, 'Submit registration', answers)
    expect(done.address).toBe('/register/confirmation')
    const office = openPlainBrowser(product.url)
    const dashboard = await office.press(await office.open('/login'), 'Sign in', right)
    expect(dashboard.address).toBe('/admin')

    // Node and the database agree about the day.
    const [stored] = await queryDatabase<{ at: Date; now: Date }>(
      product.dataDir,
      'select registration_date as at, now() from students',
    )
    for (const at of [stored?.at, stored?.now]) expect(at?.toISOString()).toMatch(/^2028-08-11T00:/)
  })

  test('a session ends after eight hours without use', async () => {
    const { open, press } = openPlainBrowser(product.url)
    await press(await open('/login'), 'Sign in', right)
    for (const hours of [7.9, 7.9]) {
      later(hours * hour)
      expect((await open('/admin')).address).toBe('/admin')
    }
    later(8.1 * hour)
    expect((await open('/admin')).address).toMatch(/^\/login/)
  })

  test('enlistment opens and closes at the times of the settings, and says when', async () => {
    const office = await openOffice(product.url)
    const { enlistment } = await office.done<Settings>('GET', '/settings')
    const dates = { opensAt: '2028-06-05T08:00', closesAt: '2028-06-30T17:00' }
    await office.changeSettings({ enlistment: { ...enlistment, state: 'dates', ...dates } })
    const { open } = openPlainBrowser(product.url)
    const shown = async (at: string) => {
      product.clock.moveTo(new Date(`2028-06-${at}:00+08:00`))
      const page = await open('/register')
      return page.document.querySelector('[name="lastName"]') ? 'the form' : shownText(page)
    }
    expect(await shown('05T07:59')).toContain('Enlistment opens on June 5, 2028 at 8:00 AM.')
    expect(await shown('05T08:00')).toBe('the form')
    expect(await shown('30T16:58')).toBe('the form')
    expect(await shown('30T17:00')).toContain('Enlistment closed on June 30, 2028 at 5:00 PM.')
  })
})
