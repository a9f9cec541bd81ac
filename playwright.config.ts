import { defineConfig, devices } from '@playwright/test'
import { chromiumFlags, findChromium } from './scripts/chromium.mjs'

const isPipeline = Boolean(process.env.CI)
const executablePath = findChromium()
const launchOptions = { ...(executablePath ? { executablePath } : {}), args: chromiumFlags }

const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } }
const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } }

const scores = /page-scores\.spec\.ts$/

export default defineConfig({
  testDir: 'tests/e2e',
  workers: 2,
  // A disturbed machine of a pipeline must not refuse a change; the runner names a test that needed it as flaky.
  retries: isPipeline ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: isPipeline,
  reporter: [['line']],
  // Nobody can open the traces of a pipeline, and recording them takes time.
  use: { launchOptions, trace: isPipeline ? 'off' : 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [
    { name: 'desktop', use: desktop, testIgnore: scores },
    { name: 'phone', use: phone, testIgnore: scores },
    // After the others: what they take of the machine would be missing in the marks.
    { name: 'scores', testMatch: scores, dependencies: ['desktop', 'phone'] },
  ],
})
