// The browser of the browser tests and benchmarks: its path and flags.
import { findProgram } from './find-program.mjs'

/** Its path: CHROME_PATH, or from the PATH; undefined if there is none. */
export function findChromium() {
  return process.env.CHROME_PATH ?? findProgram(['chromium', 'chromium-browser', 'google-chrome'])
}

/** Chromium without windows where it is installed: it opens a page for half the processor's time. */
export function findHeadlessChromium() {
  return process.env.CHROME_PATH ?? findProgram(['chromium-headless-shell']) ?? findChromium()
}

export const chromiumFlags = [
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
]
