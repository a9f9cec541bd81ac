// Of a test's file: who runs it, and whether it needs the built product.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { root } from './set-up.mjs'

/** @type {[folder: string, part: string][]} the part of `npm test` that runs a folder's tests */
const places = [
  ['tests/pages/', '--pages'],
  ['tests/components/', '--components'],
  ['tests/e2e/', '--e2e'],
  ['tests/jobs/', '--jobs'],
  ['tests/proof/', '--proof'],
  ['tests/faults/', '--faults'],
  ['tests/security/', '--faults'],
  ['src/', '--unit'],
]

/** Of a test, or of its whole file, that is slow or that `npm test` needs less. */
export const restTag = 'rest'
const restTagged = new RegExp(`@module-tag ${restTag}\\b|\\btags: \\['${restTag}'\\]`)
const testFile = /\.(test|spec)\.tsx?$/
const importedFile = /(?:from|import\() ?'((?:\.|#tests\/)[^']+)'/g
/** Of a test, or of a file that tests share, which runs or reads the build. */
const buildPath = /['"`]build['"/]/

/**
 * The test files that a path names.
 * @param {string} path a file or a folder, from the repository's root
 * @returns {string[]} with slashes, none if there is no such path
 */
export function testFilesAt(path) {
  const full = resolve(root, path)
  if (!existsSync(full)) return []
  const files = statSync(full).isDirectory()
    ? readdirSync(full, { recursive: true, encoding: 'utf8' }).map((name) => join(full, name))
    : [full]
  const names = files.map((file) => relative(root, file).replaceAll(sep, '/'))
  return names.filter((name) => testFile.test(name) && partOf(name) !== undefined)
}

/** @param {string} file whether it has tests that only the rest runs */
export const isOfRest = (file) => restTagged.test(readFileSync(join(root, file), 'utf8'))

/** The files of Vitest with tests of the rest. */
export function testFilesOfRest() {
  const files = places.flatMap(([folder]) => testFilesAt(folder))
  return files.filter((file) => !isJourney(file) && partOf(file) !== '--proof' && isOfRest(file))
}

/** @param {string} file Playwright runs it */
export const isJourney = (file) => /\.spec\.ts$/.test(file)

/** @param {string} file @returns {string | undefined} the part of `npm test` that runs it */
export function partOf(file) {
  return places.find(([folder]) => file.startsWith(folder))?.[1]
}

/**
 * Whether a test, or what it shares with other tests, runs or reads the build.
 * @param {string} file
 * @param {Set<string>} seen
 * @returns {boolean}
 */
export function needsBuild(file, seen = new Set()) {
  const full = join(root, file)
  if (seen.has(file) || !existsSync(full)) return false
  seen.add(file)
  const text = readFileSync(full, 'utf8')
  if (buildPath.test(text)) return true
  return [...text.matchAll(importedFile)].some(([, path = '']) => {
    const imported = path.startsWith('#tests/') ? path.slice(1) : join(dirname(file), path)
    // The product's own modules know nothing of their build.
    return (imported.startsWith('tests/') || testFile.test(imported)) && needsBuild(imported, seen)
  })
}
