import { Readable } from 'node:stream'
import { setImmediate as otherWork } from 'node:timers/promises'
import { createInflateRaw } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import { createRowsListener, maxColumns, type TableRow } from './sheet-rows.ts'
import {
  attribute,
  createStringsListener,
  createXmlScanner,
  fileSentences,
  unreadable,
  type XmlListener,
} from './xml-scanner.ts'

// The container of .xls and of Office files with a password.
const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le')
const zipFile = Buffer.from('PK\u0003\u0004')
const otherFiles = [
  '%PDF',
  '\x89PNG',
  'GIF8',
  '\xff\xd8\xff',
  'PK',
  'Rar!',
  '7z\xbc\xaf',
  '\x1f\x8b',
  'MZ',
  '\x7fELF',
]

export function isMisnamed(file: Buffer, fileName: string): boolean {
  return /\.xlsx?$/i.test(fileName.trim()) && !isZip(file)
}

/**
 * The rows of an uploaded table. Its first bytes decide the format; a name can be wrong.
 * @throws AppError `invalid` with what to do, for everything but .xlsx and CSV
 */
export function tableRows(file: Buffer): AsyncGenerator<TableRow> {
  if (file.subarray(0, compoundFile.length).equals(compoundFile)) {
    throw unreadable(file.includes(encryptedPackage) ? fileSentences.locked : fileSentences.oldExcel)
  }
  if (isZip(file)) return workbookRows(file)
  const start = file.toString('latin1', 0, 8)
  if (otherFiles.some((beginning) => start.startsWith(beginning))) throw unreadable(fileSentences.otherType)
  return csvRows(file)
}

function isZip(file: Buffer): boolean {
  return file.subarray(0, zipFile.length).equals(zipFile)
}

// In bytes: a quote that is never closed would otherwise include the rest of the file.
const maxLine = 256 * 1024
// In characters.
const sampleLength = 32 * 1024
const chunkLength = 64 * 1024
const delimiters = [',', ';', '\t'] as const

/**
 * The rows of a CSV file of any spreadsheet program: comma, semicolon or tab; UTF-8, UTF-16 with a byte order mark, or
 * Windows-1252.
 * @throws AppError `invalid` for a file that isn't text, or no table
 */
async function* csvRows(file: Buffer): AsyncGenerator<TableRow> {
  const encoding = encodingOf(file)
  const sample = new TextDecoder(encoding).decode(file.subarray(0, sampleLength * 2)).slice(0, sampleLength)
  if (/\0/.test(sample) || /^\s*(<!doctype|<html|<\?xml|<table|\{\\rtf)/i.test(sample)) {
    throw unreadable(fileSentences.otherType)
  }
  const records = Readable.from(decoded(file, encoding), { objectMode: false }).pipe(
    parse({
      delimiter: delimiterOf(sample),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: maxLine,
      info: true,
    }),
  )
  try {
    for await (const { record, info } of records) {
      const cells: string[] = record
      if (cells.length > maxColumns) throw unreadable(fileSentences.tooManyColumns(maxColumns))
      if (cells.some((cell) => cell.trim() !== '')) {
        // As a spreadsheet program counts: a cell with line breaks is on one row, an empty line is one.
        yield { number: info.records + info.empty_lines, cells }
      }
    }
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(fileSentences.damaged, error)
    throw error
  }
}

// By its byte order mark; without one UTF-8 if valid, else Windows-1252 as Excel for Windows writes.
function encodingOf(file: Buffer): string {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le'
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be'
  return isUtf8(file) ? 'utf-8' : 'windows-1252'
}

function isUtf8(file: Buffer): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let at = 0; at < file.length; at += chunkLength) {
      decoder.decode(file.subarray(at, at + chunkLength), { stream: true })
    }
    decoder.decode()
    return true
  } catch {
    // How the decoder reports invalid bytes.
    return false
  }
}

// UTF-8 without its byte order mark. Other requests run between the chunks.
async function* decoded(file: Buffer, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for (let at = 0; at < file.length; at += chunkLength) {
    yield Buffer.from(decoder.decode(file.subarray(at, at + chunkLength), { stream: true }))
    await otherWork()
  }
  yield Buffer.from(decoder.decode())
}

