import { queryDatabase } from '#tests/faults/product-database.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { storeGraduates } from './graduates.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

// A range that doesn't fit is refused.
test.use({ expectedErrors: [/422/] })

const lastName = uniqueLastName()
const hasChanged = 'Records, answers or settings may have changed since this check.'

test('a paper is made, checked, frozen, sent and answered, and its serial numbers come back', {
  tag: '@journey',
}, async ({ page, product }) => {
  test.slow()
  for (const [letter, firstName] of [
    ['A', 'Ana'],
    ['B', 'Ben'],
  ] as const) {
    const own = {
      lastName: `${lastName}${letter}`,
      firstName,
      studentId: `27-${lastName}${letter}`.slice(0, 20),
    }
    const email = `${own.lastName}@school.example`.toLowerCase()
    await registerStudent(page, { ...own, email, municipalCity: 'Baliwag', nstpComponent: 'CWTS' })
  }
  await storeGraduates(product.dataDir, lastName)
  await signIn(page)
  const settings = await (await page.request.get('/api/settings')).json()
  await page.goto('/admin?tab=papers')
  await expectReady(page)
  await expect(page.getByText('No papers yet.')).toBeVisible()

  await test.step('make', async () => {
    await page.getByRole('button', { name: 'Make a paper' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make a paper' })
    await dialog.getByLabel('Academic year').selectOption('2026-2027')
    await dialog.getByLabel('ROTC', { exact: true }).uncheck()
    await dialog.getByLabel('LTS', { exact: true }).uncheck()
    await dialog.getByLabel('CWTS', { exact: true }).uncheck()
    await dialog.getByRole('button', { name: 'Make paper' }).click()
    await expect(dialog).toContainText('Please choose at least one component.')
    await dialog.getByLabel('CWTS', { exact: true }).check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Make paper' }).click()
    await expect(page.getByRole('heading', { name: 'CHED workbook 2026-2027' })).toBeVisible()
  })

  const ofRule = (code: string) => page.getByRole('listitem').filter({ hasText: code }).first()

  await test.step('check', async () => {
    await expect(ofRule('K15')).toContainText('Missing in the settings')
    const freeze = page.getByRole('button', { name: 'Freeze' })
    await expect(freeze).toHaveAttribute('aria-disabled', 'true')
    // The notice of the new paper is no news.
    await expect(page.getByText(hasChanged)).toHaveCount(0)
    // Another screen's work.
    const office = {
      ...settings.office,
      heiName: 'Baliuag College',
      heiType: 'PRIVATE',
      region: '03-Central Luzon',
    }
    const changed = await page.request.patch('/api/settings', {
      data: { office },
      headers: { 'If-Match': `"${settings.version}"` },
    })
    expect(changed.status()).toBe(200)
    await expect(page.getByText(hasChanged)).toBeVisible()
    await page.getByRole('button', { name: 'Check again' }).click()
    await expect(page.getByRole('heading', { name: /^Must be fixed/ })).toHaveCount(0)
    await ofRule('K14').locator('summary').click()
    await expect(ofRule('K14')).toContainText('Province: Cavite → Bulacan')
    await expectAccessible(page)
    await ofRule('K14').getByRole('button', { name: 'Do all 2' }).click()
    await expect(page.getByText('2 records changed')).toBeVisible()
    // Checked again. A later notice of the settings would have come by now.
    await expect(page.getByText(hasChanged)).toHaveCount(0)
    await expect(page.getByText('Town and province')).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Check', exact: true })).toBeFocused()
    await freeze.click()
    const question = page.getByRole('dialog', { name: 'Freeze this paper?' })
    await expect(question).toContainText('1 thing to look at has no answer yet.')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await ofRule('K15').locator('summary').click()
    await ofRule('K15')
      .getByRole('button', { name: /is meant so$/ })
      .click()
    const answer = page.getByRole('dialog', { name: 'Meant so' })
    await answer.getByRole('button', { name: 'Save' }).click()
    await expect(answer).toContainText('Please say why.')
    await answer.getByLabel('Reason').fill('The course has one name')
    await answer.getByRole('button', { name: 'Save' }).click()
    await expect(ofRule('K15')).toContainText('Meant so: The course has one name')
    // Own corrections and answers are checked at once.
    await expect(page.getByText(hasChanged)).toHaveCount(0)
  })

  await test.step('freeze, send, answer', async () => {
    await page.getByRole('button', { name: 'Freeze' }).click()
    await expect(page.getByText('Later corrections don’t change this paper.')).toBeVisible()
    await page.getByRole('button', { name: 'Mark as sent' }).click()
    const sending = page.getByRole('dialog', { name: 'Mark as sent' })
    await sending.getByLabel('How').fill('by hand')
    await sending.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Enter the answer' }).click()
    const answer = page.getByRole('dialog', { name: 'Enter the answer' })
    await answer.getByLabel('Reference of the agency').fill('RO3-114')
    await answer.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(/Accepted .+ · Reference RO3-114/)).toBeVisible()
    await page.getByRole('button', { name: 'Graduates', exact: true }).click()
    await expect(page.getByRole('cell', { name: `${lastName}A`, exact: true })).toBeVisible()
    await expectAccessible(page)
  })

  await test.step('serial numbers', async () => {
    await page.getByRole('button', { name: 'Enter a range…' }).click()
    const range = page.getByRole('dialog', { name: 'Enter a range' })
    await range.getByLabel('Letter or reference').fill('Letter 27-15')
    await range.getByLabel('Received on').fill('2027-06-18')
    await range.getByLabel('First number').fill('C-03-200001-27')
    await range.getByLabel('Last number').fill('C-03-200003-27')
    await range.getByRole('button', { name: 'Check the range' }).click()
    await expect(range).toContainText('That is 3 numbers for 2 CWTS students.')
    await range.getByLabel('Last number').fill('C-03-200002-27')
    await range.getByRole('button', { name: 'Check the range' }).click()
    await expect(page.getByText('2 serial numbers are entered. Nothing else changes.')).toBeVisible()
    await expect(page.getByText('Letter 27-15 · received Jun 18, 2027')).toBeVisible()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('2 serial numbers were entered.')).toBeVisible()
    await page.getByRole('link', { name: 'Back to the paper' }).click()
    await page.getByRole('link', { name: 'Certificates' }).click()
    await expect(page.getByLabel('Paper', { exact: true })).toContainText('CHED workbook 2026-2027')
    await expect(page.getByText('2 graduates without a certificate')).toBeVisible()
    await page.goBack()
    await page.getByRole('link', { name: 'All papers' }).click()
    await expect(page.getByRole('row', { name: 'CHED workbook' })).toContainText('2 of 2')
    await expectAccessible(page)
  })
})

