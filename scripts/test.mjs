// npm test runs what a change must pass before it is committed, --rest (npm run test:rest) all else but the proof, --all both.
// npm test -- FILE … runs files or folders, each by its runner; the product is built only if one of them needs it.
// npm test -- --unit | --pages | --components | --faults | --e2e | --jobs | --proof runs those parts whole. -t chooses by a
// test's title; further options go to the test runners.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { comparePromises, isShownBy, isSkipped, readPromises, readResults } from './check-promises.mjs'
import { measureSlowness } from './machine-speed.mjs'
import { buildProduct } from './product-build.mjs'
import { checkNode, fail, installDependencies, root } from './set-up.mjs'
import {
  isJourney,
  isOfRest,
  needsBuild,
  partOf,
  restTag,
  testFilesAt,
  testFilesOfRest,
} from './test-files.mjs'
import {
  installBrowserTestTools,
  installClockLibrary,
  installFaultTestTools,
  missingForProofs,
} from './test-tools.mjs'

const ordinary = ['--unit', '--pages', '--components', '--faults', '--e2e', '--jobs']
const parts = [...ordinary, '--proof']
/** Of everything: what `npm test` leaves out, or nothing left out. */
const wholes = ['--rest', '--all']
/** A journey that follows a person through the product has this tag; the others are of the rest. */
const journeyTag = '@journey'
/** In the pipeline, so many files with a failed test run once more, alone. */
const mostRepeated = 2
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
 * `closing` names the failed tests if there are any.
 * @typedef {{ code: number, closing: string[], results: import('./check-promises.mjs').Result[] }} Outcome
 * @typedef {Outcome & { name: string, repeat: (files: string[]) => Promise<Run> }} Run
 */

/**
 * Runs a test runner, prints its output, and collects its closing lines.
 * @param {string} file in node_modules
 * @param {string[]} args
 * @returns {Promise<Outcome>}
 */
function runRunner(file, args) {
  const reports = mkdtempSync(join(tmpdir(), 'nstp-reports-'))
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', file), ...args], {
      cwd: root,
      env: {
        ...process.env,
        TEST_REPORTS: reports,
        TEST_SLOWNESS: slowness,
        ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
      },
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
      const results = readResults(reports)
      rmSync(reports, { recursive: true })
      resolve({ code: code ?? 1, closing: lines.filter(isClosing), results })
    })
  })
}

/**
 * What to run. Each runner gets only its own files, and Playwright its own name for a title's pattern.
 * @param {string[]} args
 */
function readArguments(args) {
  const { files, options, title } = sortArguments(args)
  const chosen = parts.filter((part) => args.includes(part))
  const ofFiles = parts.filter((part) => files.some((file) => partOf(file) === part))
  const whole = wholes.find((each) => args.includes(each))
  const isChosen = chosen.length > 0 || ofFiles.length > 0 || whole !== undefined
  if (chosen.length === 0) refuseUnknown(options, isChosen || args.length === 0)
  const wanted = [chosen, ofFiles, ordinary].find((some) => some.length > 0) ?? []
  const isPart = chosen.length > 0 || files.length > 0 || options.length > 0 || title !== ''
  return { files, options, title, wanted, half: isPart ? '--part' : (whole ?? '--main') }
}

/** @param {string[]} args */
function sortArguments(args) {
  /** @type {string[]} */
  const files = []
  /** @type {string[]} */
  const options = []
  let title = ''
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (parts.includes(arg) || wholes.includes(arg)) continue
    const found = testFilesAt(arg)
    if (arg === '-t') title = args[++at] ?? ''
    else if (found.length > 0) files.push(...found)
    else options.push(arg)
  }
  return { files, options, title }
}

/** @param {string[]} options @param {boolean} isChosen whether it is said what to run */
function refuseUnknown(options, isChosen) {
  const missing = options.find((option) => /^[^-].*[./]/.test(option))
  if (missing !== undefined) fail(`${missing} is not a test, nor a folder of tests.`)
  if (!isChosen) fail(`Name a test's file or folder, --rest, --all, or a part: ${parts.join(', ')}.`)
}

/** The runners' configurations multiply their time-outs by it. */
const slowness = measureSlowness().toFixed(1)

const { files, options, title, wanted, half } = readArguments(process.argv.slice(2))
const testFiles = files.filter((file) => !isJourney(file))
const journeys = files.filter(isJourney)
// A runner that is given none of the files would run all of its own.
const inVitest =
  journeys.length > 0 && testFiles.length === 0 ? [] : wanted.filter((part) => !browserProjects[part])
const inBrowser = (
  testFiles.length > 0 && journeys.length === 0 ? [] : wanted.filter((part) => browserProjects[part])
).filter((part) => half !== '--main' || part !== '--jobs')
const isBuildNeeded = inBrowser.length > 0 || files.length === 0 || files.some((file) => needsBuild(file))

/**
 * @param {string[]} files all if there are none
 * @returns {Promise<Run>}
 */
async function runVitest(files) {
  const projects = inVitest.map((part) => `--project=${part.slice(2)}*`)
  const ofHalf =
    { '--main': [`--tags-filter=!${restTag}`], '--rest': [`--tags-filter=${restTag}`] }[half] ?? []
  const args = ['run', ...projects, ...ofHalf, ...files, ...options, ...(title ? ['-t', title] : [])]
  return { name: 'vitest', repeat: runVitest, ...(await runRunner('vitest/vitest.mjs', args)) }
}