// The character that occurs equally often in the first lines, outside quotes.
function delimiterOf(sample: string): string {
  const lines = sample
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20)
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const usual = counts[0] ?? 0
    return { delimiter, score: usual * counts.filter((count) => count === usual).length }
  })
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter
}

const workbookPart = 'xl/workbook.xml'
const relationsPart = 'xl/_rels/workbook.xml.rels'
// In bytes. Only texts and sheets grow with the rows.
const maxDescription = 16 * 1024 * 1024
const maxTexts = 128 * 1024 * 1024

/**
 * The rows of a workbook's first visible sheet, streamed: only a few rows of the sheet are in memory.
 * @throws AppError `invalid` for another file
 */
async function* workbookRows(file: Buffer): AsyncGenerator<TableRow> {
  const zip = openZip(file)
  if (!zip.has(workbookPart)) throw unreadable(fileSentences.otherType)
  const { sheetPart, counts1904 } = await readWorkbook(zip)
  const styles = createStylesListener()
  if (zip.has('xl/styles.xml')) await scan(zip, 'xl/styles.xml', styles)
  const shared = createStringsListener()
  if (zip.has('xl/sharedStrings.xml')) await scan(zip, 'xl/sharedStrings.xml', shared, maxTexts)
  const rows = createRowsListener({ strings: shared.strings, dateStyles: styles.dateStyles, counts1904 })
  for await (const _chunk of chunks(zip, sheetPart, rows)) yield* rows.take()
}

async function scan(
  zip: ZipArchive,
  part: string,
  listener: XmlListener,
  maxBytes = maxDescription,
): Promise<void> {
  for await (const _chunk of chunks(zip, part, listener, maxBytes));
}

async function* chunks(
  zip: ZipArchive,
  part: string,
  listener: XmlListener,
  maxBytes?: number,
): AsyncGenerator<void> {
  const scanner = createXmlScanner(listener)
  const decoder = new TextDecoder()
  for await (const chunk of zip.read(part, maxBytes)) {
    scanner.write(decoder.decode(chunk, { stream: true }))
    yield
  }
  scanner.end()
  yield
}

async function readWorkbook(zip: ZipArchive): Promise<{ sheetPart: string; counts1904: boolean }> {
  const sheets: { relation: string; isVisible: boolean }[] = []
  let counts1904 = false
  await scan(zip, workbookPart, {
    open(name, attributes) {
      if (name === 'workbookPr') counts1904 = /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '')
      if (name !== 'sheet') return
      const state = attribute(attributes, 'state') ?? 'visible'
      sheets.push({ relation: attribute(attributes, 'id') ?? '', isVisible: state === 'visible' })
    },
  })
  const targets = await readRelations(zip)
  const sheet = sheets.find(({ isVisible }) => isVisible) ?? sheets[0]
  const target = targets.get(sheet?.relation ?? '')
  if (target === undefined) throw unreadable(fileSentences.damaged)
  const sheetPart = target.startsWith('/') ? target.slice(1) : `xl/${target}`
  if (!zip.has(sheetPart)) throw unreadable(fileSentences.damaged)
  return { sheetPart, counts1904 }
}

async function readRelations(zip: ZipArchive): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  if (!zip.has(relationsPart)) return targets
  await scan(zip, relationsPart, {
    open(name, attributes) {
      if (name !== 'Relationship') return
      targets.set(attribute(attributes, 'Id') ?? '', attribute(attributes, 'Target') ?? '')
    },
  })
  return targets
}

// Built-in date formats (ECMA-376, 18.8.30, with the East Asian ones).
const builtInDates = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36])
for (let id = 50; id <= 58; id++) builtInDates.add(id)

// A time of day alone is not a date.
function isDateFormat(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').toLowerCase()
  return /[yd]/.test(bare) && !/general/.test(bare)
}

