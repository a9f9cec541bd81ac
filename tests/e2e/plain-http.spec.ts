import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { configureMail } from '#tests/setup/configure-mail.ts'
import { startMailSink } from '#tests/setup/mail-sink.ts'
import { startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { chromiumFlags, findHeadlessChromium } from '../../scripts/chromium.mjs'
import { putEnlistment, uniqueLastName } from './enlistment-form.ts'
import { expect, expectReady, signInByForm, test } from './journey.ts'
import { button, choose, openList } from './student-list.ts'

const executablePath = findHeadlessChromium()
const name = 'nstp.test'

// Of another name than this computer's own, http has no clipboard, no service worker and no random ids.
test.use({
  launchOptions: {
    ...(executablePath ? { executablePath } : {}),
    args: [...chromiumFlags, `--host-resolver-rules=MAP ${name} 127.0.0.1`],
  },
  startOwn: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
    async ({}, use) => use(() => startProduct({ RATE_LIMITS: 'off', ALLOW_HTTP: 'on' })),
    { scope: 'worker' },
  ],
  // The browser reports which headers it leaves out there.
  expectedErrors: [/Cross-Origin-Opener-Policy|Origin-Agent-Cluster/],
  baseURL: async ({ product }, use) => use(product.url.replace('127.0.0.1', name)),
})

test('the office’s day on plain http', { tag: ['@journey', '@desktop'] }, async ({ page, product }) => {
  test.slow()
  const sink = await startMailSink()
  await configureMail(product.url, await signInOverHttp(product.url), sink.account)
  const lastName = uniqueLastName()

  await test.step('a student enlists', async () => {
    await page.goto('/register')
    expect(await page.evaluate(() => [window.isSecureContext, typeof crypto.randomUUID])).toEqual([
      false,
      'undefined',
    ])
    await putEnlistment(page, { lastName, nstpComponent: 'CWTS' })
    await page.getByRole('button', { name: 'Submit registration' }).click()
    await expect(page.getByText(/^NSTP-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible()
  })

  await test.step('the office signs in, and saves the record', async () => {
    await signInByForm(page)
    await openList(page, lastName)
    await choose(page, 'Edit')
    const dialog = page.getByRole('dialog', { name: 'Edit Student' })
    await dialog.getByLabel('First Name').fill('Anabel')
    await button(page, 'Save Changes').click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Anabel').first()).toBeVisible()
  })

  await test.step('marks are saved', async () => {
    const [term, section] = ['0198f4b2-0000-7000-8000-000000000001', '0198f4b2-0000-7000-8000-000000000003']
    for (const statement of [
      `insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
        values ('${term}', '2026-2027', 1, '2026-01-01', '2026-01-28', 'open', now())`,
      `insert into sections (id, term_id, component, level, name, capacity, position)
        values ('${section}', '${term}', 'CWTS', 1, 'Section 1', 60, 0)`,
      `insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
        select gen_random_uuid(), '${term}', id, 'CWTS', 1, '${section}', '2026-08-03', 'new' from students
        where last_name = '${lastName}'`,
    ])
      await queryDatabase(product.dataDir, statement)
    await page.goto('/admin?tab=terms&component=CWTS&level=1')
    await expectReady(page)
    await page.getByRole('button', { name: 'Marks 0' }).click()
    await page.getByLabel(`Mark of ${lastName}`).fill('1.25')
    await page.getByRole('button', { name: 'Save 1 mark' }).click()
    await expect(page.getByText('1 mark saved')).toBeVisible()
  })

  await test.step('a single mail is sent', async () => {
    await page.goto('/admin?tab=email')
    const form = page.getByRole('form', { name: 'Single Email' })
    await form.getByLabel('Recipient').fill('juan@example.edu.ph')
    await form.getByLabel('Subject').fill('Orientation')
    await form.getByRole('textbox', { name: 'Message' }).fill('On Monday.')
    await form.getByRole('button', { name: 'Send Email' }).click()
    await expect(page.getByText('Email sent successfully')).toBeVisible()
    expect(sink.messages.map(({ to }) => to)).toContainEqual(['juan@example.edu.ph'])
  })

  await test.step('an announcement is posted', async () => {
    await page.goto('/admin?tab=announcements')
    await expectReady(page)
    await page.getByRole('button', { name: 'New announcement' }).click()
    const form = page.getByRole('dialog', { name: 'New announcement' })
    await form.getByLabel('Title').fill('Drill over http')
    await form.getByLabel('Content').fill('Assemble at six.')
    await form.getByRole('button', { name: 'Post announcement' }).click()
    await expect(form).toHaveCount(0)
    await expect(page.getByText('Drill over http').first()).toBeVisible()
  })

  await test.step('an import is uploaded', async () => {
    await page.goto('/admin?tab=import')
    await expect(page.getByRole('button', { name: 'Choose a file' })).toBeEnabled()
    const content = toCsv([
      buildSheetRow({ lastName: `${lastName}I`, email: 'i@x.example', studentId: 'http-1' }),
    ])
    await page
      .getByLabel('File to import')
      .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
    await expect(page.getByRole('heading', { name: 'Match columns' })).toBeVisible()
  })

  await test.step('the link is copied', async () => {
    await page.goto('/admin')
    await page.goto('/poster')
    await page.getByRole('button', { name: /copy/i }).click()
    await expect(page.getByText('Link copied')).toBeVisible()
  })
  expect(product.output()).not.toContain('a script of a page failed')
  await sink.close()
})
