import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import readWorkbook from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import { toCsv, toWorkbook } from '#tests/factories/spreadsheet.ts'
import { buildWorkbook as workbook, zipOf as zip } from '#tests/factories/written-workbook.ts'
import { processorMs } from '#tests/setup/processor-time.ts'
import { tableRows } from './table-rows.ts'
import type { TableRow } from './workbook-rows.ts'

async function read(file: Buffer | string) {
  const rows: TableRow[] = []
  for await (const row of tableRows(Buffer.from(file))) rows.push(row)
  return rows
}

const cellsOf = async (file: Buffer | string) => (await read(file)).map(({ cells }) => cells)

describe('a workbook', () => {
  test('gives its cells as texts: shared and own strings, numbers, dates, truth, formulas', async () => {
    const file = await workbook(
      `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>a &amp; b</t></is></c></row>
       <row r="3"><c r="A3"><v>9171234567</v></c><c r="B3" s="1"><v>38850</v></c><c r="C3" s="2"><v>46237.4</v></c>
         <c r="D3" t="b"><v>1</v></c><c r="E3" t="str"><f>A1&amp;"x"</f><v>made</v></c><c r="F3" t="e"><v>#N/A</v></c></row>`,
      {
        'xl/sharedStrings.xml':
          '<sst><si><r><t>Pe</t></r><r><t>ña</t></r><rPh sb="0"><t>aid</t></rPh></si></sst>',
        'xl/styles.xml':
          '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]d&quot; of &quot;mmm\\ yyyy;@"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
      },
    )
    expect(await read(file)).toEqual([
      { number: 1, cells: ['Peña', '', 'a & b'] },
      { number: 3, cells: ['9171234567', '2006-05-13', '2026-08-03 09:36:00', 'TRUE', 'made'] },
    ])
  })

  test('may leave addresses out and prefix its names', async () => {
    const file = await workbook('', {
      'xl/worksheets/sheet1.xml':
        '<x:worksheet xmlns:x="y"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>one</x:t></x:is></x:c><x:c><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    })
    expect(await cellsOf(file)).toEqual([['one', '2']])
  })

  test('is read by its first sheet that can be seen', async () => {
    const file = await workbook('<row><c><v>1</v></c></row>', {
      'xl/workbook.xml':
        '<workbook><workbookPr date1904="1"/><sheets><sheet name="A" state="hidden" r:id="r1"/><sheet name="B" r:id="r2"/></sheets></workbook>',
      'xl/worksheets/sheet2.xml': '<worksheet><sheetData><row><c><v>2</v></c></row></sheetData></worksheet>',
    })
    expect(await cellsOf(file)).toEqual([['2']])
  })

  test('is read like by an independent reader, for any texts', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.trim())
    const rows = fc.array(fc.record({ One: text, Two: text, Three: text }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(rows, async (table) => {
        const file = await toWorkbook(table)
        const [sheet] = await readWorkbook(file, { trim: false })
        const expected = (sheet?.data ?? []).map((cells) => cells.map((cell) => String(cell ?? '')))
        const own = (await cellsOf(file)).map((cells) => ['', '', ''].map((_, index) => cells[index] ?? ''))
        expect(own).toEqual(expected.filter((cells) => cells.some((cell) => cell.trim() !== '')))
      }),
      { numRuns: 50 },
    )
  })
})

describe('a CSV file', () => {
  const table = 'Name,Town\r\n"Peña, Niña","Las Piñas"\r\n\r\nCruz,"a ""b""\nc"\r\n'

  test.each([
    ['UTF-8', Buffer.from(table)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${table}`)],
    ['UTF-16', Buffer.from(`\ufeff${table}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${table}`, 'utf16le').swap16()],
    ['Windows-1252', Buffer.from(table, 'latin1')],
  ])('is read in %s', async (_encoding, file) => {
    expect(await read(file)).toEqual([
      { number: 1, cells: ['Name', 'Town'] },
      { number: 2, cells: ['Peña, Niña', 'Las Piñas'] },
      { number: 4, cells: ['Cruz', 'a "b"\nc'] },
    ])
  })

  test('in Windows-1252 has its dashes and quotes', async () => {
    const file = Buffer.from('Name,Town\r\nO\x92Hara,Las Pi\xf1as \x96 Pilar\r\n', 'latin1')
    expect((await cellsOf(file))[1]).toEqual(['O’Hara', 'Las Piñas – Pilar'])
  })

  test.each([',', ';', '\t', '|'])('may be separated by %j', async (delimiter) => {
    const rows = [{ Name: 'Cruz, Ana; Maria', Height: `5'6"` }]
    expect(await cellsOf(toCsv(rows, delimiter))).toEqual([
      ['Name', 'Height'],
      ['Cruz, Ana; Maria', `5'6"`],
    ])
  })

  test('is read back as written, for any texts', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .map((value) => `x${value.replace(/[\0\r]/g, '')}`)
    const rows = fc.array(fc.record({ One: text, Two: text }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(rows, async (table) => {
        expect((await cellsOf(toCsv(table))).slice(1)).toEqual(table.map(({ One, Two }) => [One, Two]))
      }),
    )
  })
})

describe('hostile and broken files are refused, each within a second and in little memory', () => {
  const bombText = `<row><c t="inlineStr"><is><t>${'a'.repeat(1024)}`

  async function refusal(file: Buffer): Promise<string> {
    const before = process.memoryUsage().rss
    let error: unknown
    const taken = await processorMs(async () => {
      error = await read(file).then(
        () => new Error('it was read'),
        (reason: unknown) => reason,
      )
    })
    expect(taken).toBeLessThan(5_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
    return error instanceof Error ? error.message : String(error)
  }

  test('a zip that claims to be small and unpacks to gigabytes', async () => {
    const file = await workbook('', { 'xl/styles.xml': '' })
    const text = Buffer.alloc(420 * 1024 * 1024, '<a/>')
    text.write('<a> ')
    const packed = deflateRawSync(text, { level: 1 })
    expect(await refusal(withEntry(file, 'xl/styles.xml', packed))).toMatch(
      /unpacks to more than can be read/,
    )
  })

  test('more parts than any workbook has', async () => {
    const parts = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x/${index}.xml`, '']))
    expect(await refusal(await workbook('', parts))).toMatch(/damaged/)
  })

  test('a text that never ends', async () => {
    expect(await refusal(await workbook(bombText + 'b'.repeat(2_000_000)))).toMatch(/damaged/)
  })

  test.each([
    ['a shared text longer than any cell', `<si><t>${'a'.repeat(40_000)}</t></si>`],
    ['five million empty texts', '<si/>'.repeat(5_000_000)],
  ])('%s', async (_name, texts) => {
    const parts = { 'xl/sharedStrings.xml': `<sst>${texts}</sst>` }
    const file = await workbook('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', parts)
    expect(await refusal(file)).toMatch(/unpacks to more than can be read/)
  })

  test('a cell of many parts', async () => {
    const text = `<row><c t="inlineStr"><is><t>${'aaaaaaaa<!---->'.repeat(40_000)}</t></is></c></row>`
    expect(await refusal(await workbook(text))).toMatch(/unpacks to more than can be read/)
  })

  test('a document type with entities', async () => {
    const sheet = '<!DOCTYPE a [<!ENTITY b "bbbb">]><worksheet><sheetData/></worksheet>'
    expect(await refusal(await workbook('', { 'xl/worksheets/sheet1.xml': sheet }))).toMatch(/damaged/)
  })

  test.each([
    ['elements that are never closed', '<a>'.repeat(5_000_000)],
    ['an attribute that never ends', `<a b="${'c'.repeat(5_000_000)}`],
    [
      'an element of many attributes',
      `<a ${Array.from({ length: 500_000 }, (_, index) => `a${index}=""`).join(' ')}/>`,
    ],
    ['an entity that XML does not have', '<row><c><v>&b;</v></c></row>'],
  ])('%s', async (_name, rows) => {
    expect(await refusal(await workbook(rows))).toMatch(/damaged/)
  })

  test('a cell in the last column', async () => {
    expect(await refusal(await workbook('<row r="1"><c r="XFD1"><v>1</v></c></row>'))).toMatch(
      /more than 200 columns/,
    )
  })

  test('another kind of Office file, and a truncated workbook', async () => {
    expect(await refusal(await zip({ 'word/document.xml': '<a/>' }))).toMatch(/^This is not an Excel/)
    const whole = await workbook('<row><c><v>1</v></c></row>')
    expect(await refusal(whole.subarray(0, whole.length - 30))).toMatch(/damaged/)
    expect(
      await refusal(await workbook('', { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData>' })),
    ).toMatch(/damaged/)
  })

  test('a sheet with a row number beyond all rows is no more than a row', async () => {
    expect(await read(await workbook('<row r="99999999"><c><v>1</v></c></row>'))).toEqual([
      { number: 99_999_999, cells: ['1'] },
    ])
  })

  test('a quote that is never closed', async () => {
    expect(await refusal(Buffer.from(`a,b\n"${'x'.repeat(3_000_000)}`))).toMatch(/damaged/)
  })

  test('a workbook with a password, and an old one', async () => {
    const old = Buffer.from('d0cf11e0a1b11ae1', 'hex')
    await expect(read(old)).rejects.toThrow(/older Excel file/)
    await expect(read(Buffer.concat([old, Buffer.from('EncryptedPackage', 'utf16le')]))).rejects.toThrow(
      /password/,
    )
  })

  test('any bytes are read or refused with a sentence, never a fault', async () => {
    const bytes = fc.uint8Array({ maxLength: 200 })
    const zipped = bytes.map((rest) => Buffer.concat([Buffer.from('PK\u0003\u0004'), rest]))
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, zipped), async (file) => {
        const error = await Promise.resolve()
          .then(() => read(Buffer.from(file)))
          .then(
            () => null,
            (reason: unknown) => reason,
          )
        if (error !== null) expect(error).toMatchObject({ code: 'invalid' })
      }),
    )
  })
})

function withEntry(file: Buffer, path: string, packed: Buffer): Buffer {
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  const directory = file.readUInt32LE(file.length - 22 + 16)
  const body = Buffer.concat([file.subarray(0, directory), local, packed, file.subarray(directory)])
  const moved = local.length + packed.length
  body.writeUInt32LE(directory + moved, body.length - 22 + 16)
  const at = body.indexOf(path, directory + moved) - 46
  body.writeUInt16LE(8, at + 10)
  body.writeUInt32LE(packed.length, at + 20)
  body.writeUInt32LE(1_000, at + 24)
  body.writeUInt32LE(directory, at + 42)
  return body
}
