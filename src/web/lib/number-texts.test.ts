import { expect, test } from 'vitest'
import { countOf, sizeText } from './number-texts.ts'

test('counts agree with their noun', () => {
  expect([countOf(0, 'student'), countOf(1, 'student'), countOf(20_000, 'student')]).toEqual([
    '0 students',
    '1 student',
    '20,000 students',
  ])
})

test.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [1_048_575, '1024 kB'],
  [1_234_567, '1.2 MB'],
  [10 * 1_048_576 - 1, '10.0 MB'],
  [2_345_678_901, '2.18 GB'],
])('%d bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))
