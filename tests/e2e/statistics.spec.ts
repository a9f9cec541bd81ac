import { EventEmitter, once } from 'node:events'
import type { Page, Request } from '@playwright/test'
import readWorkbook from 'read-excel-file/node'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

async function openStatistics(page: Page, query = '') {
  await page.goto(`/statistics${query}`)
  await expect(page.getByRole('heading', { name: 'NSTP Statistics Dashboard' })).toBeVisible()
  await expect(page.getByText('Loading statistics...')).toBeHidden()
}

/** The figure of a summary card. */
const card = (page: Page, title: string) =>
  page
    .getByRole('region', { name: 'Summary' })
    .locator('div', { has: page.getByRole('heading', { name: title, exact: true }) })
    .locator('p')
    .first()

async function numberOn(page: Page, title: string): Promise<number> {
  return Number((await card(page, title).textContent())?.replaceAll(',', ''))
}

/** '3 · 50.0%' of a line of a distribution. */
const line = (page: Page, part: string, label: string) =>
  page.getByRole('region', { name: part }).getByRole('listitem').filter({ hasText: label })

async function countOfLine(page: Page, part: string, label: string): Promise<number> {
  const text = (await line(page, part, label).textContent()) ?? ''
  return Number(/([\d,]+) · /.exec(text)?.[1]?.replaceAll(',', ''))
}

test('the figures are right for known records, and follow new ones without a reload', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page)
  await registerStudent(page, { lastName: uniqueLastName() })
  await openStatistics(page, '?period=last-7-days')
  const before = {
    total: await numberOn(page, 'Total Students'),
    rotc: await numberOn(page, 'ROTC Students'),
    cwts: await numberOn(page, 'CWTS Students'),
    female: await countOfLine(page, 'Gender Distribution', 'Female'),
    year2: await countOfLine(page, 'Year Level Distribution', 'Year 2'),
  }

  const common = { yearLevel: '2nd Year', course: 'SOTE' }
  await registerStudent(page, { ...common, lastName: uniqueLastName(), nstpComponent: 'ROTC', sex: 'Female' })
  await registerStudent(page, { ...common, lastName: uniqueLastName(), nstpComponent: 'ROTC', sex: 'Male' })
  await registerStudent(page, { ...common, lastName: uniqueLastName(), nstpComponent: 'CWTS', sex: 'Female' })

  const total = before.total + 3
  await expect(card(page, 'Total Students')).toHaveText(String(total))
  await expect(card(page, 'ROTC Students')).toHaveText(String(before.rotc + 2))
  await expect(card(page, 'CWTS Students')).toHaveText(String(before.cwts + 1))
  const percent = (count: number) => `${((100 * count) / total).toFixed(1)}%`
  await expect(page.getByText(`${percent(before.rotc + 2)} of total`).first()).toBeVisible()
  await expect(line(page, 'Gender Distribution', 'Female')).toContainText(
    `${before.female + 2} · ${percent(before.female + 2)}`,
  )
  await expect(line(page, 'Year Level Distribution', 'Year 2')).toContainText(
    `${before.year2 + 3} · ${percent(before.year2 + 3)}`,
  )
  await expect(line(page, 'Popular Courses', 'SOTE')).toBeVisible()
  // Nobody registered in the seven days before: this product is younger.
  await expect(page.getByText(`+${total} from last period`)).toBeVisible()
  await expect(page.getByText('Male : female')).toBeVisible()

  // What is columns to the eye is a table to a screen reader.
  const table = page.getByRole('table', { name: 'Registrations over time' })
  const counts = await table.getByRole('cell').allInnerTexts()
  expect(counts.reduce((sum, text) => sum + Number(text), 0)).toBe(total)
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)

  // Each figure leads to its list.
  const female = await countOfLine(page, 'Gender Distribution', 'Female')
  const sote = await countOfLine(page, 'Popular Courses', 'SOTE')
  const today = (await table.getByRole('row').last().getByRole('cell').textContent()) ?? ''
  const listed = (count: number | string) =>
    expect(page.getByText(new RegExp(`^${count} students?`))).toBeVisible()
  for (const [link, count] of [
    ['Year 2', before.year2 + 3],
    ['Female', female],
    ['SOTE', sote],
    ['ROTC Students', before.rotc + 2],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name: link }).click()
    await listed(count)
    await page.goBack()
    await expect(card(page, 'Total Students')).toHaveText(String(total))
  }
  const day = table.getByRole('link').last()
  await day.focus()
  await expect(table).toBeInViewport()
  await expectAccessible(page)
  const name = (await day.textContent()) ?? ''
  await page.keyboard.press('Enter')
  await listed(today)
  await expect(page.getByLabel('Time Period').locator('option:checked')).toContainText(
    name.replace(/^(\w{3}).*/, '$1'),
  )
})

