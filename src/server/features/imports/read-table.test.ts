import { describe, expect, test } from 'vitest'
import { buildWrittenWorkbook, type WrittenSheet, zipOf } from '#tests/factories/written-workbook.ts'
import { guessColumns } from './column-guess.ts'
import { readTable, usualReading } from './read-table.ts'

/** What is read of a file: its headings, and each row with its number. */
async function read(file: Buffer, choices = usualReading) {
  const table = await readTable(file, { choices })
  const rows: string[] = []
  for await (const { number, cells } of table?.rows ?? []) rows.push([number, ...cells].join('|'))
  return { headers: table?.headers().join('|'), rows }
}
const readSheet = async (sheet: WrittenSheet, more: Partial<typeof usualReading> = {}) =>
  read(await buildWrittenWorkbook([sheet]), { ...usualReading, ...more })

const head = ['No.', 'Last Name', 'First Name', 'Course']
const ana = ['1', 'Abad', 'Ana', 'SOICT']
const ben = ['2', 'Bello', 'Ben', 'SOBM']
const bothRead = ['2|1|Abad|Ana|SOICT', '4|2|Bello|Ben|SOBM']

test.each([
  [['', 'TOTAL STUDENTS: 45']],
  [['Sub-total', '', '', '12']],
  [['Total No. of Students:', '45']],
  [['', 'FEMALE STUDENTS']],
  [['Male - 20']],
  [['Average', '', '', '1.75']],
  [['Passed:', '20']],
  [['Kabuuan', '45']],
  [['(1)', '(2)', '(3)', '(4)']],
  [['-nothing follows-']],
  [['Section: BSIT 1-B']],
  [['3']],
])('between two students %j is nobody', async (line) => {
  expect((await readSheet({ rows: [head, ana, line, ben] })).rows).toEqual(bothRead)
})

test.each<[string, string[][]]>([
  [
    'in two columns',
    [
      ['Prepared by:', '', 'Noted by:'],
      ['JUAN CRUZ', '', 'MARIA SANTOS'],
      ['Instructor', '', 'Dean'],
    ],
  ],
  [
    'at the right',
    [
      ['', '', '', 'Certified Correct:'],
      ['', '', '', 'PEDRO REYES'],
      ['', '', '', 'Registrar'],
    ],
  ],
  ['without a colon', [['CERTIFIED TRUE AND CORRECT'], ['JUAN CRUZ, PhD']]],
  ['below a line', [['_____________'], ['JUAN CRUZ'], ['NSTP Coordinator']]],
  ['of one word', [['Submitted:'], ['JUAN CRUZ']]],
  ['as a sentence', [['I hereby certify that the above is true and correct.'], ['JUAN CRUZ']]],
  ['beside its name', [['Signed:', 'Juan Cruz']]],
  [
    'with initials',
    [
      ['Approved:', '', 'Received by'],
      ['J. CRUZ', '', 'M. SANTOS'],
    ],
  ],
  ['with a date', [['Verified by:'], ['JUAN CRUZ'], ['Date: 11/20/2026']]],
  ['with a page', [['Noted by: JUAN CRUZ'], ['Page 1 of 2']]],
])('a signature %s is nobody', async (_what, lines) => {
  expect((await readSheet({ rows: [head, ana, lines[0] ?? [], ben] })).rows).toEqual(bothRead)
  expect((await readSheet({ rows: [head, ana, ...lines] })).rows).toEqual(['2|1|Abad|Ana|SOICT'])
})

test.each<[string, string[][], string, string[]]>([
  [
    'names and ways to reach',
    [
      ['STUDENT NAME', '', '', 'CONTACT', ''],
      ['LAST', 'FIRST', 'MI', 'MOBILE', 'EMAIL'],
      ['Abad', 'Ana', 'C', '0917', 'a@x.ph'],
    ],
    'LAST|FIRST|MI|MOBILE|EMAIL',
    ['3|Abad|Ana|C|0917|a@x.ph'],
  ],
  [
    'birth',
    [
      ['No', 'Student ID', 'Name', '', 'Birth', ''],
      ['', '', 'Surname', 'Given Name', 'Date', 'Place'],
      ['1', '2026-1', 'Abad', 'Ana', '2005-01-01', 'Imus'],
    ],
    'No|Student ID|Surname|Given Name|Birth Date|Birth Place',
    ['3|1|2026-1|Abad|Ana|2005-01-01|Imus'],
  ],
  [
    'guardian',
    [
      ['Last Name', 'First Name', 'Parent/Guardian', ''],
      ['', '', 'Name', 'Contact No.'],
      ['Abad', 'Ana', 'Ben', '0917'],
    ],
    'Last Name|First Name|Parent/Guardian Name|Parent/Guardian Contact No.',
    ['3|Abad|Ana|Ben|0917'],
  ],
  [
    'titles with words of headings',
    [['Course:', 'BSIT', 'Year:', '1'], ['Name of School', 'Address', 'Email'], head, ana],
    head.join('|'),
    ['4|1|Abad|Ana|SOICT'],
  ],
  [
    'the same again for a second section',
    [head, ana, [''], ['BSIT 1-B'], head, ben],
    head.join('|'),
    ['2|1|Abad|Ana|SOICT', '6|2|Bello|Ben|SOBM'],
  ],
])('headings: %s', async (_what, rows, headers, cells) => {
  expect(await readSheet({ rows })).toEqual({ headers, rows: cells })
})

