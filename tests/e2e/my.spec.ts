import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { buildRegistration } from '#tests/factories/registration.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import type { MailSink } from '#tests/setup/mail-sink.ts'
import type { Product } from '#tests/setup/product.ts'
import { uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, longWait, signIn, slowDown } from './journey.ts'
import { test } from './mail-journey.ts'

const term = '0198f4b2-0000-7000-8000-00000000c001'
const section = '0198f4b2-0000-7000-8000-00000000c002'

test.use({ viewport: { width: 360, height: 740 } })

async function enlist(request: APIRequestContext) {
  const email = `${uniqueLastName().toLowerCase().replace('ñ', 'n')}@student.example`
  const record = buildRegistration({ email, nstpComponent: 'CWTS' })
  const answer = await request.post('/api/registrations', { data: record })
  const { id, reference }: { id: string; reference: string } = await answer.json()
  return { id, reference, email, dateOfBirth: record.dateOfBirth }
}

/** Enlists a student, and places them in a section of the open term. */
async function place(request: APIRequestContext, { dataDir }: Product) {
  const student = await enlist(request)
  for (const statement of [
    `insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values ('${term}', '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now()) on conflict do nothing`,
    `insert into sections (id, term_id, component, level, unit, name, capacity, adviser, meets, position)
      values ('${section}', '${term}', 'CWTS', 1, 'Alpha', '1', 40, 'Maria Reyes', 'Saturday 8:00, Gym', 0)
      on conflict do nothing`,
    `insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
      values (gen_random_uuid(), '${term}', '${student.id}', 'CWTS', 1, '${section}', '2026-08-03', 'new')`,
  ]) {
    await queryDatabase(dataDir, statement)
  }
  return student
}

const english = {
  ...{ reference: 'Your reference code', month: 'Month', day: 'Day', year: 'Year', next: 'Continue' },
  placed: 'You are placed in a section.',
}
const filipino: typeof english = {
  ...{ reference: 'Ang iyong reference code', month: 'Buwan', day: 'Araw', year: 'Taon', next: 'Magpatuloy' },
  placed: 'May seksyon ka na.',
}

type Student = { reference: string; dateOfBirth: string }

async function enter(page: Page, { reference, dateOfBirth }: Student, words = english) {
  const [year = '', month, day] = dateOfBirth.split('-')
  await page.goto('/my')
  await page.getByLabel(words.reference).first().fill(reference)
  await page.getByLabel(words.month).selectOption(String(Number(month)))
  await page.getByLabel(words.day).fill(String(Number(day)))
  await page.getByLabel(words.year).fill(year)
  await page.getByRole('button', { name: words.next }).click()
}

/** The office, in a browser of its own. */
async function openDesk(browser: Browser, baseURL: string | undefined) {
  const desk = await (await browser.newContext(baseURL === undefined ? {} : { baseURL })).newPage()
  await signIn(desk)
  const { request } = desk
  return {
    request,
    close: () => desk.context().close(),

    async slipOf(id: string): Promise<string> {
      const made = await request.post('/api/students/slips', { data: { ids: [id] } })
      return (await made.json()).items[0].code
    },

    /** Accepts all of a student's request. */
    async accept(studentId: string, answer: string) {
      const { items } = await (await request.get('/api/requests')).json()
      const { id } = items.find((item: { studentId: string }) => item.studentId === studentId)
      const { version, recordVersion } = await (await request.get(`/api/requests/${id}`)).json()
      const data = { version, recordVersion, accept: 'all', answer }
      expect((await request.post(`/api/requests/${id}/decide`, { data })).ok()).toBe(true)
    },
  }
}

/** The six digits that were mailed to an address. */
async function mailedDigits({ messages }: MailSink, email: string): Promise<string> {
  const digits = () => {
    const mail = messages.find(({ to, raw }) => to[0] === email && /Subject: (Your|Ang iyong) code/.test(raw))
    return /\b(\d{3}) (\d{3})\b/
      .exec(mail?.raw ?? '')
      ?.slice(1)
      .join('')
  }
  await expect.poll(digits).toBeDefined()
  return digits() ?? ''
}

