import type { Page } from '@playwright/test'
import { expect, expectAccessible, signIn } from './journey.ts'
import { test } from './mail-journey.ts'

/** Opens the tab by its address. */
async function openEmail(page: Page) {
  await signIn(page)
  await page.goto('/admin?tab=email')
  await expect(page.getByRole('heading', { name: 'Email System' })).toBeVisible()
}

function form(page: Page) {
  const fields = page.getByRole('form', { name: 'Single Email' })
  return {
    to: fields.getByLabel('Recipient'),
    subject: fields.getByLabel('Subject'),
    message: fields.getByRole('textbox', { name: 'Message' }),
    send: fields.getByRole('button', { name: 'Send Email' }),
    sendTest: fields.getByRole('button', { name: 'Send test to myself' }),
    complaints: (sentence: string) => fields.locator('[id$="-error"]', { hasText: sentence }),
  }
}

const mail = { to: 'juan@example.edu.ph', subject: 'Orientation', message: 'On **Monday**.\n\nBring a pen.' }

async function fill(page: Page, values: Partial<typeof mail> = mail) {
  const fields = form(page)
  if (values.to !== undefined) await fields.to.fill(values.to)
  if (values.subject !== undefined) await fields.subject.fill(values.subject)
  if (values.message !== undefined) await fields.message.fill(values.message)
}

test('a mail is written, seen as its recipient will, and sent', { tag: '@journey' }, async ({
  page,
  sink,
}) => {
  await openEmail(page)
  const { to, subject, message, send, complaints } = form(page)

  await send.click()
  await expect(complaints('Please fill in all fields')).toHaveCount(3)
  await expect(to).toBeFocused()
  await expectAccessible(page)
  await fill(page, { ...mail, to: 'juan@' })
  await expect(complaints('Please fill in all fields')).toHaveCount(0)
  await send.click()
  await expect(complaints('Please enter a valid email address.')).toBeVisible()
  await expect(message).toHaveValue(mail.message)

  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.locator('iframe').contentFrame().locator('strong').getByText('Monday')).toBeVisible()
  await expect(preview.getByText('Orientation')).toBeVisible()
  await preview.getByRole('button', { name: 'Plain text' }).click()
  await expect(preview.getByText('On **Monday**.')).toBeVisible()

  await to.fill(mail.to)
  await send.click()
  await expect(page.getByText('Email sent successfully')).toBeVisible()
  for (const field of [to, subject, message]) await expect(field).toHaveValue('')
  await expect(to).toBeFocused()
  // The next mail isn't judged while its address is typed.
  await to.pressSequentially('jua')
  await expect(to).toHaveValue('jua')
  await expect(complaints('Please enter a valid email address.')).toHaveCount(0)
  expect(sink.messages.map(({ to: recipients }) => recipients)).toEqual([[mail.to]])
})

test('a mail that is refused, lost on the way back, or must wait loses no input and is sent once; a test of it goes to oneself', async ({
  page,
  sink,
  expectedErrors,
}) => {
  expectedErrors.push(/502|ERR_FAILED/)
  await openEmail(page)
  const { to, subject, message, send } = form(page)
  const sent = page.getByText('Email sent successfully')
  await test.step('refused by the mail server', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: 'No such user', recipient: mail.to, times: 1 })
    await fill(page)
    await send.click()
    await expect(page.getByRole('alert').getByText(/^Failed to send email: ./)).toBeVisible()
    await expect(subject).toHaveValue(mail.subject)
    expect(sink.messages).toHaveLength(0)
    // It was an answer: the same mail again is a new one.
    await send.click()
    await expect(sent).toBeVisible()
    expect(sink.messages).toHaveLength(1)
  })
  await test.step('on the way back', async () => {
    await page.route('**/api/send-email', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await fill(page, { ...mail, subject: 'Drill' })
    await send.click()
    const failed = 'Failed to send email: We could not reach the server.'
    await expect(page.getByRole('log')).toContainText(failed)
    await expect(page.getByRole('alert')).toContainText(failed)
    await expect(to).toHaveValue(mail.to)
    await page.unroute('**/api/send-email')
    await send.click()
    await expect(to).toHaveValue('')
    expect(sink.messages).toHaveLength(2)
  })
  await test.step('it must wait', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 451, text: 'Later', recipient: mail.to, times: 1 })
    await fill(page, { ...mail, subject: 'Later' })
    await send.click()
    await expect(page.getByText('The e-mail is in the outbox')).toBeVisible()
    await expect(message).toHaveValue('')
    await page.getByRole('button', { name: 'Open the outbox' }).click()
    await page.waitForURL(/pane=outbox/)
  })
  await test.step('a test of it goes to oneself, the last preview stays, and leaving it is confirmed', async () => {
    sink.reset()
    await openEmail(page)
    const { to, message, sendTest } = form(page)
    await fill(page, { subject: mail.subject, message: mail.message })
    await sendTest.click()
    await expect(page.getByText('Email sent successfully')).toBeVisible()
    // One of before may come out of the outbox meanwhile.
    const tests = sink.messages.filter(({ raw }) => raw.includes(mail.subject))
    expect(tests.map(({ to: recipients }) => recipients)).toEqual([[sink.account.senderAddress]])
    await expect(to).toHaveValue('')
    await expect(message).toHaveValue(mail.message)

    await test.step('a preview that fails is reported and can be tried again', async () => {
      const preview = page.getByRole('region', { name: 'Preview' })
      const seen = preview.locator('iframe').contentFrame()
      await expect(seen.getByText('Bring a pen.').last()).toBeVisible()
      await page.route('**/api/mail/preview', (route) => route.abort())
      await fill(page, { message: 'Bring a pencil.' })
      await expect(preview.getByRole('alert')).toContainText('We could not reach the server.')
      await expect(seen.getByText('Bring a pen.').last()).toBeVisible()
      await page.unroute('**/api/mail/preview')
      await preview.getByRole('button', { name: 'Retry' }).click()
      await expect(seen.getByText('Bring a pencil.').last()).toBeVisible()
      await expect(preview.getByRole('alert')).toHaveCount(0)
    })

    await page.getByRole('link', { name: 'Server Test' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await expect(message).toHaveValue('Bring a pencil.')
    await page.getByRole('link', { name: 'Server Test' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL(/pane=server/)
    await expect(page.getByRole('link', { name: 'Server Test' })).toHaveAttribute('aria-current', 'page')
  })
})
