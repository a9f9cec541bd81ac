import { existsSync } from 'node:fs'
import { defineConfig, devices } from '@playwright/test'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)

const launchOptions = {
  ...(executablePath ? { executablePath } : {}),
  args: [
    // Root can't use Chromium's sandbox, and containers give it little shared memory.
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    // No look-ups of outside hosts: they fail in a closed network and cost time.
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } }
const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } }

export default defineConfig({
  testDir: 'tests/e2e',
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['line']],
  use: { launchOptions, trace: 'retain-on-failure', screenshot: 'only-on-failure' },
  projects: [
    { name: 'desktop', use: desktop },
    { name: 'phone', use: phone },
  ],
})
