// What browsers of a promise lack, by MDN's data: functions and syntax of scripts, rules of stylesheets.
import data from '@mdn/browser-compat-data' with { type: 'json' }
import { parseSync } from 'vite'

/** @typedef {Record<string, string>} Versions the oldest version of each browser */
/** @typedef {{ type: string, start: number, [key: string]: unknown }} Node */
/** @typedef {{ name: string, isChecked: boolean, scope: Node | undefined }} Mention */

/** Absent on plain http in every browser; `ALLOW_HTTP` promises that the office works there. */
const secureOnly = new Set(
  'randomUUID subtle clipboard serviceWorker caches storage locks credentials mediaDevices geolocation share wakeLock permissions showOpenFilePicker showSaveFilePicker showDirectoryPicker cookieStore'.split(
    ' ',
  ),
)

/** The same engine on phones. @type {Record<string, string[]>} */
const alike = { safari: ['safari', 'safari_ios'], chrome: ['chrome', 'chrome_android'], firefox: ['firefox'] }

/** Whose members are looked for by their names alone: the names of others are words that any object may have. */
const commonOwners =
  /^(Array|String|Object|Set|Map|Promise|Iterator|RegExp|Date|TypedArray|Uint8Array|ArrayBuffer|(HTML\w*|)Element|Document|DocumentFragment|Node|ShadowRoot|Text|DOMTokenList|AbortSignal|AbortController|Blob|File|FormData|Headers|Request|Response|Crypto|Clipboard|Navigator|History|ReadableStream|URL|URLSearchParams|CanvasRenderingContext2D|Selection|Range|\w*Event|IntersectionObserver|ResizeObserver|MediaQueryList|Animation|CSSStyleSheet|Intl|\w+Format)$/

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null

/** @param {string} text */
const versionOf = (text) => {
  const [major = 0, minor = 0] = text.replace('≤', '').split('.').map(Number)
  return major * 1000 + minor
}

/**
 * Whether the browsers of the promise have it.
 * @param {unknown} entry of MDN's data
 * @param {Versions} promise
 * @param {Record<string, string[]>} engines with the names that MDN gives them
 */
export function isHad(entry, promise, engines = alike) {
  const support = isObject(entry) && isObject(entry.__compat) ? entry.__compat.support : undefined
  if (!isObject(support)) return true
  return Object.entries(promise).every(([browser, least]) =>
    (engines[browser] ?? [browser]).every((name) => {
      const statements = [support[name]].flat().filter(isObject)
      return statements.some(({ version_added: added, version_removed: removed, flags, prefix, ...rest }) => {
        if (removed || flags || prefix || rest.alternative_name) return false
        return typeof added === 'string' && added !== 'preview' && versionOf(added) <= versionOf(least)
      })
    }),
  )
}

/** Neither a trial nor one browser's own: those are asked for, or named like anything else. @param {Record<string, unknown>} entry */
function isSettled(entry) {
  const status = isObject(entry.__compat) && isObject(entry.__compat.status) ? entry.__compat.status : {}
  return status.standard_track === true && status.experimental !== true && status.deprecated !== true
}

/** Each member of MDN's data, with its owner. @returns {{ owner: string, key: string, entry: Record<string, unknown> }[]} */
function readMembers() {
  const { Intl: intl, ...builtins } = data.javascript.builtins
  return [data.api, builtins, intl, { Intl: intl }].flatMap((owners) =>
    Object.entries(owners).flatMap(([owner, entries]) =>
      Object.entries(isObject(entries) ? entries : {}).flatMap(([key, entry]) =>
        // The others are events, options and behaviours.
        /^[a-zA-Z\d]+(_static)?$/.test(key) && key !== owner && isObject(entry)
          ? [{ owner, key, entry }]
          : [],
      ),
    ),
  )
}

const ofGlobal = ['Window', 'WorkerGlobalScope', 'globals']

/**
 * The names that a promise lacks: of globals, `Owner.name`, and of members that no owner has had for longer.
 * @param {Versions} promise
 */