/**
 * @param {string[]} files all if there are none
 * @param {string[]} names of projects
 * @returns {Promise<Run>}
 */
async function runJourneys(files, names) {
  // Playwright would run those that are asked for beside these.
  const projects = options.some((option) => option.startsWith('--project'))
    ? []
    : names.map((name) => `--project=${name}`)
  const ofHalf = { '--main': [`--grep=${journeyTag}`], '--rest': [`--grep-invert=${journeyTag}`] }[half] ?? []
  // A title's pattern may leave none of them.
  const mayBeNone = names.includes(scores) && title !== '' ? ['--pass-with-no-tests'] : []
  const args = [
    'test',
    ...projects,
    ...mayBeNone,
    ...ofHalf,
    ...files,
    ...options,
    ...(title ? ['-g', title] : []),
  ]
  const repeat = (/** @type {string[]} */ again) => runJourneys(again, names)
  return { name: 'playwright', repeat, ...(await runRunner('@playwright/test/cli.js', args)) }
}

/** Measures the machine: alone, and not in the half for each commit. */
const scores = 'scores'
const isOfScores = (/** @type {string} */ file) => file.includes('page-scores')

/**
 * The projects of one run of the runner, and their files. As a dependency of each other in its configuration they would run
 * whole, whatever is chosen by a tag.
 * @returns {{ names: string[], files: string[] }[]}
 */
function browserRuns() {
  const names = inBrowser.flatMap((part) => browserProjects[part] ?? [])
  const measured = half === '--main' ? [] : names.filter((name) => name === scores)
  return [
    { names: names.filter((name) => name !== scores), files: journeys.filter((file) => !isOfScores(file)) },
    { names: measured, files: journeys.filter(isOfScores) },
  ].filter((run) => run.names.length > 0 && (journeys.length === 0 || run.files.length > 0))
}

/**
 * In the pipeline, runs the files with a failed test once more, alone, if there are few, and names those that pass then: each
 * is a fault of the product or of its test.
 * @param {Run[]} runs
 * @returns {Promise<Run[]>} instead of the given ones
 */
async function repeatFailed(runs) {
  const failedFiles = [
    ...new Set(runs.flatMap(({ results }) => results.filter(hasFailed)).map(({ file }) => file)),
  ]
  if (!process.env.CI || failedFiles.length > mostRepeated) return runs
  /** @type {Run[]} */
  const outcomes = []
  for (const run of runs) {
    const files = failedFiles.filter((file) => run.results.some((result) => result.file === file))
    if (run.code === 0 || files.length === 0) {
      outcomes.push(run)
      continue
    }
    console.log(`\nOnce more: ${files.join(', ')}`)
    const again = await run.repeat(files)
    for (const file of files) console.log(`${again.code === 0 ? 'FLAKY' : 'FAILED TWICE'}: ${file}`)
    const others = run.results.filter(({ file }) => !files.includes(file))
    outcomes.push({ ...again, results: [...others, ...again.results] })
  }
  return outcomes
}

/** @param {import('./check-promises.mjs').Result} result */
const hasFailed = ({ status }) => ['failed', 'unexpected'].includes(status)

/**
 * Tests of a file that is in both halves count in the half that ran them.
 * @param {import('./check-promises.mjs').Promised} promise
 * @param {import('./check-promises.mjs').Result[]} results
 */
function isOfThisHalf(promise, results) {
  const isOfMainAlone = !isJourney(promise.file) && !isOfRest(promise.file)
  return isOfMainAlone
    ? half === '--main'
    : results.some((result) => isShownBy(promise, result) && !isSkipped(result.status))
}

/**
 * Compares docs/security.md with what ran, for the parts that ran whole, and names what else was skipped.
 * @param {import('./check-promises.mjs').Result[]} results
 * @returns {boolean} whether its promises were kept
 */
function checkPromises(results) {
  const isNarrowed = files.length > 0 || options.length > 0 || title !== ''
  const isProven = wanted.includes('--proof') && !isNarrowed
  // Each half judges its own; tests/security/promises.test.ts holds that each row's test exists.
  const promises = readPromises(readFileSync('docs/security.md', 'utf8')).filter((promise) => {
    if (promise.file.startsWith('tests/proof/')) return isProven
    return half === '--all' || (half !== '--part' && isOfThisHalf(promise, results))
  })
  // A test that its tag leaves out is reported as skipped.
  const ran = results.filter(({ file, status }) => half === '--all' || !isSkipped(status) || !isOfRest(file))
  const { broken, skipped } = comparePromises(promises, ran)
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

checkNode()
process.chdir(root)
await installDependencies()
if (inBrowser.length > 0) await installBrowserTestTools()
if (wanted.includes('--faults') && isBuildNeeded) await installFaultTestTools()
if (isBuildNeeded) await installClockLibrary()
if (isBuildNeeded) await buildProduct()

/** @type {Run[]} */
let runs = []
if (inVitest.length > 0) runs.push(await runVitest(half === '--rest' ? testFilesOfRest() : testFiles))
for (const { names, files } of browserRuns()) runs.push(await runJourneys(files, names))
runs = await repeatFailed(runs)

console.log('')
for (const { name, code, closing } of runs) {
  console.log(`${name}: ${code === 0 ? 'passed' : `failed (exit code ${code})`}`)
  for (const line of closing) console.log(line)
}
const areKept = checkPromises(runs.flatMap(({ results }) => results))
process.exitCode = areKept && runs.every(({ code }) => code === 0) ? 0 : 1
