import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicPages } from '#shared/site/public-pages.ts'
import { openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

let product: Product

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
})
afterAll(() => product.remove())

test('every page in the list of pages is there, says that address itself, and shows a picture in previews', async () => {
  const { open } = openPlainBrowser(product.url)
  const xml = await (await fetch(`${product.url}/sitemap.xml`)).text()
  const addresses = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
  expect(addresses.map((address) => new URL(address).pathname)).toEqual(
    expect.arrayContaining([...publicPages]),
  )
  const titles = new Set<string>()
  for (const address of addresses) {
    const { status, document } = await open(address)
    const content = (selector: string) => document.querySelector(selector)?.getAttribute('content')
    expect(status).toBe(200)
    expect(document.querySelector('link[rel=canonical]')?.getAttribute('href')).toBe(address)
    expect(content('meta[property="og:url"]')).toBe(address)
    expect(content('meta[name=description]')).toMatch(/\w/)
    expect(content('meta[name=robots]')).toBeUndefined()
    expect(content('meta[property="og:image"]')?.startsWith(product.url)).toBe(true)
    titles.add(document.title)
  }
  expect(titles.size).toBe(addresses.length)
})

test('a category only arranges the announcements: their address stays', async () => {
  const { document } = await openPlainBrowser(product.url).open('/announcements?category=ROTC')
  const canonical = document.querySelector('link[rel=canonical]')?.getAttribute('href')
  expect(canonical).toBe(`${product.url}/announcements`)
})

test('the picture of link previews is as large as it says', async () => {
  const answer = await fetch(`${product.url}/og.png`)
  expect(answer.headers.get('Content-Type')).toBe('image/png')
  const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
  expect([width, height]).toEqual([1200, 630])
})

test('the pictures of the manifest are as large as it says', async () => {
  const { icons } = await (await fetch(`${product.url}/site.webmanifest`)).json()
  expect(icons).toHaveLength(3)
  for (const { src, sizes, type } of icons) {
    const answer = await fetch(new URL(src, product.url))
    expect(answer.headers.get('Content-Type')).toBe(type)
    const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
    expect(`${width}x${height}`).toBe(sizes)
  }
})

test('search engines get nothing of the office', async () => {
  expect(await (await fetch(`${product.url}/robots.txt`)).text()).toContain('Disallow: /admin')
  const { document } = await openPlainBrowser(product.url).open('/login')
  expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex')
})
