import { once } from 'node:events'
import { ZipFile } from 'yazl'

export async function zipOf(parts: Record<string, string>): Promise<Buffer<ArrayBuffer>> {
  const file = new ZipFile()
  // To compress nothing takes long, five thousand times.
  for (const [path, text] of Object.entries(parts)) {
    file.addBuffer(Buffer.from(text), path, { compress: text !== '' })
  }
  file.end()
  const chunks: Buffer[] = []
  file.outputStream.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  await once(file.outputStream, 'end')
  return Buffer.concat(chunks)
}

const relations =
  '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="/xl/worksheets/sheet2.xml"/></Relationships>'

/** A workbook of one sheet, by its XML. */
export const buildWorkbook = (sheetData: string, parts: Record<string, string> = {}) =>
  zipOf({
    'xl/workbook.xml': '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheetData}</sheetData></worksheet>`,
    ...parts,
  })

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The styles of a workbook: its cells have one of these number formats each, by `s="0"`, `s="1"` and so on. */
function stylesOf(formats: readonly (string | number)[]): string {
  const own = formats.flatMap((format, index) =>
    typeof format === 'string' ? [`<numFmt numFmtId="${164 + index}" formatCode="${escaped(format)}"/>`] : [],
  )
  const ids = formats.map((format, index) => (typeof format === 'string' ? 164 + index : format))
  return `<styleSheet><numFmts>${own.join('')}</numFmts><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`
}

export interface WrittenSheet {
  name?: string
  state?: 'hidden' | 'veryHidden'
  /** A number is a cell of a number; [number, index] has the number format of the index. */
  rows: readonly (readonly (string | number | readonly [number, number])[])[]
  /** From 1. */
  hiddenRows?: readonly number[]
  /** From 0. */
  hiddenColumns?: readonly number[]
  /** As `A1:C1`. */
  merged?: readonly string[]
}

/** A workbook as spreadsheet programs write it. Empty texts are no cells. */
export function buildWrittenWorkbook(
  sheets: readonly WrittenSheet[],
  formats: readonly (string | number)[] = [0],
): Promise<Buffer<ArrayBuffer>> {
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<workbook><sheets>${sheets
      .map(
        ({ name, state }, index) =>
          `<sheet name="${escaped(name ?? `Sheet${index + 1}`)}" sheetId="${index + 1}" r:id="r${index + 1}"${state ? ` state="${state}"` : ''}/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_sheet, index) => `<Relationship Id="r${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/styles.xml': stylesOf(formats),
  }
  for (const [index, sheet] of sheets.entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] = sheetXml(sheet)
  return zipOf(parts)
}

function sheetXml({ rows, hiddenRows = [], hiddenColumns = [], merged = [] }: WrittenSheet): string {
  const columns = hiddenColumns.map(
    (index) => `<col min="${index + 1}" max="${index + 1}" width="0" hidden="1"/>`,
  )
  const written = rows.map((cells, index) => {
    const number = index + 1
    const hidden = hiddenRows.includes(number) ? ' hidden="1"' : ''
    return `<row r="${number}"${hidden}>${cells.map((cell, column) => cellXml(cell, `${letterOf(column)}${number}`)).join('')}</row>`
  })
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`)
  return `<worksheet>${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>${written.join('')}</sheetData>${
    merges.length > 0 ? `<mergeCells>${merges.join('')}</mergeCells>` : ''
  }</worksheet>`
}

const letterOf = (column: number) => String.fromCharCode(65 + column)

function cellXml(cell: WrittenSheet['rows'][number][number], address: string): string {
  if (cell === '') return ''
  if (typeof cell === 'string') return `<c r="${address}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
  const [value, style] = typeof cell === 'number' ? [cell, 0] : cell
  return `<c r="${address}" s="${style}"><v>${value}</v></c>`
}
