import { expect, test } from 'vitest'
import { bodyOf, problemsOf, valuesOf } from './node-form.tsx'

const empty = valuesOf(null, { parentId: null, department: '' })

test('a new position starts with its parent and department', () => {
  const basis = { parentId: 'dean', department: 'Faculty' } as const
  expect(valuesOf(null, basis)).toEqual({ ...empty, ...basis })
})

test('only the name is required', () => {
  expect(problemsOf(empty)).toEqual([{ path: 'name', message: 'Name is required' }])
  expect(problemsOf({ ...empty, name: 'Dean' })).toEqual([])
  expect(problemsOf({ ...empty, name: 'x'.repeat(121), title: 'x'.repeat(121) })).toEqual([
    { path: 'name', message: 'Please shorten the name to 120 characters or fewer.' },
    { path: 'title', message: 'Please shorten the title to 120 characters or fewer.' },
  ])
})

test('a new position is sent as a whole, an edit with what was changed', () => {
  const seen = { ...empty, name: 'Dean', parentId: 'board' }
  expect([...bodyOf(seen, null)]).toEqual([
    ['name', 'Dean'],
    ['title', ''],
    ['department', ''],
    ['parentId', 'board'],
  ])
  expect([...bodyOf({ ...seen, title: 'Head' }, ['title'])]).toEqual([['title', 'Head']])
  expect([...bodyOf(seen, ['image'])]).toEqual([['keepExistingImage', 'false']])
  const image = new File(['x'], 'photo.png')
  expect([...bodyOf({ ...seen, image }, ['image'])].map(([name]) => name)).toEqual(['image'])
})
