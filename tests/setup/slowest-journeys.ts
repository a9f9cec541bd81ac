import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

const shown = 10

/** Lists the tests that took longest; Playwright's own list is of files. */
export default class SlowestJourneys implements Reporter {
  private readonly runs: { name: string; seconds: number }[] = []

  onTestEnd(test: TestCase, { duration }: TestResult) {
    const [, project, file, ...titles] = test.titlePath()
    this.runs.push({ name: `[${project}] ${file} › ${titles.join(' › ')}`, seconds: duration / 1000 })
  }

  onEnd() {
    if (this.runs.length === 0) return
    const slowest = this.runs.toSorted((a, b) => b.seconds - a.seconds).slice(0, shown)
    const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`)
    process.stdout.write(['', `The ${lines.length} slowest journeys:`, ...lines, ''].join('\n'))
  }

  printsToStdio() {
    return false
  }
}
