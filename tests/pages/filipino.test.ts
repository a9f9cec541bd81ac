import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPlainBrowser, type PlainPage } from '#tests/setup/plain-browser.ts'
import { shownText, textOf } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

/** The product's words that are the same in both languages: names, terms of the law, file types. */
const shared = new Set(
  `NSTP Portal|Home|Menu|FAQ|Portal|Dashboard|Legal|ROTC|CWTS|LTS|Reserve Officers' Training Corps|Civic Welfare Training Service|Literacy Training Service|Serial number|E-mail|Address|NSTP Office|Data protection officer|NSTP Competent Enlistment Form|ZIP Code|Social Security Number|Email|Filipino|Student ID|Serial Number|NSTP Component|RSS feed|NSTP-7KQ4-M2XD|Republic Act 9163|National Service Training Program|Chart|Organizational chart|Slideshow|YYYY|SOICT|SOBM|SOHM|SOCJ|SOTE|III|Barangay`.split(
    '|',
  ),
)
/** What the office wrote. */
const ofOffice = '[id^="card-"], [role="tree"], [aria-roledescription="carousel"]'

/** All texts of a page with a word in them, those of its controls' names too. */
function textsOf({ document }: PlainPage): string[] {
  const walker = document.createTreeWalker(document.body, 4)
  const texts: string[] = []
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    if (!parentElement?.closest(`script, style, ${ofOffice}`)) texts.push(textContent ?? '')
  }
  for (const name of ['aria-label', 'placeholder', 'title']) {
    for (const element of document.body.querySelectorAll(`[${name}]`)) {
      if (!element.closest(ofOffice)) texts.push(element.getAttribute(name) ?? '')
    }
  }
  return texts.map((text) => text.trim()).filter((text) => /\p{L}{3}/u.test(text))
}

let product: Product

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
})
afterAll(() => product.remove())

const inFilipino = () => openPlainBrowser(product.url, { 'Accept-Language': 'fil-PH' })

describe('a browser in Filipino', () => {
  test.each([
    '/',
    '/announcements',
    '/programs',
    '/organization',
    '/faq',
    '/contact',
    '/privacy',
    '/terms',
    '/register',
    '/register/confirmation',
    '/unsubscribe?token=x',
    '/verify',
    '/my',
    '/my/lost-code',
    '/announcements/nothing',
  ])('gets all of %s in Filipino', async (path) => {
    const english = textsOf(await openPlainBrowser(product.url).open(path))
    const page = await inFilipino().open(path)
    expect(page.document.documentElement.lang).toBe('fil')
    const known = new Set(english)
    const texts = textsOf(page)
    // Else there would be nothing to compare.
    expect(texts.filter((text) => !known.has(text)).length).toBeGreaterThan(15)
    const left = texts.filter((text) => known.has(text) && !shared.has(text))
    expect([...new Set(left)]).toEqual([])
  })

  test('is corrected in Filipino too', async () => {
    const { open, press } = inFilipino()
    const refused = await press(await open('/register'), 'Isumite ang form')
    expect(refused.status).toBe(422)
    expect(textOf(refused, '#lastName-error')).toBe('Pakilagay ang apelyido.')
    expect(shownText(refused)).toContain('sagot na dapat mong tingnan')
  })
})

test('the language is switched by a link, and remembered', async () => {
  const { open, follow } = openPlainBrowser(product.url)
  const faq = await open('/faq')
  expect(textOf(faq, 'h1')).toBe('Frequently asked questions')
  const switched = await follow(faq, 'Filipino')
  expect(switched.address).toBe('/faq')
  expect(textOf(switched, 'h1')).toBe('Mga madalas itanong')
  const programs = await follow(switched, 'Programa')
  expect(programs.address).toBe('/programs')
  expect(shownText(programs)).toContain('Ang tatlong component')
  const again = await open('/programs')
  expect(again.document.documentElement.lang).toBe('fil')
  const back = await follow(again, 'English')
  expect(back.address).toBe('/programs')
  expect(back.document.documentElement.lang).toBe('en-PH')
  expect(shownText(back)).toContain('The three components')
})
