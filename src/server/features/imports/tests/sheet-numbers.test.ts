import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importSentences } from '#shared/imports/imports.ts'
import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { buildWrittenWorkbook } from '#tests/factories/written-workbook.ts'
import { type ImportSetup, openImportSetup } from '#tests/setup/imports.ts'

let setup: ImportSetup
let imports: ImportSetup['imports']

beforeAll(async () => {
  setup = await openImportSetup()
  imports = setup.imports
})
afterAll(() => setup.close())
beforeEach(() => setup.clear())

test('student IDs that a sheet shows by its number format find their records', async () => {
  for (const studentId of ['2026-00071', '00004711', '107235000000'])
    await storeStudent(setup.server.database, { studentId, religion: '' })
  const file = await buildWrittenWorkbook(
    [
      {
        rows: [
          ['Student ID', 'Religion'],
          ...[
            [202600071, 1],
            [4711, 2],
            [107235000000, 0],
          ].map(([id = 0, style = 0]) => [[id, style] as const, 'Islam']),
        ],
      },
    ],
    ['General', '0000-00000', '00000000'],
  )
  const checked = await imports.check(await imports.upload(file, 'ids.xlsx'), { updateBy: 'studentId' })
  expect(checked.counts).toMatchObject({ ready: 3, problem: 0 })
  expect((await imports.rows(checked.id)).items.map(({ values }) => values.studentId)).toEqual([
    '2026-00071',
    '00004711',
    '107235000000',
  ])
})

test.each(['1.07235E+11', '1,07235E+11', '2.026E+08', '9.17E+09'])(
  'a number of which %s is left is a problem that says what to do',
  async (left) => {
    const rows = [buildSheetRow({ studentId: left }), buildSheetRow({ contactNumber: left })]
    const checked = await imports.check(await imports.upload(toCsv(rows)))
    const { items } = await imports.rows(checked.id)
    expect(items.map(({ state, problems }) => ({ state, problems }))).toEqual([
      { state: 'problem', problems: [{ path: 'studentId', message: importSentences.shortened }] },
      { state: 'problem', problems: [{ path: 'contactNumber', message: importSentences.shortened }] },
    ])
    const update = await imports.check(
      await imports.upload(toCsv([{ 'Student ID': left, Religion: 'Islam' }])),
      { updateBy: 'studentId' },
    )
    expect((await imports.rows(update.id)).items[0]?.problems).toEqual([
      { path: 'studentId', message: importSentences.shortened },
    ])
  },
)

test.each([
  '0917 123 4567 / 0918 765 4321',
  '09171234567,09187654321',
  '09171234567 or 09187654321',
  '09171234567; 046-4321234',
  '09171234567 09187654321',
  '0917-123-4567\n0918-765-4321',
])('two phone numbers in a cell are a problem that says so: %j', async (phone) => {
  const checked = await imports.check(await imports.upload(toCsv([buildSheetRow({ contactNumber: phone })])))
  const { items } = await imports.rows(checked.id)
  expect(items[0]?.problems).toEqual([{ path: 'contactNumber', message: importSentences.twoPhones }])
})

test('a letter that was lost is a problem that says so', async () => {
  const rows = ['Pe?aflor', 'Pe\ufffdaflor'].map((lastName) => buildSheetRow({ lastName }))
  const checked = await imports.check(await imports.upload(toCsv(rows)))
  const { items } = await imports.rows(checked.id)
  const lost = [
    { path: 'lastName', message: 'Please enter this again: a letter is lost or broken, often ñ.' },
  ]
  expect(items.map(({ problems }) => problems)).toEqual([lost, lost])
})

function withoutName(row: ReturnType<typeof buildSheetRow>) {
  const isName = (heading: string) => /^(?:Last|First|Middle|Extension) Name$/.test(heading)
  return Object.fromEntries(Object.entries(row).filter(([heading]) => !isName(heading)))
}

