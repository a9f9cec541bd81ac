import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { columnLetters } from '#server/spreadsheet/column.ts'
import { fileSentences } from '#server/spreadsheet/reading/unreadable.ts'
import { stageFile } from './stage-file.ts'

/** A small file in whose every cell one long text is named. */
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

test('a text that is named in every cell fills neither the memory nor the database', async () => {
  const file = await bomb()
  expect(file.length).toBeLessThan(1024 * 1024)
  const batches: number[] = []
  const staging = stageFile(file, async (rows) => {
    batches.push(rows.reduce((sum, { cells }) => sum + cells.join('').length, 0))
  })
  await expect(staging).rejects.toMatchObject({ code: 'invalid', message: fileSentences.tooLarge })
  expect(batches.length).toBeGreaterThan(0)
  expect(Math.max(...batches)).toBeLessThan(10_000_000)
  expect(batches.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(128 * 1024 * 1024)
})