describe('hidden', () => {
  const rows = [head, ana, ben]

  test.each<[string, Omit<WrittenSheet, 'rows'>, string[]]>([
    ['first row of people', { hiddenRows: [2] }, ['3|2|Bello|Ben|SOBM']],
    ['last row', { hiddenRows: [3] }, ['2|1|Abad|Ana|SOICT']],
    ['first column', { hiddenColumns: [0] }, ['2|Abad|Ana|SOICT', '3|Bello|Ben|SOBM']],
    ['columns between', { hiddenColumns: [1, 2] }, ['2|1|SOICT', '3|2|SOBM']],
    ['row and column', { hiddenRows: [2], hiddenColumns: [3] }, ['3|2|Bello|Ben']],
  ])('%s', async (_what, hidden, read) => {
    expect((await readSheet({ rows, ...hidden })).rows).toEqual(read)
    expect((await readSheet({ rows, ...hidden }, { hidden: true })).rows).toEqual([
      '2|1|Abad|Ana|SOICT',
      '3|2|Bello|Ben|SOBM',
    ])
  })

  const sheet = (columns: string, row: string) =>
    zipOf({
      'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': `<worksheet>${columns}<sheetData><row r="1"><c t="inlineStr"><is><t>Last Name</t></is></c><c t="inlineStr"><is><t>First Name</t></is></c></row><row r="2" ${row}><c t="inlineStr"><is><t>Abad</t></is></c><c t="inlineStr"><is><t>Ana</t></is></c></row><row r="3"><c t="inlineStr"><is><t>Bello</t></is></c><c t="inlineStr"><is><t>Ben</t></is></c></row></sheetData></worksheet>`,
    })

  test.each([
    ['a row by a filter', '', 'hidden="true" customHeight="1"', ['3|Bello|Ben']],
    ['a row of no height', '', 'ht="0" customHeight="1"', ['3|Bello|Ben']],
    ['a row of a closed group', '', 'outlineLevel="1" hidden="1"', ['3|Bello|Ben']],
    [
      'all columns to the end, as LibreOffice writes them',
      '<cols><col min="2" max="16384" hidden="true"/></cols>',
      '',
      ['2|Abad', '3|Bello'],
    ],
    [
      'a column of no width',
      '<cols><col min="2" max="2" width="0" customWidth="1"/></cols>',
      '',
      ['2|Abad', '3|Bello'],
    ],
  ])('%s', async (_what, columns, row, rows) => {
    expect((await read(await sheet(columns, row))).rows).toEqual(rows)
  })
})