test.each([
  ['DELA CRUZ, JUAN P.', ['DELA CRUZ', 'JUAN', 'P.', '']],
  ['Abad, Ana', ['Abad', 'Ana', '', '']],
  ['Santos, Jose Maria R., Jr.', ['Santos', 'Jose Maria', 'R.', 'Jr.']],
  ['Juan P. Dela Cruz', ['Dela Cruz', 'Juan', 'P.', '']],
  ['DE LOS SANTOS,MARIA LUZ,REYES', ['DE LOS SANTOS', 'MARIA LUZ', 'REYES', '']],
  ['Peña, Ma. Niña  G.', ['Peña', 'Ma. Niña', 'G.', '']],
  ['CRUZ JR., JUAN P.', ['CRUZ', 'JUAN', 'P.', 'JR.']],
  ['Dela Cruz, Juan III P.', ['Dela Cruz', 'Juan', 'P.', 'III']],
  ['Santos-Reyes, Ana', ['Santos-Reyes', 'Ana', '', '']],
  [' Abad ,  Ana ', ['Abad', 'Ana', '', '']],
  ["D'Souza, Al", ["D'Souza", 'Al', '', '']],
])('a name in one column is split for new students too: %s', async (name, parts) => {
  const row = withoutName(buildSheetRow())
  const checked = await imports.check(await imports.upload(toCsv([{ 'Name of Student': name, ...row }])))
  expect(checked.counts).toMatchObject({ ready: 1 })
  await imports.run(checked.id)
  const [student] = await setup.students()
  expect([student?.lastName, student?.firstName, student?.middleName, student?.extensionName]).toEqual(parts)
})

test('a name in one column that nobody can split asks for the last name', async () => {
  const sheet = toCsv([{ 'Name of Student': 'Juan Dela Cruz', ...withoutName(buildSheetRow()) }])
  const checked = await imports.check(await imports.upload(sheet))
  const { items } = await imports.rows(checked.id)
  expect(items[0]?.problems).toEqual([
    {
      path: 'lastName',
      message:
        'Which is the last name of “Juan Dela Cruz”? Please enter it here, or write such names as “Dela Cruz, Juan P.” in the file.',
    },
    { path: 'firstName', message: 'Please fill in the first name field.' },
  ])
})

test('an update by student ID compares numbers as lists do, and an equal one comes first', async () => {
  const { database } = setup.server
  const numbers = ['2026-00071', '00004711', '26-1', '261', 'NSTP-0012', '107235000000']
  for (const studentId of numbers) await storeStudent(database, { studentId, religion: '' })
  const given = ['2026 00071', '202600071', '4711', ' 26-1 ', '261', '2-61', '2026–00071', "'00004711"]
  given.push('="4711"', '4711.0', 'nstp 12', '107235000000.00', '2026\u00a000071', '#4711', 'none')
  const rows = given.map((number, index) => ({ 'Student ID': number, Religion: `R${index}` }))
  const checked = await imports.check(await imports.upload(toCsv(rows)), { updateBy: 'studentId' })
  const { items } = await imports.rows(checked.id)
  const ids = new Map((await setup.students()).map(({ id, studentId }) => [id, studentId]))
  expect(items.map(({ record, problems }) => ids.get(record?.id ?? '') ?? problems[0]?.message)).toEqual([
    '2026-00071',
    '2026-00071',
    '00004711',
    '26-1',
    '261',
    '2 records have this student ID. Please update them by reference code.',
    '2026-00071',
    '00004711',
    '00004711',
    '00004711',
    'No record has this student ID.',
    '107235000000',
    '2026-00071',
    '00004711',
    'No record has this student ID.',
  ])
})

test.each([
  [['12', 'Rizal Street', 'Purok 3'], '12 Rizal Street, Purok 3'],
  [['', 'Rizal Street', ''], 'Rizal Street'],
  [['12-B', 'Rizal Street', ''], '12-B Rizal Street'],
  [['Blk 4 Lot 2', 'Rizal Street', 'Purok 3'], 'Blk 4 Lot 2, Rizal Street, Purok 3'],
  [['12', '', 'Purok 3'], '12 Purok 3'],
  [['#12', 'Rizal Street', ''], '#12 Rizal Street'],
  [['1234-A', 'Rizal St.', 'Sitio Ibaba'], '1234-A Rizal St., Sitio Ibaba'],
  [[' 12 ', ' Rizal Street ', ' '], '12 Rizal Street'],
  [['12', 'Rizal Street, Zone 4', 'Purok 3'], '12 Rizal Street, Zone 4, Purok 3'],
  [['12,', 'Rizal Street', 'Purok 3'], '12 Rizal Street, Purok 3'],
  [['N/A', 'Rizal Street', '-'], 'Rizal Street'],
  [['12', 'Rizal Street,', 'Purok 3'], '12 Rizal Street, Purok 3'],
])(
  'several columns are one address, in their order: %j',
  async ([house = '', street = '', purok = ''], address) => {
    const { Address: _whole, ...row } = buildSheetRow()
    const parts = { 'House No.': house, Street: street, Purok: purok }
    const checked = await imports.check(await imports.upload(toCsv([{ ...parts, ...row }])))
    await imports.run(checked.id)
    expect((await setup.students())[0]?.address).toBe(address)
  },
)
