import type { BrowserContext, Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminPassword } from '#tests/setup/administrator.ts'
import type { Product } from '#tests/setup/product.ts'
import { expect, expectAccessible, expectReady, longWait, signInAs, test } from './journey.ts'

// The browser itself reports requests that fail or are refused.
test.use({
  viewport: { width: 390, height: 844 },
  expectedErrors: [/Failed to load resource|net::ERR|Failed to fetch/],
})

const term = "'0198f4b2-0000-7000-8000-000000000021'"
const section = "'0198f4b2-0000-7000-8000-000000000023'"
const count = 40

const columns = `consent_version, consented_at, first_name, address, date_of_birth, place_of_birth, sex, civil_status,
  contact_number, email, citizenship, course, year_level, academic_year, emergency_contact_name,
  emergency_contact_number, nstp_component`

/** A section of forty, which trains today. */
async function storeRoll({ dataDir }: Product) {
  for (const statement of [
    'delete from attendance_calls',
    'delete from attendance',
    'delete from training_days',
    'delete from admin_sections',
    'delete from enrolments',
    'delete from sections',
    'delete from terms',
    'delete from students',
    `insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values (${term}, '2025-2026', 1, '2025-08-04', '2099-12-31', 'open', now())`,
    `insert into sections (id, term_id, component, level, name, capacity, position)
      values (${section}, ${term}, 'CWTS', 1, 'Section 1', 60, 0)`,
    `insert into students (id, reference, last_name, ${columns})
      select gen_random_uuid(), 'R' || i, 'Abad' || lpad(i::text, 2, '0'), '1', now(), 'Ana', '-', '2006-01-01', '-',
        'Female', 'Single', '0917 555 1001', 'a@b.example', 'Filipino', 'SOICT', 1, '2025-2026', '-', '1', 'CWTS'
      from generate_series(1, ${count}) i`,
    `insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
      select gen_random_uuid(), ${term}, id, 'CWTS', 1, ${section}, '2025-08-04', 'new' from students`,
    `insert into training_days (id, term_id, component, held_on, hours)
      values (gen_random_uuid(), ${term}, 'CWTS', (now() at time zone 'Asia/Manila')::date, 4)`,
  ])
    await queryDatabase(dataDir, statement)
}

/** As a facilitator of the section. */
async function signInWithSection(page: Page, product: Product): Promise<string> {
  const email = await signInAs(page, product, 'facilitator')
  await queryDatabase(
    product.dataDir,
    `insert into admin_sections (admin_id, section_id) select id, ${section} from admins where email = '${email}'`,
  )
  return email
}

const row = (page: Page, number: string) => page.getByRole('button', { name: new RegExp(`^Abad${number}`) })
const keepsPage = 'Until midnight this page opens without a network on this phone.'

/** Until the phone has page and list. */
async function openRoll(page: Page) {
  await page.goto('/roll')
  await expectReady(page)
  await expect(page.getByText(keepsPage)).toBeVisible({ timeout: longWait })
  await expect(row(page, '01')).toBeVisible()
}

/** The page is gone, and the phone opens another one without a network. */
async function reopenOffline(page: Page, context: BrowserContext): Promise<Page> {
  await page.close()
  const next = await context.newPage()
  await next.goto('/roll')
  return next
}

const keptAddresses = (page: Page) =>
  page.evaluate(async () => {
    if (!(await caches.has('roll'))) return []
    return (await (await caches.open('roll')).keys()).map(({ url }) => new URL(url).pathname)
  })

const callsOf = ({ dataDir }: Product) =>
  queryDatabase(
    dataDir,
    `select attendance.state, attendance.source, count(*)::int from attendance
     join attendance_calls using (day_id, student_id) group by 1, 2 order by 1`,
  )

