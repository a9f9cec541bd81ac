import { createHash } from 'node:crypto'
import type { z } from '@hono/zod-openapi'
import {
  BackupFileError,
  type BackupHeader,
  endSchema,
  formatSchema,
  formatVersion,
  headerSchema,
  type RowCounts,
  tableSchema,
} from './format.ts'
import { splitLines } from './lines.ts'

/** A backup in the order of its file. */
export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: string; columns: string[] }
  | { kind: 'rows'; lines: Buffer[] }
  | { kind: 'end'; rows: RowCounts; sha256: string }

const emptyLine = Buffer.alloc(0)
const lineBreak = Buffer.from('\n')

/**
 * Reads a backup's lines. Only when it has come to its end it is certain that all of it is as it was written.
 *
 * @throws BackupFileError
 */
export async function* readBackup(source: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  const reader = createReader()
  for await (const lines of splitLines(source)) yield* reader.read(lines)
  reader.finish()
}

function createReader() {
  const hash = createHash('sha256')
  const rows: RowCounts = {}
  let tables: readonly string[] | undefined
  /** The table whose rows are being read. */
  let open: string | undefined
  let isEnded = false

  function* read(lines: Buffer[]): Generator<BackupPart> {
    let position = 0
    while (position < lines.length) {
      if (open !== undefined) {
        const own = countRows(lines, position)
        if (own > 0) yield takeRows(lines.slice(position, position + own), open)
        position += own
        if (position < lines.length) closeTable()
      } else {
        yield readLine(lines[position] ?? emptyLine)
      }
      // A table's closing line, or the line just read.
      position += 1
    }
  }

  function takeRows(lines: Buffer[], table: string): BackupPart {
    for (const line of lines) hash.update(line).update(lineBreak)
    rows[table] = (rows[table] ?? 0) + lines.length
    return { kind: 'rows', lines }
  }

  function closeTable() {
    hash.update(lineBreak)
    open = undefined
  }

  function readLine(line: Buffer): BackupPart {
    if (isEnded) throw damaged('something follows its last line')
    const value = parse(line)
    if (!tables) return readHeader(line, value)
    const next = tables[Object.keys(rows).length]
    return next === undefined ? readEnd(value) : readTable(line, value, next)
  }

  function readHeader(line: Buffer, value: unknown): BackupPart {
    const format = formatSchema.safeParse(value)
    if (!format.success) throw new BackupFileError('The file is not a backup of NSTP Portal.')
    if (format.data.formatVersion !== formatVersion) {
      throw new BackupFileError(
        'The backup was made by a newer version of NSTP Portal. Restore it with that.',
      )
    }
    const header = check(headerSchema, value)
    hash.update(line).update(lineBreak)
    tables = header.tables
    return { kind: 'header', header }
  }

  function readTable(line: Buffer, value: unknown, expected: string): BackupPart {
    const { table, columns } = check(tableSchema, value)
    if (table !== expected) throw damaged('its tables are not those that it names')
    hash.update(line).update(lineBreak)
    rows[table] = 0
    open = table
    return { kind: 'table', table, columns }
  }

  function readEnd(value: unknown): BackupPart {
    const end = check(endSchema, value)
    const sha256 = hash.digest('hex')
    const areCounted = Object.entries(rows).every(([table, count]) => end.rows[table] === count)
    if (end.sha256 !== sha256 || !areCounted) throw damaged('its checksum is another one')
    isEnded = true
    return { kind: 'end', rows, sha256 }
  }

  return {
    read,
    finish() {
      if (!isEnded) throw new BackupFileError('The file is cut short.')
    },
  }
}

/** How many lines from here on are rows of the open table. */
function countRows(lines: Buffer[], from: number): number {
  const end = lines.findIndex((line, index) => index >= from && line.length === 0)
  return (end === -1 ? lines.length : end) - from
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch (cause) {
    throw damaged('a line is not readable', cause)
  }
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (!result.success) throw damaged('a line is not what is expected there', result.error)
  return result.data
}

function damaged(what: string, cause?: unknown): BackupFileError {
  return new BackupFileError(`The file is damaged: ${what}.`, { cause })
}
