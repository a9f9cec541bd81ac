import sharp from 'sharp'
import { publicPages } from '#shared/site/public-pages.ts'
import { expect, test } from './journey.ts'

test('every page in the list of pages is there, says that address itself, and shows a picture in previews', async ({
  page,
  request,
  baseURL,
}) => {
  const xml = await (await request.get('/sitemap.xml')).text()
  const addresses = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
  expect(addresses.map((address) => new URL(address).pathname)).toEqual(
    expect.arrayContaining([...publicPages]),
  )
  for (const address of addresses) {
    expect((await page.goto(address))?.status()).toBe(200)
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', address)
    await expect(page.locator('meta[property="og:url"]')).toHaveAttribute('content', address)
    await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /\w/)
    await expect(page.locator('meta[name=robots]')).toHaveCount(0)
    const picture = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect(picture?.startsWith(String(baseURL))).toBe(true)
  }
  const titles = await Promise.all(
    publicPages.map(async (path) => /<title>([^<]+)/.exec(await (await request.get(path)).text())?.[1]),
  )
  expect(new Set(titles).size).toBe(publicPages.length)
})

test('a category only arranges the announcements: their address stays', async ({ page, baseURL }) => {
  await page.goto('/announcements?category=ROTC')
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${baseURL}/announcements`)
})

test('the picture of link previews is as large as it says', async ({ request }) => {
  const answer = await request.get('/og.png')
  expect(answer.headers()['content-type']).toBe('image/png')
  const { width, height } = await sharp(await answer.body()).metadata()
  expect([width, height]).toEqual([1200, 630])
})

test('the pictures of the manifest are as large as it says', async ({ request }) => {
  const { icons } = await (await request.get('/site.webmanifest')).json()
  expect(icons).toHaveLength(3)
  for (const { src, sizes, type } of icons) {
    const answer = await request.get(src)
    expect(answer.headers()['content-type']).toBe(type)
    const { width, height } = await sharp(await answer.body()).metadata()
    expect(`${width}x${height}`).toBe(sizes)
  }
})

test('search engines get nothing of the office', async ({ page, request }) => {
  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toContain('Disallow: /admin')
  await page.goto('/login')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
})
