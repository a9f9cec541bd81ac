import { expect, test } from 'vitest'
import { excerptOf } from './present.ts'

test.each([
  ['a short text stays', 'At the gym.', 20, 'At the gym.'],
  ['as does one of exactly that length', 'At the gym at 7 AM', 18, 'At the gym at 7 AM'],
  ['a longer one is cut at a word', 'At the gym at 7 AM', 15, 'At the gym at 7…'],
  ['also where a word ends exactly there', 'At the gym at 7 AM', 10, 'At the gym…'],
  ['no comma stays before the ellipsis', 'At the gym, at seven', 13, 'At the gym…'],
  ['a single long word is cut within', 'Pneumonoultramicroscopic', 10, 'Pneumonoul…'],
  ['characters are not cut in half', '😀'.repeat(12), 10, `${'😀'.repeat(10)}…`],
  ['lines become one', 'At\n\nthe   gym', 20, 'At the gym'],
])('%s', (_name, text, length, excerpt) => {
  expect(excerptOf(text, length)).toBe(excerpt)
})
