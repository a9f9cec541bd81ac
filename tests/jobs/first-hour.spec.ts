import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { devices } from '@playwright/test'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import type { MailSink } from '#tests/setup/mail-sink.ts'
import { startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { fillEnlistment } from '../e2e/enlistment-form.ts'
import { expectReady, signIn } from '../e2e/journey.ts'
import { keepMailServer } from '../e2e/mail-journey.ts'
import { test as counted, type } from './counted-job.ts'

/** A new product whose first password is made and printed, as `npm start` does. */
const test = counted.extend<object, { mailServer: MailSink }>({
  startOwn: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
    async ({}, use) => use(() => startProduct({ ADMIN_PASSWORD: '' }, [], { keepsFirstPassword: true })),
    { scope: 'worker' },
  ],
  mailServer: [keepMailServer, { scope: 'worker' }],
})
const { expect } = test

// One hour, in its order.
test.describe.configure({ mode: 'serial', timeout: 180_000 })

const student = { lastName: 'Magtanggol', firstName: 'Ana', email: 'ana.magtanggol@student.example' }

test('first hour: sign in and choose a password', async ({ page, product, job }) => {
  const [, email = '', password = ''] =
    /Sign in: as (\S+), password (\S+) \(shown only now\)/.exec(product.output()) ?? []
  expect(email).toBe(adminEmail)
  await page.goto('/login', { waitUntil: 'networkidle' })
  await job({ who: 'administrator', most: { clicks: 3, keys: 74, seconds: 30 } }, async () => {
    await type(page.locator('[name="password"]'), password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
    await type(page.locator('[name="newPassword"]'), adminPassword)
    await type(page.locator('[name="repeatedPassword"]'), adminPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('region', { name: 'Getting started' })).toContainText('0 of 15 done')
  })
})

test('first hour: close enlistment, name the school and open it', async ({ page, job }) => {
  await signIn(page)
  await page.goto('/admin')
  await expectReady(page)
  const steps = page.getByRole('region', { name: 'Getting started' })
  const form = (name: string) => page.getByRole('form', { name, exact: true })
  const openStep = (name: string) => steps.getByRole('link', { name: `${name} (to do)` }).click()
  const save = async (name: string) => {
    await form(name).getByRole('button', { name: 'Save' }).click()
    await expect(form(name).getByRole('button', { name: 'Save' })).toBeDisabled()
    await page.getByRole('complementary').getByRole('link', { name: 'Dashboard' }).click()
  }
  await job({ who: 'administrator', most: { clicks: 16, keys: 64, seconds: 45 } }, async () => {
    await steps.getByRole('button', { name: 'Close enlistment' }).click()
    await expect(steps).toContainText('Enlistment is closed. Open it when your courses are right')
    await openStep('School name')
    await type(form('Names').getByLabel('School name'), 'Cavite College')
    await save('Names')
    await steps.getByRole('button', { name: 'These are ours' }).click()
    await openStep('Data protection contact')
    await type(form('Data protection contact').getByLabel('E-mail address'), 'dpo@school.example')
    await save('Data protection contact')
    await openStep('Contact of the office')
    await type(form('Contact').getByLabel('Address', { exact: true }), 'Student Center')
    await type(form('Contact').getByLabel('Phone number'), '(046) 415-0010')
    await save('Contact')
    await steps.getByRole('button', { name: 'Open enlistment' }).click()
    await expect(steps).toContainText('5 of 15 done')
    await expect(steps.getByRole('region', { name: 'First' })).not.toContainText('(to do)')
  })
})

test('first hour: look at the first student who enlisted', async ({ page, browser, product, job }) => {
  await signIn(page)
  await page.goto('/admin')
  await expectReady(page)
  const { defaultBrowserType: _chromium, ...phone } = devices['Pixel 7']
  const visit = await browser.newContext({ ...phone, reducedMotion: 'reduce', baseURL: product.url })
  const visitor = await visit.newPage()
  await visitor.goto('/register', { waitUntil: 'networkidle' })
  await fillEnlistment(visitor, student)
  await visitor.getByRole('button', { name: 'Submit registration' }).click()
  const reference = await visitor.getByText(/^NSTP-[\w-]+$/).textContent()
  await job({ who: 'administrator', most: { clicks: 2, keys: 0, seconds: 10 } }, async () => {
    await page.getByRole('link', { name: /^Notifications: 1 new registration/ }).click()
    await page.getByRole('button', { name: `View ${student.lastName}` }).click()
    const record = page.getByRole('dialog', { name: 'Student Details' })
    await expect(record).toContainText(reference ?? 'none')
  })
})

test('first hour: set up the mail account and write to the student', async ({ page, mailServer, job }) => {
  await signIn(page)
  await page.goto('/admin')
  await expectReady(page)
  const { senderAddress, password, port } = mailServer.account
  const form = page.getByRole('form', { name: 'Email configuration' })
  await job({ who: 'administrator', most: { clicks: 9, keys: 66, seconds: 35 } }, async () => {
    await page.getByRole('link', { name: 'E-mail account (to do)' }).click()
    await type(form.getByLabel('Sender address'), senderAddress)
    await type(form.getByLabel('App password'), password)
    await type(form.getByLabel('Mail server (SMTP)'), '127.0.0.1')
    await form.getByLabel('Encryption').selectOption('starttls')
    await type(form.getByRole('textbox', { name: 'Port', exact: true }), String(port))
    await form.getByRole('button', { name: 'Test and save' }).click()
    await expect(page.getByText('Email configuration updated successfully')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type(student.lastName)
    await expect(
      page.getByRole('option', { name: `${student.lastName}, ${student.firstName}` }),
    ).toBeVisible()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^(Send|Resend) welcome e-mail$/ }).click()
    await expect.poll(() => mailServer.messages.map(({ to }) => to)).toContainEqual([student.email])
  })
})

test('first hour: make the first backup', async ({ page, job }) => {
  const folder = makeTemporaryFolder()
  await signIn(page)
  await page.goto('/admin')
  await expectReady(page)
  const file = join(folder.path, 'first.nstp')
  let passphrase = ''
  await job({ who: 'administrator', most: { clicks: 4, keys: 0, seconds: 15 } }, async () => {
    await page.getByRole('link', { name: 'First backup (to do)' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Create Backup' }).click()
    await (await download).saveAs(file)
    passphrase = (await page.getByText(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/).textContent()) ?? ''
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('button', { name: 'Hide permanently' }).click()
    await expect(page.getByText(/^Last backup: .*, encrypted$/)).toBeVisible()
  })
  const { stdout } = await promisify(execFile)(process.execPath, ['build/server/restore.js', file], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: join(folder.path, 'data'),
      BACKUP_PASSPHRASE: passphrase,
    },
  })
  expect(stdout).toContain('The backup is complete: 1 student,')
  folder.remove()
})
