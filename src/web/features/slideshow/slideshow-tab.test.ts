import { expect, test } from 'vitest'
import { arrange, isSameOrder, moveTo } from './slideshow-tab.tsx'

test('in an unsaved order, added slides come last and deleted ones are removed', () => {
  const slides = ['a', 'b', 'new'].map((id) => ({ id }))
  expect(arrange(slides, ['b', 'gone', 'a']).map(({ id }) => id)).toEqual(['b', 'a', 'new'])
  expect(moveTo(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'c', 'a'])
  expect(moveTo(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b'])
  expect(isSameOrder(['a', 'b'], ['a', 'b'])).toBe(true)
  expect(isSameOrder(['a', 'b'], ['b', 'a'])).toBe(false)
})
