import { expect, test } from 'vitest'
import { paperOf } from './chart-export.tsx'

test.each([
  [{ width: 600, height: 400 }, 'tall'],
  [{ width: 900, height: 500 }, 'wide'],
  [{ width: 3000, height: 800 }, 'wide'],
  [{ width: 900, height: 2000 }, 'tall'],
])('%j goes on %s paper', (size, paper) => {
  expect(paperOf(size)).toBe(paper)
})
