import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { defaultSettings } from '#shared/settings/settings.ts'
import { defaultSiteTexts } from '#shared/settings/site-texts.ts'
import { buildImage } from '#tests/factories/images.ts'
import { openOffice } from '#tests/setup/office-client.ts'
import { isShown, openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { shownText, textOf } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const { contact, officeLinks, dataProtection, testimonials } = defaultSiteTexts
const { enlistment } = defaultSettings

let product: Product
let office: Awaited<ReturnType<typeof openOffice>>

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
  office = await openOffice(product.url)
})
afterAll(() => product.remove())
afterEach(() =>
  office.changeSettings({
    schoolName: '',
    enlistment,
    termDates: [],
    contact,
    officeLinks,
    dataProtection,
    testimonials,
  }),
)

test('the office tells how to reach it; until then the page says what to do', async () => {
  const { open } = openPlainBrowser(product.url)
  const without = 'The office has not added its contact details yet.'
  expect(shownText(await open('/contact'))).toContain(without)
  await office.changeSettings({
    contact: { ...contact, email: 'nstp@school.example', phone: '(046) 123-4567', hours: 'Weekdays' },
    dataProtection: { ...dataProtection, officer: 'The registrar', email: 'dpo@school.example' },
  })
  const page = await open('/contact')
  const main = page.document.querySelector('main') ?? page.document.body
  const linkOf = (text: string) =>
    [...main.querySelectorAll('a')].find(({ textContent }) => textContent === text)?.getAttribute('href')
  expect(linkOf('nstp@school.example')).toBe('mailto:nstp@school.example')
  expect(linkOf('(046) 123-4567')).toBe('tel:0461234567')
  expect(shownText(page, main)).toContain('Weekdays')
  expect(shownText(page, main)).not.toContain(without)
  const notice = await open('/privacy')
  expect(shownText(notice)).toContain('The registrar')
  expect(shownText(notice)).toContain('dpo@school.example')
})

test('the banner has the name of the school, and the first slide behind it where there is one', async () => {
  const { open } = openPlainBrowser(product.url)
  const bannerOf = async () => {
    const { document } = await open('/')
    const banner = document.querySelector('section:has(h1)')
    return {
      names: banner?.textContent,
      picture: banner?.querySelector('img'),
      sun: banner?.querySelector('svg'),
    }
  }
  expect(await bannerOf()).toMatchObject({ picture: null, sun: expect.anything() })
  await office.changeSettings({ schoolName: 'Malolos College' })
  const slide = new FormData()
  slide.set('image', new File([new Uint8Array(await buildImage('png'))], 'a.png', { type: 'image/png' }))
  const added = await fetch(`${product.url}/api/slides`, {
    method: 'POST',
    headers: { Cookie: office.cookie, Origin: product.url },
    body: slide,
  })
  expect(added.status).toBe(201)
  const { names, picture, sun } = await bannerOf()
  expect(names).toContain('Malolos College')
  expect(sun).toBe(null)
  // It says nothing that the words don't, and is the first picture that a visitor sees.
  expect([picture?.getAttribute('alt'), picture?.getAttribute('loading')]).toEqual(['', 'eager'])
})

test('the days of the semester that the office listed, and the last one to enlist, stand on the home page', async () => {
  const { open } = openPlainBrowser(product.url)
  expect(shownText(await open('/'))).not.toContain('This semester')
  await office.changeSettings({
    termDates: [
      { label: 'First training day', date: '2099-08-08' },
      { label: 'Orientation', date: '2000-08-01' },
    ],
    enlistment: { ...enlistment, state: 'dates', closesAt: '2099-07-31T17:00' },
  })
  const home = await open('/')
  const section = home.page.getByRole('region', { name: 'This semester' })
  expect(shownText(home, section)).toBe(
    'This semesterEnlistment untilFri, July 31, 2099First training daySat, August 8, 2099',
  )
  const filipino = await openPlainBrowser(product.url, { 'Accept-Language': 'fil-PH' }).open('/')
  expect(shownText(filipino)).toContain(
    'Enlistment hanggangBiy, Hulyo 31, 2099Unang araw ng pagsasanaySab, Agosto 8, 2099',
  )
})

test('the foot of every page says where the office is and how to reach it', async () => {
  await office.changeSettings({
    contact: {
      ...contact,
      address: 'Room 12',
      email: 'nstp@school.example',
      phone: '(046) 123-4567',
      hours: 'Weekdays',
    },
    officeLinks: { facebook: 'https://www.facebook.com/nstp.example', map: 'https://maps.example/room-12' },
  })
  const { open } = openPlainBrowser(product.url)
  for (const path of ['/', '/register', '/verify']) {
    const page = await open(path)
    const foot = page.document.querySelector('footer') ?? page.document.body
    for (const text of ['NSTP Office', 'Room 12', 'Weekdays']) expect(shownText(page, foot)).toContain(text)
    const addresses = [...foot.querySelectorAll('address a')].map((link) => link.getAttribute('href'))
    expect(addresses).toEqual([
      'https://maps.example/room-12',
      'tel:0461234567',
      'mailto:nstp@school.example',
      'https://www.facebook.com/nstp.example',
    ])
  }
})

test('a link of the office that is no address of the web is refused', async () => {
  const change = office.changeSettings({ officeLinks: { ...officeLinks, facebook: 'javascript:alert(1)' } })
  await expect(change).rejects.toThrow('Please enter a whole address that begins with https://')
})

test('a question opens without scripts, and is closed at first', async () => {
  const page = await openPlainBrowser(product.url).open('/faq')
  const question = page.page.getByText(/I lost my reference code\./)
  const answer = page.page.getByText(/We mail the code to the e-mail address you registered with/)
  expect([isShown(question), isShown(answer)]).toEqual([true, false])
  const details = question.closest('details')
  expect(question.closest('summary')).not.toBeNull()
  // As browsers do when a summary is pressed.
  details?.setAttribute('open', '')
  expect(isShown(answer)).toBe(true)
  expect(details?.contains(answer)).toBe(true)
})

test('the samples of testimonials are not for visitors; what the office says is', async () => {
  const { open } = openPlainBrowser(product.url)
  const quotesOf = async () => (await open('/')).document.querySelectorAll('blockquote').length
  expect(await quotesOf()).toBe(0)
  const items = [{ quote: 'Two semesters, and a hundred neighbours.', attribution: 'Ana, CWTS' }]
  await office.changeSettings({ testimonials: { title: 'Voices', items } })
  const home = await open('/')
  expect(textOf(home, 'blockquote')).toContain('Two semesters, and a hundred neighbours.')
})

test('every link of the foot leads to a page with one heading of the first level', async () => {
  const { open } = openPlainBrowser(product.url)
  const home = await open('/')
  const links = [...home.document.querySelectorAll('footer a[href^="/"]')].filter(isShown)
  const paths = new Set(links.map((link) => link.getAttribute('href') ?? ''))
  for (const path of [
    '/announcements',
    '/programs',
    '/faq',
    '/contact',
    '/register',
    '/login',
    '/privacy',
    '/terms',
    '/verify',
    '/my',
  ]) {
    expect([...paths]).toContain(path)
  }
  for (const path of paths) {
    const { status, document } = await open(path)
    expect([path, status, document.querySelectorAll('h1').length]).toEqual([path, 200, 1])
  }
})
