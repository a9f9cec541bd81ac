import { expect, test } from 'vitest'
import { strengthOf } from './profile-tab.tsx'

test.each([
  [0, 1, 'Easy to guess'],
  [39, 1, 'Easy to guess'],
  [40, 2, 'Fair'],
  [70, 3, 'Good'],
  [100, 4, 'Strong'],
  [500, 4, 'Strong'],
])('%i bits', (bits, level, word) => {
  expect(strengthOf(bits)).toEqual({ level, word })
})
