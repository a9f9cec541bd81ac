import type { Page } from '@playwright/test'
import { expect, expectAccessible, holdRequests, signIn, test } from './journey.ts'
import { openSlideshow, setSlides } from './slides.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const three = [{ title: 'First' }, { title: 'Second' }, { title: 'Third' }]

/** A visitor’s page beside the administrator’s. */
async function visit(page: Page, slides: Parameters<typeof setSlides>[1], options = {}) {
  await signIn(page)
  await setSlides(page.request, slides)
  const visitors = await page.context().browser()?.newContext(options)
  if (!visitors) throw new Error('no browser')
  return await visitors.newPage()
}

test('only active slides are shown, in order; arrows, dots and the end lead on', {
  tag: '@journey',
}, async ({ page }) => {
  const visitor = await visit(page, [{ title: 'Hidden', active: false }, ...three])
  const { slideshow, slide, button } = await openSlideshow(visitor)
  await expect(slideshow.getByRole('group', { name: /^Slide \d of 3$/ })).toHaveCount(1)
  await expect(slide('Slide 1 of 3')).toContainText('First')
  const images = slideshow.locator('img')
  await expect(images).toHaveCount(3)
  // The banner shows it first.
  await expect(images.first()).toHaveAttribute('loading', 'lazy')
  await expect(images.nth(1)).toHaveAttribute('loading', 'lazy')
  await expectAccessible(visitor)

  const height = (await slideshow.boundingBox())?.height
  await button('Next slide').click()
  await expect(slide('Slide 2 of 3')).toContainText('Second')
  await expect(slide('Slide 1 of 3')).toBeHidden()
  await button('Slide 3').click()
  await expect(slide('Slide 3 of 3')).toContainText('Third')
  await expect(slide('Slide 2 of 3')).toBeHidden()
  await expect(button('Slide 3')).toHaveAttribute('aria-current', 'true')
  await button('Next slide').click()
  await expect(slide('Slide 1 of 3')).toBeVisible()
  await expect(slide('Slide 3 of 3')).toBeHidden()
  await button('Previous slide').click()
  await expect(slide('Slide 3 of 3')).toBeVisible()
  expect((await slideshow.boundingBox())?.height).toBe(height)

  // What comes by itself isn't read out. How long each slide stays is in tests/components/slideshow.test.tsx.
  await test.step('they wait under a mouse and off the screen', async () => {
    const stage = slideshow.locator('[aria-live]')
    await visitor.mouse.move(1, 1)
    await expect(stage).toHaveAttribute('aria-live', 'off')
    await slideshow.hover()
    await expect(stage).toHaveAttribute('aria-live', 'polite')
    await visitor.mouse.move(1, 1)
    await expect(stage).toHaveAttribute('aria-live', 'off')
    await visitor.mouse.wheel(0, 20_000)
    await expect(slideshow).not.toBeInViewport()
    await expect(stage).toHaveAttribute('aria-live', 'polite')
  })
})

test('a finger finds each of the dots, and only that one, and pulls to the next slide and back', async ({
  page,
}) => {
  for (const count of [4, 6]) {
    const slides = Array.from({ length: count }, (_, index) => ({ title: `Slide ${index + 1}` }))
    const visitor = await visit(page, slides, { viewport: { width: 360, height: 740 } })
    await openSlideshow(visitor)
    const dots = visitor.getByRole('group', { name: 'Choose a slide' }).getByRole('button')
    await expect(dots).toHaveCount(count)
    const boxes = await dots.evaluateAll((all) => all.map((dot) => dot.getBoundingClientRect().toJSON()))
    for (const [index, { left, right, top, bottom }] of boxes.entries()) {
      expect(right - left).toBeGreaterThanOrEqual(44)
      expect(bottom - top).toBeGreaterThanOrEqual(44)
      expect(left).toBeGreaterThanOrEqual(boxes[index - 1]?.right ?? 0)
    }
    await visitor.context().close()
  }
  await test.step('it pulls to the next one and back', async () => {
    const visitor = await visit(page, three, { hasTouch: true, viewport: { width: 390, height: 844 } })
    const { slideshow, slide, button } = await openSlideshow(visitor)
    await button('Pause slideshow').click()
    const box = await slideshow.boundingBox()
    if (!box) throw new Error('not on the screen')
    const session = await visitor.context().newCDPSession(visitor)
    const y = box.y + 80
    const swipe = async (from: number, to: number) => {
      const touch = (type: 'touchStart' | 'touchMove', x: number) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] })
      await touch('touchStart', from)
      for (const part of [0.2, 0.4, 0.6, 0.8, 1]) await touch('touchMove', from + (to - from) * part)
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    const { x, width } = box
    await swipe(x + width * 0.8, x + width * 0.3)
    await expect(slide('Slide 2 of 3')).toBeVisible()
    await expect(slide('Slide 1 of 3')).toBeHidden()
    // Not far enough.
    await swipe(x + width * 0.5, x + width * 0.42)
    await expect(slide('Slide 3 of 3')).toBeHidden()
    await expect(slide('Slide 2 of 3')).toBeVisible()
    await swipe(x + width * 0.2, x + width * 0.7)
    await expect(slide('Slide 1 of 3')).toBeVisible()
    await expect(slide('Slide 2 of 3')).toBeHidden()
  })
})

test('what moves the slides comes without a jump, however many and wherever; without scripts each can be scrolled to', async ({
  page,
}) => {
  for (const { count, widths } of [
    { count: 8, widths: [390] },
    { count: 20, widths: [360, 900] },
  ]) {
    const slides = Array.from({ length: count }, (_, index) => ({ title: `Slide ${index + 1}` }))
    const visitor = await visit(page, slides)
    for (const width of widths) {
      await visitor.setViewportSize({ width, height: 740 })
      const go = await holdRequests(visitor, '**/assets/slide-player*')
      await visitor.goto('/')
      const slideshow = visitor.getByRole('region', { name: 'Slideshow' })
      const heightOf = async () => (await slideshow.boundingBox())?.height
      const before = await heightOf()
      go()
      await slideshow.evaluate((element) => element.scrollIntoView({ block: 'center' }))
      await expect(slideshow.getByRole('button', { name: `Slide ${count}`, exact: true })).toBeVisible()
      expect(await heightOf(), `${count} slides at ${width} px`).toBe(before)
      await visitor.unroute('**/assets/slide-player*')
    }
  }
  await test.step('without scripts every slide can be scrolled to', async () => {
    const visitor = await visit(page, three, { javaScriptEnabled: false })
    await visitor.goto('/')
    const slideshow = visitor.getByRole('region', { name: 'Slideshow' })
    await expect(slideshow.getByRole('group', { name: 'Slide 1 of 3' })).toContainText('First')
    await expect(slideshow.locator('img').first()).toBeVisible()
    await slideshow.getByText('Third').scrollIntoViewIfNeeded()
    await expect(slideshow.getByText('Third')).toBeInViewport()
    await expect(slideshow.getByText('First')).not.toBeInViewport()
  })
})