test('values that a check misses are typed in it, and coming back from a record finds the rule open', {
  tag: '@journey',
}, async ({ page, product }) => {
  const family = uniqueLastName()
  const letters = ['A', 'B', 'C']
  for (const letter of letters)
    await registerStudent(page, { lastName: `${family}${letter}`, firstName: 'Ana', nstpComponent: 'CWTS' })
  await storeGraduates(product.dataDir, family)
  await queryDatabase(
    product.dataDir,
    `update students set municipal_city = '', province = '' where last_name like '${family}%'`,
  )
  await signIn(page)
  const made = await page.request.post('/api/papers', {
    data: {
      layout: 'ched-workbook',
      academicYear: '2026-2027',
      components: ['CWTS'],
      ...{ title: '', options: { listsRotc: false, ofGraduates: true, level: 1 }, dueOn: null, note: '' },
    },
  })
  expect(made.status()).toBe(201)
  await page.goto(`/admin?tab=papers&paper=${(await made.json()).id}`)
  await expectReady(page)
  const rule = page.getByRole('listitem').filter({ hasText: 'Town and province' }).first()
  await rule.locator('summary').click()
  const provinces = rule.getByLabel(/^Province of /)
  await expect(provinces).toHaveCount(letters.length)
  await expectAccessible(page)

  await rule.getByRole('link', { name: `${family}C, Ana` }).click()
  await expect(page.getByRole('dialog', { name: 'Student Details' })).toBeVisible()
  await page.goBack()
  await expect(provinces.last()).toBeInViewport()

  await provinces.first().focus()
  for (const [at, province] of ['Bulacan', 'Pampanga', 'Tarlac'].entries()) {
    await page.keyboard.type(province)
    await page.keyboard.press(at < 2 ? 'Tab' : 'Enter')
  }
  await expect(rule.getByText('Saved')).toHaveCount(letters.length)
  // Another screen empties one of them meanwhile.
  await queryDatabase(
    product.dataDir,
    `update students set province = '', version = version + 1 where last_name = '${family}A'`,
  )
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(provinces).toHaveCount(1)
  await expect(provinces).toHaveValue('')
  await provinces.fill('Bulacan')
  await provinces.press('Enter')
  await expect(rule.getByText('Saved')).toBeVisible()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByText('Town and province')).toHaveCount(0)
})
