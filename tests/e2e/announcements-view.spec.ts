import { clearAnnouncements, editElsewhere, openPublic, post, uniqueTitle } from './announcements.ts'
import { expect, expectAccessible, signIn, test, waitForFrames } from './journey.ts'

test.describe('with a deletion', () => {
  // The browser itself reports that it is gone.
  test.use({ expectedErrors: [/404/] })

  test('an open announcement shows the new text, and closes with a word when it is deleted', {
    tag: '@journey',
  }, async ({ page, browser, product }) => {
    await signIn(page)
    const title = uniqueTitle('Live')
    const { id } = await post(page.request, { title, content: 'The first text.' })
    const visitors = await browser.newContext({ baseURL: product.url })
    const [list, single] = [await visitors.newPage(), await visitors.newPage()]
    await openPublic(list, '/announcements')
    await openPublic(single, `/announcements/${id}`)
    await list.getByRole('link', { name: title }).click()
    const modal = list.getByRole('dialog', { name: title })
    await expect(modal.getByText('The first text.')).toBeVisible()

    await editElsewhere(page.request, id, { content: 'The second text.' })
    await expect(modal.getByText('The second text.')).toBeVisible()
    await expect(single.getByText('The second text.')).toBeVisible()

    await page.request.delete(`/api/announcements/${id}`)
    await expect(list.getByText('This announcement is no longer available.')).toBeVisible()
    await expect(modal).toBeHidden()
    await expect(list.getByRole('link', { name: title })).toHaveCount(0)
    await expect(single.getByRole('heading', { name: 'Announcement not found' })).toBeAttached()
    await visitors.close()
  })
})

test('a visitor finds the latest on the home page and all in the list, which grows without moving, and opens and closes one', async ({
  page,
  browser,
  product,
}) => {
  await signIn(page)
  await clearAnnouncements(page.request)
  const latest = page.getByRole('region', { name: 'Latest announcements' })
  const none = 'No announcements available at this time.'

  await test.step('without announcements the pages say so', async () => {
    await openPublic(page, '/announcements')
    await expect(page.getByText(none)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'CWTS' }).click()
    await expect(page.getByText('No announcements in the CWTS category at this time.')).toBeVisible()
    await openPublic(page, '/')
    await expect(latest.getByText(none)).toBeVisible()
  })

  const titles = Array.from({ length: 14 }, () => uniqueTitle('More'))
  for (const title of titles) await post(page.request, { title, content: `Of ${title}.` })

  await test.step('the home page shows the latest three, and opens them', async () => {
    await expect(latest.getByRole('listitem').getByRole('link')).toHaveText(titles.slice(-3).reverse())
    const newest = titles.at(-1) ?? ''
    await latest.getByRole('link', { name: newest }).click()
    const modal = page.getByRole('dialog', { name: newest })
    await expect(modal.getByText(`Of ${newest}.`)).toBeVisible()
    await page.goBack()
    await expect(modal).toBeHidden()
    await latest.getByRole('link', { name: 'All announcements' }).click()
    await expect(page).toHaveURL(/\/announcements$/)
  })

  await test.step('Show more adds to the list and goes to the first that is new', async () => {
    const cards = page.locator('main li').filter({ has: page.getByRole('heading') })
    await expect(cards).toHaveCount(12)
    await page.getByRole('link', { name: 'Show more' }).press('Enter')
    await expect(cards).toHaveCount(14)
    await expect(page.getByRole('link', { name: titles[1] ?? '' })).toBeFocused()
    await expect(page).toHaveURL(/show=24/)
  })

  await test.step('a new announcement appears without moving what is read', async () => {
    await page.evaluate(() => window.scrollTo({ top: 200, behavior: 'instant' }))
    const title = uniqueTitle()
    await post(page.request, { title })
    await expect(page.getByRole('link', { name: title })).toBeAttached({ timeout: 2_500 })
    expect(await page.evaluate(() => window.scrollY)).toBe(200)
  })
  await test.step('one opens by the keyboard and closes in every way, and Back closes it too', async () => {
    const title = uniqueTitle('Keyboard')
    const { id } = await post(page.request, { title, content: `By keys. ${'More to read. '.repeat(300)}` })
    const visitors = await browser.newContext({ baseURL: product.url })
    const visitor = await visitors.newPage()
    await openPublic(visitor, '/announcements')
    const card = visitor.getByRole('link', { name: title })
    const modal = visitor.getByRole('dialog', { name: title })
    await card.press('Enter')
    await expect(modal.getByText('By keys.')).toBeVisible()
    await expect(modal.getByRole('button', { name: 'Close' })).toBeFocused()
    await expect(visitor).toHaveURL(new RegExp(`/announcements#read=${id}$`))
    await expectAccessible(visitor)
    await visitor.keyboard.press('Escape')
    await expect(modal).toBeHidden()
    await expect(card).toBeFocused()
    await expect(visitor).toHaveURL(/\/announcements$/)

    await card.press('Enter')
    await expect(modal.getByRole('button', { name: 'Close' })).toBeFocused()
    // The rest of the key press that opened it, which arrives after the focus has moved.
    const devTools = await visitors.newCDPSession(visitor)
    await devTools.send('Input.dispatchKeyEvent', { type: 'char', text: '\r', key: 'Enter', code: 'Enter' })
    await waitForFrames(visitor)
    await expect(modal).toBeVisible()
    await modal.getByRole('button', { name: 'Close' }).press('Enter')
    await expect(modal).toBeHidden()
    await expect(card).toBeFocused()

    await card.click()
    await expect(modal).toBeVisible()
    await visitor.mouse.click(3, 3)
    await expect(modal).toBeHidden()

    await card.click()
    await expect(modal).toBeVisible()
    await visitor.goBack()
    await expect(modal).toBeHidden()
    await expect(visitor).toHaveURL(/\/announcements$/)
    await visitor.goForward()
    await expect(modal).toBeVisible()

    // The address opens it for somebody else, and closing leads to the list.
    const other = await visitors.newPage()
    await openPublic(other, `/announcements#read=${id}`)
    const opened = other.getByRole('dialog', { name: title })
    await expect(opened.getByText('By keys.')).toBeVisible()
    await other.keyboard.press('Escape')
    await expect(opened).toBeHidden()
    await expect(other).toHaveURL(/\/announcements$/)
    await visitors.close()
  })
})