export function lackedNames(promise) {
  const members = readMembers()
  const had = new Set()
  const lacked = members.filter(({ key, entry }) => {
    const isOld = isHad(entry, promise)
    if (isOld) had.add(key.replace('_static', ''))
    return !isOld
  })
  const owners = Object.entries({ ...data.api, ...data.javascript.builtins })
  const newOwners = owners.filter(([, entries]) => !isHad(entries, promise)).map(([owner]) => owner)
  const ofWindow = lacked.filter(({ owner }) => ofGlobal.includes(owner))
  const others = lacked.filter(({ owner }) => !ofGlobal.includes(owner))
  const common = others.filter(
    ({ owner, key, entry }) =>
      commonOwners.test(owner) && !key.endsWith('_static') && isSettled(entry) && !had.has(key),
  )
  return {
    globals: new Set([...newOwners, ...ofWindow.map(({ key }) => key)]),
    statics: new Set(others.map(({ owner, key }) => `${owner}.${key.replace('_static', '')}`)),
    members: new Set(common.map(({ key }) => key)),
  }
}

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) => isObject(value) && typeof value.type === 'string'

/** @param {Node} node @param {(node: Node, parents: readonly Node[]) => void} visit @param {Node[]} parents */
function walk(node, visit, parents = []) {
  visit(node, parents)
  parents.push(node)
  for (const child of Object.values(node))
    for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) walk(each, visit, parents)
  parents.pop()
}

/** Whether a name is asked for, not used: `a.b?.()`, `typeof a.b`, `a.b && …`, `if (a.b)`. @param {Node} node @param {Node | undefined} parent */
function isQuestion(node, parent) {
  if (!parent) return false
  const { type, operator } = parent
  if (type === 'UnaryExpression') return operator === 'typeof' || operator === '!'
  if (type === 'BinaryExpression') return ['==', '!=', '===', '!==', 'in'].includes(String(operator))
  if (type === 'LogicalExpression') return true
  if (type === 'IfStatement' || type === 'ConditionalExpression') return parent.test === node
  return parent.optional === true && (parent.callee === node || parent.object === node)
}

/** What is absent is no fault until it is called, or something is asked of it. @param {Node} node @param {Node | undefined} parent */
function isUsed(node, parent) {
  return (
    parent?.callee === node ||
    parent?.object === node ||
    parent?.type === 'ChainExpression' ||
    isQuestion(node, parent)
  )
}

/** @param {unknown} node @returns {string | undefined} */
function identifier(node) {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined
}

const windows = new Set(['window', 'self', 'globalThis'])

/** Of an identifier: whether it is only the name of a member, or declares one. @param {Node} node @param {Node | undefined} parent */
function roleOf(node, parent) {
  const { type = '' } = parent ?? {}
  if (type === 'VariableDeclarator' ? parent?.id === node : /Function|Class/.test(type)) return 'declared'
  if (type === 'MemberExpression') return parent?.property === node && !parent.computed ? 'name' : 'used'
  if (type === 'Property') return parent?.key === node ? 'name' : 'used'
  return /^(Method|Property)Definition$|^(Import|Export)Specifier$/.test(type) ? 'name' : 'used'
}

/** @param {Node} node a member @param {Node | undefined} parent @param {ReturnType<typeof lackedNames>} lacked */
function lackedMember(node, parent, { globals, statics, members }) {
  const name = node.computed ? undefined : identifier(node.property)
  if (name === undefined) return
  const owner = identifier(node.object) ?? ''
  if (windows.has(owner) && globals.has(name)) return name
  if (statics.has(`${owner}.${name}`)) return `${owner}.${name}`
  return (members.has(name) || secureOnly.has(name)) && isUsed(node, parent) ? `.${name}` : undefined
}

/** The top-level declaration or statement: bundlers write many in one. @param {readonly Node[]} parents */
function scopeOf(parents) {
  const top = parents[parents.findIndex(({ type }) => type === 'Program') + 1]
  const declarator = parents.find(({ type }) => type === 'VariableDeclarator')
  return top?.type === 'VariableDeclaration' ? (declarator ?? top) : top
}

