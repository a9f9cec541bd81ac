import { expect, test } from 'vitest'
import { defaultMarking } from '#shared/terms/marking.ts'
import { readColumn } from './marks-column.ts'

test('a column of Excel is read cell by cell', () => {
  expect(readColumn('1.25\r\ninc\r\n\r\nA+\r\n 3 \r\n7\r\n', defaultMarking)).toEqual({
    marks: ['1.25', 'INC', '', '', '3', ''],
    count: 3,
    unreadable: ['A+', '7'],
    hasHeading: false,
  })
  expect(readColumn('Grade\n3\n', defaultMarking)?.hasHeading).toBe(true)
})

test('several columns are not read', () => {
  expect(readColumn('Abad\t1.25\nCruz\t3\n', defaultMarking)).toBeNull()
})
