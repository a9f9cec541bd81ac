import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect, test as journey } from '../e2e/journey.ts'

declare global {
  interface Window {
    countPresses: (kind: 'clicks' | 'keys', presses: number) => void
  }
}

/** A row of the table. */
export interface CountedJob {
  title: string
  who: string
  clicks: number
  keys: number
  screens: number
  /** What the presses take a person, by the keystroke-level model. */
  seconds: number
  /** What the machine took. */
  ran: number
}

interface Job {
  who: 'student' | 'coordinator' | 'administrator'
  /** What it takes today: more is a fault of a later change. */
  most: { clicks: number; keys: number; seconds: number }
}

/**
 * Seconds of a person, by the keystroke-level model of Card, Moran and Newell (1980): a key of an average typist, pointing and
 * pressing, and the thought that a screen takes. Who types on a phone needs longer for a key.
 */
const model = { key: 0.2, phoneKey: 0.28, click: 1.2, screen: 1.35 }

type DoJob = (job: Job, work: () => Promise<void>) => Promise<void>

/**
 * A test is a job: what its person presses is counted where the page gets it. A click is a press of the pointer or a tap, and
 * two for a choice from a native list, which a test chooses without opening it. A key is each one pressed, without Shift and
 * its like. A screen is an address without filters. The system's own windows, for files and printing, aren't counted.
 */
export const test = journey.extend<{ job: DoJob }>({
  job: async ({ page }, use) => {
    const presses = { clicks: 0, keys: 0 }
    const screens = new Set<string>()
    await listen(page.context(), presses)
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) screens.add(screenOf(page))
    })
    await use(async ({ who, most }, work) => {
      Object.assign(presses, { clicks: 0, keys: 0 })
      screens.clear()
      screens.add(screenOf(page))
      const start = Date.now()
      await work()
      const key = who === 'student' ? model.phoneKey : model.key
      const seconds = presses.keys * key + presses.clicks * model.click + screens.size * model.screen
      const counted: CountedJob = {
        title: test.info().title,
        who,
        ...presses,
        screens: screens.size,
        seconds,
        ran: (Date.now() - start) / 1000,
      }
      test.info().annotations.push({ type: 'job', description: JSON.stringify(counted) })
      expect(counted.clicks, 'clicks').toBeLessThanOrEqual(most.clicks)
      expect(counted.keys, 'keys').toBeLessThanOrEqual(most.keys)
      expect(counted.seconds, 'seconds by the model').toBeLessThanOrEqual(most.seconds)
    })
  },
})

async function listen(context: BrowserContext, presses: Record<'clicks' | 'keys', number>) {
  await context.exposeFunction('countPresses', (kind: 'clicks' | 'keys', count: number) => {
    presses[kind] += count
  })
  await context.addInitScript(() => {
    addEventListener(
      'pointerdown',
      ({ isTrusted, isPrimary }) => isTrusted && isPrimary && window.countPresses('clicks', 1),
      true,
    )
    addEventListener(
      'keydown',
      ({ isTrusted, key }) =>
        isTrusted && !['Shift', 'Control', 'Alt', 'Meta'].includes(key) && window.countPresses('keys', 1),
      true,
    )
    addEventListener(
      'change',
      ({ target }) => target instanceof HTMLSelectElement && window.countPresses('clicks', 2),
      true,
    )
  })
}

/** `/admin terms marks`. */
function screenOf(page: Page): string {
  const { pathname, searchParams } = new URL(page.url())
  const parts = ['tab', 'pane', 'paper', 'import', 'step'].map((name) => searchParams.get(name) ?? '')
  return [pathname, ...parts].join(' ')
}

/** As a person does: `fill` presses no key. */
export async function type(field: Locator, text: string): Promise<void> {
  await field.click()
  await field.press('ControlOrMeta+A')
  await field.pressSequentially(text)
}

/** By the button that opens the system's window. */
export async function chooseFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
}
