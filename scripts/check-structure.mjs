// The structure of the source folder, as docs/architecture.md describes it: prints its figures, and fails when a
// limit is broken. Run by npm run validate.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './set-up.mjs'

const features =
  'registration students imports statistics announcements slideshow org-chart mail auth settings audit backup files site privacy'.split(
    ' ',
  )
/** How many files a feature may have on one side, without its subfolders. */
const mostFiles = /** @type {Record<string, number>} */ ({
  students: 18,
  mail: 26,
})
const usualFiles = 15
const limits = { linesOfFile: 500, privateShare: 0.12, docblocks: 20 }

const src = join(root, 'src')
const files = listFiles(src).filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
const sources = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]))
/** @type {string[]} */
const problems = []

/** @param {string} folder @returns {string[]} */
function listFiles(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? listFiles(path) : [path]
  })
}

/** @param {string} source */
function countLines(source) {
  return source.split('\n').length - 1
}

/** The files that import each file. */
function findImporters() {
  const importers = new Map(files.map((path) => [path, /** @type {Set<string>} */ (new Set())]))
  for (const [path, source] of sources) {
    for (const [, name = ''] of source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      const target = name.startsWith('#') ? join(src, name.slice(1)) : join(dirname(path), name)
      if (target !== path) importers.get(target)?.add(path)
    }
  }
  return importers
}

for (const side of ['server', 'web']) {
  const folder = join(src, side, 'features')
  for (const name of readdirSync(folder)) {
    if (!features.includes(name))
      problems.push(`src/${side}/features/${name} is not one of the feature names`)
    const count = files.filter((path) => dirname(path) === join(folder, name)).length
    const most = mostFiles[name] ?? usualFiles
    if (count > most) problems.push(`src/${side}/features/${name} has ${count} files; the limit is ${most}`)
  }
}
for (const name of features) {
  if (name !== 'files' && !existsSync(join(src, 'web', 'features', name)))
    problems.push(`src/web/features/${name} is missing`)
}
for (const [path, source] of sources) {
  const lines = countLines(source)
  if (lines > limits.linesOfFile)
    problems.push(`${relative(root, path)} has ${lines} lines; the limit is ${limits.linesOfFile}`)
}

const lines = [...sources.values()].reduce((sum, source) => sum + countLines(source), 0)
const importers = findImporters()
const privateFiles = files.filter((path) => {
  const [only, ...others] = importers.get(path) ?? []
  return only !== undefined && others.length === 0 && dirname(only) === dirname(path)
})
const privateShare = privateFiles.length / files.length
if (privateShare > limits.privateShare) {
  problems.push(
    `${Math.round(privateShare * 100)} % of the files are imported by one sibling only; join them`,
  )
}
const docblocks = [...sources.values()].reduce(
  (sum, source) => sum + (source.match(/\/\*\*/g)?.length ?? 0),
  0,
)
const docblockRate = (docblocks / lines) * 1000
if (docblockRate > limits.docblocks) problems.push(`${docblockRate.toFixed(0)} docblocks a thousand lines`)

console.log(
  `${lines} lines in ${files.length} files (${((files.length / lines) * 1000).toFixed(1)} a thousand lines), ` +
    `${Math.round(privateShare * 100)} % imported by one sibling only, ${docblockRate.toFixed(0)} docblocks a thousand lines`,
)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
