import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { buildImage } from '#tests/factories/images.ts'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { openOffice } from '#tests/setup/office-client.ts'
import { openPlainBrowser, type PlainPage } from '#tests/setup/plain-browser.ts'
import { shownText, textOf } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

let product: Product
let office: Awaited<ReturnType<typeof openOffice>>
let announcements: ReturnType<typeof announcementsOf>

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
  office = await openOffice(product.url)
  announcements = announcementsOf(product, office.cookie)
})
afterAll(() => product.remove())

beforeEach(async () => {
  const { items } = await announcements.read<{ items: ManagedAnnouncement[] }>('?all=true&limit=50')
  for (const { id } of items) await announcements.delete(id)
})

/** Of the cards of a list, from the top. */
const titlesOf = ({ document }: PlainPage) =>
  [...document.querySelectorAll('main li :is(h2, h3)')].map(({ textContent }) => textContent)

const contentOf = ({ document }: PlainPage, selector: string) =>
  document.querySelector(selector)?.getAttribute('content')

/** An element and those around it up to the first that says a direction: that is how it is written. */
const directionOf = (element: Element | undefined | null) => element?.closest('[dir]')?.getAttribute('dir')

test('everything is read without scripts', async () => {
  const attachment = new File(['text'], 'a.txt', { type: 'text/plain' })
  for (let n = 1; n <= 14; n++) {
    const title = `Plain ${String(n).padStart(2, '0')}`
    await announcements.added({ title, category: 'ROTC', content: `All of ${title}.`, attachment })
  }
  const { open, follow } = openPlainBrowser(product.url)
  const first = await open('/announcements')
  expect(titlesOf(first)).toHaveLength(12)
  expect(titlesOf(first)[0]).toBe('Plain 14')
  const ofRotc = await follow(first, 'ROTC')
  expect(ofRotc.address).toBe('/announcements?category=ROTC')
  expect(titlesOf(ofRotc)).toHaveLength(12)
  const all = await follow(ofRotc, 'Show more')
  expect(titlesOf(all)).toHaveLength(14)
  expect(all.page.queryByRole('link', { name: 'Show more' })).toBeNull()

  const oldest = await follow(all, 'Plain 01')
  expect(textOf(oldest, 'h1')).toBe('Plain 01')
  expect(shownText(oldest)).toContain('All of Plain 01.')
  const file = oldest.page.getByRole('link', { name: 'Download a.txt' }).getAttribute('href') ?? ''
  expect(await (await fetch(new URL(file, product.url))).text()).toBe('text')
  expect(titlesOf(await follow(oldest, 'All announcements'))).toHaveLength(12)
})

test('another category shows none of these', async () => {
  await announcements.added({ title: 'Parade', category: 'ROTC' })
  await announcements.added({ title: 'Clean-up', category: 'CWTS' })
  const { open } = openPlainBrowser(product.url)
  expect(titlesOf(await open('/announcements?category=CWTS'))).toEqual(['Clean-up'])
})

test('a page of its own tells search engines and link previews what it is', async () => {
  const image = new File([new Uint8Array(await buildImage('png'))], 'a.png', { type: 'image/png' })
  const content = 'The **whole** text.'
  const { id, image: stored } = await announcements.added({ title: 'Preview', content, image })
  const address = `${product.url}/announcements/${id}`
  const { open } = openPlainBrowser(product.url)
  const page = await open(`/announcements/${id}`)
  expect(page.document.title).toMatch(/^Preview · /)
  expect(contentOf(page, 'meta[name="description"]')).toBe('The whole text.')
  expect(contentOf(page, 'meta[property="og:title"]')).toBe('Preview')
  expect(stored?.jpeg.url).toMatch(/^\//)
  expect(contentOf(page, 'meta[property="og:image"]')).toBe(`${product.url}${stored?.jpeg.url}`)
  expect(page.document.querySelector('link[rel="canonical"]')?.getAttribute('href')).toBe(address)
  const pictures = [...page.document.querySelectorAll('main img')]
  expect(pictures.map((picture) => picture.getAttribute('alt'))).toEqual([
    'Image of the announcement “Preview”',
  ])
  const filipino = openPlainBrowser(product.url, { 'Accept-Language': 'fil-PH' })
  const { document } = await filipino.open(`/announcements/${id}`)
  expect(document.querySelector('main img')?.getAttribute('alt')).toBe('Larawan ng anunsyong “Preview”')
  const picture = await fetch(contentOf(page, 'meta[property="og:image"]') ?? '')
  expect([picture.status, picture.headers.get('Content-Type')]).toEqual([200, 'image/jpeg'])
})

test('the list names its feed, which has what is posted', async () => {
  await announcements.added({ title: 'For readers of feeds' })
  const { document } = await openPlainBrowser(product.url).open('/announcements')
  const feed = document.querySelector('link[rel="alternate"]')
  expect(feed?.getAttribute('href')).toBe('/announcements/feed.xml')
  expect(feed?.getAttribute('type')).toBe('application/atom+xml')
  const answer = await fetch(`${product.url}/announcements/feed.xml`)
  expect(answer.headers.get('Content-Type')).toContain('application/atom+xml')
  expect(await answer.text()).toContain('<title>For readers of feeds</title>')
})

test('what is written from right to left is set so, on its card and on its page', async () => {
  const { id } = await announcements.added({ title: 'إعلان', content: 'التدريب يوم **السبت**.' })
  const { open } = openPlainBrowser(product.url)
  const list = await open('/announcements')
  const page = await open(`/announcements/${id}`)
  // The browser finds the direction by the first letter of each.
  for (const [shown, heading] of [
    [list, list.document.querySelector('main li :is(h2, h3)')],
    [page, page.document.querySelector('h1')],
  ] as const) {
    expect(heading?.textContent).toBe('إعلان')
    expect(directionOf(heading)).toBe('auto')
    const text = [...shown.document.querySelectorAll('main [dir] p, main p[dir]')]
    const body = text.find(({ textContent }) => textContent === 'التدريب يوم السبت.')
    expect(directionOf(body)).toBe('auto')
  }
  expect(directionOf(page.page.getByRole('link', { name: 'All announcements' }))).not.toBe('auto')
})

test('the coordinator sees a draft on its page, and nobody else does', async () => {
  const { id } = await announcements.added({ title: 'Not yet', draft: 'true' })
  const coordinator = openPlainBrowser(product.url, { Cookie: office.cookie })
  const page = await coordinator.open(`/announcements/${id}`)
  expect(shownText(page)).toContain('Only the office can see this page: the announcement is a draft.')
  const visitor = openPlainBrowser(product.url)
  const nothing = await visitor.open(`/announcements/${id}`)
  expect(nothing.status).toBe(404)
  expect(nothing.html).not.toContain('Not yet')
  expect(titlesOf(await visitor.open('/announcements'))).toEqual([])
})

test.each(['0193f2a0-8d1c-7aaa-9bbb-0123456789ab', 'nothing'])(
  'the page of %s says there is none and leads on',
  async (id) => {
    const { open, follow } = openPlainBrowser(product.url)
    const nothing = await open(`/announcements/${id}`)
    expect(nothing.status).toBe(404)
    expect(textOf(nothing, 'main h1')).toBe('Announcement not found')
    expect((await follow(nothing, 'All announcements')).address).toBe('/announcements')
  },
)
