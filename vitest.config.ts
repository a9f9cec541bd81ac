import { defineConfig } from 'vitest/config'

// A config of its own: with React Router's plugin, which vite.config.ts has, modules are changed for the
// browser and tests would meet something else than what is written.
export default defineConfig({
  test: {
    pool: 'forks',
    globalSetup: ['./tests/setup/global-database.ts'],
    testTimeout: 15_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        // Processes are killed and suspended here: one file at a time keeps the clock honest.
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
        },
      },
    ],
  },
})
