import { type Browser, type CDPSession, chromium } from '@playwright/test'
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
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  if (cookie) {
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: base }])
  }
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const read = await watchNetwork(session)
  await page.goto(base + path, { waitUntil: 'load' })
  await page.waitForTimeout(watchMs)
  const result = { path, ...read() }
  await context.close()
  return result
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
