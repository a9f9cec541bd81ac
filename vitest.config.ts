import { defineConfig } from 'vitest/config'
import { createFlakyTestsReporter } from './tests/setup/flaky-tests.ts'

const common = {
  pool: 'forks',
  hookTimeout: 60_000,
  // What a test waits for comes soon, but not on a machine that is busy with other tests.
  expect: { poll: { timeout: 10_000 } },
  // As the browser's tests: a disturbed machine of a pipeline must not refuse a change.
  retry: process.env.CI ? 1 : 0,
} as const

// A config of its own: with React Router's plugin, which vite.config.ts has, modules are changed for the
// browser and tests would meet something else than what is written.
export default defineConfig({
  test: {
    // Here and not inherited by the projects, so that both share one database server.
    globalSetup: ['./tests/setup/global-database.ts'],
    reporters: ['default', createFlakyTestsReporter()],
    projects: [
      {
        test: { ...common, name: 'unit', include: ['src/**/*.test.{ts,tsx}'], testTimeout: 15_000 },
      },
      {
        // Processes are killed and suspended here: one file at a time keeps the clock honest.
        test: {
          ...common,
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
        },
      },
    ],
  },
})
