import type { Reporter, TestCase } from 'vitest/node'

const shown = 10

/** Ends a run with the tests that took longest. */
export function createSlowestTestsReporter(): Reporter {
  const tests: TestCase[] = []
  const duration = (test: TestCase) => test.diagnostic()?.duration ?? 0
  return {
    onTestCaseResult: (test) => void tests.push(test),
    onTestRunEnd() {
      const slowest = tests.sort((a, b) => duration(b) - duration(a)).slice(0, shown)
      const lines = slowest.map(
        (test) =>
          `  ${(duration(test) / 1000).toFixed(1)} s  [${test.project.name}] ${test.module.relativeModuleId} › ${test.fullName}`,
      )
      process.stdout.write(`\nThe ${slowest.length} slowest tests:\n${lines.join('\n')}\n`)
    },
  }
}
