import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ImportDetails } from '#shared/imports/import-response.ts'
import { buildWrittenWorkbook, type WrittenSheet } from '#tests/factories/written-workbook.ts'
import { type ImportSetup, openImportSetup } from '#tests/setup/imports.ts'

let setup: ImportSetup
let imports: ImportSetup['imports']

beforeAll(async () => {
  setup = await openImportSetup()
  imports = setup.imports
})
afterAll(() => setup.close())
beforeEach(() => setup.clear())

const upload = async (...sheets: WrittenSheet[]) =>
  imports.upload(await buildWrittenWorkbook(sheets), 'list.xlsx')

async function press(read: ImportDetails, label: string): Promise<ImportDetails> {
  const found = read.readingNotes.flatMap(({ presses }) => presses).find((one) => one.label === label)
  const answer = await imports.call('PUT', `/${read.id}/reading`, found?.choices)
  expect(answer.status).toBe(200)
  return await answer.json()
}

/** The cells as they were read. */
async function cells({ id }: ImportDetails): Promise<[number, ...string[]][]> {
  const { db } = setup.server.database
  const rows = await db
    .selectFrom('importRows')
    .selectAll()
    .where('importId', '=', id)
    .orderBy('number')
    .execute()
  return rows.map(({ number, cells }) => [number, ...cells])
}
const texts = ({ readingNotes }: ImportDetails) => readingNotes.map(({ text }) => text)
const labels = ({ readingNotes }: ImportDetails) =>
  readingNotes.flatMap(({ presses }) => presses.map(({ label }) => label))
const headers = ({ columns }: ImportDetails) => columns.map(({ header }) => header)
const guesses = ({ columns }: ImportDetails) => columns.map(({ guess }) => guess)

const head = ['No.', 'Last Name', 'First Name', 'Course']
const ana = ['1', 'Abad', 'Ana', 'SOICT']
const ben = ['2', 'Bello', 'Ben', 'SOBM']
const cris = ['3', 'Cruz', 'Cris', 'SOHM']

