import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import type { CountedJob } from './counted-job.ts'

/** Prints what each job took. */
export default class JobTable implements Reporter {
  private readonly jobs: CountedJob[] = []

  onTestEnd(_test: TestCase, { annotations }: TestResult) {
    for (const { type, description } of annotations) {
      if (type === 'job' && description) this.jobs.push(JSON.parse(description))
    }
  }

  onEnd() {
    if (this.jobs.length === 0) return
    const rows = this.jobs.map(({ title, who, clicks, keys, screens, seconds, ran }) => [
      title,
      who,
      ...[clicks, keys, screens].map(String),
      seconds.toFixed(1),
      ran.toFixed(1),
    ])
    const table = [['job', 'who', 'clicks', 'keys', 'screens', 's by model', 's of the machine'], ...rows]
    const widths = table[0]?.map((_head, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
    const lines = table.map((row) =>
      row
        .map((text, column) => {
          const width = widths?.[column] ?? 0
          return column < 2 ? text.padEnd(width) : text.padStart(width)
        })
        .join('  '),
    )
    process.stdout.write(['', ...lines, '', ''].join('\n'))
  }

  printsToStdio() {
    return false
  }
}
