import type { Page } from '@playwright/test'
import { countShifts, expect, expectAccessible, signIn } from './journey.ts'
import { test } from './mail-journey.ts'

test.use({ isConfigured: false, expectedErrors: [/422/] })

/** The e-mail tab, ready to be used. */
async function openEmail(page: Page, query = '') {
  await signIn(page)
  await page.goto(`/admin?tab=email${query}`)
  await expect(page.getByRole('form', { name: 'Email configuration' })).toBeVisible()
}

async function fillIn(
  page: Page,
  { address, password, port }: { address: string; password: string; port: number },
) {
  const form = page.getByRole('form', { name: 'Email configuration' })
  await form.getByLabel('Sender address').fill(address)
  await form.getByLabel('App password').fill(password)
  await form.getByLabel('Mail server (SMTP)').fill('127.0.0.1')
  await form.getByRole('textbox', { name: 'Port', exact: true }).fill(String(port))
  await form.getByLabel('Encryption').selectOption('starttls')
  return form
}

test('a mail account is configured, used and removed, and what is typed is not lost', async ({
  page,
  sink,
  product,
}) => {
  const own = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const readShift = await countShifts(page)
  await openEmail(page)
  await expect(page.getByRole('form', { name: 'Single Email' })).toBeVisible()
  // Nothing moves when the panel opens because there is no account.
  expect(await readShift()).toBeLessThan(0.1)
  if (own) await page.setViewportSize(own)
  const { senderAddress: address, password, port } = sink.account
  const recipient = page.getByLabel('Recipient', { exact: false }).first()
  await expect(recipient).toBeDisabled()
  const single = page.getByRole('form', { name: 'Single Email' })
  await expect(single.getByRole('textbox', { name: 'Message' })).toBeDisabled()
  await expect(single.getByRole('button', { name: 'Send Email' })).toBeDisabled()
  await expect(page.getByText('Email service is not configured.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Configuration' })).toHaveAttribute('aria-expanded', 'true')

  await test.step('the other panes have their part open', async () => {
    await page.goto('/admin?tab=email&pane=bulk')
    await expect(page.getByRole('textbox', { name: 'Subject' })).toBeDisabled()
    await expect(page.getByRole('heading', { name: 'Earlier bulk e-mails' })).toBeVisible()
    await page.goto('/admin?tab=email')
  })
  await test.step('it tells what is missing, and fills in a provider’s servers', async () => {
    const form = page.getByRole('form', { name: 'Email configuration' })
    await form.getByRole('button', { name: 'Test and save' }).click()
    await expect(form.getByText('Please fill in all configuration fields')).toHaveCount(2)
    await expect(form.getByLabel('Sender address')).toBeFocused()
    await form.getByRole('button', { name: 'Outlook' }).click()
    const server = form.getByLabel('Mail server (SMTP)')
    await expect(server).toHaveValue('smtp.office365.com')
    await expect(form.getByRole('textbox', { name: 'Port', exact: true })).toHaveValue('587')
    await expect(form.getByText('The tenant must allow authenticated SMTP')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Statistics' }).first().click()
    const question = page.getByRole('dialog', { name: 'Discard your changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(server).toHaveValue('smtp.office365.com')
    await form.getByText('Advanced: user name, bounces', { exact: true }).click()
    await form.getByLabel('Bounce mailbox server (IMAP)').fill('')
  })
  const form = await fillIn(page, { address, password: 'wrong', port })
  await form.getByRole('button', { name: 'Test and save' }).click()
  await expect(form.getByText('127.0.0.1 did not accept the user name and password.')).toBeVisible()
  await expect(form.getByLabel('App password')).toBeFocused()
  await expect(form.getByLabel('Sender address')).toHaveValue(address)

  await form.getByLabel('App password').fill(password)
  await form.getByRole('button', { name: 'Test and save' }).click()
  await expect(page.getByText('Email configuration updated successfully')).toBeVisible()
  await expect(recipient).toBeEnabled()
  await expect(form).toBeHidden()

  await page.getByRole('button', { name: 'Configuration' }).click()
  await expect(form.getByLabel('App password')).toHaveValue('')
  await expect(form.getByText('Leave blank to keep the current password.')).toBeVisible()
  await form.getByLabel('Sender name').fill('The NSTP Office')
  await form.getByRole('button', { name: 'Test and save' }).click()
  await expect(form).toBeHidden()

  await page.getByRole('button', { name: 'Configuration' }).click()
  await expect(form.getByLabel('Sender name')).toHaveValue('The NSTP Office')
  await form.getByRole('button', { name: 'Remove configuration' }).click()
  const question = page.getByRole('dialog', { name: 'Remove Email Configuration' })
  await expect(question).toContainText('No e-mail is sent until')
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Email configuration removed')).toBeVisible()
  expect(product.output()).not.toContain(password)
  await expect(recipient).toBeDisabled()
})

test.describe('with an account', () => {
  test.use({ isConfigured: true })

  test('the server test shows how the server is, and what the mail server says, also on pages of their own', async ({
    page,
    sink,
  }) => {
    await signIn(page)
    await page.goto('/admin?tab=email&pane=server')
    const status = page.getByRole('region', { name: 'Server Status' })
    await expect(status.getByText('Reachable')).toBeVisible()
    await expect(status.getByText('Email service is configured.')).toBeVisible()

    const tool = page.getByRole('region', { name: 'Mail Server', exact: true })
    await tool.getByRole('button', { name: 'Connect' }).click()
    await expect(tool.getByText('127.0.0.1 answers and can accept mail.')).toBeVisible()
    await tool.getByRole('button', { name: 'Authenticate' }).click()
    const log = tool.getByRole('region', { name: 'Conversation with the mail server' })
    await expect(log).toContainText('AUTH PLAIN (not shown)')
    await tool.getByRole('button', { name: 'Send to myself' }).click()
    await expect(tool.getByText('accepted a test message to')).toBeVisible()
    expect(sink.messages.map(({ to }) => to)).toEqual([[sink.account.senderAddress]])
    await expectAccessible(page)

    await test.step('/email-test', async () => {
      await page.goto('/email-test')
      await expect(page).toHaveTitle(/^Email Test/)
      await expect(page.getByText('Sending as office@school.example through 127.0.0.1')).toBeVisible()
      await page.getByRole('button', { name: 'Connect' }).click()
      await expect(page.getByText('127.0.0.1 answers and can accept mail.')).toBeVisible()
      await expectAccessible(page)
    })
    await test.step('/server-test', async () => {
      await page.goto('/server-test')
      await expect(page).toHaveTitle(/^Server Test/)
      await expect(page.getByText('Reachable')).toBeVisible()
      await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
      await expectAccessible(page)
    })
  })
})