describe('sheets', () => {
  const sections = [
    { name: 'BSIT 1A', rows: [head, ana, ben] },
    {
      name: 'BSIT 1B',
      rows: [
        ['Surname', 'Given Name', 'Email'],
        ['Cruz', 'Cris', 'c@x.example'],
        ['Diaz', 'Dan', ''],
      ],
    },
  ]

  test('the first is read and the others are said; both are read by one press, by their headings', async () => {
    const read = await upload(...sections)
    expect(texts(read)).toEqual(['Sheet BSIT 1A, 2 rows · not read: BSIT 1B (2 rows).'])
    const both = await press(read, 'Read both')
    expect(both).toMatchObject({ id: read.id, rowCount: 4, state: 'uploaded' })
    expect(headers(both)).toEqual([...head, 'Email'])
    expect(await cells(both)).toEqual([
      [2, ...ana],
      [3, ...ben],
      [5, '', 'Cruz', 'Cris', '', 'c@x.example'],
      [6, '', 'Diaz', 'Dan'],
    ])
    expect(texts(both)).toEqual([
      'Sheets BSIT 1A (2 rows, from row 2), BSIT 1B (2 rows, from row 5) are read as one.',
    ])
    expect((await press(both, 'Read only BSIT 1A')).rowCount).toBe(2)
  })

  test('each is read alone by one press, in the order of the workbook', async () => {
    const read = await upload(...sections, { name: 'BSIT 1C', rows: [head, cris] })
    const second = await press(read, 'Read only BSIT 1B')
    expect(await cells(second)).toEqual([
      [2, 'Cruz', 'Cris', 'c@x.example'],
      [3, 'Diaz', 'Dan'],
    ])
    expect(texts(second)).toEqual(['Sheet BSIT 1B, 2 rows · not read: BSIT 1A (2 rows), BSIT 1C (1 row).'])
    const third = await press(second, 'Read only BSIT 1C')
    expect(await cells(third)).toEqual([[2, ...cris]])
    expect(labels(third)).toEqual(['Read all 3', 'Read only BSIT 1A'])
  })

  test('one without known headings in front is not the list', async () => {
    const read = await upload(
      {
        name: 'Summary',
        rows: [
          ['Sections', '2'],
          ['Students', '4'],
        ],
      },
      ...sections,
    )
    expect(texts(read)).toEqual(['Sheet BSIT 1A, 2 rows · not read: Summary (1 row), BSIT 1B (2 rows).'])
    const all = await press(read, 'Read all 3')
    expect(all.rowCount).toBe(4)
    expect(texts(all)[0]).toContain('are read as one · not read: Summary (1 row).')
  })

  test('a hidden one is left out, and read by one press', async () => {
    const read = await upload(sections[0] ?? { rows: [] }, {
      ...sections[1],
      rows: sections[1]?.rows ?? [],
      state: 'hidden',
    })
    expect(texts(read)).toEqual(['Hidden sheets left out: BSIT 1B (2 rows).'])
    expect((await press(read, 'Read them too')).rowCount).toBe(4)
  })

  test('rows that were checked are replaced, and those of an import that runs or is done stay', async () => {
    const read = await upload(...sections)
    const checked = await imports.check(read, { updateBy: 'studentId', columns: { 0: 'studentId' } })
    expect(checked).toMatchObject({ state: 'checked', counts: { problem: 2 } })
    expect(await press(checked, 'Read both')).toMatchObject({
      state: 'uploaded',
      mapping: null,
      counts: { problem: 0 },
    })
    await setup.server.database.db.updateTable('imports').set({ state: 'imported' }).execute()
    const choices = { sheets: 'one', hidden: false, others: false }
    expect(await imports.problem('PUT', `/${read.id}/reading`, choices)).toMatchObject({ status: 409 })
  })

  test('a file that is no longer kept is to be uploaded again', async () => {
    const read = await upload(...sections)
    await setup.server.database.db.deleteFrom('importFiles').execute()
    expect(
      await imports.problem('PUT', `/${read.id}/reading`, { sheets: 'all', hidden: false, others: false }),
    ).toMatchObject({ status: 409, detail: 'This file is no longer kept. Please upload it again.' })
    expect((await imports.read(read.id)).rowCount).toBe(2)
  })
})

test('hidden rows and columns are left out, said, and read by one press', async () => {
  const read = await upload({ rows: [head, ana, ben, cris], hiddenRows: [3], hiddenColumns: [3] })
  expect(await cells(read)).toEqual([
    [2, '1', 'Abad', 'Ana'],
    [4, '3', 'Cruz', 'Cris'],
  ])
  expect(texts(read)).toEqual(['Hidden rows are left out: 3.', 'Hidden columns are left out: D.'])
  const all = await press(read, 'Read them too')
  expect(await cells(all)).toEqual([
    [2, ...ana],
    [3, ...ben],
    [4, ...cris],
  ])
  expect(texts(all)).toEqual(['Hidden rows are read too: 3.', 'Hidden columns are read too: D.'])
  expect((await press(all, 'Leave them out')).rowCount).toBe(2)
})