test('period and component are in the address and applied: reload, back, a sent link; two periods side by side', async ({
  page,
}) => {
  await signIn(page)
  await registerStudent(page, { lastName: uniqueLastName(), nstpComponent: 'CWTS' })
  await openStatistics(page)
  const cwts = await numberOn(page, 'CWTS Students')
  await expect(page.getByText('from last period')).toHaveCount(0)
  await expect(page.getByText('No earlier period to compare')).toBeVisible()

  await page.getByRole('button', { name: 'CWTS', exact: true }).click()
  await expect(page).toHaveURL(/\/statistics\?component=CWTS$/)
  await expect(card(page, 'Total Students')).toHaveText(String(cwts))
  await expect(card(page, 'ROTC Students')).toHaveText('0')
  await page.getByLabel('Time Period').selectOption('Last Semester')
  await expect(page).toHaveURL(/period=last-semester/)
  await expect(page.getByText('No course data available')).toBeVisible()
  await expect(page.getByText('No year level data available')).toBeVisible()
  // Other journeys import records of earlier semesters: the figure itself is the business of the API's tests.
  await expect(page.getByText(/^[+−]\d+ from last period$/)).toBeVisible()
  await expectAccessible(page)

  await page.reload()
  // Back before React has taken the page over would meet another address than the server's.
  await expectReady(page)
  await expect(page.getByLabel('Time Period')).toHaveValue('last-semester')
  await expect(page.getByRole('button', { name: 'CWTS', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.goBack()
  await expect(page.getByLabel('Time Period')).toHaveValue('all-time')
  await expect(card(page, 'Total Students')).toHaveText(String(cwts))
  await test.step('two periods side by side', async () => {
    await registerStudent(page, { lastName: uniqueLastName(), nstpComponent: 'CWTS', course: 'SOTE' })
    await openStatistics(page, '?period=last-7-days')
    const total = await numberOn(page, 'Total Students')
    await page.getByLabel('Compare with').selectOption('Last Semester')
    await expect(page).toHaveURL(/period=last-7-days&compare=last-semester/)
    await expect(page.getByText('Compared with Last Semester (')).toBeVisible()
    // Other journeys import records of earlier semesters.
    const notes = page.getByText(/^Last Semester: \d+ \([+−]\d+\)$/)
    const [, other, difference] = /: (\d+) \((.*)\)/.exec((await notes.first().textContent()) ?? '') ?? []
    expect(total - Number(other)).toBe(Number(difference?.replace('−', '-')))
    for (const [part, label] of [
      ['Gender Distribution', 'Female'],
      ['Popular Courses', 'SOTE'],
      ['Year Level Distribution', 'Year 2'],
    ] as const) {
      await expect(line(page, part, label)).toContainText(/Last Semester: \d+ \([+−]\d+\)/)
    }
    await expectAccessible(page)
    await page.getByLabel('Time Period').selectOption('Current Year')
    await expect(page).toHaveURL(/period=current-year&compare=last-semester/)
    const table = page.getByRole('table', { name: 'Registrations over time' })
    await expect(table.getByRole('cell', { name: /^\w+ \d{4}: \d+ \([+−]\d+\)$/ }).first()).toBeAttached()
    await page.getByLabel('Compare with').selectOption('No comparison')
    await expect(notes).toHaveCount(0)
    // All time begins anywhere; a period isn't compared with itself.
    await page.getByLabel('Compare with').selectOption('All Time')
    await expect(page.getByText(/no thin bars: All Time has no matching \w+s$/)).toBeVisible()
    await page.getByLabel('Time Period').selectOption('All Time')
    await expect(page.getByLabel('Compare with')).toHaveValue('')
    await expect(page.getByText('Compared with')).toBeHidden()
  })
})

test('the statistics are exported sheet by sheet and printed, and the print is recent activity', async ({
  page,
}) => {
  await page.addInitScript(() => {
    // As the browser tells a page that it will be printed, without its dialog.
    window.print = () => void window.dispatchEvent(new Event('beforeprint'))
  })
  await signIn(page)
  await registerStudent(page, { lastName: uniqueLastName(), nstpComponent: 'ROTC' })
  await openStatistics(page, '?period=current-year&component=ROTC')
  const rotc = await numberOn(page, 'ROTC Students')
  await test.step('the export is a workbook, and says how it goes', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await expect(page.getByText('Preparing Excel export...')).toBeVisible()
    await expect(page.getByText('Export complete!')).toBeVisible()
    await expect(page.getByText('Preparing Excel export...')).toBeHidden()
    const sheets = await readWorkbook(await (await download).path())
    const parts = ['Summary', 'Gender Distribution', 'Popular Courses', 'Year Level Distribution']
    expect(sheets.map(({ sheet }) => sheet)).toEqual(expect.arrayContaining([...parts, 'Registrations']))
    const cells = sheets.flatMap(({ data }) => data)
    expect(cells).toContainEqual(expect.arrayContaining(['ROTC', rotc, 100]))
  })
  await test.step('a print is recorded once', async () => {
    const recorded: Request[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/statistics/prints')) recorded.push(request)
    })
    const answer = page.waitForResponse(/\/api\/statistics\/prints$/)
    await page.getByRole('button', { name: 'Print', exact: true }).click()
    expect((await answer).status()).toBe(204)
    expect((await answer).request().postDataJSON()).toEqual({ period: 'current-year', component: 'ROTC' })
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText(/Printed \w{3} \d+, \d{4}/)).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Administration' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeHidden()
    await page.emulateMedia({ media: 'screen' })
    expect(recorded).toHaveLength(1)
    await expect(page.getByText('Export complete!')).toBeHidden()
  })
  await page.goto('/admin')
  const activity = page.getByRole('region', { name: 'Recent Activity' })
  await expect(activity.getByText('Printed statistics').first()).toBeVisible()
  await expect(activity.getByText('just now').first()).toHaveAttribute('title', /\d{4}, \d+:\d{2}/)
  await expectAccessible(page)
})