function createStylesListener(): XmlListener & { dateStyles: ReadonlySet<number> } {
  const codes = new Map<number, string>()
  const dateStyles = new Set<number>()
  let isInCells = false
  let index = 0
  return {
    dateStyles,
    open(name, attributes) {
      if (name === 'cellXfs') isInCells = true
      else if (name === 'numFmt') {
        codes.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
      } else if (name === 'xf' && isInCells) {
        const id = Number(attribute(attributes, 'numFmtId'))
        const code = codes.get(id)
        if (code === undefined ? builtInDates.has(id) : isDateFormat(code)) dateStyles.add(index)
        index += 1
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false
    },
  }
}

// In bytes, over one file: a zip of 20 MB can expand to 20 GB.
const maxUnpacked = 256 * 1024 * 1024
// In ms: 256 MB of nothing but tags take long.
const maxTime = 30_000
// A workbook has a dozen parts, one with many pictures some hundreds.
const maxEntries = 5_000
const endSignature = 0x06054b50
const endLength = 22
const longestComment = 0xffff
const directorySignature = 0x02014b50
const directoryEntryLength = 46
const localSignature = 0x04034b50
const localHeaderLength = 30
const zipChunkLength = 64 * 1024

interface Entry {
  offset: number
  compressedSize: number
  method: number
}

interface ZipArchive {
  has: (path: string) => boolean
  /**
   * The content of a part, unpacked while it is read.
   * @param maxBytes the part's limit, where it is below the file's
   */
  read: (path: string, maxBytes?: number) => AsyncGenerator<Buffer>
}

/**
 * Opens a zip file by its directory. Declared sizes aren't trusted: the unpacked bytes are counted over all parts.
 * @throws AppError `invalid` when it isn't a zip, is damaged or unpacks to too much
 */
function openZip(file: Buffer): ZipArchive {
  const entries = readDirectory(file)
  const end = Date.now() + maxTime
  let unpacked = 0

  async function* read(path: string, maxBytes = maxUnpacked): AsyncGenerator<Buffer> {
    const entry = entries.get(path)
    if (!entry) throw unreadable(fileSentences.damaged)
    let length = 0
    for await (const chunk of unpack(contentOf(file, entry), entry.method)) {
      length += chunk.length
      unpacked += chunk.length
      if (length > maxBytes || unpacked > maxUnpacked || Date.now() > end) {
        throw unreadable(fileSentences.tooLarge)
      }
      yield chunk
    }
  }

  return { has: (path) => entries.has(path), read }
}

function readDirectory(file: Buffer): Map<string, Entry> {
  const end = findEnd(file)
  const count = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  const entries = new Map<string, Entry>()
  if (count > maxEntries) throw unreadable(fileSentences.damaged)
  for (let index = 0; index < count; index++) {
    if (at + directoryEntryLength > file.length || file.readUInt32LE(at) !== directorySignature) {
      throw unreadable(fileSentences.damaged)
    }
    const nameLength = file.readUInt16LE(at + 28)
    const name = file.toString('utf8', at + directoryEntryLength, at + directoryEntryLength + nameLength)
    entries.set(name, {
      method: file.readUInt16LE(at + 10),
      compressedSize: file.readUInt32LE(at + 20),
      offset: file.readUInt32LE(at + 42),
    })
    at += directoryEntryLength + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}

// A comment may follow the record, hence the search backwards.
function findEnd(file: Buffer): number {
  const first = Math.max(0, file.length - endLength - longestComment)
  for (let at = file.length - endLength; at >= first; at--) {
    if (file.readUInt32LE(at) === endSignature) return at
  }
  throw unreadable(fileSentences.damaged)
}

// The local header's name may be longer than the directory's.
function contentOf(file: Buffer, { offset, compressedSize }: Entry): Buffer {
  if (offset + localHeaderLength > file.length || file.readUInt32LE(offset) !== localSignature) {
    throw unreadable(fileSentences.damaged)
  }
  const start = offset + localHeaderLength + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28)
  if (start + compressedSize > file.length) throw unreadable(fileSentences.damaged)
  return file.subarray(start, start + compressedSize)
}

async function* unpack(content: Buffer, method: number): AsyncGenerator<Buffer> {
  if (method === 0) {
    for (let at = 0; at < content.length; at += zipChunkLength)
      yield content.subarray(at, at + zipChunkLength)
    return
  }
  // Current programs write deflate only; other methods and encryption are refused.
  if (method !== 8) throw unreadable(fileSentences.damaged)
  const inflate = createInflateRaw({ chunkSize: zipChunkLength })
  inflate.end(content)
  try {
    for await (const chunk of inflate) yield Buffer.from(chunk)
  } catch (error) {
    if (inflate.errored) throw unreadable(fileSentences.damaged, error)
    throw error
  } finally {
    inflate.destroy()
  }
}
