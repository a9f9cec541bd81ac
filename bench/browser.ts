import { existsSync } from 'node:fs'

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** As root the browser has no sandbox, and without the others it asks the network for its own sake. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-quic',
]

/** The machine's Chromium, or CHROME_PATH; undefined where there is none. */
export function findBrowser(): string | undefined {
  return process.env.CHROME_PATH ?? browsers.find((path) => existsSync(path))
}
