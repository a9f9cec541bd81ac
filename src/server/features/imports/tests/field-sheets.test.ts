import { describe, expect, test } from 'vitest'
import { buildWorkbook, buildWrittenWorkbook, type WrittenSheet } from '#tests/factories/written-workbook.ts'
import type { StagedRow } from '../rows-repository.ts'
import { stageFile } from '../upload-file.ts'

/** The rows of a file as they are read, each with its number, and what is said of them. */
async function read(file: Buffer) {
  const rows: StagedRow[] = []
  const { reading } = await stageFile(file, 'list.xlsx', async (batch) => void rows.push(...batch))
  return {
    rows: rows.map(({ number, cells }) => `${number} ${cells.join('|')}`),
    notes: reading.notes.map(({ text }) => text),
  }
}

const head = ['No.', 'Last Name', 'First Name', 'Course']
const ana = ['1', 'Abad', 'Ana', 'SOICT']
const ben = ['2', 'Bello', 'Ben', 'SOBM']

describe('several sheets', () => {
  const list = { name: 'List', rows: [head, ana] }

  test.each<[string, WrittenSheet[], string[], string[]]>([
    [
      'the empty ones that Excel adds',
      [list, { name: 'Sheet2', rows: [] }, { name: 'Sheet3', rows: [] }],
      ['2 1|Abad|Ana|SOICT'],
      [],
    ],
    ['an empty one in front', [{ name: 'Sheet1', rows: [] }, list], ['2 1|Abad|Ana|SOICT'], []],
    [
      'instructions in front',
      [
        {
          name: 'READ ME',
          rows: [['Instructions'], ['1. Type the last name first.'], ['2. Save as .xlsx.']],
        },
        list,
      ],
      ['2 1|Abad|Ana|SOICT'],
      ['Sheet List, 1 row · not read: READ ME (2 rows).'],
    ],
    [
      'choices of a template behind',
      [list, { name: 'Lookup', rows: [['Course'], ['SOICT'], ['SOBM']] }],
      ['2 1|Abad|Ana|SOICT'],
      ['Sheet List, 1 row · not read: Lookup (2 rows).'],
    ],
    [
      'choices of a template in front',
      [{ name: 'Lookup', rows: [['Course'], ['SOICT'], ['SOBM']] }, list],
      ['2 1|Abad|Ana|SOICT'],
      ['Sheet List, 1 row · not read: Lookup (2 rows).'],
    ],
    [
      'choices that are hidden',
      [list, { name: 'Lookup', rows: [['Course'], ['SOICT'], ['SOBM']], state: 'veryHidden' }],
      ['2 1|Abad|Ana|SOICT'],
      ['Hidden sheets left out: Lookup (2 rows).'],
    ],
    [
      'last year hidden in front',
      [{ name: 'SY 2025-2026', rows: [head, ben], state: 'hidden' }, list],
      ['2 1|Abad|Ana|SOICT'],
      ['Hidden sheets left out: SY 2025-2026 (1 row).'],
    ],
    [
      'one for men and one for women, under titles',
      [
        { name: 'MALE', rows: [['Masterlist'], head, ben] },
        { name: 'FEMALE', rows: [['Masterlist'], head, ana] },
      ],
      ['3 2|Bello|Ben|SOBM'],
      ['Sheet MALE, 1 row · not read: FEMALE (2 rows).', 'Headings in row 2 · above, not read: row 1.'],
    ],
    [
      'a count of each course in front, as pivot tables have it',
      [
        {
          name: 'Pivot',
          rows: [
            ['Row Labels', 'Count of Last Name'],
            ['SOICT', '1'],
            ['Grand Total', '1'],
          ],
        },
        list,
      ],
      ['2 1|Abad|Ana|SOICT'],
      ['Sheet List, 1 row · not read: Pivot (2 rows).'],
    ],
    [
      'a name with signs',
      [
        { name: 'BSIT 1A & 1B <new>', rows: [head, ana] },
        { name: 'Old', rows: [head, ben] },
      ],
      ['2 1|Abad|Ana|SOICT'],
      ['Sheet BSIT 1A & 1B <new>, 1 row · not read: Old (1 row).'],
    ],
  ])('%s', async (_what, sheets, rows, notes) => {
    expect(await read(await buildWrittenWorkbook(sheets))).toEqual({ rows, notes })
  })

  test('a chart on a sheet of its own is none', async () => {
    const file = await buildWorkbook('', {
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="Chart1" r:id="r1"/><sheet name="List" r:id="r2"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r1" Target="chartsheets/sheet1.xml"/><Relationship Id="r2" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/chartsheets/sheet1.xml':
        '<chartsheet><sheetViews><sheetView/></sheetViews><drawing r:id="r1"/></chartsheet>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rowXml(1, head)}${rowXml(2, ana)}</sheetData></worksheet>`,
    })
    expect(await read(file)).toEqual({ rows: ['2 1|Abad|Ana|SOICT'], notes: [] })
  })
})

