import { expect, test } from 'vitest'
import { readWholeNumber } from './section-form.tsx'

test.each([
  ['450', 450],
  [' 0450 ', 450],
  ['1,000', 1000],
  ['1,000,000', 1_000_000],
])('%j is %d', (typed, number) => {
  expect(readWholeNumber(typed)).toBe(number)
})

test.each(['', ' ', 'ten', '4.5', '1,5', '1e3', '-3', '٤٥٠', '450 a day'])(
  '%j is not a whole number',
  (typed) => {
    expect(readWholeNumber(typed)).toBeNaN()
  },
)
