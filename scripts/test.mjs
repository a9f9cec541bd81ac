// npm test runs everything but the proof, which takes minutes. npm test -- FILE … runs files or folders, each by its runner;
// the product is built only if one of them needs it. npm test -- --unit | --faults | --e2e | --jobs | --proof runs those
// parts. -t chooses by a test's title; further options go to the test runners.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { comparePromises, readPromises, readResults } from './check-promises.mjs'
import { buildProduct } from './product-build.mjs'
import { checkNode, fail, installDependencies, root } from './set-up.mjs'
import { isJourney, needsBuild, partOf, testFilesAt } from './test-files.mjs'
import { installBrowserTestTools, installFaultTestTools, missingForProofs } from './test-tools.mjs'

const ordinary = ['--unit', '--faults', '--e2e', '--jobs']
const parts = [...ordinary, '--proof']
/** @type {Record<string, string[]>} */
const browserProjects = { '--e2e': ['phone', 'desktop', 'scores'], '--jobs': ['jobs'] }
/** The start of the runners' closing lines. */
const summaryLine =
  /^\s*(Test Files|Tests|Type Errors|Errors|Duration|\d+ (passed|failed|flaky|skipped|did not run|interrupted))\b/
/** The failed test, its error, what it looked for and its line: repeated at the end of the output. */
const failureLine =
  /^\s*(FAIL |\w*[Ee]rror: |(Locator|Expected|Received)\b.*: |> +\d+ \||❯ (\S+ )?(src|tests)\/\S+:\d+)/
/** Those of Playwright that name a failed test. */
const failedJourneyLine = /^\s*\d+\) \[/

/**
 * Runs a test runner, prints its output, and collects its closing lines.
 * @param {string} file in node_modules
 * @param {string[]} args
 * @returns {Promise<{ code: number, closing: string[] }>} with the failed tests named if there are any
 */
function runRunner(file, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', file), ...args], {
      cwd: root,
      env: { ...process.env, TEST_REPORTS: reports, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const show = (/** @type {NodeJS.WriteStream} */ to) => (/** @type {string} */ text) => {
      to.write(text)
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', show(process.stdout))
    child.stderr.setEncoding('utf8').on('data', show(process.stderr))
    child.once('close', (code) => {
      const lines = stripVTControlCharacters(output).split('\n')
      const isClosing = (/** @type {string} */ line) =>
        summaryLine.test(line) || failedJourneyLine.test(line) || (code !== 0 && failureLine.test(line))
      resolve({ code: code ?? 1, closing: lines.filter(isClosing) })
    })
  })
}

/**
 * Compares docs/security.md with what ran, for the parts that ran whole, and names what else was skipped.
 * @returns {boolean} whether its promises were kept
 */
function checkPromises() {
  const results = readResults(reports)
  const isProven = wanted.includes('--proof')
  const isWhole = ordinary.every((part) => wanted.includes(part))
  const promises = readPromises(readFileSync('docs/security.md', 'utf8')).filter(({ file }) =>
    file.startsWith('tests/proof/') ? isProven : isWhole,
  )
  const { broken, skipped } = comparePromises(promises, results)
  const unproven = results.filter(
    ({ file, status }) => file.startsWith('tests/proof/') && status !== 'passed',
  )
  if (unproven.length > 0) {
    const lacking = missingForProofs().join(', ')
    console.log(`Not proven${lacking ? `; this machine lacks ${lacking}` : ''}:`)
    for (const { file, title, status } of unproven) console.log(`  ${file}: ${title} (${status})`)
  }
  if (promises.length === 0) return true
  console.log(
    `security.md: ${promises.length - broken.length - skipped.length} of ${promises.length} rows were shown`,
  )
  for (const line of [...skipped, ...broken]) console.log(`  ${line}`)
  return broken.length === 0
}

/**
 * What to run. Each runner gets only its own files, and Playwright its own name for a title's pattern.
 * @param {string[]} args
 */
function readArguments(args) {
  /** @type {string[]} */
  const files = []
  /** @type {string[]} */
  const options = []
  let title = ''
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (parts.includes(arg)) continue
    const found = testFilesAt(arg)
    if (arg === '-t') title = args[++at] ?? ''
    else if (found.length > 0) files.push(...found)
    else options.push(arg)
  }
  const missing = options.find((option) => /^[^-].*[./]/.test(option))
  const chosen = parts.filter((part) => args.includes(part))
  const ofFiles = parts.filter((part) => files.some((file) => partOf(file) === part))
  if (chosen.length === 0 && missing !== undefined) fail(`${missing} is not a test, nor a folder of tests.`)
  if (chosen.length === 0 && ofFiles.length === 0 && args.length > 0) {
    fail(`${args.join(' ')} needs a test's file, --unit, --faults, --e2e, --jobs or --proof.`)
  }
  const wanted = [chosen, ofFiles, ordinary].find((some) => some.length > 0) ?? []
  return { files, options, title, wanted }
}

const { files, options, title, wanted } = readArguments(process.argv.slice(2))
const testFiles = files.filter((file) => !isJourney(file))
const journeys = files.filter(isJourney)
// A runner that is given none of the files would run all of its own.
const inVitest =
  journeys.length > 0 && testFiles.length === 0 ? [] : wanted.filter((part) => !browserProjects[part])
const inBrowser =
  testFiles.length > 0 && journeys.length === 0 ? [] : wanted.filter((part) => browserProjects[part])
const isBuildNeeded = inBrowser.length > 0 || files.length === 0 || files.some((file) => needsBuild(file))

const reports = mkdtempSync(join(tmpdir(), 'nstp-reports-'))

checkNode()
process.chdir(root)
await installDependencies()
if (inBrowser.length > 0) await installBrowserTestTools()
if (wanted.includes('--faults') && isBuildNeeded) await installFaultTestTools()
if (isBuildNeeded) await buildProduct()

const results = []
if (inVitest.length > 0) {
  const projects = inVitest.map((part) => `--project=${part.slice(2)}*`)
  const args = ['run', ...projects, ...testFiles, ...options, ...(title ? ['-t', title] : [])]
  results.push({ name: 'vitest', ...(await runRunner('vitest/vitest.mjs', args)) })
}
if (inBrowser.length > 0) {
  // Playwright would run those that are asked for beside these.
  const names = inBrowser.flatMap((part) => browserProjects[part] ?? [])
  const projects = options.some((option) => option.startsWith('--project'))
    ? []
    : names.map((name) => `--project=${name}`)
  const args = ['test', ...projects, ...journeys, ...options, ...(title ? ['-g', title] : [])]
  results.push({ name: 'playwright', ...(await runRunner('@playwright/test/cli.js', args)) })
}

console.log('')
for (const { name, code, closing } of results) {
  console.log(`${name}: ${code === 0 ? 'passed' : `failed (exit code ${code})`}`)
  for (const line of closing) console.log(line)
}
// Parts of the suite show parts of the promises only.
const isPart = files.length > 0 || options.length > 0 || title !== ''
const areKept = isPart || checkPromises()
rmSync(reports, { recursive: true })
process.exitCode = areKept && results.every(({ code }) => code === 0) ? 0 : 1
