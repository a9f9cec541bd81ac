import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate as otherWork } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { type Options as CsvOptions, parse as parseLine } from 'csv-parse/sync'
import { type Delimiter, delimiters, type Encoding } from '#shared/imports/imports.ts'
import { mended1252 } from './windows-1252.ts'
import { maxColumns, type TableRow, type TableSheet, workbookSheets } from './workbook-rows.ts'
import { fileSentences, unreadable } from './zip-parts.ts'

/** The likeliest encoding of a text file, and the others that it may have. */
function encodingsOf(file: Buffer): [Encoding, ...Encoding[]] {
  if (file[0] === 0xff && file[1] === 0xfe) return ['utf-16le']
  if (file[0] === 0xfe && file[1] === 0xff) return ['utf-16be']
  const [even, odd] = zerosOf(file.subarray(0, 512))
  if (odd > 0 && even === 0) return ['utf-16le']
  if (even > 0 && odd === 0) return ['utf-16be']
  if (isUtf8(file)) return ['utf-8']
  // Excel writes Windows-1252 on Windows, and Mac OS Roman on a Mac.
  return isOfMac(file) ? ['macintosh', 'windows-1252', 'utf-8'] : ['windows-1252', 'macintosh', 'utf-8']
}

// Nearly all letters of a table have a zero in UTF-16, at one side.
function zerosOf(start: Buffer): readonly [number, number] {
  const count = (side: number) => start.filter((byte, at) => byte === 0 && at % 2 === side).length
  const [even, odd] = [count(0), count(1)]
  const isMost = Math.max(even, odd) * 3 > start.length
  return isMost ? [even, odd] : [0, 0]
}

// ñ, é and Ñ of a Mac within a word, which Windows-1252 has as signs that are never there; and its own letters.
const ofMac = /[a-z][\x96\x8e][a-z,;\t]|[A-Z]\x84[A-Z]/
const of1252 = /[A-Za-z][\xc0-\xd6\xd8-\xf6\xf8-\xff]|[\xc0-\xd6\xd8-\xf6\xf8-\xff][a-z]/
const mostSearched = 1024 * 1024

function isOfMac(file: Buffer): boolean {
  const text = file.toString('latin1', 0, mostSearched)
  return ofMac.test(text) && !of1252.test(text)
}

const sampleLines = 20
const quotedLine = /^"((?:[^"]|"")*)"$/

/** The lines inside of their quotes; null where not every line is in quotes, or the first has one column. */
function unwrappedLines(sample: string): string | null {
  const lines = sample.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const inner = lines.slice(0, 2).map((line) => quotedLine.exec(line.trim())?.[1]?.replaceAll('""', '"'))
  const hasColumns = delimiters.some((delimiter) => inner[0]?.includes(delimiter))
  return inner.length > 1 && hasColumns && !inner.includes(undefined) ? inner.join('\n') : null
}

/** Tabs are blanks themselves. */
function hasSpacedQuotes(sample: string, delimiter: string): boolean {
  return delimiter !== '\t' && sample.replace(/"(?:[^"]|"")*"/g, '""').includes(`${delimiter} ""`)
}

/**
 * The likeliest first: the character that occurs equally often in most of the first lines, outside quotes. Titles above
 * have none.
 */
function delimitersOf(sample: string): [Delimiter, ...Delimiter[]] {
  const lines = sample
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, sampleLines)
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const scoreOf = (usual: number) => usual * counts.filter((count) => count === usual).length
    return { delimiter, score: Math.max(0, ...counts.map(scoreOf)) }
  })
  const found = scores.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score)
  const [first = ',', ...others] = found.map(({ delimiter }) => delimiter)
  return [first, ...others]
}

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
