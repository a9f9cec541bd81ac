import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { buildImage } from '#tests/factories/images.ts'
import { openForm, openManager, openPublic, post, readManaged, uniqueTitle } from './announcements.ts'
import { expect, expectAccessible, test } from './journey.ts'

// The browser itself reports a refusal; the recorder of traces looks at chosen pictures, which the page may not.
test.use({ expectedErrors: [/422|^Connecting to 'blob:/] })

/** Bytes that no text is. */
const memo = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256))

test('a post with image and attachment appears on an open page and is downloaded byte for byte', {
  tag: '@journey',
}, async ({ page, browser, product }) => {
  const visitors = await browser.newContext({ baseURL: product.url })
  const visitor = await visitors.newPage()
  await openPublic(visitor, '/announcements')
  await openManager(page)
  await page.getByRole('button', { name: 'New announcement' }).click()
  const form = page.getByRole('dialog', { name: 'New announcement' })
  await expect(form.getByLabel('Title')).toBeFocused()

  await form.getByRole('button', { name: 'Post announcement' }).click()
  await expect(form.locator('#title-error')).toHaveText('Title is required')
  await expect(form.locator('#announcement-content-error')).toHaveText('Content is required')
  await expect(form.getByLabel('Title')).toBeFocused()
  await expectAccessible(page)

  const title = uniqueTitle('Drill on Saturday')
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Content').fill('Assemble at **six**.\n\n- Bring water')
  await expect(form.getByText('Title is required')).toHaveCount(0)
  await form.getByRole('button', { name: 'Preview' }).click()
  const preview = form.getByRole('region', { name: 'Preview' })
  await expect(preview.locator('strong')).toHaveText('six')
  await expect(preview.getByRole('listitem')).toHaveText('Bring water')
  await form.getByLabel('Category').selectOption('ROTC')
  const image = await buildImage('png', { width: 1600, height: 900 })
  await form
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'court.png', mimeType: 'image/png', buffer: image })
  await form
    .locator('input[type="file"]')
    .last()
    .setInputFiles({ name: 'Memo № 12.pdf', mimeType: 'application/pdf', buffer: memo })
  await expect(form.getByText('Memo № 12.pdf')).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Post announcement' }).click()
  await expect(page.getByText('Announcement posted successfully!')).toBeVisible()

  // About a second; the machine of the tests may be busy.
  const card = visitor.getByRole('link', { name: title })
  await expect(card).toBeVisible({ timeout: 2_500 })
  // The form closes by itself.
  await expect(form).toBeHidden({ timeout: 4_000 })
  await expect(page.getByRole('button', { name: `Edit ${title}` })).toBeVisible()

  await card.click()
  const modal = visitor.getByRole('dialog', { name: title })
  await expect(modal.locator('strong')).toHaveText('six')
  await expect(modal.getByRole('img')).toBeVisible()
  const attachment = modal.getByRole('region', { name: 'Attachment' })
  await expect(attachment).toContainText('PDF document')
  await expect(attachment).toContainText('69 kB')
  const download = visitor.waitForEvent('download')
  await attachment.getByRole('link', { name: 'Download' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('Memo № 12.pdf')
  expect((await readFile(await file.path())).equals(memo)).toBe(true)
  await visitors.close()
})

test('files that can’t be taken are refused by their sentences', async ({ page }) => {
  await openManager(page)
  await page.getByRole('button', { name: 'New announcement' }).click()
  const form = page.getByRole('dialog', { name: 'New announcement' })
  const title = uniqueTitle('Photo')
  await form.getByLabel('Title').fill(title)
  await form.getByLabel('Content').fill('Typed content')
  const image = form.locator('input[type="file"]').first()
  const problem = form.locator('#image-error')
  const type = 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)'

  await test.step('by the form', async () => {
    await image.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await expect(problem).toHaveText(type)
    const buffer = Buffer.alloc(10 * 1024 * 1024)
    await image.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: buffer.subarray(5_000_000) })
    await expect(problem).toHaveText('Image file is too large. Maximum size is 5MB.')
    await form.locator('input[type="file"]').last().setInputFiles({ name: 'a.bin', mimeType: '', buffer })
    await expect(form.locator('#attachment-error')).toHaveText('File size must be less than 10MB')
    await expectAccessible(page)
  })

  await test.step('by the server', async () => {
    await image.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await form.getByRole('button', { name: 'Post announcement' }).click()
    await expect(problem).toHaveText(type)
    await expect(form.locator('#image')).toBeFocused()
    await expect(form.getByText('Remove the picture or choose another one.')).toBeVisible()
    await expect(form.getByRole('img', { name: 'Chosen: a.png' })).toBeHidden()
    await expect(form.getByLabel('Content')).toHaveValue('Typed content')
    await form.getByRole('button', { name: 'Remove the image' }).click()
    await expect(problem).toBeHidden()
  })

  await test.step('a picture that is too large is made smaller, upright; an animated GIF is still', async () => {
    const note = form.getByRole('status')
    await image.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: await animatedGif() })
    await expect(note.getByText('Animated GIFs are shown as still images.')).toBeVisible()
    await delayDecoding(page)
    await image.setInputFiles({ name: 'court.jpg', mimeType: 'image/jpeg', buffer: await largePhoto() })
    await expect(note.getByText('Resizing the image…')).toBeVisible()
    // What is typed meanwhile stays, and the form isn't sent without the picture.
    await form.getByLabel('Content').fill('Typed meanwhile')
    await form.getByRole('button', { name: 'Post announcement' }).click()
    await expect(problem).toHaveText('The image is still being resized. Please wait a moment.')
    await expect(note.getByText(/^Resized: \d\.\d MB → \d\.\d MB\.$/)).toBeVisible()
    await expect(problem).toHaveCount(0)
    await expect(form.getByRole('img', { name: 'Chosen: court.jpeg' })).toBeVisible()
    await form.getByRole('button', { name: 'Post announcement' }).click()
    await expect(form).toBeHidden()
    const { items } = await (await page.request.get('/api/announcements?all=true')).json()
    const posted = items.find((item: { title: string }) => item.title === title)
    expect(posted).toMatchObject({ content: 'Typed meanwhile', image: { width: 1_440, height: 2_160 } })
  })
})

