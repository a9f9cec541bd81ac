import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { fileSentences } from '#server/spreadsheet/reading/zip-parts.ts'
import { columnLetters } from '#server/spreadsheet/workbook.ts'
import { maxImportRows } from '#shared/imports/imports.ts'
import { buildExportedRecord, keyById } from '#tests/factories/old-system-export.ts'
import { type ImportSetup, openImportSetup } from '#tests/setup/imports.ts'
import { processorMs } from '#tests/setup/processor-time.ts'
import { exportedRows } from './exported-rows.ts'
import { stageFile } from './upload-file.ts'

describe('upload file', () => {
  let setup: ImportSetup
  let imports: ImportSetup['imports']

  beforeAll(async () => {
    setup = await openImportSetup()
    imports = setup.imports
  })
  afterAll(() => setup.close())
  beforeEach(() => setup.clear())

  describe('the JSON export of the old system', () => {
    const records = keyById([
      buildExportedRecord({ lastName: 'Active', id: '-OAbCdEfGh000000000', religion: '', yearLevel: 5 }),
      buildExportedRecord({
        lastName: 'Archived',
        email: 'archived@x.example',
        studentId: '2',
        registrationDate: '2024-09-01T02:00:00.000Z',
        archived: true,
        archivedDate: '2025-06-30T08:15:00.000Z',
      }),
      buildExportedRecord({
        lastName: 'Torn',
        email: 'torn@x.example',
        studentId: '3',
        dateOfBirth: '2006-01-01',
      }),
    ])

    test.each([
      ['by id', JSON.stringify(records)],
      [
        'by id below students',
        JSON.stringify({ announcements: { a: { title: 'x' } }, students: records }, null, 2),
      ],
      ['as a list with holes', `\uFEFF ${JSON.stringify([null, ...Object.values(records)])}`],
    ])('is imported %s, with its registration dates and its archived state', async (_shape, file) => {
      const uploaded = await imports.upload(file, 'nstp-default-rtdb-students-export.json')
      expect(uploaded.rowCount).toBe(3)
      const unmatched = uploaded.columns.filter(({ guess }) => guess === null).map(({ header }) => header)
      expect(unmatched).toEqual(['status'])
      expect((await imports.check(uploaded)).counts).toMatchObject({ ready: 2, problem: 1 })
      const { items } = await imports.rows(uploaded.id)
      expect(items.map(({ values }) => values.archived)).toEqual([undefined, 'Yes', undefined])
      expect(items[2]).toMatchObject({
        values: { dateOfBirth: '2006-01-01 / 2007-05-14' },
        problems: [{ path: 'dateOfBirth', message: 'Please enter a valid date of birth.' }],
      })

      expect(await imports.run(uploaded.id)).toMatchObject({ state: 'imported', changedSince: 0 })
      expect(await setup.students()).toMatchObject([
        {
          lastName: 'Active',
          dateOfBirth: '2007-05-14',
          sex: 'Male',
          yearLevel: 5,
          religion: '',
          serialNumber: '',
          registrationDate: new Date('2025-08-03T17:30:15.250Z'),
          archived: false,
          archivedDate: null,
        },
        {
          lastName: 'Archived',
          registrationDate: new Date('2024-09-01T02:00:00.000Z'),
          archived: true,
          archivedDate: new Date('2025-06-30T08:15:00.000Z'),
          version: 1,
        },
      ])
      await imports.undo(uploaded.id)
      expect(await setup.students()).toEqual([])
    })

    test('reports an invalid archived state, and accepts a date alone', async () => {
      const texts = [
        { archived: 'maybe' },
        { archived: true, archivedDate: '2031-01-01T00:00:00.000Z' },
        { archivedDate: '2026-01-05' },
        { archived: false, archivedDate: '2026-01-05' },
        { archived: true },
      ]
      const uploaded = await imports.upload(
        JSON.stringify(
          texts.map((text, index) => {
            const { archived: _archived, archivedDate: _date, ...record } = buildExportedRecord()
            return {
              ...record,
              lastName: `L${index}`,
              email: `${index}@x.example`,
              studentId: `${index}`,
              ...text,
            }
          }),
        ),
      )
      await imports.check(uploaded)
      const { items } = await imports.rows(uploaded.id)
      expect(items.slice(0, 2).map(({ problems }) => problems)).toEqual([
        [{ path: 'archived', message: 'Please enter Yes or No for archived.' }],
        [{ path: 'archivedDate', message: 'Please enter a valid archived date.' }],
      ])
      await imports.run(uploaded.id)
      expect((await setup.students()).map(({ archivedDate }) => archivedDate)).toEqual([
        new Date('2026-01-04T16:00:00Z'),
        null,
        new Date('2026-11-20T02:00:00Z'),
      ])
    })

    test.each([
      [
        'another part of the database',
        { announcements: { a: { title: 'x', content: 'y' } } },
        /no student records/,
      ],
      ['no students', { students: null }, /no student records/],
      ['texts in place of records', { a: 'x' }, /no student records/],
      ['nothing', {}, /no student records/],
    ])('with %s is refused with an instruction', async (_what, body, detail) => {
      expect(await imports.problem('POST', '?fileName=x.json', JSON.stringify(body))).toMatchObject({
        status: 422,
        detail: expect.stringMatching(detail),
      })
    })

    test('that is truncated, or has more than 50,000 records, is refused', async () => {
      const file = JSON.stringify(records)
      for (const part of [file.slice(0, -1), file.slice(0, 200), `${file}x`, file.replace(':', '')]) {
        expect(await imports.problem('POST', '', part)).toMatchObject({
          detail: expect.stringMatching(/damaged/),
        })
      }
      const many = `{${Array.from({ length: maxImportRows + 1 }, (_, index) => `"${index}":{"sex":"","email":"x"}`)}}`
      expect(await imports.problem('POST', '', many)).toMatchObject({ status: 413 })
    })
  })

  describe('hostile exports are refused within seconds and in little memory', () => {
    const size = 20 * 1024 * 1024

    test.each([
      ['lists in lists', '['.repeat(size)],
      ['a list of empty lists', `[${'[],'.repeat(size / 3)}[]]`],
      ['millions of empty records', `[${'{},'.repeat(size / 3)}{}]`],
      ['one record of millions of members', `[{"a":"${'","a":"'.repeat(size / 7)}"}]`],
      ['a string of quotes', `["${'\\"'.repeat(size / 2)}"]`],
      ['a text without end', `[{"a":"${'\\'.repeat(size - 10)}`],
    ])('%s', { tags: ['rest'] }, async (_name, text) => {
      const file = Buffer.from(text)
      const before = process.memoryUsage().rss
      const taken = await processorMs(async () => {
        const read = async () => {
          for await (const _row of exportedRows(file));
        }
        await expect(read()).rejects.toMatchObject({ code: expect.stringMatching(/invalid|too_big/) })
      })
      expect(taken).toBeLessThan(5_000)
      expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
    })
  })
})

