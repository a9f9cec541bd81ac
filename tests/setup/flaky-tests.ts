import type { Reporter, TestCase } from 'vitest/node'

/** Names the tests that only a second try let pass, in Playwright's words: the default reporter keeps quiet about them. */
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
