import fc from 'fast-check'
import { format } from 'numfmt'
import { describe, expect, test } from 'vitest'
import { buildWrittenWorkbook } from '#tests/factories/written-workbook.ts'
import { formatOf, formattedText, numberText } from './number-texts.ts'
import { tableRows } from './table-rows.ts'

const shown = (code: string, value: number | string) => numberText(String(value), formatOf(164, code), false)

// What readers of workbooks are known to lose.
describe('a cell is what its number format writes', () => {
  test.each([
    ['an ID padded with zeros', '00000000', 4711, '00004711'],
    ['a year and a number, parted by a dash', '0000-00000', 202600071, '2026-00071'],
    ['a dash that is escaped', '00\\-0000', 260071, '26-0071'],
    ['a dash in quotes', '0000"-"00000', 202600071, '2026-00071'],
    ['letters in front', '"NSTP-"0000', 12, 'NSTP-0012'],
    ['one letter, escaped', '\\S0000', 5, 'S0005'],
    ['a phone number with its zero', '00000000000', 9171234567, '09171234567'],
    ['groups of digits', '0000 000 0000', 9171234567, '0917 123 4567'],
    ['a ZIP code', '0000', 926, '0926'],
    ['a format of a language', '[$-3409]0000', 71, '0071'],
    ['a phone number of either length', '[<=9999999]###-####;(###) ###-####', 5551234, '555-1234'],
    ['more digits than the width of the cell', '0', 107235000000, '107235000000'],
    ['an average', '0.00', 5 / 3, '1.67'],
    ['half of a hundredth, which no binary fraction is', '0.00', 1.005, '1.01'],
    ['optional decimals', '0.##', 2, '2'],
    ['percent', '0%', 0.85, '85%'],
    ['percent with decimals', '0.00%', 0.8525, '85.25%'],
    ['thousands', '#,##0', 12345, '12,345'],
    ['an account', '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', 1234.5, '1,234.50'],
    ['an empty account', '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', 0, '-'],
    ['a colour, and a sign of its own', '[Red]0.0;-0.0', -1.25, '-1.3'],
    ['a zero that is not shown', '0;-0;;@', 0, ''],
    ['a unit', '0.0" kg"', 55.5, '55.5 kg'],
    ['a general number with a unit', 'General" cm"', 160, '160 cm'],
  ])('%s', (_what, code, value, text) => {
    expect(shown(code, value)).toBe(text)
  })

  test.each([
    ['a student ID', '107235000000', '107235000000'],
    ['one that the file writes with an exponent', '1.07235E+11', '107235000000'],
    ['twelve nines', '999999999999', '999999999999'],
    ['sixteen digits', '1234567890123456', '1234567890123456'],
    ['more than JavaScript writes in full', '1E+22', '10000000000000000000000'],
    ['a sum of fractions', '0.30000000000000004', '0.3'],
    ['an average of three', '1.6666666666666667', '1.66666666666667'],
    ['a small fraction', '0.00000025', '0.00000025'],
    ['a negative number', '-12.5', '-12.5'],
    ['zero', '0', '0'],
  ])('a general or scientific number is whole: %s', (_what, value, text) => {
    for (const code of ['General', '', '@', '0.00E+00', '##0.0E+0']) expect(shown(code, value)).toBe(text)
  })

  test.each([
    ['a date of any order', 'dd/mm/yyyy', 38850, '2006-05-13'],
    ['a month in letters', '[$-409]d" of "mmm\\ yyyy;@', 38850, '2006-05-13'],
    ['a date with a time', 'm/d/yy h:mm', 46237.4, '2026-08-03 09:36:00'],
    ['a time in two halves', 'h:mm AM/PM', 0.5625, '13:30:00'],
    ['a time with seconds', 'hh:mm:ss', 0.999988425925926, '23:59:59'],
    ['a time of a day', 'h:mm', 46237.4, '09:36:00'],
    ['hours of service', '[h]:mm', 2.25, '54:00'],
    ['minutes', '[mm]:ss', 0.05, '72:00'],
    ['no day at all', 'yyyy-mm-dd', 0, '0'],
    ['a time in a column of dates', 'yyyy-mm-dd', 0.5, '12:00:00'],
  ])('a date and a time are ISO: %s', (_what, code, value, text) => {
    expect(shown(code, value)).toBe(text)
  })

  test.each([
    ['never closed', '"unclosed', 5, '5'],
    ['of no known letters', 'Standard', 5, '5'],
    ['longer than any', '0'.repeat(300), 5, '5'],
  ])('a format that is none leaves the number: %s', (_what, code, value, text) => {
    expect(shown(code, value)).toBe(text)
  })

  test('texts may have something in front too', () => {
    expect(formattedText('00071', formatOf(164, '0;0;0;"2026-"@'))).toBe('2026-00071')
    expect(formattedText('Ana', formatOf(164, '0000'))).toBe('Ana')
    expect(formattedText('107235000000', formatOf(49, undefined))).toBe('107235000000')
  })

  test('built-in formats need no code in the file', () => {
    const read = (id: number, value: string) => numberText(value, formatOf(id, undefined), false)
    expect([read(1, '2.6'), read(9, '0.85'), read(10, '0.8525'), read(2, '1.6666667')]).toEqual([
      '3',
      '85%',
      '85.25%',
      '1.67',
    ])
    expect([read(11, '107235000000'), read(14, '38850'), read(20, '0.4'), read(46, '1.5')]).toEqual([
      '107235000000',
      '2006-05-13',
      '09:36:00',
      '36:00:00',
    ])
  })

  test('formats of zeros and dashes alone take a shorter way to the same text', () => {
    const code = fc.stringMatching(/^[-0 ]{1,16}$/)
    const number = fc.oneof(fc.nat(), fc.nat({ max: 999_999_999_999 }))
    fc.assert(
      fc.property(code, number, (written, value) => {
        expect(shown(written, value)).toBe(format(written, value).trim())
      }),
    )
  })

  test('for any format and number there is a text, and never a fault', () => {
    const piece = fc.constantFrom(
      ...[
        '0',
        '#',
        '?',
        '.',
        ',',
        '%',
        '-',
        ' ',
        '"a"',
        '\\-',
        '_)',
        '* ',
        ';',
        '@',
        '/',
        'E+',
        '[Red]',
        '[>5]',
        '[h]',
        'm',
        'd',
        'General',
      ],
    )
    const code = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom('', 'x', '1E400', '-0'))
    fc.assert(
      fc.property(code, number, (written, value) => {
        expect(typeof numberText(String(value), formatOf(164, written), false)).toBe('string')
      }),
    )
  })
})

test('the formats of a workbook are read with its cells', async () => {
  const file = await buildWrittenWorkbook(
    [
      {
        rows: [
          ['ID', 'Grade', 'Born'],
          [
            [4711, 0],
            [0.85, 1],
            [38850, 2],
          ],
          [107235000000, [0.9, 1], ''],
        ],
      },
    ],
    ['00000000', 9, 14],
  )
  const rows: string[][] = []
  for await (const { cells } of tableRows(file)) rows.push(cells)
  expect(rows).toEqual([
    ['ID', 'Grade', 'Born'],
    ['00004711', '85%', '2006-05-13'],
    ['107235000000', '90%'],
  ])
})