test.describe('without a connection', () => {
  test.use({ expectedErrors: [/ERR_FAILED|ERR_INTERNET_DISCONNECTED|503/] })

  test('the list says why it failed, and Retry reads it again; one that can’t be opened leaves it', async ({
    page,
    context,
  }) => {
    await signIn(page)
    const title = uniqueTitle()
    await post(page.request, { title, category: 'Event' })
    await openPublic(page, '/announcements')

    await test.step('an announcement can’t be opened, and can when the connection is back', async () => {
      await context.setOffline(true)
      await page.getByRole('link', { name: title }).click()
      await expect(page.getByText('That page needs a connection.').first()).toBeVisible()
      await expect(page).toHaveURL(/\/announcements$/)
      await context.setOffline(false)
      await page.getByRole('link', { name: title }).click()
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      const opened = page.getByRole('main').or(page.getByRole('dialog'))
      await expect(opened.getByText('At the gym.').last()).toBeVisible()
    })

    await openPublic(page, '/announcements')
    await page.route('**/api/announcements?*', (route) => route.abort())
    // Neither are there any scripts to be had any more.
    await page.route('**/assets/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Event', exact: true }).click()
    const panel = page.getByRole('alert')
    await expect(panel).toContainText('Failed to load announcements: We could not reach the server.')
    await panel.getByRole('button', { name: 'Retry' }).click()
    await expect(panel).toContainText('Error during retry: We could not reach the server.')
    await expect(panel).toContainText(
      'There seems to be a connection issue. Please check your internet connection',
    )
    await expectAccessible(page)

    await page.unroute('**/api/announcements?*')
    await page.route('**/api/announcements?*', (route) => route.fulfill({ status: 503, body: '' }))
    await panel.getByRole('button', { name: 'Retry' }).click()
    await expect(panel).toContainText('Cannot access announcements: The service is not available')
    await page.unroute('**/api/announcements?*')
    await panel.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('link', { name: title })).toBeVisible()
    await expect(panel).toHaveCount(0)
  })
})
