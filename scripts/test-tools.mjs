// System packages for the tests. Browser tests: Chromium, and poppler to read printed pages. Fault tests: an IMAP server
// and OpenSSL; tests that move the product's clock: libfaketime; without them those tests are skipped. And another version of PostgreSQL.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { findClockLibrary } from './clock-library.mjs'
import { findProgram } from './find-program.mjs'
import { fail, run } from './set-up.mjs'

/** Where Debian's packages put PostgreSQL, a folder for each version. */
const debianPostgres = '/usr/lib/postgresql'

/** @typedef {{ find: () => string | undefined, packages: string[] }} Tool */

/** @type {Tool[]} */
const ofBrowserTests = [
  { find: findChromium, packages: ['chromium', 'fonts-liberation'] },
  { find: () => findProgram(['pdftotext']), packages: ['poppler-utils'] },
]

/** @type {Tool[]} */
const ofFasterBrowserTests = [
  {
    find: () => process.env.CHROME_PATH ?? findProgram(['chromium-headless-shell']),
    packages: ['chromium-headless-shell'],
  },
]

/** @type {Tool[]} */
const ofFaults = [
  { find: () => findProgram(['dovecot']), packages: ['dovecot-imapd'] },
  { find: () => findProgram(['openssl']), packages: ['openssl'] },
]

/** @type {Tool[]} */
const ofClocks = [{ find: findClockLibrary, packages: ['libfaketime'] }]

/**
 * Installs missing packages of the browser tests with apt-get as root, else exits with a message. Without the headless
 * Chromium they run in Chromium itself, which takes longer.
 */
export async function installBrowserTestTools() {
  const packages = missing(ofBrowserTests)
  if (packages.length > 0 && !canInstall()) {
    fail(
      `The browser tests need ${packages.join(', ')}. Install them (on Debian, as root: apt-get install ${packages.join(' ')}), or run the other tests: npm test -- --unit --faults`,
    )
  }
  if (packages.length > 0 && !(await install(packages))) {
    fail(
      `The browser tests need ${packages.join(', ')}, which could not be installed. See apt-get's output above.`,
    )
  }
  const faster = missing(ofFasterBrowserTests)
  if (faster.length > 0 && canInstall()) await install(faster)
}

/** Installs missing packages of the fault tests with apt-get as root, else prints what is skipped. */
export async function installFaultTestTools() {
  const packages = missing(ofFaults)
  if (packages.length === 0 || (canInstall() && (await install(packages)))) return
  console.log(`Skipping tests that need ${packages.join(', ')} (not installed).`)
}

/** For tests that move the clock of the built product, and are skipped without it. */
export async function installClockLibrary() {
  const packages = missing(ofClocks)
  if (packages.length === 0 || (canInstall() && (await install(packages)))) return
  console.log(`Skipping tests that need ${packages.join(', ')} (not installed).`)
}

/** @returns {string[]} what proofs need and this machine lacks: without it they are skipped */
export function missingForProofs() {
  const programs = ['sqlmap', 'wapiti', 'nginx', 'testssl', 'systemd-analyze', 'pgbouncer']
  const lacking = programs.filter((program) => !findProgram([program, `${program}.sh`]))
  return process.getuid?.() === 0 ? lacking : [...lacking, 'root']
}

/** Installs Debian's PostgreSQL if it is missing and apt-get works. */
export async function installPostgres() {
  if (!findPostgres() && canInstall()) await install(['postgresql'])
}

/** @returns {string | undefined} the programs' folder of the newest server; a client's package makes a folder too */
export function findPostgres() {
  if (!existsSync(debianPostgres)) return undefined
  return readdirSync(debianPostgres)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(debianPostgres, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

/** @param {readonly Tool[]} tools */
function missing(tools) {
  return tools.filter(({ find }) => find() === undefined).flatMap((tool) => tool.packages)
}

function canInstall() {
  return findProgram(['apt-get']) !== undefined && process.getuid?.() === 0
}

/** @param {readonly string[]} packages */
async function install(packages) {
  console.log(`Installing ${packages.join(', ')}…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0']
  if ((await run('apt-get', ['update', ...quiet], { env })) !== 0) return false
  return (
    (await run('apt-get', ['install', '-y', '--no-install-recommends', ...quiet, ...packages], { env })) === 0
  )
}
