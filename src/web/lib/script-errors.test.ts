import { describe, expect, test } from 'vitest'
import { scriptErrorLimits } from '#shared/script-error.ts'
import { isConnectionFailure, isScriptError, placeOf } from './script-errors.ts'

const origin = 'https://nstp.school.edu.ph'

describe('the place of a failure', () => {
  test.each([
    [
      'Chrome',
      `TypeError: x is not a function\n    at Ab (${origin}/assets/site-B1_x.js:2:345)\n    at c (${origin}/assets/react.js:1:2)`,
    ],
    ['Chrome, without a function', `TypeError: x\n    at ${origin}/assets/site-B1_x.js:2:345`],
    ['Safari', `Ab@${origin}/assets/site-B1_x.js:2:345\n[native code]`],
    ['Firefox', `Ab@${origin}/assets/site-B1_x.js:2:345\nc@${origin}/assets/react.js:1:2\n`],
  ])('is read from a stack of %s', (_browser, stack) => {
    expect(placeOf(stack, origin)).toEqual({ script: '/assets/site-B1_x.js', line: 2, column: 345 })
  })

  test('is not named by the page’s address, which may carry values', () => {
    const stack = `TypeError: x\n    at ${origin}/students?search=Dela+Cruz:12:3`
    expect(placeOf(stack, origin)).toEqual({ script: '', line: 12, column: 3 })
  })

  test.each([
    'at f (chrome-extension://abcdef/content.js:1:2)',
    'f@moz-extension://abc-def/content.js:1:2',
    'f@safari-web-extension://ABC/content.js:1:2',
    'at f (https://elsewhere.example/x.js:1:2)',
    `at f (https://nstp.school.edu.ph.evil.example/assets/x.js:1:2)`,
    '',
  ])('is nothing of ours: %s', (stack) => {
    expect(placeOf(stack, origin)).toBeNull()
  })
})

test.each([
  ['Chrome', new TypeError('Failed to fetch dynamically imported module: https://a/assets/x.js')],
  ['Firefox', new TypeError('error loading dynamically imported module: https://a/assets/x.js')],
  ['Safari', new TypeError('Importing a module script failed.')],
  ['Chrome, of data', new TypeError('Failed to fetch')],
  ['Firefox, of data', new TypeError('NetworkError when attempting to fetch resource.')],
  ['Safari, of data', new TypeError('Load failed')],
  ['all, of a call that was given up', new DOMException('aborted', 'AbortError')],
])('a lost connection is no failure of a script: %s', (_browser, error) => {
  expect([isConnectionFailure(error), isScriptError(error)]).toEqual([true, false])
})

test.each([
  new TypeError('crypto.randomUUID is not a function'),
  new TypeError('fetched.load is not a function'),
  new ReferenceError("Can't find variable: structuredClone"),
])('a function that is missing is one: %s', (error) => {
  expect(isScriptError(error)).toBe(true)
})

test('the pattern of an address has no value in it', () => {
  for (const route of ['/', '/register', '/announcements/:id', '/verify/:code?', '/help/:page?'])
    expect(route).toMatch(scriptErrorLimits.route)
  for (const route of [
    '/verify/AB12',
    '/announcements/0198f4b2-0000-7000',
    '/students?search=Cruz',
    '/Dela Cruz',
  ])
    expect(route).not.toMatch(scriptErrorLimits.route)
})
