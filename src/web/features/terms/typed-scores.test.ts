import { expect, test } from 'vitest'
import type { SchemePart } from '#shared/terms/mark-scheme.ts'
import type { MarkItem } from '#shared/terms/marks-response.ts'
import { type TypedMarks, withKept, withTyped } from './typed-marks.ts'
import { readScores, scoreCell, scoresWith, stateOfScore } from './typed-scores.ts'

const part = (key: string, top = 100): SchemePart => ({
  ...{ key, name: key, weight: 50, top, lowest: 0, column: null, attendance: null },
})
const parts = [part('a'), part('b', 60)]

const item = (id: string, scores: Record<string, number> = {}): MarkItem => ({
  ...{ id, version: 1, mark: '', outcome: 'none', percent: null, parts: null, scores, attended: null },
  student: { id, lastName: id, firstName: '', middleName: '', extensionName: '', studentId: '' },
})

const none: TypedMarks = new Map()

test('a typed score is changed, unreadable, the stored one, or one against somebody else’s', () => {
  const cell = scoreCell(item('Abad', { a: 45.5 }), part('a'))
  const state = (text: string) => stateOfScore(cell, withTyped(none, cell, text))
  expect(stateOfScore(cell, none)).toEqual({ kind: 'saved' })
  expect(state('45.50')).toEqual({ kind: 'saved' })
  expect(state('60')).toEqual({ kind: 'changed', score: 60, seen: 45.5 })
  expect(state('')).toEqual({ kind: 'changed', score: null, seen: 45.5 })
  expect(state('101')).toEqual({ kind: 'unreadable' })
  const typed = withTyped(none, cell, '60')
  const other = scoreCell(item('Abad', { a: 50 }), part('a'))
  expect(stateOfScore(other, typed)).toEqual({ kind: 'conflict' })
  expect(stateOfScore(other, withKept(typed, other))).toEqual({ kind: 'changed', score: 60, seen: 50 })
})

test('typed scores count with the stored ones, but not what can’t be read', () => {
  const abad = item('Abad', { a: 45, b: 30 })
  const typed = withTyped(none, scoreCell(abad, part('a')), 'x')
  expect(scoresWith(abad, parts, none)).toEqual({ a: 45, b: 30 })
  expect(scoresWith(abad, parts, typed)).toEqual({ b: 30 })
  expect(scoresWith(abad, parts, withTyped(none, scoreCell(abad, part('b')), '0'))).toEqual({ a: 45, b: 0 })
})

test('a block goes from its cell on; empty cells are left, others are unreadable or beyond', () => {
  const items = [item('Abad'), item('Blas')]
  const cellAt = (row: number, column: number) => {
    const [student, own] = [items[row], parts[column]]
    return student && own && scoreCell(student, own)
  }
  const read = (text: string, row = 0, column = 0) => {
    const { cells, ...others } = readScores(text, { row, column }, cellAt)
    return { cells: cells.map(({ cell, text: own }) => `${cell.id} ${own}`), ...others }
  }
  expect(read('90\t61\r\n\t45,5\r\n')).toEqual({
    cells: ['Abad a 90', 'Blas b 45,5'],
    unreadable: ['61'],
    beyond: 0,
    hasHeading: false,
  })
  expect(read('1\t2\n3\n4\n', 0, 1)).toEqual({
    cells: ['Abad b 1', 'Blas b 3'],
    unreadable: [],
    beyond: 2,
    hasHeading: false,
  })
  expect(read('Midterm\tFinal\r\n90\t50\r\n')).toEqual({
    cells: ['Blas a 90', 'Blas b 50'],
    unreadable: ['Midterm', 'Final'],
    beyond: 0,
    hasHeading: true,
  })
  // A remark of two lines beside the scores moves nobody's score.
  expect(read('80\t10\t"was ill,\nwith a letter"\n90\t20\t\n').cells).toEqual([
    ...['Abad a 80', 'Abad b 10'],
    ...['Blas a 90', 'Blas b 20'],
  ])
})
