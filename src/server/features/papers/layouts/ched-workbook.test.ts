import readWorkbook from 'read-excel-file/node'
import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { openParts } from '#server/spreadsheet/reading/zip-parts.ts'
import { defaultOptions } from '#shared/papers/papers.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { freezePaper, makePaper } from '#tests/setup/papers.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer()
const [first, second] = [createId(), createId()]

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['papers', 'enrolments', 'terms'] as const) await db.deleteFrom(table).execute()
  await storeTerm(own.database, { id: first, state: 'closed' })
  await storeTerm(own.database, { id: second, semester: 2 })
  const settings = await (await own.admin.call('GET', '/settings')).json()
  const office = {
    ...settings.office,
    heiName: 'Sample College of Bulacan',
    heiType: 'LUCs',
    region: '03-Central Luzon',
  }
  const programs = [{ course: 'SOICT', name: 'Bachelor of Science in Information Technology' }]
  const change = { office, programs }
  const headers = { 'if-match': `"${settings.version}"` }
  expect((await own.admin.call('PATCH', '/settings', change, headers)).status).toBe(200)
})

type Student = NonNullable<Parameters<typeof storeStudent>[1]>

const ana: Student = {
  lastName: 'Dela Cruz',
  firstName: '=Ana',
  middleName: 'Santos',
  extensionName: 'Jr.',
  dateOfBirth: '2006-02-28',
  sex: 'Female',
  address: '12 Rizal St.',
  barangay: 'Poblacion',
  municipalCity: 'Baliwag, Bulacan',
  province: 'Bulacan',
  course: 'SOICT',
  program: '',
  yearLevel: 1,
  email: 'ana@student.example',
  contactNumber: '+63 917 123 4567',
  serialNumber: '',
  nstpComponent: 'CWTS',
}

async function store(student: Student, { isGraduate = true } = {}): Promise<void> {
  // Nobody shares a number: a check would find it.
  const number = `2026-${student.lastName ?? ana.lastName}`
  const { id: studentId } = await storeStudent(own.database, { ...ana, studentId: number, ...student })
  const component = student.nstpComponent === 'ROTC' ? 'ROTC' : 'CWTS'
  await storeEnrolment(own.database, { termId: first, studentId, component, outcome: 'passed' })
  const outcome = isGraduate ? 'passed' : 'incomplete'
  await storeEnrolment(own.database, { termId: second, studentId, component, level: 2, outcome })
}

