import { randomUUID } from 'node:crypto'
import { postfixReport } from '#tests/factories/delivery-reports.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { configureMail, removeMailAccount } from '#tests/setup/configure-mail.ts'
import { hasDovecot, startDovecot } from '#tests/setup/dovecot.ts'
import { startMailSink } from '#tests/setup/mail-sink.ts'
import type { Product } from '#tests/setup/product.ts'
import { expect, expectAccessible, signIn } from './journey.ts'
import { test } from './mail-journey.ts'

/** Puts a message that came back into the product's database. */
async function storeReturned({ dataDir }: Product, recipient: string, status: string, diagnostic: string) {
  await queryDatabase(
    dataDir,
    `insert into mail_bounces (id, recipient, received_at, status, diagnostic, mailbox_uid)
     values ('${randomUUID()}', '${recipient}', now(), '${status}', '${diagnostic}', '${randomUUID()}')`,
  )
}

test('without a mailbox the pane says so; an address whose mail came back is listed with the reason until it is seen to', async ({
  page,
  product,
}) => {
  const recipient = `juan.${randomUUID()}@example.edu`
  const full = `ana.${randomUUID()}@example.edu`
  await signIn(page)
  await page.goto('/admin?tab=email&pane=returned')
  await expect(page.getByText('Bounce tracking is off')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check now' })).toHaveCount(0)

  await storeReturned(product, recipient, '5.1.1', '550 5.1.1 User unknown')
  await storeReturned(product, full, '5.2.2', '')
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: recipient })
  await expect(row.getByText('This address does not exist').filter({ visible: true })).toBeVisible()
  await expect(row.getByText('550 5.1.1 User unknown').filter({ visible: true })).toBeVisible()
  const other = page.getByRole('row').filter({ hasText: full })
  await expect(other.getByText('The mailbox is full').filter({ visible: true })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: `Mark as resolved: ${recipient}` }).click()
  await expect(row).toHaveCount(0)
  await expect(other).toHaveCount(1)
  await page.getByRole('button', { name: `Mark as resolved: ${full}` }).click()
  await expect(other).toHaveCount(0)
})

test('the mailbox is read on request, and an unreachable server is reported', async ({
  page,
  product,
  sink,
  cookie,
}) => {
  test.skip(!hasDovecot, 'Dovecot is not installed, or may not be started.')
  test.slow()
  const server = await startDovecot()
  try {
    const { host: imapHost, port: imapPort, userName, password } = server.mailbox
    const account = { ...sink.account, userName, password, imapHost, imapPort }
    const open = await startMailSink({ offersSignIn: false })
    try {
      await configureMail(product.url, cookie, { ...account, port: open.port })
      await signIn(page)
      await page.goto('/admin?tab=email&pane=returned')
      const check = page.getByRole('button', { name: 'Check now' })
      await check.click()
      await expect(page.getByText(/^Last checked /)).toBeVisible()

      const recipient = `gone.${randomUUID()}@example.edu`
      // Only what was really sent can come back.
      const sent = await page.request.post('/api/send-email', {
        data: { to: recipient, subject: 'Orientation', message: 'On Monday.' },
      })
      expect(sent.status()).toBe(200)
      const { id: messageId } = await sent.json()
      server.deliver(postfixReport({ messageId, recipient }))
      await check.click()
      const row = page.getByRole('row').filter({ hasText: recipient })
      await expect(row.getByText('This address does not exist').filter({ visible: true })).toBeVisible()
      await page.getByRole('button', { name: `Mark as resolved: ${recipient}` }).click()
      await expect(row).toHaveCount(0)
    } finally {
      await open.close()
    }
  } finally {
    await server.close()
  }
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText(/^Nothing answers at 127\.0\.0\.1, port \d+\./)).toBeVisible()
  await expect(page.getByText(/^Last tried /)).toBeVisible()
  // The next test's account would keep the mailbox that is gone.
  await removeMailAccount(product.url, cookie)
})
