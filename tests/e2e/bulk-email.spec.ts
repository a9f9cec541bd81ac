import { readFileSync } from 'node:fs'
import readWorkbook from 'read-excel-file/node'
import { courses } from '#shared/students/student-choices.ts'
import {
  openBulk,
  send,
  sendToList,
  typeList,
  uniqueAddress,
  uniqueSubject,
  writeMessage,
} from './bulk-mail.ts'
import { changeSettings } from './change-settings.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, pressWhenReady, signIn } from './journey.ts'
import { test } from './mail-journey.ts'
import { openList } from './student-list.ts'

test('students selected in the list get the e-mail, and nobody else', { tag: '@journey' }, async ({
  page,
  sink,
}) => {
  const lastName = uniqueLastName()
  const email = { Ana: uniqueAddress('ana'), Berta: uniqueAddress('berta'), Carla: uniqueAddress('carla') }
  for (const firstName of ['Ana', 'Berta', 'Carla'] as const)
    await registerStudent(page, { lastName, firstName, email: email[firstName] })
  await signIn(page)
  await openList(page, lastName, { sort: 'name' })
  await page.getByRole('checkbox', { name: `Select ${lastName}, Carla` }).check()
  await page.getByRole('checkbox', { name: `Select ${lastName}, Ana` }).check()
  await page.getByRole('button', { name: 'E-mail', exact: true }).click()
  await expect(page).toHaveURL(/tab=email&pane=bulk$/)
  await expect(page.getByText('2 selected students')).toBeVisible()
  await page.getByRole('link', { name: 'Server Test' }).click()
  await page.getByRole('link', { name: 'Bulk Emails' }).click()
  await expect(page.getByText('2 selected students')).toBeVisible()
  await expect(page.getByText('2 recipients', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('2 selected students')).toBeVisible()
  await expectAccessible(page)

  const subject = uniqueSubject('Drill')
  await writeMessage(page, subject, 'Dear {firstName},\n\nwe meet at the gym.')
  await send(page, '2 recipients')
  await expect(page.getByRole('heading', { name: subject })).toBeVisible()
  await expect(page.getByText('Selected students').first()).toBeVisible()
  await expect
    .poll(() => sink.messages.flatMap(({ to, raw }) => (raw.includes(subject) ? to : [])).sort())
    .toEqual([email.Ana, email.Carla].sort())

  await page.goto('/admin?tab=email&pane=bulk')
  await expect(page.getByText('selected students')).toHaveCount(0)
  await openList(page, lastName)
  await page.getByRole('checkbox', { name: `Select ${lastName}, Ana` }).check()
  await page.getByRole('button', { name: 'E-mail', exact: true }).click()
  await page.getByRole('button', { name: 'Choose by filters instead' }).click()
  await expect(page.getByLabel('NSTP Component')).toBeVisible()
})

test('a typed list is checked line by line, previewed and sent, and the failed mail is sent again', {
  tag: '@journey',
}, async ({ page, sink }) => {
  test.slow()
  const juan = uniqueAddress('juan')
  const maria = uniqueAddress('maria')
  const refused = uniqueAddress('refused')
  const subject = uniqueSubject('Orientation')
  sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: 'No such user', recipient: refused, times: 1 })
  await openBulk(page)

  // Nothing is sent without recipients, a subject and a message; the focus is where the first is missing.
  const form = page.getByRole('form', { name: 'Bulk e-mail' })
  const sendButton = form.getByRole('button', { name: 'Send', exact: true })
  for (const way of ['Students', 'List', 'Spreadsheet']) {
    await expect(page.getByRole('button', { name: way, exact: true })).toHaveAttribute(
      'aria-pressed',
      'false',
    )
  }
  await expect(sendButton).toBeDisabled()
  await expect(sendButton).toHaveAccessibleDescription(/^Choose the recipients in step 1 first\./)
  await sendButton.press('Enter')
  await expect(form.getByText('Please choose the recipients.').last()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Students', exact: true })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await expect(sendButton).toHaveAccessibleDescription(/^Enter the recipients in step 1 first\./)
  await sendButton.press('Enter')
  await expect(page.getByText('Invalid recipients format').last()).toBeVisible()
  await expect(page.getByText('Subject is required')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Recipients' })).toBeFocused()

  await typeList(page, `${juan}, Maria <${maria}>\nnobody\n${juan.toUpperCase()}\n${refused}`)
  await expect(page.getByText('3 recipients', { exact: true })).toBeVisible()
  // Before anything is written.
  await expect(page.getByText(/^Sends up to .+ Finishes .+\.$/)).toBeVisible()
  await expect(page.getByText('Excluded: 1 duplicate · 1 invalid.')).toBeVisible()
  await expect(page.getByText(/Line 2: nobody/)).toBeVisible()
  await expect(form.getByRole('button', { name: 'Send to 3 recipients' })).toHaveAccessibleDescription(
    'To 3 recipients Your list',
  )

  await writeMessage(page, subject, 'Dear {nmae},\n\nwe meet at the gym.')
  await expect(page.getByText('Unknown placeholder')).toContainText('{nmae}')
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('Dear ')
  await page.getByRole('button', { name: '{firstName}' }).click()
  await expect(message).toBeFocused()
  await page.keyboard.type(',\n\nwe meet at the gym.')
  await expect(message).toHaveValue('Dear {firstName},\n\nwe meet at the gym.')

  const preview = page.frameLocator('iframe[title="The formatted message"]')
  await expect(preview.getByText('Dear Student,').last()).toBeVisible()
  await page.getByRole('button', { name: 'Next recipient' }).click()
  await expect(preview.getByText('Dear Maria,').last()).toBeVisible()
  await page.getByRole('button', { name: 'Plain text' }).click()
  await expect(page.locator('pre')).toContainText('Dear Maria,')
  await expectAccessible(page)

  await send(page, '3 recipients')
  await expect(page.getByRole('heading', { name: subject })).toBeVisible()
  await expect(page.getByText('Finished with failures')).toBeVisible()
  await expect(page.getByText('Successfully sent 2 of 3 emails').first()).toBeVisible()
  expect(sink.messages.map(({ to }) => to[0]).sort()).toEqual([juan, maria].sort())
  await expectAccessible(page)

  await page.getByRole('button', { name: /^1 Failed$/ }).click()
  await expect(page.getByRole('button', { name: `Open the e-mail to ${refused}: ${subject}` })).toBeVisible()
  await expect(page.getByRole('button', { name: new RegExp(`^Open the e-mail to ${juan}`) })).toHaveCount(0)

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export to Excel' }).click()
  const [sheet] = await readWorkbook(readFileSync(await (await downloading).path()))
  const cells = (sheet?.data ?? []).flat().map(String)
  // What the filter shows.
  expect(cells).toContain(refused)
  expect(cells).not.toContain(juan)

  const again = page.getByRole('button', { name: 'Retry failed (1)' })
  await again.click()
  const question = page.getByRole('dialog', { name: 'Retry failed' })
  await expect(question.getByText('Send this e-mail again to 1 recipient?')).toBeVisible()
  await expect(question.getByText(subject)).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Go back' }).click()
  await expect(question).toBeHidden()
  await expect(again).toBeFocused()
  await again.click()
  await question.getByRole('button', { name: 'Send again to 1 recipient' }).click()
  await expect(page.getByText('Retry of failed recipients')).toBeVisible()
  await expect(page.getByText('Successfully sent 1 of 1 emails').first()).toBeVisible()
  expect(sink.messages.map(({ to }) => to[0])).toContain(refused)

  await page.getByRole('link', { name: 'All bulk e-mails' }).click()
  await expect(page.getByRole('link', { name: subject })).toHaveCount(2)
})

test('students by their filters, with a stored text', async ({ page, sink }) => {
  const lastName = uniqueLastName()
  const email = uniqueAddress('by-filter')
  const chosen = { course: 'BS Surveying', academicYear: '2024-2025', nstpComponent: 'ROTC' }
  await signIn(page)
  // A course that was on offer once: students have it.
  await changeSettings(page.request, { courses: [...courses, chosen.course] })
  await registerStudent(page, { ...chosen, lastName, firstName: 'Ligaya', email })
  await changeSettings(page.request, { courses })
  await page.goto('/admin')
  const search = page.getByRole('combobox', { name: 'Search students, screens and settings' })
  await pressWhenReady(page, 'Control+k', search)
  await page.keyboard.type('mail rotc')
  await expect(page.getByRole('option', { name: 'E-mail all ROTC students' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Subject' })).toBeFocused()
  await expect(page.getByLabel('NSTP Component')).toHaveValue('ROTC')
  await page.getByLabel('Academic Year').selectOption('2024-2025')
  await page.getByLabel('Course').selectOption(chosen.course)
  await expect(page.getByText('1 recipient', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send to 1 recipient' })).toHaveAccessibleDescription(
    'To 1 recipient Students: ROTC, 2024-2025, BS Surveying, not archived',
  )

  // A text brings its subject; edited it is one's own.
  const text = page.getByLabel('Text', { exact: true })
  await text.selectOption({ index: 1 })
  await expect(page.getByRole('textbox', { name: 'Subject' })).not.toHaveValue('')
  await page.getByRole('button', { name: 'Send a test to yourself' }).click()
  await expect(page.getByText('Email sent successfully')).toBeVisible()
  // As the student would get it: with the heading and what the record tells.
  const toSelf = sink.messages.find(({ to }) => to.includes(sink.account.senderAddress))
  expect(toSelf?.raw).toContain('>You are enlisted in NSTP</h1>')
  expect(toSelf?.raw).toContain('Course: BS Surveying')
  await page.getByRole('button', { name: 'Edit this text' }).click()
  await expect(text).toHaveValue('custom')
  const subject = uniqueSubject('To {lastName}')
  await writeMessage(page, subject, 'Dear {firstName} of {component} and {course}')
  const preview = page.frameLocator('iframe[title="The formatted message"]')
  await expect(preview.getByText('Dear Ligaya of ROTC and BS Surveying').last()).toBeVisible()

  await send(page, '1 recipient')
  await expect(page.getByText('Students: ROTC, 2024-2025, BS Surveying, not archived')).toBeVisible()
  await expect(page.getByText('Successfully sent 1 of 1 emails').first()).toBeVisible()
  const letter = sink.messages.find(({ to }) => to.includes(email))
  expect(letter?.raw).toContain('Ligaya')
})

test('a typed address that a student has is filled in from the record, an answer that is lost sends nothing twice, and a spreadsheet is read', async ({
  page,
  sink,
  expectedErrors,
}) => {
  expectedErrors.push(/Failed to load resource/)
  const lastName = uniqueLastName()
  const email = uniqueAddress('typed')
  await registerStudent(page, { lastName, firstName: 'Ligaya', email, course: 'SOCJ' })
  await openBulk(page)
  await typeList(page, `Gaya <${email.toUpperCase()}>\n${uniqueAddress('nobody')}`)
  const subject = uniqueSubject('Typed')
  await writeMessage(page, subject, 'Dear {firstName} {lastName} of [{course}]')
  await expect(page.getByText(/^A list has first names only\./)).toBeVisible()
  const preview = page.frameLocator('iframe[title="The formatted message"]')
  await expect(preview.getByText(`Dear Gaya ${lastName} of [SOCJ]`).last()).toBeVisible()
  await page.getByRole('button', { name: 'Next recipient' }).click()
  await expect(preview.getByText('Dear Student of []').last()).toBeVisible()

  await test.step('the answer is lost', async () => {
    await page.route('**/api/mail/batches', async (route) => {
      if (route.request().method() !== 'POST') return await route.continue()
      // The server did it, and nobody hears of it.
      await route.fetch()
      await route.abort()
    })
    await send(page, '2 recipients')
    await expect(page.getByText(/Failed to send emails: We could not reach the server/).last()).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Subject' })).toHaveValue(subject)
    await expect(page.getByRole('textbox', { name: 'Recipients' })).toHaveValue(/^Gaya/)
    await page.unroute('**/api/mail/batches')
  })
  await send(page, '2 recipients')
  await expect(page.getByText('Successfully sent 2 of 2 emails').first()).toBeVisible()
  const letter = sink.messages.find(({ raw }) => raw.includes(subject) && raw.includes('Gaya'))
  expect(letter?.raw).toMatch(/^Dear Gaya \S+ of \[SOCJ\]/m)
  expect(sink.messages.filter(({ raw }) => raw.includes(subject))).toHaveLength(2)
  await page.getByRole('link', { name: 'All bulk e-mails' }).click()
  await expect(page.getByRole('link', { name: subject })).toHaveCount(1)
  await page.goto(`/admin?tab=students&search=${encodeURIComponent(lastName)}`)
  await page.getByRole('button', { name: /^View/ }).first().click()
  await expect(page.getByRole('dialog').getByText(subject)).toBeVisible()
  await test.step('a spreadsheet is read, and each way keeps what was given', async () => {
    await openBulk(page)
    await typeList(page, uniqueAddress('kept'))
    await page.getByRole('button', { name: 'Spreadsheet', exact: true }).click()
    await page
      .getByLabel('Spreadsheet', { exact: true })
      .last()
      .setInputFiles({
        name: 'cadets.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('Email,First Name\nana@school.example,Ana\nnobody,Ben\nana@school.example,Ana\n'),
      })
    await expect(page.getByText('1 recipient', { exact: true })).toBeVisible()
    await expect(page.getByText(/Row \d: nobody/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send to 1 recipient' })).toHaveAccessibleDescription(
      'To 1 recipient The spreadsheet cadets.csv',
    )
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Recipients' })).toHaveValue(/kept/)
    await page.getByRole('button', { name: 'Spreadsheet', exact: true }).click()
    await expect(page.getByText('cadets.csv', { exact: true })).toBeVisible()

    // While another file is read, the former one's recipients are not mailed.
    const held: (() => Promise<void>)[] = []
    await page.route('**/api/mail/recipients/file', (route) => void held.push(() => route.continue()))
    await page
      .getByLabel('Spreadsheet', { exact: true })
      .last()
      .setInputFiles({
        name: 'other.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('Email\nben@school.example\n'),
      })
    await expect.poll(() => held.length).toBe(1)
    await page.getByRole('button', { name: 'Send to 1 recipient' }).click()
    const wait = page.getByText('Please wait until the spreadsheet is read.')
    await expect(wait).toBeVisible()
    await held[0]?.()
    await expect(wait).toBeHidden()
    await expect(page.getByText('other.csv', { exact: true })).toBeVisible()

    // What was given is asked about before it is lost.
    await page.getByRole('link', { name: /^Outbox/ }).click()
    const question = page.getByRole('dialog', { name: 'Discard your changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(page.getByText('other.csv', { exact: true })).toBeVisible()
  })
})

test('a bulk e-mail is paused, goes on, and its rest is cancelled', async ({ page, sink }) => {
  test.slow()
  const subject = uniqueSubject('Slow')
  const addresses = Array.from({ length: 30 }, (_, index) => uniqueAddress(`slow${index}`))
  // Long enough to press a button; as many as go out meanwhile don't matter.
  sink.fault({ at: 'dot', does: 'wait', ms: 1_500 })
  await sendToList(page, subject, addresses)
  const progress = page.getByRole('region', { name: 'Progress' })
  await expect(progress.getByText('Sending')).toBeVisible()

  await progress.getByRole('button', { name: 'Pause' }).click()
  await expect(progress.getByText('Paused', { exact: true })).toBeVisible()
  await expect(progress.getByRole('button', { name: 'Resume' })).toBeFocused()
  await progress.getByRole('button', { name: 'Resume' }).click()
  await expect(progress.getByText('Sending')).toBeVisible()

  await progress.getByRole('button', { name: 'Cancel the rest' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel the rest' })
  await expect(question.getByText(/e-mails have not been sent yet/)).toBeVisible()
  await question.getByRole('button', { name: /^Cancel \d+ e-mails?$/ }).click()
  await expect(progress.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(progress.getByText(/^\d+ e-mails? will not be sent\.$/)).toBeVisible()
  await expect(progress.getByRole('button', { name: 'Pause' })).toHaveCount(0)
  sink.clearFaults()
  await expectAccessible(page)
})
