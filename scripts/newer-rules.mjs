// What browsers of a promise lack of a stylesheet, by MDN's data. Inside `@supports` anything may stand.
import data from '@mdn/browser-compat-data' with { type: 'json' }
import { isHad as isHadOn } from './newer-functions.mjs'

/** @typedef {import('./newer-functions.mjs').Versions} Versions */

/** On computers: phones lack what they have no use for, as cursors. @param {unknown} entry @param {Versions} promise */
const isHad = (entry, promise) => isHadOn(entry, promise, {})

const { 'at-rules': atRules, properties, selectors, types } = data.css

/**
 * @param {string} css
 * @param {Versions} promise
 * @returns {string[]} each once
 */
export function newerInStyles(css, promise) {
  /** @type {Set<string>} */
  const found = new Set()
  /** @type {string[]} */
  const open = []
  const plain = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\\./g, '_')
    .replace(/"[^"]*"|'[^']*'/g, '""')
  for (const [, text = '', sign] of plain.matchAll(/([^{};]*)([{};])/g)) {
    const part = text.trim()
    const newerIn = sign === '{' || part.startsWith('@') ? newerInPrelude : newerInDeclaration
    const isAsked = open.some((rule) => rule.startsWith('@supports'))
    const newer = isAsked || part === '' ? [] : newerIn(part, promise)
    for (const name of newer) found.add(name)
    if (sign === '{') open.push(part)
    else if (sign === '}') open.pop()
  }
  return [...found].sort()
}

/** @param {unknown} entries @param {string} name @param {Versions} promise */
function lacks(entries, name, promise) {
  const entry = Object.entries(Object(entries)).find(([key]) => key === name)?.[1]
  return entry !== undefined && !isHad(entry, promise)
}

/** Of an at-rule or a selector. @param {string} part @param {Versions} promise @returns {string[]} */
function newerInPrelude(part, promise) {
  const [, rule, rest = ''] = /^@([\w-]+)(.*)/s.exec(part) ?? []
  if (rule === undefined) {
    const pseudos = [...part.matchAll(/(?<!:)::?([\w-]+)/g)].map(([, name = '']) => name)
    // A vendor's own is for that vendor.
    return pseudos
      .filter((name) => !name.startsWith('-') && lacks(selectors, name, promise))
      .map((name) => `:${name}`)
  }
  if (lacks(atRules, rule, promise)) return [`@${rule}`]
  if (rule !== 'media') return []
  const features = [...rest.matchAll(/\(\s*(?:(?:min|max)-)?([\w-]+)/g)].map(([, name = '']) => name)
  const newer = features
    .filter((name) => lacks(atRules.media, name, promise))
    .map((name) => `@media (${name})`)
  const isRange = /[<>]/.test(rest) && !isHad(atRules.media.range_syntax, promise)
  return isRange ? [...newer, '@media (width < …)'] : newer
}

/** @param {string} part @param {Versions} promise @returns {string[]} */
function newerInDeclaration(part, promise) {
  const [property = '', ...rest] = part.split(':')
  const name = property.trim()
  if (name.startsWith('-')) return []
  const value = rest.join(':')
  const ofProperty = Object.entries(properties).find(([key]) => key === name)?.[1]
  const found = lacks(properties, name, promise) ? [name] : []
  for (const [, word = ''] of value.matchAll(/([\w-]+)\(/g)) {
    const isLacked =
      lacks(types, word, promise) ||
      lacks(types.color, word, promise) ||
      lacks(types.gradient, word, promise) ||
      lacks(ofProperty, word, promise)
    if (isLacked) found.push(`${word}()`)
  }
  if (found.length === 0 && /^[\w-]+$/.test(value.trim()) && lacks(ofProperty, value.trim(), promise))
    found.push(`${name}: ${value.trim()}`)
  for (const [, unit = ''] of value.matchAll(/\d(dvh|svh|lvh|dvw|cqw|cqi|lh|rlh)\b/g)) {
    if (!isHad(unitOf(unit), promise)) found.push(unit)
  }
  return found
}

/** @param {string} unit */
function unitOf(unit) {
  const { length } = types
  const isOfViewport = /^[dsl]v/.test(unit)
  return isOfViewport ? length.viewport_percentage_units_dynamic : length.container_query_length_units
}
