import type { Page } from '@playwright/test'
import { buildImage } from '#tests/factories/images.ts'
import { chooseAction, expect, expectAccessible, signIn, test } from './journey.ts'
import { changeSlide, openSlideshow, readSlides, setSlides } from './slides.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const three = [{ title: 'First' }, { title: 'Second' }, { title: 'Third' }]

/** Opens the tab with exactly these slides. */
async function openManager(page: Page, slides: Parameters<typeof setSlides>[1]) {
  await signIn(page)
  const added = await setSlides(page.request, slides)
  await page.goto('/admin?tab=slideshow')
  await expect(page.getByRole('heading', { name: 'Slideshow', level: 1 })).toBeVisible()
  if (slides.length > 0) await expect(cards(page)).toHaveCount(slides.length)
  return added
}

const cards = (page: Page) => page.locator('[data-slide]')
const titles = (page: Page) => cards(page).getByRole('heading')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function choosePicture(page: Page, name: string, buffer: Buffer) {
  await page.getByLabel('Image', { exact: true }).setInputFiles({ name, mimeType: 'image/png', buffer })
}

/** Somebody who looks at the home page meanwhile. */
async function visit(page: Page) {
  const context = await page.context().browser()?.newContext()
  if (!context) throw new Error('no browser')
  return await context.newPage()
}

/** The recorder of traces reads a chosen image, which the page's policy forbids. */
const ofTracing = /Connecting to 'blob:/