async function bomb(): Promise<Buffer> {
  const cells = Array.from({ length: 200 }, (_, index) => columnLetters(index))
  const rows = Array.from({ length: 600 }, (_, index) => {
    const text = index === 0 ? 0 : 1
    const row = cells.map((column) => `<c r="${column}${index + 1}" t="s"><v>${text}</v></c>`)
    return `<row r="${index + 1}">${row.join('')}</row>`
  })
  const parts = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst><si><t>Name</t></si><si><t>${'a'.repeat(30_000)}</t></si></sst>`,
  }
  const file = new ZipFile()
  for (const [path, text] of Object.entries(parts)) file.addBuffer(Buffer.from(text), path)
  file.end()
  return await buffer(file.outputStream)
}

test('a shared text used in every cell fills neither the memory nor the database', async () => {
  const file = await bomb()
  expect(file.length).toBeLessThan(1024 * 1024)
  const batches: number[] = []
  const staging = stageFile(file, 'bomb.xlsx', async (rows) => {
    batches.push(rows.reduce((sum, { cells }) => sum + cells.join('').length, 0))
  })
  await expect(staging).rejects.toMatchObject({ code: 'invalid', message: fileSentences.tooLarge })
  expect(batches.length).toBeGreaterThan(0)
  expect(Math.max(...batches)).toBeLessThan(10_000_000)
  expect(batches.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(128 * 1024 * 1024)
})
