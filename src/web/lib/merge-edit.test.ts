import { expect, test } from 'vitest'
import { changedFields, mergeEdit } from './merge-edit.ts'

const base = { title: 'A', text: 'one', tags: ['x'] }

test('a field that one side changed has that side’s value', () => {
  const merge = mergeEdit(base, { ...base, title: 'B' }, { ...base, tags: ['y'] })
  expect(merge).toEqual({
    values: { title: 'B', text: 'one', tags: ['y'] },
    differing: ['title'],
    contested: [],
  })
})

test('a field that both sides changed is contested and has mine', () => {
  const merge = mergeEdit(base, { ...base, title: 'B' }, { ...base, title: 'C' })
  expect(merge).toEqual({ values: { ...base, title: 'C' }, differing: ['title'], contested: ['title'] })
})

test('the same change on both sides is no conflict, and surrounding spaces are no change', () => {
  expect(mergeEdit(base, { ...base, title: 'B' }, { ...base, title: 'B ' }).differing).toEqual([])
  expect(changedFields(base, { ...base, title: ' A', tags: ['x'] })).toEqual([])
})

test('a chosen file is a change, and equals only itself', () => {
  const file = new File(['a'], 'a.png')
  const none: { image: File | null } = { image: null }
  expect(changedFields(none, { image: file })).toEqual(['image'])
  expect(mergeEdit(none, none, { image: file }).contested).toEqual([])
})