test('a student opens the own page by a mailed code, asks for a correction and reads the answer', {
  tag: '@journey',
}, async ({ page, product, sink, browser, baseURL }) => {
  const student = await place(page.request, product)
  await enter(page, student)
  await expect(page.getByText(english.placed)).toBeVisible()
  await expect(page.getByText('Alpha, 1')).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Mail me a code' }).click()
  await page.getByLabel('Code from the e-mail').fill(await mailedDigits(sink, student.email))
  await page.getByRole('button', { name: 'Open my page' }).click()
  await expect(page.getByText('Alpha, 1')).toBeVisible()
  await expect(page.getByText('Saturday 8:00, Gym')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Ask for a change' }).click()
  await page.getByText('Address and personal data').click()
  await page.getByLabel('Barangay').fill('Tibag')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Ask for the correction' }).click()
  await expect(page.getByText(/Barangay: .* → Tibag/)).toBeVisible()

  const desk = await openDesk(browser, baseURL)
  await desk.accept(student.id, 'Corrected. Thank you.')
  await desk.close()

  await page.getByRole('link', { name: 'My NSTP' }).first().click()
  await page.reload()
  await expect(page.getByText('Corrected. Thank you.')).toBeVisible()

  await test.step('an absence is asked about, excused at the desk and on the page', async () => {
    const day = '0198f4b2-0000-7000-8000-00000000c003'
    for (const statement of [
      `insert into training_days (id, term_id, component, level, held_on, title, starts_at, hours, state)
        values ('${day}', '${term}', 'CWTS', 1, current_date - 9, 'Orientation', '07:30', 4, 'closed')`,
      `insert into attendance (day_id, student_id, state, source, at)
        values ('${day}', '${student.id}', 'absent', 'closing', now())`,
    ]) {
      await queryDatabase(product.dataDir, statement)
    }
    await page.reload()
    await page.getByText('My training days so far').click()
    await expect(page.getByRole('listitem').filter({ hasText: 'Orientation' })).toContainText('Absent')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Ask to be excused' }).click()
    await page.getByLabel('Training day').selectOption(day)
    await page.getByLabel('Ground').selectOption('family')
    const form = page.locator('form').filter({ has: page.getByLabel('Ground') })
    await form.getByLabel('Why?').fill('A wedding in Baguio')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Ask to be excused' }).click()
    await expect(page.getByText('A wedding in Baguio')).toBeVisible()

    const office = await openDesk(browser, baseURL)
    await office.accept(student.id, 'Excused.')
    const roll = `/api/terms/${term}/attendance?component=CWTS&level=1`
    const { calls } = await (await office.request.get(roll)).json()
    expect(calls).toMatchObject([{ studentId: student.id, state: 'excused', ground: 'family' }])
    await office.close()
    await page.reload()
    await page.getByText('My training days so far').click()
    await expect(
      page.getByRole('listitem').filter({ hasText: 'Orientation' }).getByText('Excused', { exact: true }),
    ).toBeVisible()
  })

  await page.getByRole('link', { name: 'Open my record' }).click()
  await expect(page.getByText('Tibag')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
  await expect(page.getByText('Tibag')).toBeHidden()
})

test.describe('without mail', () => {
  test.use({ isConfigured: false })

  test('a slip of the office opens the own page at once', { tag: '@journey' }, async ({
    page,
    product,
    browser,
    baseURL,
  }) => {
    const student = await place(page.request, product)
    const desk = await openDesk(browser, baseURL)
    const code = await desk.slipOf(student.id)
    await desk.close()

    await enter(page, student)
    await expect(page.getByText('No code can be mailed to you. A slip opens your page.')).toBeVisible()
    await page.getByText('I have a slip from the office').click()
    await page.getByLabel('Code on the slip').fill(code)
    await page.getByRole('button', { name: 'Open my page' }).click()
    await expect(page.getByText('Alpha, 1')).toBeVisible()
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Open my record' }).click()
    await page.getByRole('link', { name: /^Download everything/ }).click()
    expect((await downloading).suggestedFilename()).toBe(`Personal data ${student.reference}.xlsx`)
  })
})

test.describe('without scripts, in Filipino, over a line of 2 s', () => {
  test.use({ locale: 'fil-PH', javaScriptEnabled: false })

  test('a student reads the section, asks for a correction and sees that it was granted', {
    tag: '@journey',
  }, async ({ page, product, sink, browser, baseURL }) => {
    test.slow()
    page.setDefaultTimeout(longWait)
    const student = await place(page.request, product)
    await slowDown(page, 2_000)
    await enter(page, student, filipino)
    await page.getByRole('button', { name: 'Padalhan ako ng code' }).click()
    await page.getByLabel('Code mula sa e-mail').fill(await mailedDigits(sink, student.email))
    await page.getByRole('button', { name: 'Buksan ang aking pahina' }).first().click()
    await expect(page.getByText('Alpha, 1')).toBeVisible({ timeout: longWait })
    await page.getByRole('link', { name: 'Humiling ng pagbabago' }).click()
    await page.getByText('Address at personal na datos').click()
    await page.getByLabel('Barangay').fill('Tibag')
    await page.getByRole('button', { name: 'Hilingin ang pagwawasto' }).click()
    await expect(page.getByText(/Barangay: .* → Tibag/)).toBeVisible({ timeout: longWait })

    const desk = await openDesk(browser, baseURL)
    await desk.accept(student.id, 'Naitama na.')
    await desk.close()
    await page.goto('/my')
    await expect(page.getByText('Pinagbigyan')).toBeVisible()
    await expect(page.getByText('Naitama na.')).toBeVisible()
    await page.getByRole('button', { name: 'Umalis' }).click()
    await expect(page.getByRole('button', { name: 'Magpatuloy' })).toBeVisible({ timeout: longWait })
  })
})

test('an archived record is read and asked about, and the code of a merged one opens the kept one', {
  tag: '@journey',
}, async ({ page, product, browser, baseURL }) => {
  const student = await place(page.request, product)
  const dropped = await enlist(page.request)
  const desk = await openDesk(browser, baseURL)
  const versionOf = async (id: string) =>
    (await (await desk.request.get(`/api/students/${id}`)).json()).version
  const openBySlip = async (id: string) => {
    await page.getByText('I have a slip from the office').click()
    await page.getByLabel('Code on the slip').fill(await desk.slipOf(id))
    await page.getByRole('button', { name: 'Open my page' }).click()
  }

  await test.step('merged: the dropped reference opens the kept record', async () => {
    const data = {
      ...{ keepId: student.id, dropId: dropped.id, take: {} },
      ...{ keepVersion: await versionOf(student.id), dropVersion: await versionOf(dropped.id) },
    }
    const merged = await desk.request.post('/api/students/merge', { data })
    expect(merged.ok(), await merged.text()).toBe(true)
    await enter(page, dropped)
    await openBySlip(student.id)
    await expect(page.getByText(student.reference)).toBeVisible()
    await expect(page.getByText(dropped.reference)).toBeHidden()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Leave' }).click()
  })

  await test.step('archived: it is read, and a copy is asked for, but no correction', async () => {
    expect((await desk.request.post(`/api/students/${student.id}/archive`)).ok()).toBe(true)
    await enter(page, student)
    await expect(page.getByText('Your record is archived.')).toBeVisible()
    await openBySlip(student.id)
    await expect(page.getByText('Your record is archived and can no longer be changed.')).toBeVisible()
    await page.getByRole('link', { name: 'Ask for a change' }).click()
    await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Correct my record' })).toBeHidden()
    await page.getByText('A copy of my data').click()
    await page.getByRole('button', { name: 'Ask for a copy' }).click()
    await expect(page.getByText('Copy of the data')).toBeVisible()
  })
  await desk.close()
})