describe('headings', () => {
  test('below titles are found, and the titles are said', async () => {
    const read = await upload({
      rows: [['Cavite State University'], ['NSTP Masterlist', '', 'SY 2026-2027'], [''], head, ana],
    })
    expect(guesses(read)).toEqual([null, 'lastName', 'firstName', 'course'])
    expect(texts(read)).toEqual(['Headings in row 4 · above, not read: rows 1, 2.'])
  })

  test.each([
    [
      'a name in three columns, merged above',
      [
        ['No.', 'Name of Student', '', '', 'Course'],
        ['', 'Last', 'First', 'M.I.', ''],
      ],
      [null, 'lastName', 'firstName', 'middleName', 'course'],
    ],
    [
      'whom to call, in three columns',
      [
        ['Last Name', 'First Name', 'Emergency Contact', '', ''],
        ['', '', 'Name', 'Number', 'Address'],
      ],
      ['lastName', 'firstName', 'emergencyContactName', 'emergencyContactNumber', 'emergencyContactAddress'],
    ],
    [
      'the parents',
      [
        ['Surname', 'Given Name', 'Father', '', 'Mother', ''],
        ['', '', 'Name', 'Occupation', 'Name', 'Occupation'],
      ],
      ['lastName', 'firstName', 'fatherName', 'fatherOccupation', 'motherName', 'motherOccupation'],
    ],
    [
      'groups over each column',
      [
        ['Personal', '', '', 'School', ''],
        ['Last Name', 'First Name', 'Sex', 'Course', 'Year Level'],
      ],
      ['lastName', 'firstName', 'sex', 'course', 'yearLevel'],
    ],
  ])('of two rows are joined: %s', async (_what, rows, fields) => {
    const person = fields.map((_field, at) => `x${at}`)
    const read = await upload({ rows: [['Masterlist'], ...rows, person, person], merged: ['B2:D2'] })
    expect(guesses(read)).toEqual(fields)
    expect(read.rowCount).toBe(2)
  })
})

describe('headings that were guessed wrong', () => {
  test('are those of the row above or below by one press each, and found again', async () => {
    const read = await upload({ rows: [['Masterlist'], ['Apelyido', 'Given', 'Kurso'], head, ana] })
    expect(texts(read)).toEqual(['Headings in row 3 · above, not read: rows 1, 2.'])
    const above = await press(read, 'Use row 2')
    expect(headers(above)).toEqual(['Apelyido', 'Given', 'Kurso', ''])
    // The headings that were found before are a row now.
    expect(await cells(above)).toEqual([
      [3, ...head],
      [4, ...ana],
    ])
    expect(texts(above)).toEqual(['Headings in row 2 · above, not read: row 1.'])
    expect(labels(above)).toEqual(['Use row 1', 'Use row 3', 'Join rows 2 and 3', 'Find them again'])
    expect(headers(await press(above, 'Find them again'))).toEqual(head)
  })

  test('are one of two rows alone by one press', async () => {
    const rows = [
      ['No.', 'Name of Student', '', 'Course'],
      ['', 'Last', 'First', ''],
    ]
    const read = await upload({ rows: [...rows, ana] })
    expect(texts(read)).toEqual(['Headings of rows 1 and 2 are joined.'])
    expect(labels(read)).toEqual(['Use row 1 alone', 'Use row 2 alone'])
    const alone = await press(read, 'Use row 2 alone')
    expect(headers(alone)).toEqual(['', 'Last', 'First', ''])
    expect(texts(alone)).toEqual(['Headings in row 2 · above, not read: row 1.'])
  })

  test('of a file without any are none: its first person is a row', async () => {
    const people = 'Abad,Ana,2026-00071\nBello,Ben,2026-00072\n'
    const read = await imports.upload(people, 'list.csv')
    expect(texts(read)).toEqual(['The file seems to have no headings.'])
    expect(headers(read)).toEqual(['', '', ''])
    expect(await cells(read)).toEqual([
      [1, 'Abad', 'Ana', '2026-00071'],
      [2, 'Bello', 'Ben', '2026-00072'],
    ])
    expect(headers(await press(read, 'Use row 1'))).toEqual(['Abad', 'Ana', '2026-00071'])
  })

  test('are said where no word is known', async () => {
    const read = await imports.upload('Abad;Ana\nBello;Ben\n', 'list.csv')
    expect(texts(read)[0]).toBe('No known headings: row 1 is read as headings.')
    expect((await press(read, 'It is no heading')).rowCount).toBe(2)
  })
})

