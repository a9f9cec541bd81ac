// The structure of the source folder, as docs/architecture.md describes it. Fails when a feature's name differs between
// server and web, a statement stands outside a repository, a test is named after no file, a journey repeats an action
// or waits for a time, a promise is cited that docs/product.md doesn't have, or a file is too long; prints the other
// figures, which describe and don't rule. Run by npm run validate.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { root } from './set-up.mjs'

const features =
  'registration students imports statistics announcements slideshow org-chart mail auth settings audit backup files site admin privacy people terms attendance papers certificates my requests'.split(
    ' ',
  )
const mostLinesOfFile = 600
// A statement needs no import of its own where a connection is handed in.
const statement = /[.](selectFrom|insertInto|updateTable|deleteFrom)\(/

const src = join(root, 'src')
const all = listFiles(src)
const files = all.filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
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
  }
}
for (const name of features) {
  if (name !== 'files' && !existsSync(join(src, 'web', 'features', name)))
    problems.push(`src/web/features/${name} is missing`)
}
for (const [path, source] of sources) {
  const isRepository = path.includes('/server/database/') || path.endsWith('repository.ts')
  if (!isRepository && statement.test(source))
    problems.push(`${relative(root, path)} has an SQL statement of its own`)
  const lines = countLines(source)
  if (lines > mostLinesOfFile)
    problems.push(`${relative(root, path)} has ${lines} lines; the limit is ${mostLinesOfFile}`)
}

// An action that is repeated until it works hides a press that was lost; a time that is waited for is too short somewhere.
for (const path of listFiles(join(root, 'tests'))) {
  const [found] = /\.toPass\(|\.waitForTimeout\(/.exec(readFileSync(path, 'utf8')) ?? []
  if (found) problems.push(`${relative(root, path)} has ${found}…): wait for what the page shows`)
}

// Promises are '## 9. Students', '- **9.4** …' and '| **29.1** | …'.
const product = readFileSync(join(root, 'docs/product.md'), 'utf8')
const promises = new Set(
  Array.from(product.matchAll(/^(?:## |[-|] \*\*)([\d.]*\d)/gm), ([, number]) => number),
)
const citation = /\bproduct(?:\]\(product\.md\))? (\d+(?:\.\d+)?(?:(?: to | and )\d+\.\d+)?)(?!\.?\d)/gi
for (const path of [
  ...all,
  ...['tests', 'scripts', 'docs'].flatMap((folder) => listFiles(join(root, folder))),
]) {
  const text = /\.(tsx?|mjs|md|css|sql)$/.test(path) ? readFileSync(path, 'utf8') : ''
  const cited = [...text.matchAll(citation)].flatMap(([, list = '']) => list.split(/ to | and /))
  for (const number of cited)
    if (!promises.has(number)) problems.push(`${relative(root, path)}: docs/product.md has no ${number}`)
}

/** @type {{ packages: Record<string, { integrity?: string }> }} */
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
for (const [path, { integrity }] of Object.entries(lock.packages)) {
  if (path !== '' && !integrity)
    problems.push(
      `package-lock.json: ${path} has no integrity; add what \`npm view NAME@VERSION dist.integrity\` prints`,
    )
}

for (const path of all) {
  const [, stem] = /^(.+)\.test\.tsx?$/.exec(path) ?? []
  const isNamed = stem === undefined || sources.has(`${stem}.ts`) || sources.has(`${stem}.tsx`)
  if (!isNamed && basename(dirname(path)) !== 'tests')
    problems.push(
      `${relative(root, path)} is named after no source file: give it its name, or move it into tests/`,
    )
}

const lines = [...sources.values()].reduce((sum, source) => sum + countLines(source), 0)
const importers = findImporters()
const privateFiles = files.filter((path) => {
  const [only, ...others] = importers.get(path) ?? []
  return only !== undefined && others.length === 0 && dirname(only) === dirname(path)
})
const docblocks = [...sources.values()].reduce(
  (sum, source) => sum + (source.match(/\/\*\*/g)?.length ?? 0),
  0,
)
console.log(
  `${lines} lines in ${files.length} files (${((files.length / lines) * 1000).toFixed(1)} a thousand lines), ` +
    `${Math.round((privateFiles.length / files.length) * 100)} % imported by one sibling only, ` +
    `${((docblocks / lines) * 1000).toFixed(0)} docblocks a thousand lines`,
)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
