import { editElsewhere, openForm, openManager, post, readManaged, uniqueTitle } from './announcements.ts'
import { expect, expectAccessible, test, waitForMotion } from './journey.ts'

test.describe('with another edit in between', () => {
  // The browser itself reports the refusal.
  test.use({ expectedErrors: [/409/] })

  test('only contested fields need a choice, and either version can be saved', { tag: '@journey' }, async ({
    page,
  }) => {
    await openManager(page)
    const title = uniqueTitle()
    const { id } = await post(page.request, { title })
    const form = await openForm(page, title)
    // Nothing is typed yet: the form follows.
    await editElsewhere(page.request, id, { content: 'First.' })
    await expect(form.getByLabel('Content')).toHaveValue('First.')
    await form.getByLabel('Content').fill('Mine.')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await editElsewhere(page.request, id, { content: 'Theirs.', category: 'Event', pinned: 'true' })
    await form.getByRole('button', { name: 'Save changes' }).click()

    const panel = form.getByRole('region', { name: 'Conflicting changes' })
    await expect(panel).toBeFocused()
    await expect(panel).toContainText('This announcement was changed while you were editing it.')
    await expect(panel.getByRole('group', { name: /^Content/ })).toContainText('Theirs.')
    await expect(panel.getByRole('group', { name: /^Category/ }).getByLabel('Their change')).toBeChecked()
    await expect(panel.getByRole('group', { name: /^Pinned/ })).toContainText('Yes')
    await expect(form.getByLabel('Category')).toHaveValue('Event')
    await expectAccessible(page)
    await expect(form.getByRole('textbox', { name: 'Content' })).toHaveValue('Mine.')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(panel.getByText('Please choose a value.')).toHaveCount(1)
    const content = panel.getByRole('group', { name: /^Content/ })
    await content.getByLabel('Their change').check()
    await expect(form.getByRole('textbox', { name: 'Content' })).toHaveValue('Theirs.')
    await content.getByLabel('Your change').check()
    const category = panel.getByRole('group', { name: /^Category/ })
    await category.getByLabel('Original value').check()
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Announcement updated successfully!')).toBeVisible()
    expect(await readManaged(page.request, id)).toMatchObject({
      title,
      content: 'Mine.',
      category: 'General',
      pinned: true,
    })
  })
})

test('on a phone everything in a form is a finger high, and a saved one is still scrolled by keys', {
  tag: '@phone',
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await openManager(page)
  await page.getByRole('button', { name: 'New announcement' }).click()
  const form = page.getByRole('dialog', { name: 'New announcement' })
  await expect(form).toBeVisible()
  await waitForMotion(page)
  // The keyboard of the phone would come up and hide the form.
  await expect(form.getByRole('button', { name: 'Close' })).toBeFocused()
  for (const control of [
    form.getByLabel('Title'),
    form.getByLabel('Category'),
    form.getByRole('button', { name: 'Choose an image' }),
    form.getByRole('button', { name: 'Post announcement' }),
  ]) {
    expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  await form.getByLabel('Title').fill(uniqueTitle())
  await form.getByLabel('Content').fill('At the gym.')
  // It would close after two seconds.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await form.getByRole('button', { name: 'Post announcement' }).click()
  await expect(form.getByText('Announcement posted successfully!')).toBeVisible()
  // Only this link isn't disabled: it takes the focus, and the keys scroll what it is in.
  await expect(form.getByRole('link', { name: 'Set up the e-mail account' })).toBeEnabled()
})