async function download(options = {}): Promise<Buffer> {
  const made = await makePaper(own.admin, { options: { ...defaultOptions, ...options } })
  const { id } = await freezePaper(own.server, own.admin, made)
  const answer = await own.admin.call('GET', `/papers/${id}/file.xlsx`)
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

async function cellsOf(file: Buffer) {
  const sheets = await readWorkbook(file, { trim: false })
  return Object.fromEntries(sheets.map(({ sheet, data }) => [sheet, data]))
}

/** The elements of a part, as name and attributes. */
async function elementsOf(file: Buffer, path: string) {
  const parts = await openParts(file)
  const found: { name: string; attributes: Readonly<Record<string, string>>; text: string }[] = []
  const listener = {
    open: (name: string, attributes: Readonly<Record<string, string>>) => {
      found.push({ name, attributes: { ...attributes }, text: '' })
    },
    text: (text: string) => {
      const last = found.at(-1)
      if (last) last.text += text
    },
  }
  for await (const _chunk of parts.scan(path, listener)) {
    // The listener has it.
  }
  return found
}

const heads = (year: string) => [
  'SEQNO.',
  year,
  'NSTP COMPONENT (CWTS/LTS/ROTC)',
  'REGION',
  'NSTP SERIAL NUMBER',
  'LAST NAME',
  'FIRST NAME',
  'EXTENSION NAME',
  'MIDDLE NAME',
  'BIRTHDATE',
  'SEX (M/F)',
  'STREET/ BRGY.',
  'TOWN/CITY/ MUNICIPALITY',
  'PROVINCE',
  'HEI NAME',
  'TYPES OF HEIS (SUCs/LUCs/\nPRIVATE/OGs',
  'PROGRAM/COURSE ',
  'YEAR LEVEL',
  'EMAIL ADDRESS',
  'CONTACT NUMBER\n(Mobile Number)',
]

const rowOfAna = (seq: number) => [
  seq,
  '2026-2027',
  'CWTS',
  '03-Central Luzon',
  null,
  'Dela Cruz',
  '=Ana',
  'Jr.',
  'Santos',
  new Date('2006-02-28T00:00:00Z'),
  'F',
  '12 Rizal St., Poblacion',
  'Baliwag',
  'Bulacan',
  'Sample College of Bulacan',
  'LUCs',
  'Bachelor of Science in Information Technology',
  1,
  'ana@student.example',
  '09171234567',
]

const nine = Array.from({ length: 9 }, () => null)
const counting = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('the workbook reads back cell by cell', async () => {
  await store({})
  await store({ lastName: 'Abad', firstName: 'Ben', sex: 'Male', course: 'Another' }, { isGraduate: false })
  await store({ lastName: 'Zamora', firstName: 'Carlo', sex: 'Male', nstpComponent: 'ROTC' })
  await store({ lastName: 'Numbered', serialNumber: 'C-03-100001-26' })
  const cells = await cellsOf(await download())
  expect(Object.keys(cells)).toEqual(['Summary', 'NSTP Enrollment List', 'NSTP Graduates'])
  const sexes = Array.from({ length: 4 }, () => ['MALE', 'FEMALE']).flat()
  const types = ['PRIVATE', null, 'SUCS', null, 'LUCS', null, 'OGS', null]
  const inLucs = (label: string, male: number, female: number) => [
    ...[label, null, null, null, null],
    ...[male, female, null, null],
  ]
  expect(cells.Summary).toEqual([
    nine,
    ['Summary of NSTP enrollment and graduates AY 2026-2027', ...nine.slice(1)],
    [null, 'TYPE OF HEI', ...nine.slice(2)],
    ['No. of enrolment per component', ...types],
    [null, ...sexes],
    inLucs('CWTS', 1, 2),
    inLucs('LTS', 0, 0),
    inLucs('ROTC', 1, 0),
    nine,
    ['No. of graduates per component', ...types],
    [null, ...sexes],
    inLucs('CWTS', 0, 1),
    inLucs('LTS', 0, 0),
    inLucs('ROTC', 1, 0),
  ])
  const [numbers, enrolmentHeads, ...enrolled] = cells['NSTP Enrollment List'] ?? []
  expect(numbers).toEqual([null, ...counting(1, 19)])
  expect(enrolmentHeads).toEqual(heads('NSTP ENROLLMENT YEAR'))
  // By program, then name.
  expect(enrolled.map((row) => [row[0], row[5], row[16]])).toEqual([
    [1, 'Abad', 'Another'],
    [2, 'Dela Cruz', 'Bachelor of Science in Information Technology'],
    [3, 'Numbered', 'Bachelor of Science in Information Technology'],
  ])
  expect(cells['NSTP Graduates']).toEqual([counting(1, 20), heads('NSTP GRADUATION YEAR'), rowOfAna(1)])
})

test('ROTC is listed with the option alone', async () => {
  await store({})
  await store({ lastName: 'Zamora', nstpComponent: 'ROTC' })
  const listed = (cells: Awaited<ReturnType<typeof cellsOf>>) =>
    cells['NSTP Graduates']?.slice(2).map((row) => row[5])
  expect(listed(await cellsOf(await download()))).toEqual(['Dela Cruz'])
  // Who is in another frozen paper is to be left out.
  await own.database.db.deleteFrom('papers').execute()
  expect(listed(await cellsOf(await download({ listsRotc: true })))).toEqual(['Dela Cruz', 'Zamora'])
})

describe('the form of a sheet', () => {
  test('has widths, heights, merges, formats and what is allowed in a cell', async () => {
    await store({})
    const file = await download()
    const [summary, enrolment, graduates] = await Promise.all(
      [1, 2, 3].map((sheet) => elementsOf(file, `xl/worksheets/sheet${sheet}.xml`)),
    )
    const of = (elements: typeof summary, wanted: string) =>
      (elements ?? []).filter(({ name }) => name === wanted).map(({ attributes }) => attributes)
    expect(of(summary, 'mergeCell').map(({ ref }) => ref)).toEqual([
      ...['B4:C4', 'D4:E4', 'F4:G4', 'H4:I4'],
      ...['B10:C10', 'D10:E10', 'F10:G10', 'H10:I10'],
    ])
    const widths = (elements: typeof summary) => of(elements, 'col').map(({ width }) => Number(width))
    const usual = 12.7
    const wanted = [6, usual, 16.6, usual, 12.4, usual, 20.7, 13.4, 13.6, usual, usual, 23, 17.7, 19.6, 21.1]
    expect(widths(graduates)).toEqual([...wanted, 18.6, 29, 17.4, 35.3, 15.9])
    expect(widths(enrolment)[4]).toBe(0)
    for (const sheet of [enrolment, graduates]) {
      expect(of(sheet, 'row').find(({ r }) => r === '2')).toMatchObject({ ht: '45' })
      const rules = (sheet ?? []).flatMap(({ name, attributes, text }) =>
        name === 'dataValidation'
          ? [[attributes.type, attributes.sqref ?? '']]
          : name === 'formula1'
            ? [[text]]
            : [],
      )
      expect(rules.flat()).toEqual([
        ...['list', 'C3:C21001', '"CWTS,LTS,ROTC"', 'list', 'K3:K21001', '"M,F"'],
        ...['list', 'P3:P21001', '"SUCs,LUCs,PRIVATE,OGs"', 'list', 'R3:R21001', '"1,2,3,4,5,6"'],
        ...['date', 'J3:J21001', '7306'],
      ])
      expect(of(sheet, 'conditionalFormatting').map(({ sqref }) => sqref)).toEqual(['B3:T21001'])
    }
    const styles = await elementsOf(file, 'xl/styles.xml')
    const formats = of(styles, 'numFmt')
    const xfs = styles.slice(styles.findIndex(({ name }) => name === 'cellXfs'))
    const birthdate = of(graduates, 'c').find(({ r }) => r === 'J3')
    const { numFmtId } = of(xfs, 'xf')[Number(birthdate?.s)] ?? {}
    expect(formats.find((format) => format.numFmtId === numFmtId)?.formatCode).toBe('mm/dd/yyyy')
    // No cell is a formula.
    expect(of(graduates, 'f')).toEqual([])
  })
})