/** Whether a mention asks; of `a?.b`, the chain around it. @param {Node} node @param {readonly Node[]} parents */
function isAsked(node, parents) {
  const parent = parents.at(-1)
  return parent?.type === 'ChainExpression' ? isQuestion(parent, parents.at(-2)) : isQuestion(node, parent)
}

/** What a node mentions of what is lacked. @param {Node} node @param {readonly Node[]} parents @param {ReturnType<typeof lackedNames>} lacked */
function mentionsOf(node, parents, lacked) {
  const parent = parents.at(-1)
  if (node.type === 'MemberExpression') return [lackedMember(node, parent, lacked)]
  const isUse = node.type === 'Identifier' && roleOf(node, parent) === 'used'
  return isUse && lacked.globals.has(node.name) ? [String(node.name)] : []
}

/** `'canParse' in URL` asks for each use of the name. @param {Node} node @returns {string[]} */
function askedByIn(node) {
  const isIn =
    node.type === 'BinaryExpression' && node.operator === 'in' && isNode(node.left) && 'value' in node.left
  if (!isIn || !isNode(node.left)) return []
  const name = String(node.left.value)
  return [name, `.${name}`, `${identifier(node.right)}.${name}`]
}

/**
 * The functions and the syntax of a script that a promise lacks and the script doesn't ask for.
 * @param {string} code
 * @param {Versions} promise
 * @returns {string[]} each once
 */
export function newerInScript(code, promise) {
  const lacked = namesFor(promise)
  const { program } = parseSync('script.js', code, { lang: 'js', sourceType: 'module' })
  /** @type {Set<string>} */
  const found = new Set()
  /** @type {Mention[]} */
  const mentions = []
  /** @type {Set<string>} */
  const declared = new Set()
  walk(/** @type {Node} */ (/** @type {unknown} */ (program)), (node, parents) => {
    const scope = scopeOf(parents)
    if (node.type === 'Identifier' && roleOf(node, parents.at(-1)) === 'declared')
      declared.add(String(node.name))
    for (const name of syntaxOf(node, promise)) found.add(name)
    for (const name of askedByIn(node)) mentions.push({ name, scope, isChecked: true })
    for (const name of mentionsOf(node, parents, lacked))
      if (name !== undefined) mentions.push({ name, scope, isChecked: isAsked(node, parents) })
  })
  const isSure = (/** @type {Mention} */ { name, scope, isChecked }) =>
    isChecked || mentions.some((other) => other.isChecked && other.scope === scope && other.name === name)
  for (const mention of mentions) if (!declared.has(mention.name) && !isSure(mention)) found.add(mention.name)
  return [...found].sort()
}

/** What a build doesn't rewrite. @param {Node} node @param {Versions} promise @returns {string[]} */
function syntaxOf(node, promise) {
  const expressions = data.javascript.regular_expressions
  /** @type {string[]} */
  const found = []
  if (node.type === 'StaticBlock' && !isHad(data.javascript.classes.static.initialization_blocks, promise))
    found.push('static { }')
  const regex = isObject(node.regex) ? node.regex : undefined
  // A pattern may be made of a text.
  const pattern = String(regex?.pattern ?? (typeof node.value === 'string' ? node.value : ''))
  if (/\(\?<[=!]/.test(pattern) && !isHad(expressions.lookbehind_assertion, promise))
    found.push('(?<= ) in a regular expression')
  if (/\(\?[ims]*-?[ims]+:/.test(pattern) && !isHad(expressions.modifier, promise))
    found.push('(?i: ) in a regular expression')
  if (regex && /v/.test(String(regex.flags)) && !isHad(data.javascript.builtins.RegExp.unicodeSets, promise))
    found.push('/v of a regular expression')
  return found
}

/** @type {Map<string, ReturnType<typeof lackedNames>>} */
const known = new Map()

/** @param {Versions} promise */
function namesFor(promise) {
  const key = JSON.stringify(promise)
  const names = known.get(key) ?? lackedNames(promise)
  known.set(key, names)
  return names
}
