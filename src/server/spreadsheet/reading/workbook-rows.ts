import { type CellFormat, formatOf, formattedText, numberText, plainFormat } from './number-texts.ts'
import { fileSentences, openParts, type Parts, unreadable, type XmlListener } from './zip-parts.ts'

export interface TableRow {
  // The row's number, from 1, as the spreadsheet program counts.
  number: number
  // '' for an empty cell; trailing ones are omitted.
  cells: string[]
  isHidden?: true
}

/** What a sheet doesn't show; known once its rows are read. */
export interface SheetLayout {
  // The indexes of hidden columns, from 0.
  hiddenColumns: Set<number>
}

export const maxColumns = 200
// Excel's own limit for the text of a cell.
const maxCellLength = 32_767
// Every character may be written as _xHHHH_.
const longestXmlText = 7 * maxCellLength

interface SheetParts {
  strings: readonly string[]
  formats: readonly CellFormat[]
  counts1904: boolean
  /** What the formats wrote before. */
  shown: Map<CellFormat, Map<string, string>>
}

/** Reads the rows of a sheet's XML; `take` returns and removes the complete ones. */
function createRowsListener(
  parts: SheetParts,
  layout?: SheetLayout,
): XmlListener & { take: () => TableRow[] } {
  let rows: TableRow[] = []
  let row: TableRow = { number: 0, cells: [] }
  let column = -1
  let cell: Readonly<Record<string, string>> = {}
  let text = ''

  function closeCell() {
    const content = cellText(cell, text, parts)
    if (content === '') return
    if (content.length > maxCellLength) throw unreadable(fileSentences.tooLarge)
    if (column >= maxColumns) throw unreadable(fileSentences.tooManyColumns)
    while (row.cells.length < column) row.cells.push('')
    row.cells[column] = content
  }

  return {
    take() {
      const complete = rows
      rows = []
      return complete
    },
    open(name, attributes) {
      if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
        cell = attributes
        text = ''
      } else if (name === 'row') {
        row = openedRow(attributes, row.number)
        column = -1
      } else if (name === 'col') noteColumns(layout, attributes)
    },
    close(name) {
      if (name === 'c') closeCell()
      else if (name === 'row' && row.cells.some((content) => content.trim() !== '')) rows.push(row)
    },
    text(part, within) {
      if (!(cell.t === 'inlineStr' ? isCellText(within) : within.at(-1) === 'v')) return
      // Comments can split a text into any number of parts.
      if (text.length > longestXmlText) throw unreadable(fileSentences.tooLarge)
      text += part
    },
  }
}

function openedRow({ r, hidden, ht }: Readonly<Record<string, string>>, before: number): TableRow {
  const number = Number(r ?? before + 1)
  const row = { number: Number.isSafeInteger(number) ? number : before + 1, cells: [] }
  return isTrue(hidden) || isNothing(ht) ? { ...row, isHidden: true } : row
}

function noteColumns(
  layout: SheetLayout | undefined,
  { min, max, hidden, width }: Readonly<Record<string, string>>,
) {
  if (!layout || !(isTrue(hidden) || isNothing(width))) return
  const last = Math.min(Number(max), maxColumns)
  for (let at = Number(min); at <= last; at++) layout.hiddenColumns.add(at - 1)
}

// Dragged until nothing is left.
const isNothing = (size: string | undefined) => size !== undefined && Number(size) === 0

const isTrue = (value = '') => /^(1|true)$/.test(value)

// The reading aid above Japanese words (rPh) has texts too, which aren't the cell's.
function isCellText(within: readonly string[]): boolean {
  return within.at(-1) === 't' && !within.includes('rPh')
}

function cellText({ t = 'n', s = '0' }: Readonly<Record<string, string>>, text: string, parts: SheetParts) {
  const format = parts.formats[Number(s)] ?? plainFormat
  switch (t) {
    case 's':
      return text === '' ? '' : formattedText(parts.strings[Number(text)] ?? '', format)
    case 'inlineStr':
    case 'str':
      return formattedText(unescapeText(text), format)
    case 'b':
      return text === '1' ? 'TRUE' : 'FALSE'
    case 'd':
      return text
        .replace('T', ' ')
        .replace(/\.\d+Z?$|Z$/, '')
        .replace(/ 00:00:00$/, '')
    case 'n':
      return shownNumber(text, format, parts)
    default:
      // An error such as #N/A means that there is no value.
      return ''
  }
}

// Marks and days repeat, and formatting one takes longer than reading it. Numbers that never repeat must not fill the memory.
const mostKnown = 1_000

function shownNumber(number: string, format: CellFormat, { counts1904, shown }: SheetParts): string {
  if (format.kind === 'plain') return numberText(number, format, counts1904)
  const texts = shown.get(format) ?? new Map<string, string>()
  const text = texts.get(number) ?? numberText(number, format, counts1904)
  if (texts.size < mostKnown) shown.set(format, texts.set(number, text))
  return text
}

/** 'A1' → 0, 'AB12' → 27. */
export function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? ''
  let index = 0
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64
  return index - 1
}