function rowXml(number: number, cells: readonly string[], attributes = ''): string {
  const written = cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`)
  return `<row r="${number}" ${attributes}>${written.join('')}</row>`
}

describe('what is hidden', () => {
  const sheet = (second: string, third = '', columns = '', first = '') =>
    buildWorkbook('', {
      'xl/worksheets/sheet1.xml': `<worksheet>${columns && `<cols>${columns}</cols>`}<sheetData>${rowXml(1, head, first)}${rowXml(2, ana, second)}${rowXml(3, ben, third)}</sheetData></worksheet>`,
    })
  const both = ['2 1|Abad|Ana|SOICT', '3 2|Bello|Ben|SOBM']
  const [, onlyBen = ''] = both

  test.each([
    [
      'a row that a filter of Excel hides',
      () => sheet('spans="1:4" hidden="1"'),
      [onlyBen],
      ['Hidden rows are left out: 2.'],
    ],
    [
      'a row of LibreOffice, which says of each whether it is hidden',
      () =>
        sheet('customFormat="false" ht="12.8" hidden="true" outlineLevel="0"', 'ht="12.8" hidden="false"'),
      [onlyBen],
      ['Hidden rows are left out: 2.'],
    ],
    [
      'a row without height',
      () => sheet('ht="0" customHeight="1"'),
      [onlyBen],
      ['Hidden rows are left out: 2.'],
    ],
    [
      'a group of rows that is closed',
      () => sheet('outlineLevel="1" hidden="1"', 'collapsed="1"'),
      [onlyBen],
      ['Hidden rows are left out: 2.'],
    ],
    ['a group of rows that is open', () => sheet('outlineLevel="1" hidden="0"', 'collapsed="0"'), both, []],
    ['a low row', () => sheet('ht="3.75" customHeight="1"'), both, []],
    [
      'columns from one to another',
      () => sheet('', '', '<col min="2" max="3" width="9" hidden="1"/>'),
      ['2 1|SOICT', '3 2|SOBM'],
      ['Hidden columns are left out: B, C.'],
    ],
    [
      'a column without width',
      () => sheet('', '', '<col min="4" max="4" width="0" customWidth="1"/>'),
      ['2 1|Abad|Ana', '3 2|Bello|Ben'],
      ['Hidden columns are left out: D.'],
    ],
    [
      'all empty columns to the end of the sheet',
      () =>
        sheet('', '', '<col min="1" max="4" width="9"/><col min="5" max="16384" width="9" hidden="true"/>'),
      both,
      [],
    ],
    [
      'the row of headings',
      () => sheet('', '', '', 'hidden="1"'),
      [onlyBen],
      ['Hidden rows are left out: 1.', 'No known headings: row 2 is read as headings.'],
    ],
  ])('%s', async (_what, file, rows, notes) => {
    expect(await read(await file())).toEqual({ rows, notes })
  })
})

describe('titles above, totals and signatures below', () => {
  const people = ['1|Abad|Ana|SOICT', '2|Bello|Ben|SOBM']
  const above = (...titles: string[][]) => [...titles, head, ana, ben]
  const below = (...lines: string[][]) => [head, ana, ben, ...lines]

  test.each<[string, string[][]]>([
    [
      'the letterhead of a registrar',
      above(
        ['', 'Republic of the Philippines'],
        ['', 'CAVITE STATE UNIVERSITY'],
        ['', 'OFFICE OF THE REGISTRAR'],
        ['Subject:', 'NSTP 1', 'Section:', 'BSIT 1A'],
        ['Instructor:', 'SANTOS, JUAN D.', 'Schedule:', 'SAT 8:00-11:00'],
      ),
    ],
    [
      'the fields of a school form',
      above(
        ['School Form 1 (SF 1) School Register'],
        ['School ID', '301234', 'Region', 'IV-A'],
        ['School Name', 'Imus NHS', 'School Year', '2026-2027'],
      ),
    ],
    [
      'totals of a school form',
      below(['1', '<=== TOTAL MALE'], ['1', '<=== TOTAL FEMALE'], ['2', '<=== COMBINED']),
    ],
    ['totals with their sign in front', below(['', 'Male:', '1'], ['', 'Female:', '1'], ['', 'TOTAL:', '2'])],
    [
      'counts in words',
      below(
        ['Total No. of Students: 2'],
        ['Total Enrolled', '2'],
        ['No. of Males: 1'],
        ['Number of Female Students: 1'],
      ),
    ],
    [
      'two signatures side by side',
      below(
        ['Prepared by:', '', 'Noted by:'],
        ['', ''],
        ['JUAN D. SANTOS', '', 'MARIA L. CRUZ'],
        ['Instructor', '', 'NSTP Director'],
      ),
    ],
    [
      'a signature in the column of names',
      below(['', 'Certified true and correct:'], ['', 'JUAN D. SANTOS'], ['', 'Registrar III']),
    ],
    [
      'a signature with the name behind',
      below(['', 'Submitted by: JUAN D. SANTOS'], ['', 'Date: November 20, 2026']),
    ],
    ['the end of the list', below(['', 'x-x-x-x NOTHING FOLLOWS x-x-x-x'])],
    ['the end in dashes', below(['', '--- end of list ---'])],
    ['a legend', below(['', 'Legend:'], ['', 'INC - Incomplete'], ['', 'DRP - Dropped'])],
    [
      'when it was printed',
      below(['', 'Date Printed: 11/20/2026 8:15 AM'], ['', 'Printed by: jsantos'], ['', 'Page 1 of 1']),
    ],
    ['numbers of rows that nobody filled', below(['3'], ['4'], ['5'])],
    ['a note', below(['', 'Note: Students without an ID are not enrolled.'], ['', '* irregular student'])],
    ['the headings of the next page', [head, ana, ['Cavite State University'], head, ben]],
    ['men and women apart', [head, ['MALE'], ben, ['FEMALE'], ana]],
    [
      'men and women apart, in capitals with their number',
      [head, ['', 'MALE (1)'], ana, ['', 'FEMALE (1)'], ben],
    ],
    [
      'in Filipino',
      [
        head,
        ['', 'LALAKI'],
        ben,
        ['', 'BABAE'],
        ana,
        ['', 'KABUUAN', '2'],
        ['Inihanda ni:'],
        ['', 'JUAN D. SANTOS'],
      ],
    ],
  ])('%s', async (_what, rows) => {
    const found = await read(await buildWrittenWorkbook([{ rows }]))
    expect(found.rows.map((row) => row.replace(/^\d+ /, '')).sort()).toEqual(people)
  })

  test.each([
    [['3', 'Notario', '', '']],
    [['3', 'Combined', 'Ana', 'SOICT']],
    [['', 'Legend', '', '']],
    [['3', 'Babae', '', '']],
    [['', '*Cruz', '', '']],
  ])('%j is a person', async (row) => {
    expect((await read(await buildWrittenWorkbook([{ rows: [head, ana, row] }]))).rows).toHaveLength(2)
  })
})