describe('lines that are no people', () => {
  const lines = [
    ['MALE'],
    ['', 'FEMALE: 12'],
    ['BSIT 1-A'],
    ['TOTAL', '', '45'],
    ['', 'Grand Total: 45'],
    ['Number of students: 45'],
    ['*** Nothing follows ***'],
    ['Page 2 of 3'],
    ['No.', 'LAST NAME', 'First Name', 'Course'],
    ['Prepared by:'],
    ['', 'JUAN D. SANTOS'],
    ['', 'NSTP Coordinator', 'Registrar'],
  ]

  test('are left out, said with their rows, and read by one press', async () => {
    const read = await upload({ rows: [head, ana, ...lines.slice(0, 9), ben, ...lines.slice(9)] })
    expect(await cells(read)).toEqual([
      [2, ...ana],
      [12, ...ben],
    ])
    expect(texts(read)).toEqual([
      'Rows left out, because they are not students: rows 3, 4, 5, 6, 7, 8, 9, 10, 11, 13 and 2 more.',
    ])
    expect((await press(read, 'Read them too')).rowCount).toBe(14)
  })

  test('are named where they are few', async () => {
    const read = await upload({ rows: [head, ['MALE'], ana, ['Total', '1']] })
    expect(texts(read)).toEqual(['Rows left out, because they are not students: 2 “MALE”, 4 “Total”.'])
  })

  test.each([
    [['1', 'Male', 'Ana', 'SOICT']],
    [['4', 'Total', 'Juan', 'SOICT']],
    [['', 'Boy', 'Abunda', 'SOICT']],
    [['', 'Abad', '', '']],
    [['', '', 'Ana', 'SOBM']],
    [['', 'Prepared', 'Ana', 'SOBM']],
    [['', 'Totalan', 'Ana']],
    [['', 'Menor', 'Ana']],
    [['', 'Page', 'Ana']],
    [['9', 'Girlie', 'Cruz']],
  ])('%j is a person', async (row) => {
    const read = await upload({ rows: [head, row, ben] })
    expect(read.rowCount).toBe(2)
  })
})

