import { expect, test } from 'vitest'
import {
  draggedSentence,
  otherSpelling,
  repeatedSerials,
  type SerialPerson,
  serialDoubts,
  serialKey,
  serialNotes,
  serialRange,
  writtenSerial,
} from './serial-checks.ts'

const ana: SerialPerson = {
  lastName: 'Peña',
  firstName: 'Ana',
  middleName: 'Cruz',
  extensionName: '',
  component: 'CWTS',
}
const patterns = { region: '03', year: '26' }

test.each<[string, SerialPerson['component'], string | null, string | null]>([
  ['C-03-100001-26', 'CWTS', null, null],
  ['C03100001-26', 'CWTS', null, null],
  ['L-03-100001-26', 'LTS', null, null],
  ['NCR-R03-123456 PN (Res)', 'ROTC', null, null],
  ['C-03-1-26', 'CWTS', 'S04', 'C-03-1-26 has an unusual form.'],
  ['NCR-R03-123456(Res)', 'CWTS', 'S04', 'NCR-R03-123456(Res) has an unusual form.'],
  ['L-03-100001-26', 'CWTS', 'S06', 'Letter L, but Peña, Ana Cruz is in CWTS.'],
  ['C-07-100001-26', 'CWTS', 'S07', 'Region 07, but ours is 03.'],
  ['C-03-100001-23', 'CWTS', 'S08', 'Year 23, but it was awarded in 26.'],
])('%s for %s: %s', (serial, component, code, sentence) => {
  expect(serialDoubts(serial, { ...ana, component }, patterns)).toEqual(
    code === null ? [] : [{ code, sentence }],
  )
})

test('a serial number is the same without dashes and blanks', () => {
  expect(serialKey('c-03 100001-26')).toBe(serialKey('C03-100001-26'))
})

test.each([
  ['c-03-100001-26', 'C-03-100001-26'],
  [' l03100001-26 ', 'L-03-100001-26'],
  ['ncr-r03-123456 pn (res)', 'NCR-R03-123456 PN (Res)'],
  ['NCR-R03-123456(RES)', 'NCR-R03-123456(Res)'],
  ['CWTS-03-000001-26', 'CWTS-03-000001-26'],
  ['abc', 'abc'],
])('%j is written as %j', (typed, written) => {
  expect(writtenSerial(typed)).toBe(written)
  expect(serialKey(typed)).toBe(serialKey(written))
})

test('a text without a digit is no number that two could have', () => {
  expect(serialKey('to follow')).toBe('')
})

test('a record alone has no year of award, and may have no component', () => {
  expect(serialDoubts('C-03-100001-19', { ...ana, component: '' }, { region: '03', year: '' })).toEqual([])
})

test('S12 says how they wrote a name, but not in which letters', () => {
  expect(otherSpelling({ lastName: 'PENA', firstName: 'ANA' }, ana)).toBeNull()
  expect(otherSpelling({ lastName: '', firstName: '' }, ana)).toBeNull()
  expect(otherSpelling({ lastName: 'Penya', firstName: 'Ana' }, ana)).toEqual({
    code: 'S12',
    sentence: 'They wrote Penya, Ana.',
  })
})

const rows = (serials: readonly string[], years: readonly string[] = []) =>
  serials.map((serialNumber, index) => ({
    number: index + 3,
    serialNumber,
    academicYear: years[index] ?? '2025-2026',
  }))

test('S05 names the cells of a dragged file', () => {
  const dragged = rows(Array.from({ length: 760 }, (_, index) => `C-03-100001-${23 + index}`))
  expect(draggedSentence(dragged)).toBe(
    'Row 3: C-03-100001-23, row 4: C-03-100001-24, row 5: C-03-100001-25. ' +
      'The file was dragged: Excel counted the years up. Ask for it again.',
  )
  const ofYears = rows(
    Array.from({ length: 6 }, (_, index) => `C-03-${100_001 + index}-26`),
    Array.from({ length: 6 }, (_, index) => `2025-${2026 + index}`),
  )
  expect(draggedSentence(ofYears)).toContain('row 4: 2025-2027')
})

test.each([
  [
    'numbers',
    (count: number) => rows(Array.from({ length: count }, (_, index) => `C-03-100001-${23 + index}`)),
  ],
  [
    'years',
    (count: number) =>
      rows(
        Array.from({ length: count }, (_, index) => `C-03-${100_001 + index}-26`),
        Array.from({ length: count }, (_, index) => `2025-${2026 + index}`),
      ),
  ],
] as const)('%s that count up in five rows were dragged, in four they may be meant', (_what, dragged) => {
  expect(draggedSentence(dragged(4))).toBeNull()
  expect(draggedSentence(dragged(5))).toContain('The file was dragged')
})

test('a file that counts up its running numbers was not dragged', () => {
  expect(
    draggedSentence(rows(Array.from({ length: 50 }, (_, index) => `C-03-${100_001 + index}-26`))),
  ).toBeNull()
  expect(
    draggedSentence(rows(Array.from({ length: 50 }, (_, index) => `NCR-R03-${123_456 + index} (Res)`))),
  ).toBeNull()
  expect(
    draggedSentence(rows(Array.from({ length: 50 }, (_, index) => `NCR-R03-${123_456 + index}`))),
  ).toBeNull()
})

test('S02 names the rows of a number that stands twice', () => {
  const repeated = repeatedSerials(rows(['C-03-100001-26', 'C-03-100002-26', 'C03100001-26', '', '']))
  expect([...repeated]).toEqual([
    [3, 'This number stands in rows 3, 5.'],
    [5, 'This number stands in rows 3, 5.'],
  ])
})

test('S09 to S11 are said of the file', () => {
  const inOrder = [1, 2, 3].map((place) => ({ place, serial: `C-03-10000${place}-26` }))
  expect(serialNotes(inOrder, 3)).toEqual([])
  expect(serialNotes([...inOrder].reverse(), 3)).toEqual([
    { code: 'S09', sentence: 'Another order than we sent.' },
  ])
  expect(serialNotes(inOrder, 9)).toEqual([{ code: 'S10', sentence: '6 people got no number.' }])
  expect(serialNotes([...inOrder, { place: 4, serial: 'C-03-100011-26' }], 4)).toEqual([
    { code: 'S11', sentence: '7 numbers are skipped.' },
  ])
})

test('a range is dealt out', () => {
  expect(serialRange('C-07-100009-26', 'C-07-100011-26')).toEqual({
    serials: ['C-07-100009-26', 'C-07-100010-26', 'C-07-100011-26'],
  })
  expect(serialRange('NCR-R03-000001 (Res)', 'NCR-R03-000002 (Res)')).toEqual({
    serials: ['NCR-R03-000001 (Res)', 'NCR-R03-000002 (Res)'],
  })
})

test.each([
  ['C-07-1-26', 'C-07-100001-26', 'first', '“C-07-1-26” isn’t a serial number like C-07-100001-26.'],
  ['C-07-100001-26', 'C-07-100002-27', 'last', 'The two may differ in their running number only.'],
  ['C-07-100002-26', 'C-07-100001-26', 'last', 'The last number is before the first.'],
  ['C-07-100001-26', 'C-07-900001-26', 'last', 'A range has at most 20,000 numbers.'],
])('%s to %s is no range', (first, last, field, problem) => {
  expect(serialRange(first, last)).toEqual({ field, problem })
})
