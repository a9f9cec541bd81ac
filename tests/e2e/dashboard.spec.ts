import type { Request } from '@playwright/test'
import { renderSVG } from 'uqr'
import { officeSettings } from '#tests/setup/office-settings.ts'
import { startProduct } from '#tests/setup/product.ts'
import { changeSettings } from './change-settings.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { countShifts, expect, expectAccessible, expectReady, longWait, signIn, test } from './journey.ts'

test('enlistments show among the recent activity as they come, read again what they concern alone, and open their list; a refusal leaves one gap', async ({
  page,
  expectErrors,
}) => {
  // With students the steps of getting started, which are asked for by themselves, don't show.
  await registerStudent(page, { lastName: uniqueLastName() })
  await signIn(page)
  const underWay = new Set<string>()
  page.on('request', (request) => underWay.add(request.url()))
  const end = (request: Request) => underWay.delete(request.url())
  page.on('requestfinished', end).on('requestfailed', end)
  await page.goto('/admin')
  const activity = page.getByRole('region', { name: 'Recent Activity' })
  await expect(activity.getByText('Signed in').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')).not.toHaveCount(0)
  // What the server left to the browser at first: on a busy machine that is more.
  await expectReady(page)
  await expect.poll(() => [...underWay].filter((url) => !url.includes('/api/events'))).toEqual([])
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(new URL(request.url()).pathname))
  const lastName = uniqueLastName()
  for (const firstName of ['Ana', 'Berta', 'Clara', 'Dina']) {
    await registerStudent(page, { lastName, firstName })
  }
  // Without a reload. The product may have earlier students.
  const many = activity.getByRole('link', { name: /^[\d,]+ students enlisted$/ })
  await expect(many).toBeVisible()
  await expect(activity.getByText('In the last 7 days', { exact: true })).toBeVisible()
  const { enlistments } = await (await page.request.get('/api/dashboard')).json()
  await expect(many).toHaveText(`${enlistments.count} students enlisted`)
  await expectAccessible(page)
  // Counting students takes a rest of 15 seconds.
  await expect.poll(() => asked.has('/api/students'), { timeout: longWait }).toBe(true)
  const others = [
    '/api/mail/queue',
    '/api/mail/bounces',
    '/api/announcements',
    '/api/backup',
    '/api/retention',
  ]
  expect(others.filter((path) => asked.has(path))).toEqual([])

  await many.click()
  await page.waitForURL(/\/admin\?tab=students&period=last-7-days$/)
  const list = await (await page.request.get('/api/students?period=last-7-days')).json()
  await expect(page.getByText(`${list.total.toLocaleString('en')} students · registered`)).toBeVisible()
  expect(list.total).toBe(enlistments.count)
  await expect(page.getByRole('button', { name: `View ${lastName}, Dina` })).toBeVisible()
  await test.step('a refusal of one figure leaves one gap among what needs attention', async () => {
    const lastName = uniqueLastName()
    for (let count = 0; count < 2; count += 1) await registerStudent(page, { lastName })
    let isRefused = true
    await page.route('**/api/mail/bounces', (route) =>
      isRefused ? route.fulfill({ status: 403, body: '' }) : route.continue(),
    )
    // Of the first screen the server reads what it shows.
    await page.goto('/admin?tab=profile-settings')
    await expectReady(page)
    const attention = page.getByRole('region', { name: 'Needs attention' })
    const gap = attention.getByRole('alert')
    await expectErrors(/403/, async () => {
      await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
      await expect(gap).toContainText('Failed to load bounced e-mails: Permission denied.')
    })
    await expect(attention.getByRole('link', { name: /possible duplicates? to decide$/ })).toBeVisible()
    await expectAccessible(page)
    isRefused = false
    await gap.getByRole('button', { name: 'Retry' }).click()
    await expect(gap).toHaveCount(0)
    await expect(attention.getByRole('link', { name: /possible duplicates? to decide$/ })).toBeVisible()
  })
})