const workbookPart = 'xl/workbook.xml'
// The most bytes of the parts that don't grow with the rows. Only texts and sheets grow with them.
const maxDescription = 16 * 1024 * 1024
const maxTexts = 128 * 1024 * 1024

export interface TableSheet {
  // The name of the sheet; '' for a text file.
  name: string
  isVisible: boolean
  /** Streamed: only a few rows are in memory. @param layout filled meanwhile */
  rows: (layout?: SheetLayout) => AsyncGenerator<TableRow>
}

/** @throws AppError `invalid` for another file */
export async function workbookSheets(file: Buffer): Promise<TableSheet[]> {
  const { sheets, rowsOf } = await openWorkbook(await openParts(file))
  if (sheets.length === 0) throw unreadable(fileSentences.damaged)
  return sheets.map(({ name, isVisible, part }) => ({
    name,
    isVisible,
    rows: (layout) => rowsOf(part, layout),
  }))
}

interface WorkbookSheet {
  name: string
  // '' when it is missing.
  part: string
  isVisible: boolean
}

/** @throws AppError `invalid` for another file */
export async function openWorkbook(parts: Parts) {
  if (!parts.has(workbookPart)) throw unreadable(fileSentences.otherType)
  const { sheets, counts1904 } = await readSheets(parts)
  const styles = createStylesListener()
  await scanPart(parts, 'xl/styles.xml', styles, maxDescription)
  const { formats } = styles
  const dateStyles = new Set(formats.flatMap(({ kind }, index) => (kind === 'date' ? [index] : [])))
  let strings: readonly string[] | undefined

  async function readStrings(): Promise<readonly string[]> {
    const shared = createStringsListener()
    await scanPart(parts, 'xl/sharedStrings.xml', shared, maxTexts)
    return shared.strings
  }

  async function* rowsOf(part: string, layout?: SheetLayout): AsyncGenerator<TableRow> {
    if (!parts.has(part)) throw unreadable(fileSentences.damaged)
    strings ??= await readStrings()
    const rows = createRowsListener({ strings, formats, counts1904, shown: new Map() }, layout)
    for await (const _step of parts.scan(part, rows)) for (const row of rows.take()) yield row
  }

  return { sheets, dateStyles, counts1904, rowsOf }
}

/** Sends a whole part to the listener. */
export async function scanPart(parts: Parts, path: string, listener: XmlListener, maxBytes?: number) {
  for await (const _step of parts.scan(path, listener, maxBytes));
}

async function readSheets(parts: Parts): Promise<{ sheets: WorkbookSheet[]; counts1904: boolean }> {
  const listed: { name: string; relation: string; isVisible: boolean }[] = []
  const targets = new Map<string, string>()
  let counts1904 = false
  const workbook: XmlListener = {
    open(name, attributes) {
      if (name === 'workbookPr') counts1904 = isTrue(attributes.date1904)
      if (name !== 'sheet') return
      const [, relation = ''] = Object.entries(attributes).find(([key]) => /^(.*:)?id$/.test(key)) ?? []
      listed.push({
        name: attributes.name ?? '',
        relation,
        isVisible: (attributes.state ?? 'visible') === 'visible',
      })
    },
  }
  await scanPart(parts, workbookPart, workbook, maxDescription)
  const relations: XmlListener = {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship') targets.set(Id, Target)
    },
  }
  await scanPart(parts, 'xl/_rels/workbook.xml.rels', relations, maxDescription)
  const partOf = (target: string | undefined) =>
    target === undefined ? '' : target.startsWith('/') ? target.slice(1) : `xl/${target}`
  return {
    sheets: listed.map(({ relation, ...sheet }) => ({ ...sheet, part: partOf(targets.get(relation)) })),
    counts1904,
  }
}

function createStylesListener(): XmlListener & { formats: readonly CellFormat[] } {
  const codes = new Map<number, string>()
  const formats: CellFormat[] = []
  // Thousands of styles may have one format.
  const known = new Map<number, CellFormat>()
  return {
    formats,
    open(name, attributes, within) {
      if (name === 'numFmt') {
        codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      } else if (name === 'xf' && within.includes('cellXfs')) {
        const id = Number(attributes.numFmtId)
        const format = known.get(id) ?? formatOf(id, codes.get(id))
        known.set(id, format)
        formats.push(format)
      }
    },
  }
}

// The most characters of all shared texts, which remain in memory until the sheet is read.
const maxCharacters = 64 * 1024 * 1024
// The memory that a text needs besides its content, counted as characters. Empty texts come by the million.
const overhead = 16

function createStringsListener(): XmlListener & { strings: readonly string[] } {
  const strings: string[] = []
  let characters = 0
  let text = ''
  return {
    strings,
    open(name) {
      if (name === 'si') text = ''
    },
    close(name) {
      if (name !== 'si') return
      characters += text.length + overhead
      if (characters > maxCharacters) throw unreadable(fileSentences.tooLarge)
      strings.push(unescapeText(text))
    },
    text(chunk, within) {
      if (isCellText(within)) text += chunk
    },
  }
}

// Office Open XML writes characters that XML doesn't allow as _xHHHH_ (ECMA-376, ST_Xstring).
function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_whole, code) => String.fromCharCode(Number.parseInt(code, 16)))
}
