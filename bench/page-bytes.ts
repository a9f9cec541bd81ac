import { type Browser, type CDPSession, chromium, devices, type Page } from '@playwright/test'
import { chromiumFlags, findChromium } from '../scripts/chromium.mjs'

// In ms after loading: event streams prevent an idle network.
const watchMs = 2_500

// Bytes over the wire, headers included.
export interface PageBytes {
  path: string
  script: number
  style: number
  document: number
  other: number
  requests: number
}

export async function measurePages(
  base: string,
  pages: readonly { path: string; cookie?: string }[],
): Promise<PageBytes[] | null> {
  const executablePath = findChromium()
  if (executablePath === undefined) return null
  const browser = await chromium.launch({ executablePath, args: chromiumFlags })
  try {
    const results: PageBytes[] = []
    for (const { path, cookie } of pages) results.push(await measurePage(browser, base, path, cookie))
    return results
  } finally {
    await browser.close()
  }
}

async function measurePage(
  browser: Browser,
  base: string,
  path: string,
  cookie: string | undefined,
): Promise<PageBytes> {
  const page = await openPage(browser, base, cookie)
  const session = await page.context().newCDPSession(page)
  const read = await watchNetwork(session)
  await page.goto(base + path, { waitUntil: 'load' })
  await page.waitForTimeout(watchMs)
  const result = { path, ...read() }
  await page.context().close()
  return result
}

async function openPage(browser: Browser, base: string, cookie: string | undefined): Promise<Page> {
  const { viewport, userAgent } = devices['Pixel 7']
  const context = await browser.newContext({ viewport, userAgent })
  if (cookie) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: base }])
  }
  return await context.newPage()
}

// Lighthouse's slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms for each request.
const slowLine = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowdown = 4

/** From the start of the visit until a row shows, on a phone with a slow line, in ms; null when there is no browser. */
export async function measureRows(base: string, path: string, cookie: string): Promise<number | null> {
  const executablePath = findChromium()
  if (executablePath === undefined) return null
  const browser = await chromium.launch({ executablePath, args: chromiumFlags })
  try {
    const page = await openPage(browser, base, cookie)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', slowLine)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(base + path, { waitUntil: 'commit' })
    await page.locator('main').locator('[data-student], time').first().waitFor()
    return await page.evaluate(() => performance.now())
  } finally {
    await browser.close()
  }
}

async function watchNetwork(session: CDPSession): Promise<() => Omit<PageBytes, 'path'>> {
  const kinds = new Map<string, Kind>()
  const sizes = { script: 0, style: 0, document: 0, other: 0 }
  let requests = 0
  session.on('Network.responseReceived', ({ requestId, response }) => {
    kinds.set(requestId, kindOf(response.mimeType))
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    requests += 1
    sizes[kinds.get(requestId) ?? 'other'] += encodedDataLength
  })
  await session.send('Network.enable')
  return () => ({ ...sizes, requests })
}

type Kind = 'script' | 'style' | 'document' | 'other'

// By media type: the browser doesn't count a preloaded script as a script.
function kindOf(mimeType: string): Kind {
  if (mimeType.endsWith('javascript')) return 'script'
  if (mimeType === 'text/css') return 'style'
  return mimeType === 'text/html' ? 'document' : 'other'
}