describe('text files', () => {
  const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)

  test.each<[string, Buffer, string, string[]]>([
    [
      'a mark and semicolons',
      bytes('\ufeffLast Name;First Name\nPeña;Niño\n'),
      'Last Name|First Name',
      ['2|Peña|Niño'],
    ],
    [
      'commas within quotes, between semicolons',
      bytes('"Last Name";"Address"\n"Peña";"1, Rizal, Imus"\n'),
      'Last Name|Address',
      ['2|Peña|1, Rizal, Imus'],
    ],
    [
      'UTF-16, the larger byte first',
      bytes('\ufeffLast Name\tFirst Name\nPeña\tA\n', 'utf16le').swap16(),
      'Last Name|First Name',
      ['2|Peña|A'],
    ],
    [
      'one row of Windows-1252 among UTF-8',
      Buffer.concat([bytes('Last Name,First Name\nPeña,A\n'), bytes('Muñoz,B\n', 'latin1')]),
      'Last Name|First Name',
      ['2|Peña|A', '3|Muñoz|B'],
    ],
    [
      'lines that end as on an old Mac',
      bytes('Last Name,First Name\rPeña,A\r'),
      'Last Name|First Name',
      ['2|Peña|A'],
    ],
    [
      'a letter and its mark apart',
      bytes('Last Name,First Name\nPen\u0303a,A\n'),
      'Last Name|First Name',
      ['2|Pen\u0303a|A'],
    ],
    [
      'numbers that are kept as texts',
      bytes('Last Name,Contact\nCruz,"=""09171234567"""\nAbad,="0918"\nBello,\'0919\n'),
      'Last Name|Contact',
      ['2|Cruz|09171234567', '3|Abad|0918', '4|Bello|0919'],
    ],
    [
      'empty columns and rows behind',
      bytes('Last Name,First Name,,\nCruz,Ana,,\n,,,\n'),
      'Last Name|First Name||',
      ['2|Cruz|Ana||'],
    ],
    [
      'a name with an apostrophe',
      bytes("Last Name,First Name\n'Abad,D'Ana\n"),
      'Last Name|First Name',
      ["2|'Abad|D'Ana"],
    ],
    [
      'a formula',
      bytes('Last Name,First Name\nCruz,"=A1&""x"""\n'),
      'Last Name|First Name',
      ['2|Cruz|=A1&"x"'],
    ],
  ])('with %s', async (_what, file, headers, rows) => {
    expect(await read(file)).toEqual({ headers, rows })
  })
})

test.each<[string, string[], string[]]>([
  ['Grades', ['Prelim', 'Midterm', 'Final Grade'], ['1.50', '2.00', '1.75']],
  ['GRADE', ['Numerical', 'Letter', ''], ['1.50', 'A', '']],
  ['Grades', ['Midterm', 'Finals', 'Final Grade'], ['2.00', '5.00', '5.00']],
  ['Marks', ['Midterm Grade', 'Tentative', 'Official'], ['2.00', '5.00', '5.00']],
])('a group of columns, %s over %j, is no person', async (group, below, marks) => {
  const upper = ['Student No.', 'Name', group, '', '']
  const person = ['2026-00071', 'Abad, Ana', ...marks]
  const { headers, rows } = await readSheet({ rows: [upper, ['', '', ...below], person] })
  expect(rows.map((row) => row.replace(/\|+$/, ''))).toEqual([`3|${person.join('|')}`.replace(/\|+$/, '')])
  expect(headers).toMatch(/^Student No\.\|Name\|/)
})

test.each([[['2026-2027']], [['University of the East', '8123 4567']], [['nstp@school.edu.ph']]])(
  'the title %j does not hide the headings below it',
  async (title) => {
    const { headers, rows } = await readSheet({ rows: [title, head, ana] })
    expect([headers, rows]).toEqual([head.join('|'), ['3|1|Abad|Ana|SOICT']])
  },
)

test('a signature between two sections ends at the headings of the next', async () => {
  const rows = [head, ana, ['Prepared by:'], ['JUAN CRUZ'], head, ['2', 'Bello', 'Ben']]
  expect((await readSheet({ rows })).rows).toEqual(['2|1|Abad|Ana|SOICT', '6|2|Bello|Ben'])
})

test.each([
  ['PERSON TO CONTACT IN CASE OF EMERGENCY', 'emergencyContact'],
  ['EMERGENCY CONTACT', 'emergencyContact'],
  ['IN CASE OF EMERGENCY', 'emergencyContact'],
  ['CONTACT PERSON', 'emergencyContact'],
  ['IN CASE OF EMERGENCY, PERSON TO NOTIFY', 'emergencyContact'],
  ['GUARDIAN', 'guardian'],
  ['PARENT/GUARDIAN', 'guardian'],
  ["Guardian's Information", 'guardian'],
])('what stands below %s is not the student’s own', async (group, whose) => {
  const upper = ['STUDENT ID', 'NAME', '', group, '', '', 'CONTACT DETAILS', '']
  const lower = ['', 'LAST', 'FIRST', 'NAME', 'ADDRESS', 'CP NO.', 'MOBILE', 'EMAIL']
  const ana = ['2026-1', 'Abad', 'Ana', 'Eva Abad', 'Imus', '09180001111', '09170000000', 'ana@x.example']
  const { headers, rows } = await readSheet({ rows: [upper, lower, ana] })
  expect(rows).toEqual([`3|${ana.join('|')}`])
  const number = whose === 'guardian' ? 'ContactNumber' : 'Number'
  expect(guessColumns(headers?.split('|') ?? [])).toEqual([
    ...['studentId', 'lastName', 'firstName'],
    ...[`${whose}Name`, `${whose}Address`, `${whose}${number}`],
    ...['contactNumber', 'email'],
  ])
})
