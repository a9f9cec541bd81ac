import { describe, expect, test } from 'vitest'
import { createDateColumns } from './date-columns.ts'
import { usualReading } from './read-table.ts'

const headers = ['Last Name', 'Birthdate']

function read(dates: readonly string[], { hasDates = true, swappedDates = [] as string[] } = {}) {
  const columns = createDateColumns(headers, { choices: { ...usualReading, swappedDates }, hasDates })
  const cells = dates.map((date) => columns.read(['Abad', date])[1])
  return { cells, order: columns.order(), isOpen: columns.isOpen(), notes: columns.notes() }
}
const textOf = (dates: readonly string[], hasDates = true) =>
  read(dates, { hasDates }).notes.map(({ text }) => text)

describe('dates beside texts of one column', () => {
  test.each<[string, string[], string[]]>([
    ['dates alone', ['2005-12-05', '2005-05-25', ''], []],
    [
      'another form',
      ['2005-12-05', '2005-05-25', 'May 5, 2005'],
      ['Birthdate: 2 dates and 1 text such as “May 5, 2005”.'],
    ],
    ['a note', ['2005-12-05', 'unknown'], ['Birthdate: 1 date and 1 text such as “unknown”.']],
    [
      'a text that can be read both ways',
      ['2005-12-05', '2005-05-25', '12/05/2005'],
      [
        'Birthdate: 2 dates and 1 text such as “12/05/2005”. 1 text, “12/05/2005”, can have the day or the month first: please choose the date format.',
      ],
    ],
    [
      'a text of which another tells the order',
      ['2005-05-25', '12/05/2005', '25/12/2005'],
      [
        'Birthdate: 1 date and 2 texts such as “12/05/2005”. 1 text, “12/05/2005”, can have the day or the month first: read with the day first, as others have it.',
      ],
    ],
    ['the same day and month', ['05/05/2005', '6/6/2005'], []],
    ['no dates, but texts of one kind', ['25/12/2005', '13.01.2006'], []],
    [
      'texts of both kinds',
      ['25/12/2005', '12/25/2005', '12/26/2005'],
      ['Birthdate: 1 has the day first, such as “25/12/2005”, and 2 the month, such as “12/25/2005”.'],
    ],
    [
      'texts of both kinds, and one that can be both',
      ['25/12/2005', '12/25/2005', '1/2/2005'],
      [
        'Birthdate: 1 has the day first, such as “25/12/2005”, and 1 the month, such as “12/25/2005”. 1 text, “1/2/2005”, can have the day or the month first: please choose the date format.',
      ],
    ],
    [
      'texts that can all be read both ways',
      ['1/2/2005', '3-4-2005'],
      [
        'Birthdate: 2 texts such as “1/2/2005” can have the day or the month first: please choose the date format.',
      ],
    ],
  ])('%s', (_what, dates, notes) => {
    // Only a workbook tells dates from texts.
    expect(textOf(dates)).toEqual(notes)
  })

  test('a text file has texts alone', () => {
    expect(textOf(['2005-12-05', '25/12/2005'], false)).toEqual([])
  })
})

test.each<[string[], string, boolean]>([
  [['01/02/2006', '25/12/2006', ''], 'day-first', false],
  [['01/02/2006', '12/25/2006'], 'month-first', false],
  [['01/02/2006'], 'month-first', true],
  [['01/02/2006', '25/12/2006', '12/25/2006'], 'month-first', true],
  [['25/12/2006', '12/25/2006'], 'month-first', false],
  [['2006-01-02'], 'month-first', false],
  [[], 'month-first', false],
])('of %j the order is %s, and asked for: %s', (dates, order, isOpen) => {
  expect(read(dates)).toMatchObject({ order, isOpen })
})

describe('day and month of dates that a spreadsheet swapped', () => {
  const dates = ['2005-05-12', '2006-01-02 08:00:00', '25/12/2005']

  test('are swapped back by one press, and again', () => {
    const found = read(dates)
    expect(found.cells).toEqual(dates)
    expect(found.notes).toMatchObject([
      {
        text: 'Birthdate: 2 dates and 1 text such as “25/12/2005”. A spreadsheet that expects the other order may have swapped day and month of the dates.',
        presses: [{ label: 'Swap them in 2 dates', choices: { swappedDates: ['Birthdate'] } }],
      },
    ])
    const swapped = read(dates, { swappedDates: ['Birthdate'] })
    expect(swapped.cells).toEqual(['2005-12-05', '2006-02-01 08:00:00', '25/12/2005'])
    expect(swapped.notes).toMatchObject([
      {
        text: 'Birthdate: 2 dates and 1 text such as “25/12/2005”. Day and month of the dates are swapped.',
        presses: [{ label: 'Take them as they are', choices: { swappedDates: [] } }],
      },
    ])
  })

  test.each([
    [['2005-05-13', '25/12/2005']],
    [['2005-05-12', 'unknown']],
    [['2005-05-12', '1/2/2005']],
    [['2005-05-12', '25/12/2005', '12/25/2005']],
  ])('are not those of %j', (dates) => {
    expect(read(dates).notes.flatMap(({ presses }) => presses)).toEqual([])
  })
})
