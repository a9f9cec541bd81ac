import { expect, test } from 'vitest'
import { countOf } from './count-text.ts'

test('counts agree with their noun', () => {
  expect([countOf(0, 'student'), countOf(1, 'student'), countOf(20_000, 'student')]).toEqual([
    '0 students',
    '1 student',
    '20,000 students',
  ])
})
