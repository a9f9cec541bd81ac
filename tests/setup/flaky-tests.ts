import type { Reporter, TestCase } from 'vitest/node'

/** Lists tests that passed only on a retry: the default reporter doesn't show them. */
export function createFlakyTestsReporter(): Reporter {
  const flaky: TestCase[] = []
  return {
    onTestCaseResult(test) {
      if (test.diagnostic()?.flaky) flaky.push(test)
    },
    onTestRunEnd() {
      if (flaky.length === 0) return
      const names = flaky.map((test, index) => `  ${index + 1}) [${test.project.name}] › ${test.fullName}`)
      process.stdout.write(`${[...names, `  ${flaky.length} flaky`].join('\n')}\n`)
    },
  }
}
