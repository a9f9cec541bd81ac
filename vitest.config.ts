import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { createSlowestTestsReporter } from './tests/setup/slowest-tests.ts'

// Of scripts/test.mjs: how much longer than usual this machine takes.
const slowness = Number(process.env.TEST_SLOWNESS ?? 1)

const common = {
  pool: 'forks',
  setupFiles: './tests/setup/browser-fetch.ts',
  hookTimeout: 60_000 * slowness,
  // Also after a test that failed: the next file may run in the same process.
  restoreMocks: true,
  // What a test waits for comes soon, but not on a machine that is busy with other tests.
  expect: { poll: { timeout: 10_000 * slowness } },
} as const

// Of scripts/test.mjs, which compares what ran with docs/security.md.
const reports = process.env.TEST_REPORTS

/** How long a product takes is asserted here: one file at a time, beside nothing else. */
const timed = ['tests/faults/{database-outage,floods,lost-notices}.test.ts']

// A config of its own: with React Router's plugin, which vite.config.ts has, modules are changed for the
// browser and tests would meet something else than what is written.
export default defineConfig({
  test: {
    // Here and not inherited by the projects, so that all share one database server.
    globalSetup: ['./tests/setup/global-database.ts'],
    // Vitest leaves one processor free, which would be half of a machine with two.
    maxWorkers: availableParallelism(),
    reporters: [
      'default',
      createSlowestTestsReporter(),
      ...(reports ? [['json', { outputFile: join(reports, 'vitest.json') }] satisfies ['json', object]] : []),
    ],
    // As scripts/test-files.mjs knows it.
    tags: [
      { name: 'rest', description: 'slow, or of less use before a commit: `npm run test:rest` runs it' },
    ],
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['src/**/*.test.{ts,tsx}'],
          // For a busy machine: on an idle one the longest takes a quarter of it.
          testTimeout: 30_000 * slowness,
          // Loading the server's modules anew for each file takes longer than the tests.
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          name: 'pages',
          include: ['tests/pages/**/*.test.ts'],
          globalSetup: ['./tests/setup/global-product.ts'],
          testTimeout: 30_000 * slowness,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'components',
          setupFiles: [common.setupFiles, './tests/setup/component-waits.ts'],
          include: ['tests/components/**/*.test.tsx'],
          environment: 'happy-dom',
          testTimeout: 30_000 * slowness,
        },
      },
      {
        test: {
          ...common,
          name: 'faults',
          globalSetup: ['./tests/setup/global-product.ts'],
          include: ['tests/{faults,security}/**/*.test.ts'],
          exclude: timed,
          testTimeout: 60_000 * slowness,
          // After the unit tests.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'proof',
          include: [
            'tests/proof/**/*.test.ts',
            'tests/security/fuzzed-routes.test.ts',
            'tests/faults/term-counts.test.ts',
          ],
          env: { FUZZ_TIMES: '20', TERM_CHANGES: '60' },
          fileParallelism: false,
          testTimeout: 600_000 * slowness,
        },
      },
      {
        test: {
          ...common,
          name: 'faults-timed',
          globalSetup: ['./tests/setup/global-product.ts'],
          include: timed,
          fileParallelism: false,
          testTimeout: 60_000 * slowness,
        },
      },
    ],
  },
})
