import type { APIRequestContext } from '@playwright/test'
import type { MailSink } from '#tests/setup/mail-sink.ts'
import { startProduct } from '#tests/setup/product.ts'
import { expectReceiptUncovered, putEnlistment, registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, signIn } from './journey.ts'
import { test as base } from './mail-journey.ts'

const sent = 'A confirmation email has been sent to your email address.'
const notSent = 'Registration complete. We could not send an email confirmation at this time.'

const test = base.extend({
  startOwn: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
    async ({}, use) => {
      // Links in mails need to know where the site is found.
      const env = { RATE_LIMITS: 'off', PUBLIC_URL: 'http://nstp.school.example', ALLOW_HTTP: 'on' }
      await use(() => startProduct(env))
    },
    { scope: 'worker' },
  ],
})

/** Sends a bulk mail as another program would; gives how many get it. */
async function sendToMany(request: APIRequestContext, cookie: string, email: string): Promise<number> {
  const answer = await request.post('/api/send-bulk-emails', {
    headers: { cookie, 'Sec-Fetch-Site': 'same-origin' },
    data: {
      recipients: [{ email }],
      subject: 'Parade',
      template: 'Dear {firstName}',
      useCustomTemplate: true,
    },
  })
  // Where everybody is left out, there is no bulk mail at all.
  const { results = [] } = await answer.json()
  return results.filter(({ success }: { success: boolean }) => success).length
}

/** The page of the link that a bulk mail names, on this product. */
async function unsubscribeLink(request: APIRequestContext, sink: MailSink, cookie: string, email: string) {
  await sendToMany(request, cookie, email)
  const mailOf = () => sink.messages.find(({ to }) => to[0] === email)
  await expect.poll(mailOf).toBeDefined()
  const head = (mailOf()?.raw ?? '').replace(/\r?\n[ \t]+/g, ' ')
  const link = /^List-Unsubscribe: <http:\/\/nstp\.school\.example(\/unsubscribe\?token=[\w-]+)>/im.exec(
    head,
  )?.[1]
  expect(link).toBeDefined()
  return link ?? ''
}

const newAddress = () => `${uniqueLastName().toLowerCase().replace('ñ', 'n')}@student.example`

// What the page and the mail say, in both languages, is in tests/pages/welcome-mail.test.ts.
test('the notice of the mail, or of none, leaves the code free; "Stay here" leaves the confirmation open', async ({
  page,
  sink,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.clock.install()
  const notice = (text: string) => page.getByRole('region', { name: 'Notifications' }).getByText(text)
  const code = page.getByText(/^NSTP-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
  const enlist = async () => {
    await page.goto('/register')
    await putEnlistment(page, { email: newAddress() })
    await page.getByRole('button', { name: 'Submit registration' }).click()
  }
  await enlist()
  await expect(notice(sent)).toBeVisible()
  await expectReceiptUncovered(page)
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.clock.fastForward(4_000)
  await expect(code).toBeVisible()
  await expectAccessible(page)
  expect(sink.messages[0]?.raw).toContain((await code.textContent()) ?? 'nothing')

  sink.fault({ at: 'greeting', does: 'cut' })
  sink.fault({ at: 'mail', does: 'cut' })
  await enlist()
  await expect(notice(notSent)).toBeVisible()
  await expectReceiptUncovered(page)
  await expect(code).toBeVisible()
})

test('the coordinator sees what a student was mailed, and sends the welcome mail again', {
  tag: '@journey',
}, async ({ page, sink }) => {
  const email = newAddress()
  const lastName = uniqueLastName()
  await signIn(page)
  await registerStudent(page, { email, lastName })
  await page.goto(`/admin?tab=students&search=${encodeURIComponent(lastName)}`)
  await page.getByRole('button', { name: /^View/ }).first().click()
  const section = page
    .getByRole('dialog')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'E-mail' }) })
  await expect(section.getByText('Sent', { exact: true })).toHaveCount(1)
  await section.getByRole('button', { name: 'Resend welcome e-mail' }).click()
  await expect(page.getByText('Email sent successfully')).toBeVisible()
  await expect(section.getByText('Sent', { exact: true })).toHaveCount(2)
  expect(sink.messages.filter(({ to }) => to[0] === email)).toHaveLength(2)

  const announcements = section.getByLabel('Announcements by e-mail')
  await expect(announcements).toBeChecked()
  await announcements.click()
  await expect(announcements).not.toBeChecked()
  await expectAccessible(page)
})

test.describe('the page of a bulk mail’s link', () => {
  // The browser itself reports the status of a link that isn't ours.
  test.use({ locale: 'fil-PH', expectedErrors: [/404/] })

  test('is accessible before and after its button is pressed, and with a broken link', async ({
    page,
    sink,
    cookie,
    request,
  }) => {
    await page.goto(await unsubscribeLink(request, sink, cookie, newAddress()))
    await expectAccessible(page)
    await page.getByRole('main').getByRole('button').click()
    await expect(page.getByRole('main').getByRole('status')).toBeVisible()
    await expectAccessible(page)
    await page.goto('/unsubscribe?token=x')
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
    await expectAccessible(page)
  })
})
