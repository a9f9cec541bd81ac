import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs'
import { findFreePort } from './free-port.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** Lighthouse's scores for a mid-range phone on a slow connection, 0 to 100, and the values behind them. */
export interface PageScores {
  path: string
  // Performance, accessibility, best practices, search engines.
  scores: number[]
  failed: string[]
  // Largest contentful paint, simulated, in ms.
  largestPaintMs: number
  layoutShift: number
}

/** The median run of each page by performance; null when there is no browser. */
export async function scorePages(
  base: string,
  paths: readonly string[],
  runs: number,
): Promise<PageScores[] | null> {
  const executablePath = findChromium()
  if (executablePath === undefined) return null
  // Lighthouse finds the browser by it.
  const port = await findFreePort()
  const browser = await chromium.launch({
    executablePath,
    args: [...chromiumFlags, `--remote-debugging-port=${port}`],
  })
  try {
    const results: PageScores[] = []
    for (const path of paths) results.push(await scorePage(base + path, { port, runs }, path))
    return results
  } finally {
    await browser.close()
  }
}

interface ScoreOptions {
  port: number
  runs: number
}

async function scorePage(url: string, { port, runs }: ScoreOptions, path: string): Promise<PageScores> {
  const measured: PageScores[] = []
  for (let run = 0; run < runs; run++) {
    const result = await lighthouse(url, {
      port,
      onlyCategories: [...categories],
      logLevel: 'error',
    })
    if (!result) throw new Error(`Lighthouse gave no result for ${path}`)
    const { lhr } = result
    measured.push({
      path,
      scores: categories.map((category) => Math.round((lhr.categories[category]?.score ?? 0) * 100)),
      failed: Object.values(lhr.audits).flatMap(({ id, score }) =>
        score !== null && score < 0.9 ? [id] : [],
      ),
      largestPaintMs: lhr.audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
      layoutShift: lhr.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    })
  }
  measured.sort((a, b) => (a.scores[0] ?? 0) - (b.scores[0] ?? 0))
  const median = measured[Math.floor(measured.length / 2)]
  if (!median) throw new Error('at least one run is needed')
  return median
}
