import { expect, test } from 'vitest'
import { bulkChangeText, bulkPreviewText, listName } from './student-texts.ts'

test('a name is last, first middle', () => {
  expect(listName({ lastName: 'Dela Cruz', firstName: 'Juan Miguel', middleName: 'Peña' })).toBe(
    'Dela Cruz, Juan Miguel Peña',
  )
  expect(listName({ lastName: 'Cruz', firstName: 'Ana', middleName: '' })).toBe('Cruz, Ana')
  const junior = { lastName: 'Cruz', firstName: 'Jose', middleName: '', extensionName: 'Jr.' }
  expect(listName(junior)).toBe('Cruz, Jose Jr.')
  expect(listName({ lastName: 'Cruz', firstName: '', middleName: '' })).toBe('Cruz')
  expect(listName({ lastName: '', firstName: '', middleName: '' })).toBe('N/A')
})

test.each([
  [3, 0, 0, '3 students changed successfully'],
  [3, 2, 0, '3 students changed successfully. 2 enrollments moved to LTS, without a section.'],
  [
    2,
    1,
    1,
    '2 students changed successfully. 1 enrollment moved to LTS, without a section. 1 blocked record left as it is.',
  ],
  [0, 0, 0, 'The selected students have this value already'],
  [0, 0, 2, 'The selected students have this value already. 2 blocked records left as they are.'],
  [0, 0, 3, '3 blocked records left as they are'],
])('of three students %i changed, %i moved, %i are blocked', (count, moved, blocked, text) => {
  expect(bulkChangeText({ count, moved, blocked }, { ids: ['1', '2', '3'], value: 'LTS' })).toBe(text)
})

test('the preview of a change of many says what changes, and who is left', () => {
  const changes = [
    { before: 'ROTC', count: 80 },
    { before: '', count: 1 },
  ]
  const texts = [
    bulkPreviewText({ total: 90, blocked: 0, changes }, 'CWTS'),
    bulkPreviewText({ total: 90, blocked: 1, changes }, 'CWTS'),
    bulkPreviewText({ total: 2, blocked: 0, changes: [] }, 'CWTS'),
    bulkPreviewText({ total: 2, blocked: 1, changes: [] }, 'CWTS'),
    bulkPreviewText({ total: 0, blocked: 2, changes: [] }, 'CWTS'),
  ]
  expect(texts).toEqual([
    '81 of 90 change: ROTC 80 → CWTS, N/A 1 → CWTS',
    '81 of 90 change: ROTC 80 → CWTS, N/A 1 → CWTS. 1 blocked record left as it is',
    'All selected students already have this value.',
    '1 blocked record left as it is. The others already have this value.',
    '2 blocked records left as they are.',
  ])
})
