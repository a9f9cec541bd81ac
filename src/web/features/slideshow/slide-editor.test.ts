import { expect, test } from 'vitest'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { changedSlideFields, mergeSlide, slideValuesOf } from './slide-editor.tsx'
import { arrange, isSameOrder, moveTo } from './slideshow-tab.tsx'

const base: Slide = {
  id: 'a',
  version: 1,
  title: 'Title',
  description: 'Text',
  active: true,
  order: 0,
  createdAt: 0,
  imageUrl: '/one.jpg',
  image: { width: 1, height: 1, webp: [], jpeg: { url: '/one.jpg', width: 1, height: 1 } },
}
const image = new File(['x'], 'x.png')

test('spaces around a text are no change', () => {
  expect(changedSlideFields(base, { title: ' Title', description: 'Text', image: null })).toEqual([])
  expect(changedSlideFields(base, { title: '', description: 'More', image })).toEqual([
    'title',
    'description',
    'image',
  ])
  expect(changedSlideFields(null, slideValuesOf(null))).toEqual([])
})

test('changes of different fields are merged', () => {
  const now = { ...base, version: 2, description: 'Theirs', active: false }
  expect(mergeSlide(base, now, { title: 'Mine', description: 'Text', image: null })).toEqual({
    values: { title: 'Mine', description: 'Theirs', image: null },
    contested: [],
  })
})

test('different changes of one field conflict, and the input stays', () => {
  const mine = { title: 'Mine', description: 'Same', image }
  const now = { ...base, version: 2, title: 'Theirs', description: 'Same', imageUrl: '/two.jpg' }
  expect(mergeSlide(base, now, mine)).toEqual({ values: mine, contested: ['title', 'image'] })
})

test('in an unsaved order, added slides come last and deleted ones are removed', () => {
  const slides = ['a', 'b', 'new'].map((id) => ({ id }))
  expect(arrange(slides, ['b', 'gone', 'a']).map(({ id }) => id)).toEqual(['b', 'a', 'new'])
  expect(moveTo(['a', 'b', 'c'], 'a', 2)).toEqual(['b', 'c', 'a'])
  expect(moveTo(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b'])
  expect(isSameOrder(['a', 'b'], ['a', 'b'])).toBe(true)
  expect(isSameOrder(['a', 'b'], ['b', 'a'])).toBe(false)
})