test.describe('adding', () => {
  // The browser reports the refusal, and the picture that the recorder of traces may not read.
  test.use({ expectedErrors: [/422|Connecting to 'blob:/] })

  test('two slides are added and stand on an open home page, in their order', { tag: '@journey' }, async ({
    page,
  }) => {
    await openManager(page, [])
    const visitor = await visit(page)
    await visitor.goto('/')
    await expect(page.getByText('No slides yet.')).toBeVisible()
    await expectAccessible(page)

    await press(page, 'Add Slide')
    const form = dialog(page, 'Add Slide')
    await expectAccessible(page)
    const save = form.getByRole('button', { name: 'Add Slide' })
    await save.click()
    await expect(form.getByText('Please select an image for the slide')).toBeVisible()
    await expect(form.getByRole('button', { name: 'Choose an image' })).toBeFocused()
    await choosePicture(page, 'large.png', Buffer.alloc(5 * 1024 * 1024 + 1))
    await expect(form.getByText('Image file is too large. Maximum size is 5MB.')).toBeVisible()
    await choosePicture(page, 'a.png', Buffer.from('no picture'))
    await save.click()
    const wrongType = 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)'
    await expect(form.getByText(wrongType)).toBeVisible()
    const picture = await buildImage('png', { width: 1600, height: 700 })
    await choosePicture(page, 'a.png', picture)
    await expect(form.getByText(wrongType)).toBeHidden()
    // What is pasted is never cut without a word.
    await form.getByLabel('Title').focus()
    await page.keyboard.insertText('x'.repeat(121))
    await save.click()
    await expect(form.getByText('Please shorten the title to 120 characters or fewer.')).toBeVisible()
    await expect(form.getByLabel('Title')).toHaveValue('x'.repeat(121))
    await form.getByLabel('Title').fill('Flag raising')
    await form.getByLabel('Description').fill('Every Monday\nat seven')
    await save.click()
    await expect(form.getByText('Slideshow saved successfully!')).toBeVisible()
    const shownSince = Date.now()
    await expect(form).toBeHidden()
    expect(Date.now() - shownSince).toBeGreaterThan(1_000)
    await expect(page).toHaveURL(/\/admin\?tab=slideshow$/)

    await expect(visitor.getByRole('group', { name: 'Slide 1 of 1' })).toContainText('Every Monday')
    await press(page, 'Add Slide')
    await choosePicture(page, 'b.png', picture)
    await form.getByLabel('Title').fill('Tree planting')
    await save.click()
    await expect(form).toBeHidden()
    await expect(cards(page)).toHaveCount(2)
    await expect(cards(page).nth(1)).toContainText('Number 2')
    await expect(titles(page)).toHaveText(['Flag raising', 'Tree planting'])
    await expect(visitor.getByRole('group', { name: 'Slide 1 of 2' })).toContainText('Flag raising')
  })
})

test('the order is changed by its menu, by keys and by dragging, and saved as a whole, or shown as not saved', async ({
  page,
  expectErrors,
}) => {
  await openManager(page, three)
  const visitor = await visit(page)
  const { slide, button } = await openSlideshow(visitor)
  await button('Pause slideshow').click()
  await button('Slide 1').click()

  await chooseAction(page, 'Third', 'Move up')
  await expect(titles(page)).toHaveText(['First', 'Third', 'Second'])
  await expect(page.getByText('Third is now number 2 of 3. Not saved yet.')).toBeAttached()
  const menu = page.getByRole('button', { name: 'Actions for Third' })
  await expect(menu).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(titles(page)).toHaveText(['Third', 'First', 'Second'])
  // At the end another press doesn't take it back.
  await expect(menu).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(titles(page)).toHaveText(['Third', 'First', 'Second'])
  expect((await readSlides(page.request)).map(({ title }) => title)).toEqual(['First', 'Second', 'Third'])
  await page.getByRole('button', { name: 'Discard' }).press('Enter')
  await expect(titles(page)).toHaveText(['First', 'Second', 'Third'])
  // The button went with its bar.
  await expect(page.getByRole('group', { name: 'Slides', exact: true })).toBeFocused()
  await expect(page.getByRole('region', { name: 'Order of the slides' })).toBeHidden()

  await cards(page).nth(0).locator('img').scrollIntoViewIfNeeded()
  await cards(page)
    .nth(0)
    .dragTo(cards(page).nth(1), { sourcePosition: { x: 150, y: 90 }, targetPosition: { x: 150, y: 90 } })
  await expect(titles(page)).toHaveText(['Second', 'First', 'Third'])

  // Leaving asks, as nothing is saved.
  const search = page.getByRole('combobox', { name: 'Search students, screens and settings' })
  await search.fill('dashboard')
  await search.press('Enter')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Save order' }).press('Enter')
  await expect(page.getByText('Slide order saved successfully!')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Order of the slides' })).toBeHidden()
  await expect(page.getByRole('group', { name: 'Slides', exact: true })).toBeFocused()
  await expect(titles(page)).toHaveText(['Second', 'First', 'Third'])
  // The slide that is seen stays.
  await expect(slide('Slide 2 of 3')).toContainText('First')
  await test.step('an order that can not be saved is shown as not saved', async () => {
    const [first] = await openManager(page, three)
    const bar = page.getByRole('region', { name: 'Order of the slides' })
    await chooseAction(page, 'First', 'Move down')
    await page.route('**/api/slides/order', (route) => route.abort())
    await expectErrors(/ERR_FAILED/, async () => {
      await press(page, 'Save order')
      await expect(bar.getByText(/The order was not saved. We could not reach the server/)).toBeVisible()
    })
    await expect(bar).toContainText('Unsaved order')
    await page.unroute('**/api/slides/order')

    // Another screen deletes a slide in the same moment.
    await page.route('**/api/slides/order', async (route) => {
      await page.request.delete(`/api/slides/${first?.id}`)
      await route.continue()
    })
    await expectErrors(/409/, async () => {
      await press(page, 'Save order')
      await expect(page.getByText(/Slides were added or deleted in the meantime/)).toBeVisible()
    })
    await expect(titles(page)).toHaveText(['Second', 'Third'])
    // What is left has its order already.
    await expect(bar).toBeHidden()
    await press(page, 'Dismiss')
    await expect(page.getByText(/Slides were added or deleted/)).toBeHidden()
  })
})

test('slides are taken off the home page and back, and found by the filter', async ({ page }) => {
  await openManager(page, three)
  const visitor = await visit(page)
  const { slideshow } = await openSlideshow(visitor)
  await chooseAction(page, 'Second', 'Deactivate')
  await expect(page.getByText('Slide deactivated successfully!')).toBeVisible()
  await expect(slideshow.getByRole('group', { name: /of 2$/, includeHidden: true })).toHaveCount(2)
  await expect(slideshow.getByText('Second')).toHaveCount(0)
  await expectAccessible(page)

  await press(page, 'Inactive')
  await expect(page).toHaveURL(/show=inactive/)
  await expect(titles(page)).toHaveText(['Second'])
  await page.getByRole('button', { name: 'Actions for Second' }).press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Activate' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Move up' })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Activate' }).click()
  await expect(page.getByText('Slide activated successfully!')).toBeVisible()
  await expect(page.getByText('No inactive slides.')).toBeVisible()
  // The card with the focus is gone.
  await expect(page.getByRole('button', { name: 'Add Slide' })).toBeFocused()
  await press(page, 'Active')
  await expect(titles(page)).toHaveText(['First', 'Second', 'Third'])
  await chooseAction(page, 'First', 'Deactivate')
  await expect(titles(page)).toHaveText(['Second', 'Third'])
  await expect(cards(page).first().getByRole('button', { name: 'Edit Second' })).toBeFocused()
  await page.reload()
  await expect(titles(page)).toHaveText(['Second', 'Third'])
  await expect(slideshow.getByRole('group', { name: /of 2$/, includeHidden: true })).toHaveCount(2)
})

// The browser itself reports the lost and the refused calls.
test('a slide is deleted after a question that names it, again after a change, and what failed is said', async ({
  page,
  expectErrors,
}) => {
  const [, second] = await openManager(page, three)
  const question = dialog(page, 'Delete Slide')
  const confirm = () => question.getByRole('button', { name: 'Delete' }).click()

  await expectErrors(/ERR_FAILED/, async () => {
    await page.route('**/api/slides/*', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await chooseAction(page, 'Second', 'Deactivate')
    await expect(page.getByText(/^Error: Failed to update slide/)).toBeVisible()
    await chooseAction(page, 'Second', 'Delete')
    await expect(question).toContainText('Are you sure you want to delete “Second”?')
    await expectAccessible(page)
    await confirm()
    await expect(page.getByText(/^Error: Failed to delete slide/)).toBeVisible()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('button', { name: 'Actions for Second' })).toBeFocused()
    await page.unroute('**/api/slides/*')
  })

  await chooseAction(page, 'Second', 'Delete')
  await changeSlide(page.request, second?.id ?? '', { title: 'Corrected' })
  await expectErrors(/409/, async () => {
    await confirm()
    await expect(page.getByText(/^Error: Failed to delete slide. Someone else changed this/)).toBeVisible()
  })
  await expect(question).toBeHidden()
  await chooseAction(page, 'Corrected', 'Delete')
  await expect(question).toContainText('Are you sure you want to delete “Corrected”?')
  await confirm()
  await expect(page.getByText('Slide deleted successfully!')).toBeVisible()
  await expect(titles(page)).toHaveText(['First', 'Third'])
  expect((await readSlides(page.request)).map(({ order }) => order)).toEqual([0, 1])
  await expect(page.getByRole('button', { name: 'Edit Third' })).toBeFocused()
  await test.step('what is typed about a deleted one can be added as a new slide', async () => {
    const [first] = await openManager(page, three)
    await press(page, 'Edit First')
    const form = dialog(page, 'Edit Slide')
    await form.getByLabel('Title').fill('Mine')
    await expectErrors(/404/, async () => {
      await page.request.delete(`/api/slides/${first?.id}`)
      await expect(form.getByText(/^It was deleted while you were editing/)).toBeVisible()
    })
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Add as a new slide' }).click()
    await expect(form.getByText('Please select an image for the slide')).toBeVisible()
    await expect(form.getByLabel('Title')).toHaveValue('Mine')
    await expectErrors(ofTracing, async () => {
      await choosePicture(page, 'a.png', await buildImage('png'))
      await form.getByRole('button', { name: 'Add Slide' }).click()
      await expect(form.getByText('Slideshow saved successfully!')).toBeVisible()
    })
    await expect(form).toBeHidden()
    await expect(titles(page)).toHaveText(['Second', 'Third', 'Mine'])
  })
})