test('getting started and the poster are found by Ctrl K; the one ticks what is done, the other is one sheet of A4', async ({
  page,
  product,
}) => {
  await signIn(page)
  await page.goto('/admin')
  await expect(page.getByRole('region', { name: 'Recent Activity' })).toBeVisible()
  const list = page.getByRole('region', { name: 'Getting started' })
  // There are students: the portal isn't new.
  await expect(list).toHaveCount(0)
  const search = page.getByRole('combobox', { name: 'Search students, screens and settings' })
  await search.fill('getting')
  await expect(page.getByRole('listbox', { name: 'Search results' })).toContainText('Getting started')
  await search.press('Enter')
  await expect(list.getByRole('link', { name: 'First backup (to do)' })).toBeVisible()
  await page.reload()
  await expect(list.getByRole('link', { name: 'First backup (to do)' })).toBeVisible()
  await expectAccessible(page)
  await changeSettings(page.request, { schoolName: 'Cavite State University' })
  await expect(list.getByRole('link', { name: 'School name (done)' })).toBeVisible()
  await list.getByRole('button', { name: 'Hide getting started' }).click()
  await expect(list).toHaveCount(0)
  await search.fill('getting')
  await expect(page.getByRole('listbox', { name: 'Search results' })).toContainText('Getting started')
  await search.press('Enter')
  await list.getByRole('link', { name: /^Courses/ }).click()
  await expect(page.getByRole('region', { name: 'Courses' })).toBeFocused()
  await changeSettings(page.request, { schoolName: '' })
  await test.step('the poster has the school, the dates, the address and its code, on one sheet of A4', async () => {
    const dates = { opensAt: '2099-06-01T08:00', closesAt: '2099-06-30T17:00' }
    const enlistment = { ...officeSettings.enlistment, state: 'dates' as const, ...dates }
    await changeSettings(page.request, { schoolName: 'Cavite State University', enlistment })
    await page.goto('/admin')
    await expect(page.getByRole('region', { name: 'Recent Activity' })).toBeVisible()
    await page.getByRole('combobox').first().fill('poster')
    await expect(page.getByRole('option', { name: 'Share link and QR poster' })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/poster$/)
    await expect(page).toHaveTitle(/^Share link and QR poster · /)
    const poster = page.getByRole('article')
    await expect(poster).toContainText('Cavite State University')
    await expect(poster).toContainText('Opens Jun 1, 2099, 8:00 AM')
    await expect(poster).toContainText('Closes Jun 30, 2099, 5:00 PM')
    await expect(poster).toContainText(`${product.url}/register`)
    await expect(page.getByRole('link', { name: 'Submit a test enlistment' })).toHaveAttribute(
      'href',
      '/register',
    )
    await expect(page.getByText('This address works on this computer only.')).toBeVisible()
    await expectAccessible(page)
    const code = renderSVG(`${product.url}/register`, { border: 2 })
    await expect(page.getByRole('img', { name: /^QR code of/ })).toHaveAttribute(
      'src',
      `data:image/svg+xml,${encodeURIComponent(code)}`,
    )
    const paper = await page.pdf({ preferCSSPageSize: true })
    expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    await changeSettings(page.request, { schoolName: '', enlistment: officeSettings.enlistment })
  })
})

