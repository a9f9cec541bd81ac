import { Readable } from 'node:stream'
import { setImmediate as otherWork } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { maxColumns, type TableRow } from './sheet-rows.ts'
import { fileSentences, unreadable } from './unreadable.ts'

/** Longest line, in bytes: a quote that is never closed would otherwise take the rest of the file. */
const maxLine = 256 * 1024
/** So much of the beginning tells the delimiter, in characters. */
const sampleLength = 32 * 1024
const pieceLength = 64 * 1024
const delimiters = [',', ';', '\t'] as const

/**
 * The rows of a CSV file, whatever a spreadsheet program wrote: comma, semicolon or tab; UTF-8, UTF-16 with its
 * mark, or Windows-1252.
 *
 * @throws AppError `invalid` for a file that is no text, or no table
 */
export async function* csvRows(file: Buffer): AsyncGenerator<TableRow> {
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

/** By its mark; without one UTF-8 if it is that, else what Excel for Windows writes. */
function encodingOf(file: Buffer): string {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le'
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be'
  return isUtf8(file) ? 'utf-8' : 'windows-1252'
}

function isUtf8(file: Buffer): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let at = 0; at < file.length; at += pieceLength) {
      decoder.decode(file.subarray(at, at + pieceLength), { stream: true })
    }
    decoder.decode()
    return true
  } catch {
    // The decoder's way to say no.
    return false
  }
}

/** Text as UTF-8, without the mark at its beginning. Requests get their turn after each piece. */
async function* decoded(file: Buffer, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for (let at = 0; at < file.length; at += pieceLength) {
    yield Buffer.from(decoder.decode(file.subarray(at, at + pieceLength), { stream: true }))
    await otherWork()
  }
  yield Buffer.from(decoder.decode())
}

/** The delimiter that parts the first lines most evenly: as often in each, and outside of quotes. */
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