test('an image and an attachment survive an edit, are replaced and removed', async ({ page }) => {
  await openManager(page)
  const title = uniqueTitle()
  const { id, imageUrl, attachmentUrl } = await post(page.request, {
    title,
    image: { name: 'a.png', mimeType: 'image/png', buffer: await buildImage('png') },
    attachment: { name: 'first.txt', mimeType: 'text/plain', buffer: Buffer.from('first') },
  })
  expect(imageUrl).not.toBeNull()

  const kept = `${title} at noon`
  let form = await openForm(page, title)
  await expect(form.getByRole('img', { name: 'In use' })).toBeVisible()
  await expect(form.getByText('first.txt')).toBeVisible()
  await form.getByLabel('Title').fill(kept)
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Announcement updated successfully!')).toBeVisible()
  await expect(form).toBeHidden()
  expect(await readManaged(page.request, id)).toMatchObject({ title: kept, imageUrl, attachmentUrl })

  form = await openForm(page, kept)
  const [image, attachment] = [
    form.locator('input[type="file"]').first(),
    form.locator('input[type="file"]').last(),
  ]
  await image.setInputFiles({ name: 'b.gif', mimeType: 'image/gif', buffer: await buildImage('gif') })
  await attachment.setInputFiles({ name: 'second.txt', mimeType: 'text/plain', buffer: Buffer.from('2') })
  await expect(form.getByRole('img', { name: 'Chosen: b.gif' })).toBeVisible()
  // Taking back the chosen file leaves the one in use.
  await form.getByRole('button', { name: 'Remove the attachment' }).click()
  await expect(form.getByText('first.txt')).toBeVisible()
  await attachment.setInputFiles({ name: 'second.txt', mimeType: 'text/plain', buffer: Buffer.from('2') })
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect(form).toBeHidden()
  const replaced = await readManaged(page.request, id)
  expect(replaced.imageUrl).not.toBe(imageUrl)
  expect(replaced).toMatchObject({ attachmentName: 'second.txt', attachmentSize: 1 })

  form = await openForm(page, kept)
  await form.getByRole('button', { name: 'Remove the image' }).press('Enter')
  await expect(form.getByRole('button', { name: 'Choose an image' })).toBeFocused()
  await form.getByRole('button', { name: 'Remove the attachment' }).press('Enter')
  await expect(form.getByRole('button', { name: 'Choose a file' })).toBeFocused()
  await expect(form.getByRole('img')).toHaveCount(0)
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect(form).toBeHidden()
  expect(await readManaged(page.request, id)).toMatchObject({ image: null, attachmentUrl: null })
})

