import { expect, test } from 'vitest'
import { batchKeyFor } from './use-bulk-form.ts'

test('the same content keeps its key; changed content gets a new one', () => {
  const first = batchKeyFor('{"subject":"A"}', null)
  expect(first.key).toMatch(/^[\w-]{8,128}$/)
  expect(batchKeyFor('{"subject":"A"}', first)).toBe(first)
  expect(batchKeyFor('{"subject":"B"}', first).key).not.toBe(first.key)
})
