import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import browsers from '#web/browsers.json' with { type: 'json' }
import { newerInScript } from '../../scripts/newer-functions.mjs'
import { newerInStyles } from '../../scripts/newer-rules.mjs'

// The build compares all of its scripts and styles so (scripts/check-browsers.mjs), and fails.
const { styled, usable } = browsers

test.each([
  ['AbortSignal.timeout(1)', 'AbortSignal.timeout'],
  ['fetch("/", { signal: AbortSignal.any([]) })', 'AbortSignal.any'],
  ['key = crypto.randomUUID()', '.randomUUID'],
  ['crypto.subtle.digest("SHA-256", bytes)', '.subtle'],
  ['element.checkVisibility()', '.checkVisibility'],
  ['URL.canParse(text)', 'URL.canParse'],
  ['[...list].toSorted()', '.toSorted'],
  ['list.toSpliced(0, 1)', '.toSpliced'],
  ['list.with(0, 1)', '.with'],
  ['list.findLast(Boolean)', '.findLast'],
  ['Object.groupBy(list, key)', 'Object.groupBy'],
  ['Array.fromAsync(list)', 'Array.fromAsync'],
  ['const { promise } = Promise.withResolvers()', 'Promise.withResolvers'],
  ['await navigator.clipboard.writeText(text)', '.clipboard'],
  ['one.isSubsetOf(other)', '.isSubsetOf'],
  ['requestIdleCallback(work)', 'requestIdleCallback'],
  ['window.requestIdleCallback(work)', 'requestIdleCallback'],
  ['form.requestSubmit()', '.requestSubmit'],
  ['new Intl.DurationFormat("en")', 'Intl.DurationFormat'],
  ['element.showPopover()', '.showPopover'],
  ['new TextEncoderStream()', 'TextEncoderStream'],
  ['/(?<=a)b/.test(text)', '(?<= ) in a regular expression'],
  ['new RegExp("(?<!a)b")', '(?<= ) in a regular expression'],
  ['/[a--b]/v.test(text)', '/v of a regular expression'],
  ['class A { static { start() } }', 'static { }'],
])('a script with %s is newer than the usable browsers', (code, name) => {
  expect(newerInScript(code, usable)).toEqual([name])
})

test.each([
  'if (crypto.randomUUID) key = crypto.randomUUID()',
  'function show(element) { return element.checkVisibility?.() ?? true }',
  'const idle = window.requestIdleCallback ?? setTimeout',
  'if (form.requestSubmit) form.requestSubmit(); else form.submit()',
  "if (typeof form.requestSubmit === 'function') form.requestSubmit()",
  "const can = 'canParse' in URL && URL.canParse(text)",
  'navigator.serviceWorker?.register("/sw.js")',
  'list.at(-1); structuredClone(list); Object.hasOwn(list, 0); "a".replaceAll("b", "c")',
])('a script may ask first, or use what they have: %s', (code) => {
  expect(newerInScript(code, usable)).toEqual([])
})

test.each([
  ['@media (scripting: none) { a { color: red } }', '@media (scripting)'],
  ['@starting-style { a { color: red } }', '@starting-style'],
  ['@scope (a) { b { color: red } }', '@scope'],
  ['a { text-wrap: balance }', 'text-wrap'],
  ['a { color: light-dark(#fff, #000) }', 'light-dark()'],
  ['details:open { color: red }', ':open'],
])('a style with %s is newer than the styled browsers', (css, name) => {
  expect(newerInStyles(css, styled)).toEqual([name])
})

test('a width as a range, and parts asked for by :has, are newer than the usable browsers', () => {
  expect(newerInStyles('@media (width < 48rem) { a { color: red } }', usable)).toEqual(['@media (width < …)'])
  expect(newerInStyles('a:has(b) { color: red }', usable)).toEqual([':has'])
  expect(newerInStyles('@supports selector(:has(a)) { a:has(b) { color: red } }', usable)).toEqual([])
  expect(newerInStyles('@layer base { a { color: color-mix(in srgb, red, blue) } }', styled)).toEqual([])
})

test('the README names the same browsers', () => {
  const readme = readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ')
  for (const { safari, chrome, firefox } of [styled, usable])
    expect(readme).toContain(`Safari ${safari}, Chrome ${chrome} and Firefox ${firefox}`)
})