async function animatedGif(): Promise<Buffer> {
  const frames = await Promise.all([buildImage('png'), buildImage('png')])
  return await sharp(frames, { join: { animated: true } })
    .gif({ effort: 1 })
    .toBuffer()
}

/** Larger than the limit, and taken lying on its side. */
async function largePhoto(): Promise<Buffer> {
  const photo = await sharp(await buildImage('png', { width: 2_400, height: 1_600 }))
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect(photo.length).toBeGreaterThan(5 * 1024 * 1024)
  return photo
}

/** Long enough to press a button. */
function delayDecoding(page: Page): Promise<void> {
  return page.evaluate(() => {
    const decode = window.createImageBitmap.bind(window)
    window.createImageBitmap = async (source: ImageBitmapSource) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return await decode(source)
    }
  })
}

test('drafts and planned announcements wait, and are published by hand', async ({
  page,
  browser,
  product,
}) => {
  const visitors = await browser.newContext({ baseURL: product.url })
  const visitor = await visitors.newPage()
  await openPublic(visitor, '/announcements')
  await openManager(page)
  const form = page.getByRole('dialog')
  const [draft, planned] = [uniqueTitle('Draft'), uniqueTitle('Planned')]
  const press = (name: string) => form.getByRole('button', { name, exact: true }).click()
  async function compose(title: string) {
    await page.getByRole('button', { name: 'New announcement' }).click()
    await form.getByLabel('Title').fill(title)
    await form.getByLabel('Content').fill('Later.')
  }
  async function expectPosted() {
    await expect(page.getByText('Announcement posted successfully!')).toBeVisible()
    await expect(form).toBeHidden()
  }

  await test.step('a draft, whose preview ends when more is typed', async () => {
    await compose(draft)
    // The first is never answered.
    await page.route('**/api/announcements/preview', () => undefined, { times: 1 })
    const asked = page.waitForRequest('**/api/announcements/preview')
    await press('Preview')
    const first = await asked
    const ended = page.waitForEvent('requestfailed', (request) => request === first)
    await form.getByLabel('Content').fill('Assemble at seven.')
    await ended
    await press('Preview')
    await expect(form.getByRole('region', { name: 'Preview' })).toHaveText('Assemble at seven.')
    await form.getByLabel('Save as draft').check()
    await press('Save draft')
    await expectPosted()
  })

  await test.step('one for later, whose times are asked for whole and in their order', async () => {
    await compose(planned)
    await form.getByLabel('Schedule').check()
    await press('Schedule announcement')
    await expect(form.getByText('Please choose a date and a time.').last()).toBeVisible()
    await form.locator('#publishAt').fill('2099-12-24T08:30')
    const end = form.locator('#expireAt')
    await end.focus()
    await page.keyboard.type('12')
    await press('Schedule announcement')
    await expect(end).toHaveAccessibleDescription(/Please choose a date and a time\./)
    await expect(end).toBeFocused()
    await end.fill('2099-12-24T08:00')
    await press('Schedule announcement')
    await expect(form.locator('#expireAt-error')).toHaveText(
      'Please choose an expiry after the publishing time.',
    )
    await end.fill('2100-01-02T00:00')
    await press('Schedule announcement')
    await expectPosted()
  })

  await page.getByLabel('Status').selectOption('Scheduled')
  await expect(page).toHaveURL(/state=scheduled/)
  await expect(
    page.getByText('From Dec 24, 2099, 8:30 AM · Until Jan 2, 2100, 12:00 AM').first(),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: `Edit ${draft}` })).toHaveCount(0)
  await page.getByLabel('Status').selectOption('Draft')
  await expect(page.getByRole('button', { name: `Edit ${planned}` })).toHaveCount(0)
  await expect(visitor.getByRole('link', { name: draft })).toHaveCount(0)
  await expect(visitor.getByRole('link', { name: planned })).toHaveCount(0)

  await openForm(page, draft)
  await form.getByLabel('Publish now').check()
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect(visitor.getByRole('link', { name: draft })).toBeVisible()
  await visitors.close()
})
