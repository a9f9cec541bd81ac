import { sendToList, uniqueAddress, uniqueSubject } from './bulk-mail.ts'
import { expect, expectAccessible, longWait } from './journey.ts'
import { test } from './mail-journey.ts'

test('every message is found with its end, and opens as its recipient reads it', {
  tag: '@journey',
}, async ({ page, sink }) => {
  const subject = uniqueSubject('Found')
  const refused = uniqueAddress('refused')
  const taken = uniqueAddress('taken')
  sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: 'No such user', recipient: refused })
  await sendToList(page, subject, [taken, refused])
  await expect(page.getByText('Finished with failures')).toBeVisible()

  await page.goto('/admin?tab=email&pane=outbox')
  await expect(page.getByText(/^[\d,]+ of 100,000 sent in the last 24 hours/)).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search' }).last()
  await search.fill(subject)
  await expect(page).toHaveURL(/search=/)
  await expect(page.getByRole('button', { name: /^Open the e-mail to/ })).toHaveCount(2)
  await page.getByLabel('State').selectOption('failed')
  await expect(page.getByRole('button', { name: /^Open the e-mail to/ })).toHaveCount(1)
  await expectAccessible(page)

  await page.getByRole('button', { name: `Open the e-mail to ${refused}: ${subject}` }).click()
  const message = page.getByRole('dialog', { name: 'E-mail' })
  await expect(message.getByText('Failed', { exact: true })).toBeVisible()
  await expect(message.getByText('Reason')).toBeVisible()
  const letter = message.frameLocator('iframe[title="The formatted message"]')
  await expect(letter.getByText('we meet at the gym.').last()).toBeVisible()
  await message.getByRole('button', { name: 'Plain text' }).click()
  await expect(message.locator('pre')).toContainText('we meet at the gym.')
  await expectAccessible(page)

  sink.clearFaults()
  await message.getByRole('button', { name: /^Send again/ }).click()
  await expect(message).toBeHidden()
  await expect.poll(() => sink.messages.some(({ to }) => to.includes(refused))).toBe(true)
  await expect(page.getByText('No messages match these filters.')).toBeVisible()
})

test('what nobody knows the end of waits for a decision', async ({ page, sink }) => {
  const subject = uniqueSubject('Unknown')
  const addresses = ['arrived', 'lost', 'again'].map(uniqueAddress)
  const [arrived, lost, again] = addresses
  // The connection ends after the message went over, before the server says a word. The notice of signing in goes well.
  for (const recipient of addresses)
    sink.fault({ at: 'dot', does: 'cut', accepts: true, recipient, times: 1 })
  await sendToList(page, subject, addresses)
  await expect(page.getByRole('button', { name: /^3 Unknown$/ })).toBeVisible()
  sink.clearFaults()

  await page.goto('/admin?tab=email&pane=outbox')
  const notice = page.getByRole('region', { name: 'Needs review' })
  await expect(notice).toBeVisible()
  await notice.getByRole('link', { name: 'Show them' }).click()
  await expect(page).toHaveURL(/state=unknown/)
  await page.getByRole('button', { name: `Mark as sent (e-mail to ${arrived})` }).click()
  await expect(page.getByRole('button', { name: `Mark as sent (e-mail to ${arrived})` })).toHaveCount(0)
  await page.getByRole('button', { name: `Mark as failed (e-mail to ${lost})` }).click()
  await expect(page.getByRole('button', { name: `Mark as sent (e-mail to ${lost})` })).toHaveCount(0)
  await page.getByRole('button', { name: `Send again (e-mail to ${again})` }).click()
  await expect(page.getByRole('button', { name: `Mark as sent (e-mail to ${again})` })).toHaveCount(0)

  await page.goto(`/admin?tab=email&pane=outbox&search=${encodeURIComponent(subject)}`)
  const list = page.getByLabel('Messages, newest first')
  // A server that left message after message in doubt is given a pause of some seconds first.
  await expect(list.getByText('Sent', { exact: true })).toHaveCount(2, { timeout: longWait })
  await expect(list.getByText('Failed', { exact: true })).toHaveCount(1)

  await page.getByRole('searchbox', { name: 'Search' }).last().fill('nobody-has-this')
  await expect(page.getByText('No messages match these filters.')).toBeVisible()
  await page.getByRole('link', { name: 'Show all messages' }).click()
  await expect(page).toHaveURL(/pane=outbox$/)
})