describe('text files', () => {
  const table = 'Last Name,First Name\r\nPeña,Niño\r\n'
  const parted = (delimiter: string) => table.replaceAll(',', delimiter)
  const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(Buffer.from(text, encoding))

  test.each<[string, Buffer<ArrayBuffer>, string[]]>([
    ['commas', bytes(table), []],
    ['semicolons', bytes(parted(';')), ['The columns are separated by semicolons.']],
    ['tabs', bytes(parted('\t')), ['The columns are separated by tabs.']],
    ['bars', bytes(parted('|')), ['The columns are separated by bars.']],
    ["Excel's own line", bytes(`sep=;\r\n${parted(';')}`), ['The columns are separated by semicolons.']],
    [
      'titles above semicolons',
      bytes(`Cavite State University\r\nList, 2026\r\n${parted(';')}Cruz;Ana\r\nDiaz;Ben\r\n`),
      ['Headings in row 3 · above, not read: rows 1, 2.', 'The columns are separated by semicolons.'],
    ],
    ['Windows-1252', bytes(table, 'latin1'), ['The letters are read as Windows-1252.']],
    [
      'UTF-16 with its mark',
      bytes(`\ufeff${parted('\t')}`, 'utf16le'),
      ['The columns are separated by tabs.', 'The letters are read as UTF-16.'],
    ],
    [
      'UTF-16 without a mark',
      bytes(parted('\t'), 'utf16le'),
      ['The columns are separated by tabs.', 'The letters are read as UTF-16.'],
    ],
    [
      'lines that are one cell in quotes each',
      bytes('"Last Name,First Name"\r\n"Peña,""Niño"""\r\n'),
      ['Every line is one cell in quotes: the columns inside it are read.'],
    ],
    [
      'lines in quotes, separated by semicolons, and one without quotes',
      bytes('"Last Name;First Name"\n"Peña;Niño"\nCruz;Ana\n'),
      [
        'Every line is one cell in quotes: the columns inside it are read.',
        'The columns are separated by semicolons.',
      ],
    ],
    ['blanks in front of quotes', bytes('Last Name, First Name\n"Peña" , "Niño"\n'), []],
    ['blanks in front of all', bytes(' Last Name , First Name\n Peña , "Niño"\n'), []],
    [
      'blanks in front of quotes, and semicolons',
      bytes('"Last Name"; "First Name"\n"Peña"; "Niño"\n'),
      ['The columns are separated by semicolons.'],
    ],
    [
      'UTF-8 that was read as Windows-1252',
      bytes(table.replace('ñ', 'Ã±').replace('ñ', 'Ã±')),
      ['Broken letters repaired in 2 cells: “PeÃ±a” is “Peña”.'],
    ],
    [
      'a DOS program',
      bytes(table.replaceAll('ñ', '¤')),
      ['Broken letters repaired in 2 cells: “Pe¤a” is “Peña”.'],
    ],
  ])('of %s', async (_what, file, notes) => {
    const read = await imports.upload(file, 'list.csv')
    expect(headers(read)).toEqual(['Last Name', 'First Name'])
    expect((await cells(read)).at(0)?.slice(1)).toEqual(['Peña', 'Niño'])
    expect(texts(read)).toEqual(notes)
  })

  test('with commas in quotes are read as meant, whatever is in front of the quotes', async () => {
    const addresses = 'Last Name,Address\nCruz, "Brgy. 1, Imus"\nDiaz, "12, ""Villa"", Imus", \n'
    expect(await cells(await imports.upload(addresses, 'list.csv'))).toEqual([
      [2, 'Cruz', 'Brgy. 1, Imus'],
      [3, 'Diaz', '12, "Villa", Imus', ''],
    ])
    const wrapped = '"Last Name,Address"\n"Cruz,""Brgy. 1, Imus"""\n""\n"Diaz,Imus"\n'
    expect(await cells(await imports.upload(wrapped, 'list.csv'))).toEqual([
      [2, 'Cruz', 'Brgy. 1, Imus'],
      [4, 'Diaz', 'Imus'],
    ])
    const unclosed = '"Last Name,Address"\n"Cruz,""Imus"\n'
    expect(await imports.problem('POST', '?fileName=list.csv', unclosed)).toMatchObject({ status: 422 })
    const oneColumn = '"Name"\n"Cruz, Ana"\n"Diaz, Ben"\n'
    expect(await cells(await imports.upload(oneColumn, 'list.csv'))).toEqual([
      [2, 'Cruz, Ana'],
      [3, 'Diaz, Ben'],
    ])
  })

  test('that were taken for another kind are read the right way by one press', async () => {
    const file = 'Name; Course\nAbad, Ana; SOICT\nBello, Ben, Jr.; SOBM\n'
    const read = await imports.upload(file, 'list.csv')
    expect(headers(read)).toEqual(['Name', 'Course'])
    expect(texts(read)).toEqual(['The columns are separated by semicolons.'])
    const commas = await press(read, 'Use commas')
    expect(await cells(commas)).toEqual([
      [2, 'Abad', ' Ana; SOICT'],
      [3, 'Bello', ' Ben', ' Jr.; SOBM'],
    ])
    expect(texts(commas).at(-1)).toBe('The columns are separated by commas.')
    expect(headers(await press(commas, 'Use semicolons'))).toEqual(['Name', 'Course'])
  })

  // n with a tilde is 0x96 there.
  test('of a Mac are found, and any encoding is another by one press', async () => {
    const file = Buffer.from('Last Name,First Name\r\nPe\x96a,Ana\r\n', 'latin1')
    const read = await imports.upload(Buffer.from(file), 'list.csv')
    expect(await cells(read)).toEqual([[2, 'Peña', 'Ana']])
    expect(texts(read)).toEqual(['The letters are read as Mac OS Roman.'])
    expect(labels(read)).toEqual(['Read as Windows-1252', 'Read as UTF-8'])
    expect(await cells(await press(read, 'Read as Windows-1252'))).toEqual([[2, 'Pe–a', 'Ana']])
    expect(await cells(await press(read, 'Read as UTF-8'))).toEqual([[2, 'Pe\ufffda', 'Ana']])
  })
})
