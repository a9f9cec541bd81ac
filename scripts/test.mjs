// npm test runs everything but the proof, which takes minutes. npm test -- --unit | --faults | --e2e | --jobs | --proof
// runs those parts and passes further arguments, such as a file name, to the test runners.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { comparePromises, readPromises, readResults } from './check-promises.mjs'
import { buildProduct } from './product-build.mjs'
import { checkNode, fail, installDependencies, root } from './set-up.mjs'
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

const args = process.argv.slice(2)
const rest = args.filter((arg) => !parts.includes(arg))
const chosen = parts.filter((part) => args.includes(part))
if (rest.length > 0 && chosen.length === 0) {
  fail(`${rest.join(' ')} needs --unit, --faults, --e2e, --jobs or --proof.`)
}
const wanted = chosen.length > 0 ? chosen : ordinary
const projects = wanted.filter((part) => !browserProjects[part]).map((part) => `--project=${part.slice(2)}*`)
const inBrowser = wanted.flatMap((part) => browserProjects[part] ?? [])
// Playwright would run those that are asked for beside these.
const asked = rest.some((arg) => arg.startsWith('--project'))
  ? []
  : inBrowser.map((name) => `--project=${name}`)

const reports = mkdtempSync(join(tmpdir(), 'nstp-reports-'))

checkNode()
process.chdir(root)
await installDependencies()
if (inBrowser.length > 0) await installBrowserTestTools()
if (wanted.includes('--faults')) await installFaultTestTools()
await buildProduct()

const results = []
if (projects.length > 0)
  results.push({ name: 'vitest', ...(await runRunner('vitest/vitest.mjs', ['run', ...projects, ...rest])) })
if (inBrowser.length > 0) {
  const args = ['test', ...asked, ...rest]
  results.push({ name: 'playwright', ...(await runRunner('@playwright/test/cli.js', args)) })
}

console.log('')
for (const { name, code, closing } of results) {
  console.log(`${name}: ${code === 0 ? 'passed' : `failed (exit code ${code})`}`)
  for (const line of closing) console.log(line)
}
// Parts of the suite show parts of the promises only.
const areKept = rest.length > 0 || checkPromises()
rmSync(reports, { recursive: true })
process.exitCode = areKept && results.every(({ code }) => code === 0) ? 0 : 1
