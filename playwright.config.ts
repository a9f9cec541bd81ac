import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { chromiumFlags, findHeadlessChromium } from './scripts/chromium.mjs'

// Of scripts/test.mjs, which compares what ran with docs/security.md.
const reports = process.env.TEST_REPORTS
// Of scripts/test.mjs: how much longer than usual this machine takes.
const slowness = Number(process.env.TEST_SLOWNESS ?? 1)
const executablePath = findHeadlessChromium()
const launchOptions = { ...(executablePath ? { executablePath } : {}), args: chromiumFlags }

const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } }
const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } }

/**
 * A journey runs once, on the screen that most of its users have: students and visitors a phone, the office a wide one.
 * Those whose layout differs are tagged @both, those that need a certain screen @phone or @desktop.
 */
const ofVisitors =
  'announcements-(pages|view)|enlistment|filipino|offline|stale-data|org-chart(-large)?\\.|receipt|site|slideshow\\.|slow-line|cached-pages|welcome-mail'
const scores = /page-scores\.spec\.ts$/

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/setup/global-product.ts',
  // A journey waits for motion and the network much of its time: three keep two cores busy.
  workers: 3,
  timeout: 60_000 * slowness,
  expect: { timeout: 10_000 * slowness },
  forbidOnly: Boolean(process.env.CI),
  reporter: [
    ['line'],
    ['./tests/setup/slowest-journeys.ts'],
    ['./tests/jobs/job-table.ts'],
    ...(reports ? [['json', { outputFile: join(reports, 'playwright.json') }] as const] : []),
  ],
  use: {
    launchOptions,
    // Drawing the animations takes a fifth of the processor's time. The specs that are about motion turn it on.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording traces takes a quarter of the processor's time: `--trace on` with the file of a journey that fails.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'phone',
      use: phone,
      testIgnore: scores,
      grep: [new RegExp(`^phone (${ofVisitors})`), /@(both|phone)\b/],
      grepInvert: /@desktop\b/,
    },
    {
      name: 'desktop',
      use: desktop,
      testIgnore: scores,
      grep: [new RegExp(`^desktop (?!${ofVisitors})`), /@(both|desktop)\b/],
      grepInvert: /@phone\b/,
    },
    // Runs alone, after the others: what they take of the machine would be missing in the marks.
    { name: 'scores', testMatch: scores },
    // The office's jobs, with the clicks and keys that they take.
    { name: 'jobs', testDir: 'tests/jobs', use: { ...desktop, actionTimeout: 15_000 } },
  ],
})
