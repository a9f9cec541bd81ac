import type { Readable } from 'node:stream'
import { type FilledCell, type FilledSheet, fillWorkbook } from '#server/spreadsheet/fill-workbook.ts'
import {
  type Cell,
  type CellRow,
  createLaidOutSheet,
  type PlacedCell,
} from '#server/spreadsheet/laid-out-sheet.ts'
import { writeSheets } from '#server/spreadsheet/workbook.ts'
import type { PaperCounts } from '#shared/papers/papers-response.ts'
import type { BaseSheet, FrozenDefinition, LayoutColumn, LayoutList, LayoutSheet } from './layouts/layout.ts'

interface Line {
  // ['erased'] for who is gone.
  cells: readonly string[]
}

interface FrozenPaper {
  definition: FrozenDefinition
  counts: PaperCounts
  // Reads the rows in batches, in the paper's order.
  readRows: (list: LayoutList['of']) => AsyncIterable<readonly Line[]>
}

const kinds = {
  number: { kind: 'number', style: 'general' },
  date: { kind: 'date', style: 'usDate' },
  shortDate: { kind: 'date', style: 'shortDate' },
} as const satisfies Record<NonNullable<LayoutColumn['format']>, Partial<Cell>>

/** From what was frozen alone, so that each download is the same. */
export function writePaper(
  paper: FrozenPaper,
  options: { title: string; created: Date; timeZone: string },
): Readable {
  const { layout } = paper.definition
  return writeSheets({ ...options, sheets: layout.sheets.map((sheet) => sheetOf(sheet, paper)) })
}

interface Base {
  bytes: Buffer
  headings: readonly BaseSheet[]
}

/** Writes the paper into the office's own workbook. */
export function fillPaper(paper: FrozenPaper, { bytes, headings }: Base, created: Date): Promise<Readable> {
  const sheets = paper.definition.layout.sheets.flatMap((sheet, index) => {
    const own = headings[index]
    return own ? filledSheet(sheet, own, paper) : []
  })
  return fillWorkbook(bytes, sheets, created)
}

/** Writes only titles with a year or a name, and keeps the workbook's other titles. */
function filledSheet(sheet: LayoutSheet, own: BaseSheet, paper: FrozenPaper): FilledSheet {
  const { list } = sheet
  const titles = sheet.cells.filter(({ at, text }) => text.includes('{') && own.titles.includes(at))
  const cells: PlacedCell[] = [
    ...titles.map(({ at, text }) => ({ at, text: filled(text, paper.definition.texts) })),
    ...countsOf(sheet, paper),
  ]
  return {
    part: own.part,
    cells: new Map(cells.map(({ at, text, kind }) => [at, { text, ...(kind && { kind }) }])),
    ...(list && {
      rows: { first: own.headRow + 1, height: own.height, batches: filledRows(list, own, paper) },
    }),
  }
}

async function* filledRows(
  { of, columns, closing = [] }: LayoutList,
  own: BaseSheet,
  { definition, readRows }: FrozenPaper,
): AsyncGenerator<readonly FilledCell[][]> {
  const { values, texts } = definition
  const shown = columns.flatMap(({ value, format }) => {
    const column = own.columns[value] ?? null
    return column === null ? [] : { column, format, place: values.indexOf(value) }
  })
  const empty = own.styles.map((style): FilledCell => ({ text: '', style }))
  for await (const lines of readRows(of)) {
    yield lines.map(({ cells }) => {
      const row = [...empty]
      if (isErased(cells)) return row
      for (const { column, format, place } of shown) {
        const text = cells[place] ?? ''
        row[column] = {
          style: own.styles[column] ?? 0,
          ...contentOf(text, format, own.dates.includes(column)),
        }
      }
      return row
    })
  }
  if (closing.length > 0) {
    yield closingRows(closing, texts).map(({ cells }) => cells.map(({ text }) => ({ text, style: 0 })))
  }
}

/** A number in a cell without the format of a date would read as 38,776. */
function contentOf(text: string, format: LayoutColumn['format'], showsDates: boolean) {
  if (format === undefined) return { text }
  if (format === 'number') return { text, kind: 'number' } as const
  if (showsDates) return { text, kind: 'date' } as const
  const [year, month, day] = text.split('-')
  if (day === undefined) return { text }
  return { text: format === 'date' ? `${month}/${day}/${year}` : `${Number(month)}/${Number(day)}/${year}` }
}

