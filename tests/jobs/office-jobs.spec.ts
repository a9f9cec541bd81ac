import { devices, type Page } from '@playwright/test'
import { defaultOptions } from '#shared/papers/papers.ts'
import type { StudentListItem } from '#shared/students/student-response.ts'
import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { configureMail } from '#tests/setup/configure-mail.ts'
import type { MailSink } from '#tests/setup/mail-sink.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { registerStudent } from '../e2e/enlistment-form.ts'
import { expectReady, signInAs } from '../e2e/journey.ts'
import { keepMailServer } from '../e2e/mail-journey.ts'
import { chooseFile, test as counted, type } from './counted-job.ts'
import { takeBackPaper, writeRegistrarList } from './lists-of-others.ts'

/** All jobs are of one office: its demo, and a mail account. */
const test = counted.extend<object, { mailServer: MailSink }>({
  mailServer: [keepMailServer, { scope: 'worker' }],
  startOwn: [
    async ({ mailServer }, use) =>
      use(async () => {
        const product = await startProduct({ RATE_LIMITS: 'off' }, ['--demo'])
        await configureMail(product.url, await signInOverHttp(product.url), mailServer.account)
        return product
      }),
    { scope: 'worker' },
  ],
})
const { expect } = test

test.describe.configure({ mode: 'default', timeout: 180_000 })

/** A job begins at the dashboard, signed in. */
async function openDashboard(page: Page, product: Product) {
  await signInAs(page, product, 'coordinator')
  await page.goto('/admin')
  await expectReady(page)
}

