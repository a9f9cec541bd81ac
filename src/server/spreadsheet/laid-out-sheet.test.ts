import { execFile } from 'node:child_process'
import { access, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import readWorkbook from 'read-excel-file/node'
import { afterAll, expect, test } from 'vitest'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { type CellRow, createLaidOutSheet, type SheetPlan } from './laid-out-sheet.ts'
import { openParts } from './reading/zip-parts.ts'
import { writeSheets } from './workbook.ts'

async function* batchesOf(rows: readonly CellRow[]) {
  for (const row of rows) yield [row]
}

const plan: SheetPlan = {
  name: 'List',
  widths: { A: 8, B: 30, C: 12 },
  heights: { 2: 45 },
  isLandscape: true,
  cells: [
    { at: 'A1', to: 'C1', text: 'A title', style: 'title' },
    { at: 'A2', text: 'No.', style: 'head' },
    { at: 'B2', text: 'Name', style: 'head' },
    { at: 'C2', text: 'Born', style: 'head' },
  ],
  frozenRows: 2,
  firstRow: 3,
  choices: [{ range: 'B3:B100', values: ['=1+1', 'Ana'] }],
  dates: [{ range: 'C3:C100' }],
  colouredBlanks: 'A3:C100',
}

const rows: CellRow[] = [
  { cells: [{ text: 'A line over all', style: 'line' }], to: 'C' },
  {
    cells: [
      { text: '1', kind: 'number' },
      { text: '=1+1' },
      { text: '2006-02-28', kind: 'date', style: 'usDate' },
    ],
  },
  { cells: [{ text: 'one', kind: 'number' }, { text: '' }, { text: '1899-12-31', kind: 'date' }] },
]

function write() {
  const sheets = [
    createLaidOutSheet({ ...plan, rows: batchesOf(rows) }),
    createLaidOutSheet({ ...plan, name: 'Bare' }),
  ]
  const created = new Date('2027-05-28T00:00:00Z')
  return buffer(writeSheets({ title: 'Samples', created, timeZone: 'Asia/Manila', sheets }))
}

const expected = [
  ['A title', null, null],
  ['No.', 'Name', 'Born'],
  ['A line over all', null, null],
  [1, '=1+1', new Date('2006-02-28T00:00:00Z')],
  // What is no number and no date is written as it is.
  ['one', null, '1899-12-31'],
]

async function cellsOf(file: Buffer) {
  const [list] = await readWorkbook(file)
  return list?.data.map((row) => row.slice(0, 3))
}

async function attributesOf(file: Buffer, element: string, attribute: string) {
  const found: string[] = []
  const parts = await openParts(file)
  const listener = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      if (name === element) found.push(attributes[attribute] ?? '')
    },
  }
  for await (const _chunk of parts.scan('xl/worksheets/sheet1.xml', listener)) {
    // The listener has it.
  }
  return found
}

test('a sheet has its cells at their places, merges, and what is allowed in a cell', async () => {
  const file = await write()
  expect(await cellsOf(file)).toEqual(expected)
  expect(await attributesOf(file, 'mergeCell', 'ref')).toEqual(['A1:C1', 'A3:C3'])
  expect(await attributesOf(file, 'dataValidation', 'sqref')).toEqual(['B3:B100', 'C3:C100'])
  expect(await attributesOf(file, 'f', 't')).toEqual([])
})

async function findOffice(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, 'soffice')
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return
}

const office = await findOffice()
const folder = makeTemporaryFolder()
afterAll(folder.remove)
const inFolder = (name: string) => join(folder.path, name)

test.skipIf(office === undefined)(
  'LibreOffice opens it and saves the same',
  { timeout: 120_000 },
  async () => {
    await writeFile(inFolder('samples.xlsx'), await write())
    const profile = `-env:UserInstallation=${pathToFileURL(inFolder('profile')).href}`
    const target = [
      '--headless',
      '--convert-to',
      'xlsx:Calc MS Excel 2007 XML',
      '--outdir',
      inFolder('saved'),
    ]
    await promisify(execFile)(office ?? '', [profile, ...target, inFolder('samples.xlsx')])
    const saved = await readFile(inFolder('saved/samples.xlsx'))
    expect(await cellsOf(saved)).toEqual(expected)
    expect(await attributesOf(saved, 'mergeCell', 'ref')).toEqual(['A1:C1', 'A3:C3'])
    expect(await attributesOf(saved, 'dataValidation', 'sqref')).toEqual(['B3:B100', 'C3:C100'])
  },
)
