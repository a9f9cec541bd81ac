import type { Page } from '@playwright/test'
import { clearAnnouncements, openManager, openPublic, post, uniqueTitle } from './announcements.ts'
import { expect, expectAccessible, test } from './journey.ts'

// The browser itself reports requests that fail.
test.use({ expectedErrors: [/Failed to load resource|net::ERR|Failed to fetch manifest patches/] })

const notice = (page: Page) =>
  page
    .getByRole('region', { name: 'Notifications' })
    .getByText('This page could not be refreshed and may be out of date.')

/** Opens the form of a new announcement and types into it. */
async function typeAnnouncement(page: Page, title: string) {
  await openManager(page)
  await page.getByRole('button', { name: 'New announcement' }).click()
  const form = page.getByRole('dialog', { name: 'New announcement' })
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Content').fill('Typed for an hour.')
  return form
}

/** The list behind the form. */
const inList = (page: Page, title: string) =>
  page.getByRole('button', { name: `Edit ${title}`, includeHidden: true })

test('what is typed survives a failing proxy and a lost connection; list and pages stay meanwhile, and are current again', async ({
  page,
  context,
}) => {
  const title = uniqueTitle()
  const form = await typeAnnouncement(page, title)
  await test.step('the proxy fails', async () => {
    await page.route('**/api/announcements?*', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    )
    const elsewhere = uniqueTitle('Elsewhere')
    await post(page.request, { title: elsewhere })
    await expect(notice(page)).toBeVisible()
    await expect(form.getByLabel('Content')).toHaveValue('Typed for an hour.')
    await expect(page.getByText('Failed to load announcements')).toHaveCount(0)
    await expectAccessible(page)
    await page.unroute('**/api/announcements?*')
    await expect(inList(page, elsewhere)).toHaveCount(1)
    await expect(notice(page)).toBeHidden()
    await expect(form.getByLabel('Title')).toHaveValue(title)
  })
  await context.setOffline(true)
  const elsewhere = uniqueTitle('Elsewhere')
  await post(page.request, { title: elsewhere })
  await form.getByRole('button', { name: 'Post announcement' }).click()
  await expect(form.getByRole('alert')).toContainText('We could not reach the server.')
  await expect(inList(page, elsewhere)).toHaveCount(0)
  await context.setOffline(false)
  await expect(inList(page, elsewhere)).toHaveCount(1)
  await expect(notice(page)).toBeHidden()
  await expect(form.getByLabel('Title')).toHaveValue(title)
  await expect(form.getByLabel('Content')).toHaveValue('Typed for an hour.')
  await form.getByRole('button', { name: 'Post announcement' }).click()
  await expect(page.getByText('Announcement posted successfully!')).toBeVisible()
  await test.step('a page stays while it can’t be read again, and is current when it can', async () => {
    // The home page shows three, pinned ones first.
    await clearAnnouncements(page.request)
    for (const [path, reading] of [
      ['/', /\.data/],
      ['/announcements', '**/api/announcements?*'],
    ] as const) {
      await test.step(path, async () => {
        const first = uniqueTitle()
        await post(page.request, { title: first })
        await openPublic(page, path)
        await expect(page.getByRole('link', { name: first })).toBeVisible()
        await page.route(reading, (route) => route.abort('connectionreset'))
        const second = uniqueTitle()
        await post(page.request, { title: second })
        await expect(notice(page)).toBeVisible()
        await expect(page.getByRole('link', { name: first })).toBeVisible()
        await expectAccessible(page)
        // The device notices a little later that it is offline.
        await context.setOffline(true)
        await page.unroute(reading)
        await context.setOffline(false)
        await expect(page.getByRole('link', { name: second })).toBeVisible()
        await expect(notice(page)).toBeHidden()
      })
    }

    await test.step('one that is opened without a connection says so, with a way out', async () => {
      await openPublic(page, '/')
      await page.route(/\.data/, (route) => route.abort('connectionreset'))
      await page.getByRole('link', { name: 'All announcements' }).click()
      await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
      await expect(notice(page)).toBeHidden()
    })
  })
})