test.describe('before there are figures', () => {
  // The browser itself reports the answers' status.
  test.use({ expectedErrors: [/503/] })

  test('the page has its shape already; while the server refuses they are zero, and a retry brings them back', async ({
    page,
  }) => {
    await signIn(page)
    await registerStudent(page, { lastName: uniqueLastName() })
    const address = '**/api/statistics?*'
    await test.step('on their way', async () => {
      const gate = new EventEmitter()
      const opened = once(gate, 'open')
      await page.route(address, async (route) => {
        await opened
        await route.continue()
      })
      await page.goto('/statistics')
      await expect(page.getByText('Loading statistics...')).toBeVisible()
      await expectAccessible(page)
      const places = () =>
        page
          .getByRole('main')
          .evaluate((main) =>
            [...main.querySelectorAll('h2')].map((heading) =>
              Math.round(heading.getBoundingClientRect().top),
            ),
          )
      const before = await places()
      gate.emit('open')
      await expect(page.getByText('Loading statistics...')).toBeHidden()
      expect(await places()).toEqual(before)
      await page.unroute(address)
    })
    await test.step('refused', async () => {
      const detail = 'The database does not answer.'
      const body = JSON.stringify({ title: 'Unavailable', status: 503, code: 'unavailable', detail })
      await page.route(address, (route) =>
        route.fulfill({ status: 503, contentType: 'application/problem+json', body }),
      )
      await page.goto('/statistics')
      await expect(page.getByText(`Failed to load students data. Error: ${detail}`)).toBeVisible()
      await expect(card(page, 'Total Students')).toHaveText('0')
      await expect(page.getByText('No course data available')).toBeVisible()
      await expectAccessible(page)
      await page.unroute(address)
      await page.getByRole('button', { name: 'Retry' }).click()
      await expect(card(page, 'Total Students')).not.toHaveText('0')
      await expect(page.getByRole('alert')).toHaveCount(0)
    })
  })
})
