// Whether the tests that docs/security.md names ran and passed, by the reports of the test runners.
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

/**
 * @typedef {{ requirement: string, file: string, title: string, maySkip: boolean }} Promised
 * @typedef {{ file: string, title: string, status: string }} Result
 */

/**
 * A row whose text says when its test is skipped may skip it.
 * @param {string} document
 * @returns {Promised[]}
 */
export function readPromises(document) {
  return document.split('\n').flatMap((line) => {
    const [, requirement, how = '', file, title] =
      /^\| ([\d.]+) (.*)\| `([^`]+)`: "(.+)" *\|$/.exec(line) ?? []
    if (!requirement || !file || !title) return []
    const path = existsSync(file) ? file : join('src/server', file)
    return [{ requirement, file: path, title, maySkip: /\bskipped\b/.test(how) }]
  })
}

/**
 * The results in a folder of reports, `vitest.json` and `playwright.json`.
 * @param {string} folder
 * @returns {Result[]}
 */
export function readResults(folder) {
  /** @param {string} name */
  const read = (name) => {
    const path = join(folder, name)
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
  }
  /** @type {Result[]} */
  const results = []
  for (const { name, status: ofFile, assertionResults } of read('vitest.json')?.testResults ?? []) {
    const file = relative(process.cwd(), name)
    for (const { fullName, status } of assertionResults) results.push({ file, title: fullName, status })
    // It could not be loaded, or what its tests share failed.
    const isNamed = assertionResults.some((/** @type {Result} */ { status }) => status === 'failed')
    if (ofFile === 'failed' && !isNamed) results.push({ file, title: '', status: 'failed' })
  }
  const journeys = read('playwright.json')
  /** @param {any} suite */
  const add = (suite) => {
    for (const { title, file, tests } of suite.specs ?? []) {
      for (const { status } of tests) {
        results.push({
          file: relative(process.cwd(), resolve(journeys.config.rootDir, file)),
          title,
          status: status === 'expected' || status === 'flaky' ? 'passed' : status,
        })
      }
    }
    for (const inner of suite.suites ?? []) add(inner)
  }
  for (const suite of journeys?.suites ?? []) add(suite)
  return results
}

/**
 * @param {Promised[]} promises
 * @param {Result[]} results
 * @returns {{ broken: string[], skipped: string[] }} sentences
 */
export function comparePromises(promises, results) {
  /** @type {string[]} */
  const broken = []
  /** @type {string[]} */
  const skipped = []
  for (const promise of promises) {
    const { requirement, file, title, maySkip } = promise
    const found = results.filter((result) => isShownBy(promise, result))
    const sentence = `${requirement}: ${file}: "${title}"`
    const failed = found.filter(({ status }) => status !== 'passed')
    if (found.length === 0) broken.push(`${sentence} didn't run`)
    else if (failed.some(({ status }) => !isSkipped(status))) broken.push(`${sentence} didn't pass`)
    else if (failed.length > 0) (maySkip ? skipped : broken).push(`${sentence} was skipped`)
  }
  return { broken, skipped }
}

/**
 * @param {Promised} promise
 * @param {Result} result
 */
export const isShownBy = ({ file, title }, result) =>
  result.file === file && patternOf(title).test(result.title)

/** @param {string} status */
export const isSkipped = (status) => ['skipped', 'pending', 'todo', 'disabled'].includes(status)

/**
 * A title of several cases stands in the document as in the code, with %s or $name for what differs.
 * @param {string} title
 */
function patternOf(title) {
  const parts = title.split(/%[sdifjo]|\$[\w.]+/)
  return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*'))
}
