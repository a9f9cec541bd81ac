import { Readable } from 'node:stream'
import { setImmediate as otherWork } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { type Options as CsvOptions, parse as parseLine } from 'csv-parse/sync'
import type { Delimiter, Encoding } from '#shared/imports/imports.ts'
import { delimitersOf, encodingsOf, hasSpacedQuotes, unwrappedLines } from './text-form.ts'
import { mended1252 } from './windows-1252.ts'
import { maxColumns, type TableRow, type TableSheet, workbookSheets } from './workbook-rows.ts'
import { fileSentences, unreadable } from './zip-parts.ts'

// The container of .xls and of Office files with a password.
const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le')
const zipFile = Buffer.from('PK\u0003\u0004')
const otherFiles = '%PDF \x89PNG GIF8 \xff\xd8\xff PK Rar! 7z\xbc\xaf \x1f\x8b MZ \x7fELF'.split(' ')

export function isMisnamed(file: Buffer, fileName: string): boolean {
  return /\.xlsx?$/i.test(fileName.trim()) && !isZip(file)
}

/** How a text file was read, and how it may be read instead. */
export interface TextForm {
  // Any that Excel's own first line names.
  delimiter: string
  encoding: Encoding
  /** Whether every line is one cell in quotes, as Excel saves a file that it opened as one column. */
  isWrapped: boolean
  /** Whether blanks are in front of quotes: Cruz, "Imus, Cavite". */
  hasSpacedQuotes: boolean
  otherDelimiters: readonly Delimiter[]
  otherEncodings: readonly Encoding[]
}

/** Null where the file itself tells. */
export interface WantedForm {
  delimiter: Delimiter | null
  encoding: Encoding | null
}

/**
 * The sheets of an uploaded table; a text file is one. Its first bytes decide the format; a name can be wrong.
 * @throws AppError `invalid` with what to do, for everything but .xlsx and CSV
 */
export async function openTable(
  file: Buffer,
  wanted: WantedForm = { delimiter: null, encoding: null },
): Promise<{ sheets: TableSheet[]; text: TextForm | null }> {
  refuseCompoundFile(file)
  if (isZip(file)) return { sheets: await workbookSheets(file), text: null }
  const start = file.toString('latin1', 0, 8)
  if (otherFiles.some((beginning) => start.startsWith(beginning))) throw unreadable(fileSentences.otherType)
  const text = formOf(file, wanted)
  return { sheets: [{ name: '', isVisible: true, rows: () => csvRows(file, text) }], text }
}

/** The rows of the first sheet that can be seen. @throws AppError `invalid` */
export async function* tableRows(file: Buffer): AsyncGenerator<TableRow> {
  const { sheets } = await openTable(file)
  yield* (sheets.find(({ isVisible }) => isVisible) ?? sheets[0])?.rows() ?? []
}

/** @throws AppError `invalid` for .xls, and for a workbook with a password */
export function refuseCompoundFile(file: Buffer): void {
  if (!file.subarray(0, compoundFile.length).equals(compoundFile)) return
  throw unreadable(file.includes(encryptedPackage) ? fileSentences.locked : fileSentences.oldExcel)
}

function isZip(file: Buffer): boolean {
  return file.subarray(0, zipFile.length).equals(zipFile)
}

// The most bytes of a line: a quote that is never closed would otherwise include the rest of the file.
const maxLine = 256 * 1024
// Both lengths are in characters.
const sampleLength = 32 * 1024
const chunkLength = 64 * 1024
// Excel's own first line of a CSV file.
const delimiterLine = /^sep=(.)(\r\n|\r|\n)/i

/** @throws AppError `invalid` for a file that isn't text */
function formOf(file: Buffer, wanted: WantedForm): TextForm {
  const [usual, ...otherEncodings] = encodingsOf(file)
  const encoding = wanted.encoding ?? usual
  const sample = new TextDecoder(encoding).decode(file.subarray(0, sampleLength * 2)).slice(0, sampleLength)
  if (/\0/.test(sample) || /^\s*(<!doctype|<html|<\?xml|<table|\{\\rtf)/i.test(sample)) {
    throw unreadable(fileSentences.otherType)
  }
  const lines = unwrappedLines(sample)
  const [likeliest, ...otherDelimiters] = delimitersOf(lines ?? sample)
  const delimiter = wanted.delimiter ?? delimiterLine.exec(sample)?.[1] ?? likeliest
  return {
    delimiter,
    encoding,
    isWrapped: lines !== null,
    hasSpacedQuotes: hasSpacedQuotes(sample, delimiter),
    otherDelimiters: [likeliest, ...otherDelimiters].filter((other) => other !== delimiter),
    otherEncodings: [usual, ...otherEncodings].filter((other) => other !== encoding),
  }
}

/**
 * The rows of a CSV file of any spreadsheet program: comma, semicolon, tab or bar; UTF-8, UTF-16, or what Windows and Macs wrote before.
 * @throws AppError `invalid` for no table
 */
async function* csvRows(file: Buffer, form: TextForm): AsyncGenerator<TableRow> {
  const { encoding, delimiter, isWrapped } = form
  const options = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    trim: form.hasSpacedQuotes,
  }
  const records = Readable.from(decoded(file, encoding), { objectMode: false }).pipe(
    parse({ ...options, skip_empty_lines: true, max_record_size: maxLine, info: true }),
  )
  try {
    for await (const { record, info } of records) {
      const given: string[] = isWrapped ? unwrapped(record, options) : record
      const cells = given.some(mayBeProtected) ? given.map(unprotected) : given
      if (cells.length > maxColumns) throw unreadable(fileSentences.tooManyColumns)
      const isDelimiterLine =
        info.records === 1 && /^sep=/i.test(cells[0] ?? '') && cells.join('').length <= 5
      if (!isDelimiterLine && cells.some((cell) => cell.trim() !== '')) {
        // Rows are numbered as a spreadsheet program does: a cell with line breaks is on one row, an empty line is one.
        yield { number: info.records + info.empty_lines, cells }
      }
    }
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(fileSentences.damaged, error)
    throw error
  }
}

function unwrapped(record: string[], options: CsvOptions): string[] {
  const [line = '', ...others] = record
  return others.length > 0 ? record : (parseLine(line, options)[0] ?? [])
}

const mayBeProtected = (cell: string) => cell[0] === '=' || cell[0] === "'"

/** ="0917…" and '0917…' keep a spreadsheet from taking a text for a number. */
function unprotected(cell: string): string {
  if (/^'[\d+]/.test(cell)) return cell.slice(1)
  return /^=(?:T\()?"([^"]*)"\)?$/i.exec(cell)?.[1] ?? cell
}

// UTF-8 without its byte order mark. Other requests run between the chunks.
async function* decoded(file: Buffer, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for (let at = 0; at < file.length; at += chunkLength) {
    const text = decoder.decode(file.subarray(at, at + chunkLength), { stream: true })
    yield Buffer.from(encoding === 'windows-1252' ? mended1252(text) : text)
    await otherWork()
  }
  yield Buffer.from(decoder.decode())
}