test('a new portal is open, shows the first steps at once, and marks what was done', {
  tag: '@journey',
}, async ({ browser }) => {
  // A product of its own and a dozen pages.
  test.slow()
  const portal = await startProduct({ RATE_LIMITS: 'off' }, [], { keepsNewSettings: true })
  const context = await browser.newContext({ baseURL: portal.url })
  const page = await context.newPage()
  const readShift = await countShifts(page)
  await signIn(page)
  let isFailing = true
  await page.route('**/api/backup', (route) => (isFailing ? route.abort() : route.continue()))
  await page.goto('/admin')
  const list = page.getByRole('region', { name: 'Getting started' })
  await expect(list).toContainText('0 of 15 done')
  await expect(list.getByRole('region', { name: 'First' }).getByRole('link')).toHaveText([
    'Enlistment is open. Close it until your courses are right (to do)',
    'School name (to do)',
    'Courses and academic years (SOICT, SOBM, SOHM, SOCJ, SOTE: samples) (to do)',
    'Data protection contact (to do)',
    'Contact of the office (to do)',
  ])
  await expect(list.getByRole('link', { name: 'First backup', exact: true })).toBeVisible()
  await expectAccessible(page)
  isFailing = false
  await list.getByRole('button', { name: 'Retry' }).click()
  await expect(list.getByRole('link', { name: 'First backup (to do)' })).toBeVisible()
  await page.reload()
  await expect(list.getByRole('link', { name: 'First backup (to do)' })).toBeVisible()
  await expect(page.getByText('No backup yet')).toBeVisible()
  expect(await readShift()).toBeLessThan(0.02)

  // To look at them is not to confirm them.
  await list.getByRole('link', { name: /^Courses and academic years/ }).click()
  await expect(page.getByRole('region', { name: 'Courses' })).toBeFocused()
  await page.goto('/admin')
  await expect(list.getByRole('link', { name: /^Courses and academic years .* \(to do\)$/ })).toBeVisible()
  // The page's scripts run.
  await expect(list.getByRole('link', { name: 'First backup (to do)' })).toBeVisible()

  const visitor = await context.newPage()
  await visitor.goto('/register')
  await expect(
    visitor.getByText(/has not given the name of its school or a data protection contact/),
  ).toBeVisible()
  await list.getByRole('button', { name: 'Close enlistment' }).click()
  await expect(list.getByRole('button', { name: 'Open enlistment' })).toBeVisible()
  // A form that is shown stays.
  await visitor.reload()
  await expect(visitor.getByText(/^Online enlistment is closed at the moment\./)).toBeVisible()
  await list.getByRole('button', { name: 'These are ours' }).click()
  await expect(list.getByRole('link', { name: /^Courses and academic years .* \(done\)$/ })).toBeVisible()
  await list.getByRole('button', { name: 'Open enlistment' }).click()
  await expect(list.getByRole('link', { name: 'Enlistment is open (done)' })).toBeVisible()
  await expect(visitor.locator('[name="lastName"]')).toBeVisible()
  await visitor.close()
  await expect(list.getByRole('link', { name: 'First backup (to do)' })).toBeVisible()
  const opened = context.waitForEvent('page')
  await list.getByRole('link', { name: 'Submit a test enlistment (to do)' }).click()
  await expect(await opened).toHaveURL(/\/register$/)

  // No list yet: what there is to do first, and nothing to export, print or compare.
  await page.goto('/admin?tab=students')
  await expect(page.getByText('No students registered yet.')).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Import students' })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Share link and QR poster' })).toBeVisible()
  await expect(
    main.getByRole('button', { name: /^(Export to Excel|Print|Possible duplicates)$/ }),
  ).toHaveCount(0)

  // One account: what others are for, and how to begin.
  await page.goto('/admin?tab=people')
  await expect(main.getByText('Add people instead of sharing your password.')).toBeVisible()
  await expect(main.getByRole('button')).toHaveText(['Add a person'])
  await expectAccessible(page)

  await registerStudent(page, { lastName: uniqueLastName() })
  await page.goto('/admin')
  // Still there after a registration to try it.
  await expect(list).toContainText('3 of 15 done')

  await list.getByRole('link', { name: 'Share link and QR poster (to do)' }).click()
  await expect(page.getByRole('heading', { name: 'Enlist online' })).toBeVisible()
  await expect(page.getByText(`${portal.url}/register`)).toBeVisible()
  // Students can't follow it: it leads to this computer.
  await page.goto('/admin')
  await expect(list.getByRole('link', { name: 'Share link and QR poster (to do)' })).toBeVisible()
  await context.close()
  await portal.remove()
})
