import type { APIRequestContext, Page } from '@playwright/test'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { buildImage } from '#tests/factories/images.ts'
import { expect } from './journey.ts'

/** All slides, as an administrator reads them. */
export async function readSlides(request: APIRequestContext): Promise<Slide[]> {
  return (await (await request.get('/api/slides?all=true')).json()).items
}

interface NewSlide {
  title?: string
  description?: string
  active?: boolean
  width?: number
  height?: number
}

/** Adds a slide as another screen of the administrator would. */
async function addSlide(request: APIRequestContext, slide: NewSlide = {}): Promise<Slide> {
  // Small: the product takes half a second for a large one.
  const { width = 160, height = 90, ...fields } = slide
  const bytes = await buildImage('jpeg', { width, height })
  const answer = await request.post('/api/slides', {
    data: { ...fields, image: `data:image/jpeg;base64,${bytes.toString('base64')}` },
  })
  expect(answer.status()).toBe(201)
  return await answer.json()
}

/** Changes a slide as another screen of the administrator would. */
export async function changeSlide(request: APIRequestContext, id: string, change: object): Promise<void> {
  const slide = (await readSlides(request)).find((each) => each.id === id)
  const answer = await request.patch(`/api/slides/${id}`, {
    data: change,
    headers: { 'If-Match': `"${slide?.version}"` },
  })
  expect(answer.status()).toBe(200)
}

/** Leaves exactly these slides. */
export async function setSlides(request: APIRequestContext, slides: readonly NewSlide[]): Promise<Slide[]> {
  for (const { id } of await readSlides(request)) await request.delete(`/api/slides/${id}`)
  const added: Slide[] = []
  for (const slide of slides) added.push(await addSlide(request, slide))
  return added
}

/** The slideshow of the home page, on the screen and moving. */
export async function openSlideshow(page: Page) {
  await page.goto('/')
  const slideshow = page.getByRole('region', { name: 'Slideshow' })
  await slideshow.scrollIntoViewIfNeeded()
  await slideshow.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await expect(slideshow.getByRole('button', { name: 'Next slide' })).toBeVisible()
  return {
    slideshow,
    slide: (name: string) => slideshow.getByRole('group', { name, exact: true }),
    button: (name: string) => slideshow.getByRole('button', { name, exact: true }),
  }
}