function sheetOf(sheet: LayoutSheet, paper: FrozenPaper) {
  const { texts } = paper.definition
  const { list } = sheet
  const isWhole = list !== undefined && list.groups === undefined
  const heads = isWhole
    ? list.columns.map(({ head }, index) => ({
        at: `${letterOf(index)}${list.headRow}`,
        text: head,
        style: 'head' as const,
      }))
    : []
  const fixed = sheet.cells.map((cell): PlacedCell => {
    const isNumber = cell.style === 'columnNumber'
    return { ...cell, text: filled(cell.text, texts), ...(isNumber && { kind: 'number' as const }) }
  })
  const { cells: _fixed, list: _list, counts: _counts, ...form } = sheet
  return createLaidOutSheet({
    ...form,
    cells: [...fixed, ...countsOf(sheet, paper), ...heads],
    frozenRows: isWhole ? list.headRow : 0,
    firstRow: list ? list.headRow + (isWhole ? 1 : 0) : lastRowOf(sheet) + 1,
    ...(list && { rows: rowsOf(list, paper) }),
  })
}

const letterOf = (index: number) => String.fromCharCode(65 + index)

function lastRowOf({ cells, counts = [] }: LayoutSheet): number {
  return Math.max(...cells.map(({ at }) => Number(at.replace(/\D/g, ''))), ...counts.map(({ row }) => row))
}

/** The counts are in the columns of the school's type. The other columns are empty, with their border. */
function countsOf({ counts = [] }: LayoutSheet, { definition, counts: numbers }: FrozenPaper): PlacedCell[] {
  return counts.flatMap(({ of, row, component, columns }) => {
    const { Male, Female } = numbers[of][component]
    return Object.entries(columns).flatMap(([heiType, [male, female]]) => {
      const [first, second] = heiType === definition.heiType ? [String(Male), String(Female)] : ['', '']
      return [
        { at: `${male}${row}`, text: first, kind: 'number' as const, style: 'count' as const },
        { at: `${female}${row}`, text: second, kind: 'number' as const, style: 'count' as const },
      ]
    })
  })
}

async function* rowsOf(
  { of, columns, groups, closing = [] }: LayoutList,
  { definition, readRows }: FrozenPaper,
): AsyncGenerator<readonly CellRow[]> {
  const { values, texts } = definition
  const places = columns.map(({ value }) => values.indexOf(value))
  const formats = columns.map(({ format }): Partial<Cell> => (format ? kinds[format] : {}))
  const groupPlace = groups === undefined ? -1 : values.indexOf('group')
  const heads: CellRow = { cells: columns.map(({ head }): Cell => ({ text: head, style: 'head' })) }
  let group: string | undefined
  /** The line of a part of the list that begins with this row, and its heads. */
  const opening = (own: string | undefined): CellRow[] => {
    if (own === undefined || own === group) return []
    group = own
    return [{ cells: [{ text: own, style: 'line' }], to: letterOf(columns.length - 1) }, heads]
  }
  for await (const lines of readRows(of)) {
    yield lines.flatMap(({ cells }): CellRow[] => {
      if (isErased(cells)) return [{ cells: [] }]
      const own = places.map((place, index) => ({ text: cells[place] ?? '', ...formats[index] }))
      return [...opening(cells[groupPlace]), { cells: own }]
    })
  }
  if (closing.length > 0) yield closingRows(closing, texts)
}

const isErased = (cells: readonly string[]) => cells.length === 1 && cells[0] === 'erased'

function closingRows(
  closing: NonNullable<LayoutList['closing']>,
  texts: FrozenDefinition['texts'],
): CellRow[] {
  const last = Math.max(...closing.map(({ down }) => down))
  return Array.from({ length: last }, (_, index) => {
    const own = closing.filter(({ down }) => down === index + 1)
    const width = Math.max(0, ...own.map(({ column }) => column.charCodeAt(0) - 64))
    return {
      cells: Array.from({ length: width }, (_none, place) => ({
        text: filled(own.find(({ column }) => column === letterOf(place))?.text ?? '', texts),
      })),
    }
  })
}

function filled(text: string, texts: FrozenDefinition['texts']): string {
  return text.replace(/\{([\w:]+)\}/g, (_place, name: string) => texts[name] ?? '')
}