const button = (page: Pick<Page, 'getByRole'>, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

const openScreen = (page: Page, name: string) =>
  page.getByRole('complementary').getByRole('link', { name, exact: true }).click()

/** Somebody of the demo, as the list shows the first of CWTS. */
async function readSomebody(page: Page): Promise<StudentListItem> {
  const answer = await page.request.get('/api/students?component=CWTS&pageSize=1&sort=name')
  return (await answer.json()).items[0]
}

/** Opens the first record that the search finds, by the keyboard alone. */
async function openByTyping(page: Page, text: string, name: string) {
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type(text)
  await expect(page.getByRole('option', { name }).first()).toBeVisible()
  await page.keyboard.press('Enter')
}

test.describe('on a phone', () => {
  const { defaultBrowserType: _chromium, ...phone } = devices['Pixel 7']
  test.use({ ...phone, viewport: { width: 390, height: 844 } })

  for (const { who, birth, most } of [
    {
      who: 'an adult',
      birth: { month: '5', day: '14', year: '2007' },
      most: { clicks: 18, keys: 146, seconds: 85 },
    },
    {
      who: 'a 17-year-old',
      birth: { month: '1', day: '1', year: String(new Date().getFullYear() - 17) },
      most: { clicks: 21, keys: 180, seconds: 95 },
    },
  ]) {
    test(`${who} enlists`, async ({ page, job }) => {
      await page.goto('/', { waitUntil: 'networkidle' })
      const field = (name: string) => page.locator(`[name="${name}"]`)
      /** Ended by the keyboard's own "next". */
      const answer = async (name: string, text: string) => {
        await expect(field(name)).toBeFocused()
        await page.keyboard.type(text)
        await page.keyboard.press('Enter')
      }
      const tapAndAnswer = async (name: string, text: string) => {
        await field(name).tap()
        await answer(name, text)
      }
      const isMinor = who !== 'an adult'
      await job({ who: 'student', most }, async () => {
        await page.getByRole('link', { name: 'Register Now' }).first().tap()
        const rules = page.waitForResponse(/registration-rules/)
        await field('lastName').tap()
        await rules
        await answer('lastName', 'Dela Cruz')
        await answer('firstName', isMinor ? 'Ana Luz' : 'Juan Miguel')
        await page.keyboard.press('Enter')
        await answer('address', '12 Mabini St., Brgy. San Isidro')
        await field('birthMonth').selectOption(birth.month)
        await tapAndAnswer('birthDay', birth.day)
        await answer('birthYear', birth.year)
        await answer('placeOfBirth', 'Imus, Cavite')
        await page.locator('[name="sex"][value="Male"]').tap()
        await field('civilStatus').selectOption('Single')
        await tapAndAnswer('contactNumber', '09171234567')
        await expect(field('email')).toBeFocused()
        await page.keyboard.type('juan.miguel.dc@student.example')
        if (isMinor) {
          await tapAndAnswer('guardianName', 'Maria Dela Cruz')
          await answer('guardianRelationship', 'Mother')
          await answer('guardianContactNumber', '09187654321')
        }
        await page.locator('[data-next]:visible').tap()
        await field('course').selectOption('SOBM')
        await field('yearLevel').selectOption('1st Year')
        await page.locator('[name="nstpComponent"][value="CWTS"]').tap()
        await page.locator('[data-next]:visible').tap()
        await answer('emergencyContactName', 'Maria Dela Cruz')
        await answer('emergencyContactNumber', '09187654321')
        if (isMinor) await field('guardianConsent').tap()
        await field('consent').tap()
        await page.getByRole('button', { name: 'Submit registration' }).tap()
        await expect(page.getByText(/^NSTP-[\w-]+$/)).toBeVisible()
      })
    })
  }
})

for (const way of ['name', 'student ID', 'reference code', 'e-mail', 'phone'] as const) {
  test(`find a student by ${way}`, async ({ page, product, job }) => {
    await openDashboard(page, product)
    const { id, lastName, firstName, studentId, email, contactNumber } = await readSomebody(page)
    const { reference } = await (await page.request.get(`/api/students/${id}`)).json()
    const typed = {
      name: `${lastName} ${firstName.slice(0, 3)}`,
      'student ID': studentId,
      'reference code': reference,
      'e-mail': email.slice(0, 10),
      phone: contactNumber,
    }[way]
    await job({ who: 'coordinator', most: { clicks: 0, keys: 22, seconds: 6 } }, async () => {
      await openByTyping(page, typed, `${lastName}, ${firstName}`)
      await expect(page.getByRole('dialog', { name: 'Student Details' })).toBeVisible()
    })
  })
}

test('correct a name', async ({ page, product, job }) => {
  await openDashboard(page, product)
  const { lastName, firstName } = await readSomebody(page)
  await job({ who: 'coordinator', most: { clicks: 2, keys: 32, seconds: 10 } }, async () => {
    await openByTyping(page, `${lastName} ${firstName.slice(0, 3)}`, `${lastName}, ${firstName}`)
    await page
      .getByRole('dialog', { name: 'Student Details' })
      .getByRole('button', { name: 'Edit', exact: true })
      .click()
    const form = page.getByRole('dialog', { name: /^Edit/ })
    await type(form.getByRole('textbox', { name: 'First Name' }), 'Maria')
    await page.keyboard.press('Enter')
    await expect(form).toHaveCount(0)
  })
})

test('find a student and correct the phone number', async ({ page, product, job }) => {
  await openDashboard(page, product)
  const { lastName, firstName } = await readSomebody(page)
  await job({ who: 'coordinator', most: { clicks: 2, keys: 40, seconds: 12 } }, async () => {
    await openByTyping(page, `${lastName} ${firstName}`, `${lastName}, ${firstName}`)
    await page
      .getByRole('dialog', { name: 'Student Details' })
      .getByRole('button', { name: 'Edit', exact: true })
      .click()
    const form = page.getByRole('dialog', { name: /^Edit/ })
    await type(form.getByRole('textbox', { name: /^Contact Number/ }), '09175550142')
    await page.keyboard.press('Enter')
    await expect(page.getByText('09175550142').first()).toBeVisible()
    await expect(form).toHaveCount(0)
  })
})

test('find a student and print the data sheet', async ({ page, product, job }) => {
  await page.context().addInitScript(() => {
    window.print = () => undefined
  })
  await openDashboard(page, product)
  const { lastName, firstName } = await readSomebody(page)
  await job({ who: 'coordinator', most: { clicks: 1, keys: 30, seconds: 10 } }, async () => {
    await openByTyping(page, `${lastName} ${firstName}`, `${lastName}, ${firstName}`)
    const opened = page.waitForEvent('popup')
    await button(page, 'Print Form').click()
    await expect((await opened).locator('[data-sheet]')).toHaveCount(1)
  })
})

test('archive the students of a year', async ({ page, product, job }) => {
  await openDashboard(page, product)
  await job({ who: 'coordinator', most: { clicks: 6, keys: 0, seconds: 12 } }, async () => {
    await openScreen(page, 'Student Management')
    await page.getByLabel('Academic Year').selectOption('2024-2025')
    // The list of one year has no column of it.
    await expect(page.getByRole('columnheader', { name: 'Academic Year' })).toHaveCount(0)
    await page.getByRole('checkbox', { name: 'Select all students on every page' }).click()
    await button(page, /^Archive Selected \([\d,]+\)$/).click()
    await button(page, 'Archive').click()
    await expect(page.getByText(/students archived/)).toBeVisible()
  })
})

test('export the list of a component', async ({ page, product, job }) => {
  await openDashboard(page, product)
  await job({ who: 'coordinator', most: { clicks: 2, keys: 0, seconds: 7 } }, async () => {
    await page.getByRole('link', { name: /^CWTS Students/ }).click()
    const download = page.waitForEvent('download')
    await button(page, 'Export to Excel').click()
    expect((await download).suggestedFilename()).toMatch(/\.xlsx$/)
  })
})

/** Of ROTC: the papers and sections of the other jobs are of CWTS. 17 rows have a problem, of three kinds. */
const lateEnlistments = Array.from({ length: 50 }, (_, index) =>
  buildSheetRow({
    lastName: `Latecomer${'abcdefghij'[index % 10]}`,
    firstName: `Ramon ${['Karl', 'Leo', 'Mark', 'Noel', 'Otto'][Math.floor(index / 10)]}`,
    email: index >= 10 && index < 13 ? `latecomer${index}` : `latecomer${index}@student.example`,
    studentId: `26-${90_000 + index}`,
    nstpComponent: 'ROTC',
    ...(index < 10 && { course: 'BS Crim' }),
    ...(index >= 13 && index < 17 && { yearLevel: 'Freshman' }),
  }),
)

test('import a file of 50 students, 17 of them with a problem', async ({ page, product, job }) => {
  await openDashboard(page, product)
  await job({ who: 'coordinator', most: { clicks: 20, keys: 110, seconds: 60 } }, async () => {
    await openScreen(page, 'Import Students')
    await chooseFile(page, 'Late enlistments.csv', toCsv(lateEnlistments))
    await page.getByRole('checkbox', { name: /signed a paper consent/ }).click()
    await button(page, 'Check the rows').click()
    for (const [refused, meant] of [
      ['BS Crim', 'SOCJ'],
      ['Freshman', '1st Year'],
    ] as const) {
      const one = page.getByRole('listitem').filter({ hasText: refused }).first()
      await one.getByRole('combobox').selectOption(meant)
      await one.getByRole('button', { name: /^Use/ }).click()
      // All rows are checked again.
      await expect(page.getByText(`“${refused}”`)).toHaveCount(0)
    }
    for (const row of [12, 13, 14]) {
      const form = page.getByRole('form', { name: `Correct row ${row}` })
      await type(form.getByLabel('Email'), `late${row}@student.example`)
      await page.keyboard.press('Enter')
      await expect(form).toHaveCount(0)
    }
    await button(page, 'Import 50 students').click()
    await expect(page.getByRole('heading', { name: '50 students imported.' })).toBeVisible()
  })
})

test('merge a student who enlisted twice', async ({ page, product, job }) => {
  await openDashboard(page, product)
  const twice = { lastName: 'Quiambao', firstName: 'Rosario', email: 'rosario.q@student.example' }
  await registerStudent(page, { ...twice, nstpComponent: 'ROTC', contactNumber: '0917 555 0101' })
  await registerStudent(page, { ...twice, nstpComponent: 'ROTC', contactNumber: '0917 555 0102' })
  await page.reload()
  await expectReady(page)
  await job({ who: 'coordinator', most: { clicks: 3, keys: 0, seconds: 10 } }, async () => {
    await page.getByRole('link', { name: /possible duplicates? to decide$/ }).click()
    await page.getByRole('button', { name: 'Possible duplicate of Quiambao' }).first().click()
    await button(page, 'Merge records').click()
    await expect(page.getByText('Records merged successfully')).toBeVisible()
  })
})

test('post an announcement', async ({ page, product, job }) => {
  await openDashboard(page, product)
  await job({ who: 'coordinator', most: { clicks: 4, keys: 57, seconds: 20 } }, async () => {
    await openScreen(page, 'Announcements')
    await button(page, 'New announcement').click()
    const form = page.getByRole('dialog', { name: 'New announcement' })
    await expect(form.getByLabel('Title')).toBeFocused()
    await page.keyboard.type('No class on Saturday')
    await type(form.getByLabel('Content'), 'The hall is used for an examination.')
    await form.getByRole('button', { name: 'Post announcement' }).click()
    await expect(page.getByText('Announcement posted successfully!')).toBeVisible()
  })
})

test('e-mail the students of a component', async ({ page, product, job, mailServer }) => {
  await openDashboard(page, product)
  let count = 0
  await job({ who: 'coordinator', most: { clicks: 9, keys: 58, seconds: 45 } }, async () => {
    await openScreen(page, 'Email System')
    await page.getByRole('link', { name: 'Bulk Emails' }).click()
    await button(page, 'Students').click()
    await page.getByLabel('NSTP Component').selectOption('LTS')
    await type(page.getByRole('textbox', { name: 'Subject' }), 'No class on Saturday')
    await type(page.getByRole('textbox', { name: 'Message' }), 'The hall is used for an examination.')
    const name = /^Send to \d+ recipients$/
    const send = page.getByRole('form', { name: 'Bulk e-mail' }).getByRole('button', { name })
    count = Number.parseInt(((await send.textContent()) ?? '').replace('Send to ', ''), 10)
    await send.click()
    await page.getByRole('dialog', { name: 'Send bulk e-mail' }).getByRole('button', { name }).click()
    await expect(page.getByRole('heading', { name: 'No class on Saturday' })).toBeVisible()
  })
  await expect
    .poll(() => mailServer.messages.filter(({ raw }) => raw.includes('No class on Saturday')).length, {
      timeout: 60_000,
    })
    .toBe(count)
})

test('give marks to a section of 50', async ({ page, product, job }) => {
  await openDashboard(page, product)
  await job({ who: 'coordinator', most: { clicks: 5, keys: 250, seconds: 61 } }, async () => {
    await openScreen(page, 'Terms & Sections')
    await button(page, 'CWTS').click()
    await button(page, /^Marks /).click()
    await page
      .getByLabel(/^Mark of/)
      .first()
      .click()
    for (let count = 0; count < 50; count += 1) {
      await page.keyboard.type('1.75')
      await page.keyboard.press('Enter')
    }
    await button(page, 'Save 50 marks').click()
    await expect(page.getByText('50 marks saved')).toBeVisible()
  })
})

test('place the waiting students of a component', async ({ page, product, job }) => {
  await openDashboard(page, product)
  await job({ who: 'coordinator', most: { clicks: 5, keys: 0, seconds: 10 } }, async () => {
    await page
      .getByRole('region', { name: 'This term' })
      .getByRole('link', { name: /^CWTS, NSTP 1: \d+ students without a section$/ })
      .click()
    // The sections are full.
    await button(page, 'Add sections').click()
    const adding = page.getByRole('dialog', { name: 'Add sections of CWTS, NSTP 1' })
    await adding.getByRole('button', { name: 'Add sections' }).click()
    await expect(adding).toHaveCount(0)
    await button(page, /^Place students… /).click()
    const placing = page.getByRole('dialog', { name: 'Place students of CWTS, NSTP 1' })
    await placing.getByRole('button', { name: /^Place \d+ students$/ }).click()
    await expect(page.getByText(/\d+ students placed/)).toBeVisible()
  })
  await expect(button(page, /^Place students… /)).toHaveCount(0)
})

test('reconcile the registrar’s list', async ({ page, product, job }) => {
  await openDashboard(page, product)
  const { file, elsewhere, becoming } = await writeRegistrarList(page.request)
  const rows = page.getByRole('list', { name: 'Rows' })
  /** Row by row, until its tile says none. */
  async function decide(tile: string, decision: RegExp) {
    const named = (await button(page, new RegExp(`^\\d+ ${tile}$`)).textContent()) ?? ''
    for (let left = Number.parseInt(named, 10); left > 0; left -= 1) {
      const first = rows.getByRole('listitem').first()
      const row =
        (await first
          .getByText(/^Row \d+ ·/)
          .first()
          .textContent()) ?? ''
      await first.getByRole('button', { name: decision }).first().click()
      await expect(button(page, `${left - 1} ${tile}`)).toBeVisible()
      // The tile may be ahead of the list.
      await expect(rows.getByText(row.trim())).toHaveCount(0)
    }
  }
  await job({ who: 'coordinator', most: { clicks: 13, keys: 0, seconds: 25 } }, async () => {
    await openScreen(page, 'Terms & Sections')
    await button(page, /^Lists /).click()
    await chooseFile(page, 'Registrar.csv', file)
    await button(page, 'Check the rows').click()
    await expect(page.getByText(/\d+ students become official\./)).toBeVisible()
    await decide('Problems', /^Same person/)
    await button(page, `${elsewhere} Please look`).click()
    await decide('Please look', /all the same/)
    await button(page, 'Apply').click()
    await expect(page.getByText(`${becoming} students became official.`)).toBeVisible()
  })
})

test('freeze a paper after its check', async ({ page, product, job }) => {
  await openDashboard(page, product)
  const ofRule = (code: string) => page.getByRole('listitem').filter({ hasText: code }).first()
  await job({ who: 'coordinator', most: { clicks: 8, keys: 0, seconds: 15 } }, async () => {
    await openScreen(page, 'Papers & Serials')
    await page.getByRole('link', { name: 'CHED workbook 2026-2027' }).click()
    for (const code of ['K13', 'K14']) {
      await ofRule(code).locator('summary').click()
      await ofRule(code)
        .getByRole('button', { name: /^Do all/ })
        .click()
      await expect(page.getByText(/\d+ records changed/).first()).toBeVisible()
    }
    await button(page, 'Freeze').click()
    await button(page.getByRole('dialog'), 'Freeze').click()
    await expect(page.getByText(/is frozen with \d+ rows/)).toBeVisible()
  })
})

test('apply the serial numbers that came back', async ({ page, product, job }) => {
  await openDashboard(page, product)
  const { file, title, count } = await takeBackPaper(page.request)
  await job({ who: 'coordinator', most: { clicks: 5, keys: 0, seconds: 12 } }, async () => {
    await openScreen(page, 'Papers & Serials')
    await page.getByRole('link', { name: title }).click()
    await chooseFile(page, 'Serial numbers.csv', file)
    await button(page, 'Check the rows').click()
    await button(page, 'Apply').click()
    await expect(page.getByText(`${count} serial numbers were entered.`)).toBeVisible()
  })
})

test('continue the students of a level', async ({ page, product, job }) => {
  await openDashboard(page, product)
  await job({ who: 'coordinator', most: { clicks: 4, keys: 0, seconds: 15 } }, async () => {
    await openScreen(page, 'Terms & Sections')
    await button(page, 'Continue students…').click()
    const dialog = page.getByRole('dialog', { name: 'Continue students of earlier terms' })
    await button(dialog, /^Continue [\d,]+ students$/).click()
    await expect(page.getByText(/students continued/)).toBeVisible()
    // The screen is where they are.
    await expect(button(page, 'NSTP 2')).toHaveAttribute('aria-pressed', 'true')
  })
})

test('type ten missing provinces in a check', async ({ page, product, job }) => {
  await openDashboard(page, product)
  const made = await page.request.post('/api/papers', {
    data: {
      layout: 'ched-workbook',
      academicYear: '2026-2027',
      termId: null,
      components: ['CWTS'],
      options: defaultOptions,
      title: 'CWTS alone',
      dueOn: null,
      note: '',
    },
  })
  expect(made.status()).toBe(201)
  await queryDatabase(
    product.dataDir,
    `update students set province = '', municipal_city = '', version = version + 1 where id in (
      select student_id from enrolments join terms on terms.id = term_id
      where terms.state = 'open' and component = 'CWTS' and level = 1 and status = 'enrolled'
      order by student_id limit 10)`,
  )
  await job({ who: 'coordinator', most: { clicks: 4, keys: 110, seconds: 60 } }, async () => {
    await openScreen(page, 'Papers & Serials')
    await page.getByRole('link', { name: 'CWTS alone' }).click()
    const rule = page.getByRole('listitem').filter({ hasText: 'Town and province' }).first()
    await rule.locator('summary').click()
    await rule
      .getByLabel(/^Province of /)
      .first()
      .click()
    for (let count = 0; count < 10; count += 1) {
      await page.keyboard.type('Bulacan')
      await page.keyboard.press(count < 9 ? 'Tab' : 'Enter')
    }
    await expect(rule.getByText('Saved')).toHaveCount(10)
  })
})
