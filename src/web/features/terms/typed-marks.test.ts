import { expect, test } from 'vitest'
import { defaultMarking as scale } from '#shared/terms/marking.ts'
import type { MarkItem } from '#shared/terms/marks-response.ts'
import { stateOf, type TypedMarks, withColumn, withKept, withoutSaved, withTyped } from './typed-marks.ts'

type Stored = Pick<MarkItem, 'id' | 'mark' | 'outcome'>

const item = (id: string, mark = ''): Stored => ({ id, mark, outcome: mark === '' ? 'none' : 'passed' })

const none: TypedMarks = new Map()
const kindOf = (one: Stored, typed: TypedMarks) => stateOf(one, typed.get(one.id), scale).kind

test('a typed mark is changed, unreadable, or the stored one', () => {
  const abad = item('Abad', '1.00')
  expect(stateOf(abad, withTyped(none, abad, ' inc ').get('Abad'), scale)).toEqual({
    kind: 'changed',
    mark: 'INC',
    outcome: 'incomplete',
  })
  expect(kindOf(abad, withTyped(none, abad, 'A+'))).toBe('unreadable')
  expect(kindOf(abad, withTyped(none, abad, '1.00 '))).toBe('saved')
  expect(kindOf(abad, none)).toBe('saved')
})

test('a mark of somebody else is in conflict until one of the two is kept', () => {
  const typed = withTyped(withTyped(none, item('Abad'), '2'), item('Abad', '1.50'), '2.00')
  const now = item('Abad', '1.50')
  expect(stateOf(now, typed.get('Abad'), scale)).toEqual({ kind: 'conflict', other: '1.50' })
  expect(kindOf(now, withKept(typed, now))).toBe('changed')
  expect(kindOf(item('Abad', '2.00'), typed)).toBe('saved')
})

test('a column fills down, passes over blank cells, and ends with the list', () => {
  const items = [item('Abad'), item('Bautista', '3.00'), item('Cruz')]
  const typed = withColumn(none, items, { first: 1, marks: ['', '2.00', '1.00'] })
  expect([...typed]).toEqual([['Cruz', { text: '2.00', seen: '' }]])
})

test('what is typed further on while it is saved stays', () => {
  const typed = withTyped(withTyped(none, item('Abad'), '2.00'), item('Cruz'), '3')
  const sent = [
    { id: 'Abad', mark: '2.00' },
    { id: 'Cruz', mark: '3.00' },
  ]
  expect([...withoutSaved(typed, sent, new Set(['Abad', 'Cruz'])).keys()]).toEqual(['Cruz'])
})
