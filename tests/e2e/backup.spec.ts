import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { registerStudent } from './enlistment-form.ts'
import { expect, expectAccessible, test as journey, signIn } from './journey.ts'

const run = promisify(execFile)

interface OwnProduct {
  running: Product
  /** A folder for the backup. */
  folder: string
  /** Loses everything, restores a backup by command and starts again at the same address. */
  wipeAndRestore: (file: string, passphrase: string) => Promise<string>
}

/** A product that may be stopped and wiped, because no other journey uses it. */
const test = journey.extend<{ own: OwnProduct }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from the pattern
  own: async ({}, use) => {
    const folder = makeTemporaryFolder()
    const env = { DATA_DIR: join(folder.path, 'data'), RATE_LIMITS: 'off' }
    const own: OwnProduct = {
      running: await startProduct(env),
      folder: folder.path,
      async wipeAndRestore(file, passphrase) {
        const { port } = new URL(own.running.url)
        await own.running.stop()
        rmSync(env.DATA_DIR, { recursive: true })
        const { stdout } = await run(process.execPath, ['build/server/restore.js', file], {
          env: { ...process.env, ...env, NODE_ENV: 'production', BACKUP_PASSPHRASE: passphrase },
        })
        own.running = await startProduct({ ...env, PORT: port })
        return stdout
      },
    }
    await use(own)
    await own.running.remove()
    folder.remove()
  },
  baseURL: async ({ own }, use) => use(own.running.url),
})

// The browser reports the refusal of the old session, and of requests while the product is stopped.
test.use({ expectedErrors: [/401|Failed to load resource|ERR_/] })

test('a backup that was downloaded brings the records back after everything was lost', {
  tag: '@journey',
}, async ({ page, own }) => {
  test.slow()
  await registerStudent(page, { lastName: 'Magtanggol' })
  await signIn(page)
  await page.goto('/admin?tab=system-settings#backup')
  await expect(page.getByText('No backup yet.')).toBeVisible()

  // A slip of the finger is found before anything is made.
  await page.getByLabel('Passphrase (optional)').fill('correct horse battery staple')
  await page.getByLabel('Confirm passphrase').fill('another')
  await page.getByRole('button', { name: 'Create Backup' }).click()
  await expect(page.getByText('The passphrases do not match.')).toBeVisible()
  await expect(page.getByLabel('Confirm passphrase')).toBeFocused()
  // From the top: the bar covers what is scrolled under it, which counts as too small a target.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)

  // None of their own: one is made, and shown once.
  await page.getByLabel('Passphrase (optional)').fill('')
  await page.getByLabel('Confirm passphrase').fill('')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Create Backup' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^NSTP Portal backup \d{4}-\d\d-\d\d \d{4}\.nstp$/)
  await expect(page.getByText(/^The backup was saved to your downloads/)).toBeVisible()
  await expect(page.getByText(/^Last backup: .*, encrypted$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Recovery passphrase of this backup' })).toBeFocused()
  const passphrase = await page.getByText(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/).textContent()
  // One press loses nothing.
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await expect(page.getByText(passphrase ?? 'none')).toBeVisible()
  await page.getByRole('button', { name: 'Hide permanently' }).click()
  await expect(page.getByText(passphrase ?? 'none')).toBeHidden()
  await expect(page.getByText(/^The backup was saved to your downloads/)).toBeVisible()
  const file = join(own.folder, 'backup.nstp')
  await download.saveAs(file)

  // The open screen would navigate to the login during the next navigation.
  await page.goto('about:blank')
  const restored = await own.wipeAndRestore(file, passphrase ?? '')
  expect(restored).toContain('The backup is complete: 1 student,')
  expect(restored).toContain(`It brings these accounts: ${adminEmail}.`)
  await page.goto('/admin?tab=students')
  await page.waitForURL(/\/login/)
  await page.locator('[name="email"]').fill(adminEmail)
  await page.locator('[name="password"]').fill(adminPassword)
  await page.getByRole('button', { name: /^(log|sign) ?in$/i }).click()
  await page.waitForURL(/tab=students/)
  await expect(page.getByText('Magtanggol').first()).toBeVisible()
})

test('a nightly backup tells at once whether it works, and why not', async ({ page, own }) => {
  await signIn(page)
  await page.goto('/admin?tab=system-settings#backup')
  const nightly = page.getByRole('region', { name: 'Nightly backup' })
  await expect(nightly.getByText('It is off.')).toBeVisible()
  const folder = nightly.getByLabel('Folder on the server')
  await folder.fill('/dev/null/nstp')
  await nightly.getByRole('button', { name: 'Save' }).click()
  await expect(nightly.getByText('A part of its path is a file, not a folder.')).toBeVisible()
  await expect(folder).toBeFocused()

  // As root, the product runs as another user.
  const disk = join(own.folder, 'disk')
  mkdirSync(disk)
  chmodSync(disk, 0o777)
  const path = join(disk, 'nightly')
  await folder.fill(path)
  await nightly.getByRole('button', { name: 'Save' }).click()
  await expect(
    page.getByRole('heading', { name: 'Recovery passphrase of the nightly backups' }),
  ).toBeFocused()
  const passphrase = await nightly.getByText(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/).textContent()
  await nightly.getByRole('button', { name: 'Back up now' }).click()
  await expect(nightly.getByText(/^Last nightly backup: .*, 1 file in the folder$/)).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)

  const [file = ''] = readdirSync(path)
  await page.goto('about:blank')
  expect(await own.wipeAndRestore(join(path, file), passphrase ?? '')).toContain('The backup is complete')

  // Beside another secret key.
  await page.goto('/admin?tab=dashboard')
  await page.waitForURL(/\/login/)
  await page.locator('[name="email"]').fill(adminEmail)
  await page.locator('[name="password"]').fill(adminPassword)
  await page.getByRole('button', { name: /^(log|sign) ?in$/i }).click()
  await page.getByRole('link', { name: /^Nightly backup: The passphrase .* set it again\.$/ }).click()
  await expect(nightly.getByRole('alert')).toContainText('Please set it again.')
})
