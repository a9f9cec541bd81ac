// Compares the built scripts and styles with the browsers of src/web/browsers.json. What visitors' pages load may use what the
// oldest usable ones have, or what it asks for first; the rest of the office what the oldest styled ones have. Part of each build.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'vite'
import { newerInScript } from './newer-functions.mjs'
import { newerInStyles } from './newer-rules.mjs'
import { root } from './set-up.mjs'

/** @type {Record<'styled' | 'usable', Record<string, string>>} */
const browsers = JSON.parse(readFileSync(join(root, 'src', 'web', 'browsers.json'), 'utf8'))
const client = join(root, 'build', 'client')
const server = join(root, 'build', 'server')

/** Each with its reason: what is asked for elsewhere, or of the office alone. */
const askedElsewhere = [
  // React Router's reading of a page's data, and the bytes of a download: page-scripts.tsx leaves a page plain without it.
  '.pipeThrough',
  'TransformStream',
  // View transitions, which no page wants.
  '.startViewTransition',
  // The challenge: without it, over plain http, the form waits instead (use-enlistment.ts).
  '.subtle',
  // nuqs: address.ts gives it no text.
  'URL.canParse',
  // Left only after it was entered.
  '.exitFullscreen',
  // Of touch events, which come with it.
  '.touches',
  '.changedTouches',
  // Asked for by `in` before a conditional assignment (zod), and by a function (pragmatic drag and drop).
  'Error.captureStackTrace',
  '.showPopover',
  // Printing of sheets: of the office, whose browsers have it.
  '.replaceSync',
]

/** Of service workers, which plain http doesn't have. */
const ofHttps = ['.caches', '.randomUUID']
const offlineWorkers = ['sw.js', 'roll-sw.js']

/** Members of our own and of packages with the names of newer ones. */
const ownNames = '.address .drop .removed .requestSubmit .results .session .show .toArray'.split(' ')

/** Without these a page only looks a little plainer, in the styled browsers too. */
const gentle = [
  ':open',
  ':popover-open',
  '@media (scripting)',
  'accent-color',
  'break-after: avoid',
  'forced-color-adjust',
  'overflow-anchor',
  'overscroll-behavior',
  'print-color-adjust',
  'scrollbar-gutter',
  'text-wrap',
  'user-select',
]

/** And these below the styled ones: still readable. */
const gentleBelow = [
  ':has',
  ':modal',
  '@container',
  '@media (forced-colors)',
  '@property',
  'container',
  'container-type',
  'cqi',
  'dvh',
  'lab()',
  'lh',
  'outline',
  'overflow: clip',
  'rotate',
  'scale',
  'scroll-snap-type',
  'translate',
]

/** Routes of visitors, by React Router's name. */
const publicRoutes =
  /^(root|pages\/(public-layout|home|register|registration-confirmation|announcements?|programs|faq|contact|privacy|terms|unsubscribe|verify|language))$/

/** @type {string[]} */
const problems = []

/** The scripts that visitors' pages load, at once or later. */
function publicScripts() {
  const assets = join(client, 'assets')
  const manifest = readdirSync(assets).find((name) => /^manifest-\w+\.js$/.test(name)) ?? ''
  const text = readFileSync(join(assets, manifest), 'utf8')
  /** @type {{ entry: { module: string, imports: string[] }, routes: Record<string, { module: string, imports: string[] }> }} */
  const { entry, routes } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  const ofVisitors = Object.entries(routes).filter(([name]) => publicRoutes.test(name))
  const begun = [entry, ...ofVisitors.map(([, route]) => route)]
  const reached = new Set(
    begun.flatMap(({ module, imports }) => [module, ...imports]).map((path) => join(client, path)),
  )
  for (const file of reached)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import)\s*\(?[`"']\.\/([\w.-]+\.js)/g,
    ))
      reached.add(join(assets, name))
  for (const worker of [...offlineWorkers, 'confirmation-worker.js']) reached.add(join(client, worker))
  return reached
}

/** The texts of the server's code that a page gets as they are. */
function sentTexts() {
  const bundles = readdirSync(join(server, 'assets')).map((name) => join(server, 'assets', name))
  /** @type {string[]} */
  const texts = []
  const read = (/** @type {unknown} */ node) => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) return node.forEach(read)
    const { type, value, quasis } = /** @type {Record<string, unknown>} */ (node)
    if (type === 'Literal' && typeof value === 'string') texts.push(value)
    if (type === 'TemplateLiteral' && Array.isArray(quasis))
      texts.push(quasis.map(({ value }) => value.cooked).join('x'))
    Object.values(node).forEach(read)
  }
  for (const file of bundles) {
    const code = readFileSync(file, 'utf8')
    if (/@layer |document\.currentScript/.test(code))
      read(parseSync(file, code, { lang: 'js', sourceType: 'module' }).program)
  }
  return {
    styles: texts.filter((text) => text.includes('@layer ') && text.length > 10_000),
    scripts: texts.filter((text) => text.includes('document.currentScript')),
  }
}

/** @param {string} what @param {string} code @param {Record<string, string>} promise */
function checkScript(what, code, promise) {
  for (const found of newerInScript(code, promise))
    if (
      !askedElsewhere.includes(found) &&
      !ownNames.includes(found) &&
      !(offlineWorkers.includes(what) && ofHttps.includes(found))
    )
      problems.push(`${what}: ${found} is newer than ${textOf(promise)}, or absent on plain http`)
}

/** @param {string} what @param {string} css */
function checkStyles(what, css) {
  for (const found of newerInStyles(css, browsers.styled))
    if (!gentle.includes(found)) problems.push(`${what}: ${found} is newer than ${textOf(browsers.styled)}`)
  for (const found of newerInStyles(css, browsers.usable))
    if (!gentle.includes(found) && !gentleBelow.includes(found))
      problems.push(`${what}: ${found} is newer than ${textOf(browsers.usable)}`)
}

/** @param {Record<string, string>} promise */
function textOf(promise) {
  return Object.entries(promise)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
}

const ofVisitors = publicScripts()
const all = readdirSync(join(client, 'assets')).map((name) => join(client, 'assets', name))
const scripts = new Set([...ofVisitors, ...all.filter((file) => file.endsWith('.js'))])
for (const file of scripts) {
  const promise = ofVisitors.has(file) ? browsers.usable : browsers.styled
  checkScript(relative(client, file), readFileSync(file, 'utf8'), promise)
}
const sent = sentTexts()
if (sent.styles.length === 0 || sent.scripts.length === 0)
  problems.push('the build has no inlined style or script')
for (const text of sent.scripts) checkScript('inlined script', text, browsers.usable)
for (const text of sent.styles) checkStyles('inlined styles', text)
console.log(`${ofVisitors.size} of ${scripts.size} scripts are of visitors`)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
