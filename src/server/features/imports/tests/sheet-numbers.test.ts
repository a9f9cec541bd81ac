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
