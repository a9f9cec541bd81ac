// Installs what the product and its tools need. Plain JavaScript without dependencies: it runs on a fresh clone.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The oldest Node of each supported line, as in package.json's engines. */
const oldestMinor = { 20: 19, 22: 12 }
const newestLine = 24

/** Exits with a message if Node is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const line = major === 20 || major === 22 ? oldestMinor[major] : undefined
  if (major >= newestLine || (line !== undefined && minor >= line)) return
  fail(
    `NSTP Portal needs Node 20.19, 22.12 or 24 and newer; this is ${process.versions.node}. Install one from https://nodejs.org.`,
  )
}

/** In ms. How soon a process notices that npm has ended. */
const parentCheckMs = 250

/**
 * Ends this process as SIGTERM does when npm ends. npm passes a signal on to the shell of its script alone, which ends
 * without this process; `exec` in the script would not run on Windows.
 */
export function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const checking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(checking)
    process.kill(process.pid, 'SIGTERM')
  }, parentCheckMs)
  checking.unref()
}

/** @param {string} sentence @returns {never} */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/**
 * Installs the locked dependencies, unless exactly these are installed.
 * @param {{ production?: boolean }} [options] production: development dependencies may be missing
 */
export async function installDependencies({ production = false } = {}) {
  if (areInstalled(production)) return
  console.log('Installing dependencies…')
  // npm passes its own path to scripts; otherwise the PATH is searched.
  const npm = process.env.npm_execpath
  const [command, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  // No package needs its own script.
  const options = ['--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const code = await run(command, [...prefix, 'ci', ...options], { quiet: true })
  if (code !== 0) fail("The dependencies could not be installed. See npm's output above.")
}

/**
 * Compares npm's record of the last installation with the lockfile.
 * @param {boolean} production
 */
function areInstalled(production) {
  const installed = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  const present = readPackages(installed)
  return Object.entries(readPackages(join(root, 'package-lock.json'))).every(([path, entry]) => {
    if (path === '') return true
    const found = present[path]
    // Optional packages are for one system each.
    if (!found) return Boolean(entry.optional || entry.devOptional || (production && entry.dev))
    return found.version === entry.version
  })
}

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage
 * @param {string} file
 * @returns {Record<string, LockedPackage>}
 */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
}

/**
 * Runs a program in the repository and shows its output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options] quiet: its output is shown only when it fails
 * @returns {Promise<number>} its exit code
 */
export function run(command, args, { env = process.env, quiet = false } = {}) {
  return new Promise((resolve) => {
    const output = quiet ? 'pipe' : 'inherit'
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', output, output] })
    /** @type {Buffer[]} */
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk))
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('close', (code) => {
      if (code !== 0) process.stderr.write(Buffer.concat(chunks))
      resolve(code ?? 1)
    })
  })
}

/**
 * Runs a program of an installed package with this same Node.
 * @param {string} file its path in node_modules
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 */
export function runTool(file, args, options) {
  return run(process.execPath, [join(root, 'node_modules', file), ...args], options)
}
