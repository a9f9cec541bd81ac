import { expect, test } from 'vitest'
import { inListOrder } from './students-tab.tsx'

const rows = (...ids: string[]) => ids.map((id) => ({ id }))

test('students on the screen are in its order, without a request', async () => {
  const ask = () => Promise.reject(new Error('asked'))
  expect(await inListOrder(new Set(['c', 'a']), rows('a', 'b', 'c'), ask)).toEqual(['a', 'c'])
})

test('students of several pages come in the order of the whole list', async () => {
  const order = () => Promise.resolve(['a', 'b', 'c', 'd'])
  expect(await inListOrder(new Set(['d', 'a', 'c']), rows('c', 'd'), order)).toEqual(['a', 'c', 'd'])
})

test('students that left the list after selection come last', async () => {
  const order = () => Promise.resolve(['a', 'b'])
  expect(await inListOrder(new Set(['gone', 'b']), rows('b'), order)).toEqual(['b', 'gone'])
})