test('a roll is opened, called and closed without a network, and each call is sent once when it is back', {
  tag: '@journey',
}, async ({ page: first, context, product }) => {
  await storeRoll(product)
  await signInWithSection(first, product)
  await openRoll(first)
  await context.setOffline(true)
  let page = await reopenOffline(first, context)
  await expect(page.getByText(/^No network\. Calls wait on this phone/)).toBeVisible()
  await expect(page.getByText(/^This list is of \d+:\d+ [AP]M\.$/)).toBeVisible()
  for (const number of ['03', '11', '24', '40']) await row(page, number).click()
  await expect(page.getByText(/4 waiting$/)).toBeVisible()
  page = await reopenOffline(page, context)
  await expect(row(page, '24')).toContainText('absent')
  await page.getByRole('button', { name: 'All present' }).click()
  await expect(page.getByText('36 present · 0 late · 4 absent · 0 excused')).toBeVisible()
  await expect(page.getByText(/40 waiting$/)).toBeVisible()
  await expectAccessible(page)
  page = await reopenOffline(page, context)
  await expect(page.getByText(/40 waiting$/)).toBeVisible()

  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  const leaving = page.getByRole('dialog', { name: 'Sign out before your calls are sent?' })
  await expect(leaving.getByText(/^40 calls of your roll not sent/)).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  await leaving.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(page.getByText('40 sent')).toBeVisible({ timeout: longWait })
  await page.reload()
  await expect(row(page, '24')).toContainText('absent')
  expect(await callsOf(product)).toEqual([
    { state: 'absent', source: 'roll', count: 4 },
    { state: 'present', source: 'roll', count: 36 },
  ])
})

test('a roll opens while a proxy answers in the place of the server', async ({
  page: first,
  context,
  product,
}) => {
  await storeRoll(product)
  await signInWithSection(first, product)
  await openRoll(first)
  await context.route(/\/(roll|api)\b/, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
  const page = await context.newPage()
  await page.goto('/roll')
  await expect(row(page, '01')).toBeVisible()
  await row(page, '01').click()
  await expect(page.getByText(/^No network\..* 1 waiting$/)).toBeVisible()
  await context.unrouteAll()
  await expect(page.getByText('1 sent')).toBeVisible({ timeout: longWait })
})

test('what a phone keeps of a roll ends with sign-out, session and day; calls stay for their account alone', {
  tag: '@journey',
}, async ({ page: first, context, product }) => {
  await storeRoll(product)
  const email = await signInWithSection(first, product)
  await openRoll(first)
  const kept = await keptAddresses(first)
  expect(kept).toContain('/roll')
  expect(kept.filter((path) => path.startsWith('/roll/kept/'))).toHaveLength(2)
  // Of a student, name and number alone.
  const texts = await first.evaluate(async () => {
    const cache = await caches.open('roll')
    const parts = (await cache.keys()).filter(({ url }) => url.includes('/roll/kept/'))
    return await Promise.all(parts.map(async (part) => await (await cache.match(part))?.text()))
  })
  expect(texts.join()).toContain('Abad01')
  const hidden = ['0917 555 1001', '2006-01-01', 'a@b.example', 'SOICT']
  expect(hidden.filter((value) => texts.join().includes(value))).toEqual([])

  await context.setOffline(true)
  await row(first, '01').click()
  await expect(first.getByText(/1 waiting$/)).toBeVisible()
  const page = await test.step('first opening after midnight', async () => {
    await first.close()
    const page = await context.newPage()
    await page.clock.setFixedTime(Date.now() + 24 * 3_600_000)
    await page.goto('/roll')
    await expect(page.getByText(/^This phone has no list of today/)).toBeVisible()
    expect((await keptAddresses(page)).filter((path) => path.startsWith('/roll/kept/'))).toEqual([])
    await page.close()
    return await context.newPage()
  })

  await test.step('session that the office ended', async () => {
    await queryDatabase(product.dataDir, 'delete from sessions')
    await context.setOffline(false)
    await page.goto('/roll')
    await page.waitForURL(/\/login/)
    await expect.poll(() => keptAddresses(page)).toEqual([])
  })

  await test.step('another account', async () => {
    await signInWithSection(page, product)
    await openRoll(page)
    await expect(row(page, '01')).toContainText('open')
    await row(page, '02').click()
    await expect(page.getByText('1 sent')).toBeVisible()
    expect(await callsOf(product)).toEqual([{ state: 'absent', source: 'roll', count: 1 }])
    await page.getByRole('button', { name: /^User menu/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL(/\/login/)
    expect(await keptAddresses(page)).toEqual([])
  })

  await test.step('account that made the call', async () => {
    const answer = await page.request.post('/api/session', { data: { email, password: adminPassword } })
    expect(answer.ok()).toBe(true)
    await page.goto('/roll')
    await expect(page.getByText('1 sent')).toBeVisible()
    expect(await callsOf(product)).toEqual([{ state: 'absent', source: 'roll', count: 2 }])
  })

  await test.step('account that is disabled while its page is open', async () => {
    await openRoll(page)
    await queryDatabase(product.dataDir, `delete from sessions`)
    await row(page, '03').click()
    await page.waitForURL(/\/login/)
    expect(await keptAddresses(page)).toEqual([])
  })
})
