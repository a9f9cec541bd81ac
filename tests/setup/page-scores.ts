import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { chromiumFlags, findChromium } from '../../scripts/chromium.mjs'
import { findFreePort } from './free-port.ts'

/** How much slower than this machine the phone is, where nothing else runs: Lighthouse's own figure. */
const usualSlowdown = 4
/** What Lighthouse's own little calculation gives on such a phone; about 2,000 on a machine that is free. */
const phoneIndex = 500

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** Lighthouse's marks for a mid-range phone on a slow connection, 0 to 100, and what people wait for. */
export interface PageScores {
  path: string
  /** In the order performance, accessibility, best practices, search engines. */
  scores: number[]
  /** What the run lost marks for, by the audits' names. */
  failed: string[]
  /** How fast the machine was just then, by Lighthouse's calculation. */
  machineIndex: number
  /** Largest contentful paint, simulated, in milliseconds. */
  largestPaintMs: number
  /** Cumulative layout shift. */
  layoutShift: number
}

/** The slowdown that makes a phone of a machine which others keep busy: it is slow already. */
export function slowdownOf(machineIndex: number): number {
  return Math.max(1, Math.min(usualSlowdown, machineIndex / phoneIndex))
}

/** Of each page the median run by performance; null when there is no browser. */
export async function scorePages(
  base: string,
  paths: readonly string[],
  runs: number,
  slowdown = usualSlowdown,
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
    for (const path of paths) results.push(await scorePage(base + path, { port, runs, slowdown }, path))
    return results
  } finally {
    await browser.close()
  }
}

interface ScoreOptions {
  port: number
  runs: number
  slowdown: number
}

async function scorePage(
  url: string,
  { port, runs, slowdown }: ScoreOptions,
  path: string,
): Promise<PageScores> {
  const measured: PageScores[] = []
  for (let run = 0; run < runs; run++) {
    const result = await lighthouse(url, {
      port,
      onlyCategories: [...categories],
      throttling: { cpuSlowdownMultiplier: slowdown },
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
      machineIndex: lhr.environment.benchmarkIndex,
      largestPaintMs: lhr.audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
      layoutShift: lhr.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    })
  }
  measured.sort((a, b) => (a.scores[0] ?? 0) - (b.scores[0] ?? 0))
  const median = measured[Math.floor(measured.length / 2)]
  if (!median) throw new Error('at least one run is needed')
  return median
}
