import { expect, test } from 'vitest'
import { batchKeyFor } from './use-bulk-form.ts'

test('the same sent again keeps its key; something else is new', () => {
  const first = batchKeyFor('{"subject":"A"}', null)
  expect(first.key).toMatch(/^[\w-]{8,128}$/)
  expect(batchKeyFor('{"subject":"A"}', first)).toBe(first)
  expect(batchKeyFor('{"subject":"B"}', first).key).not.toBe(first.key)
})
