import type { Request } from '@playwright/test'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, holdRequests, signIn, test } from './journey.ts'

const isScript = (request: Request) => new URL(request.url()).pathname.startsWith('/assets/')

const ofTheOffice = [
  // With its panels of the term and of due papers, which come right after it.
  { name: 'dashboard', path: '/admin', last: 'due-papers', mostBytes: 240_000, mostFiles: 22 },
  // What it takes today, with its dialogs, which come right after it; decisions 040 and 068 say why not as little.
  {
    name: 'list of students',
    path: '/admin?tab=students',
    last: 'edit-student',
    mostBytes: 282_000,
    mostFiles: 22,
  },
]

test('the pages load at first in few files and little script', async ({
  page: earlier,
  browser,
  product,
}) => {
  // With students the steps of getting started, which are asked for by themselves, don't show.
  await registerStudent(earlier, { lastName: uniqueLastName() })
  await signIn(earlier)
  // Until the notice of it is over: a page in between reads again.
  await earlier.goto('/admin')
  await expect(earlier.getByRole('button', { name: /^User menu/ })).toBeEnabled()
  for (const { name, path, last, mostBytes, mostFiles } of ofTheOffice) {
    await test.step(`the ${name}`, async () => {
      const context = await browser.newContext({
        baseURL: product.url,
        storageState: await earlier.context().storageState(),
      })
      const page = await context.newPage()
      const begun: Request[] = []
      const requests: Request[] = []
      page.on('request', (request) => begun.push(request))
      page.on('requestfinished', (request) => requests.push(request))
      await page.goto(path)
      await expect(
        page.getByRole('combobox', { name: 'Search students, screens and settings' }),
      ).toBeEnabled()
      await expect(page.getByRole('button', { name: /^User menu/ })).toBeEnabled()
      await page.waitForLoadState('load')
      // What the last script imports is asked for with it.
      await expect.poll(() => begun.some((request) => request.url().includes(`/assets/${last}-`))).toBe(true)
      await expect.poll(() => begun.filter(isScript).length - requests.filter(isScript).length).toBe(0)
      const scripts = await Promise.all(requests.filter(isScript).map((request) => request.sizes()))
      const bytes = scripts.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
      expect(bytes).toBeLessThan(mostBytes)
      // Not what panels read: on a busy machine the server leaves more of it to the browser.
      expect(scripts.length).toBeLessThanOrEqual(mostFiles)
      await context.close()
    })
  }

  await test.step('the pages of visitors: 136 kB', async () => {
    for (const path of ['/', '/announcements', '/register', '/login']) {
      const visitor = await browser.newContext({ baseURL: product.url })
      const page = await visitor.newPage()
      const begun: Request[] = []
      const loaded: Request[] = []
      page.on('request', (request) => void (isScript(request) && begun.push(request)))
      page.on('requestfinished', (request) => void (isScript(request) && loaded.push(request)))
      await page.goto(path, { waitUntil: 'networkidle' })
      await expect.poll(() => loaded.length > 0 && loaded.length === begun.length).toBe(true)
      const sizes = await Promise.all(loaded.map((request) => request.sizes()))
      const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
      expect(bytes, path).toBeLessThan(136_000)
      await visitor.close()
    }
  })
})

test('what changed while the page was on its way shows', async ({ page }) => {
  await signIn(page)
  // The scripts wait until the enlistment is stored.
  const release = await holdRequests(page, '/assets/**')
  await page.goto('/admin?tab=students', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Students', level: 1 })).toBeVisible()
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName })
  release()
  await expect(page.getByRole('button', { name: new RegExp(`^View ${lastName}`) })).toBeVisible()
})
