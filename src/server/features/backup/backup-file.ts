import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { z } from '@hono/zod-openapi'
import type { KeptKeys } from '#server/lib/kept-keys.ts'
import {
  accountSchema,
  BackupFileError,
  type BackupHeader,
  endSchema,
  formatSchema,
  formatVersion,
  gzipMagic,
  headerSchema,
  type RowCounts,
  tableSchema,
} from './format.ts'
import { isSealed, openSealKey, type SealKey, sealHeaderBytes, unseal } from './seal.ts'

// bytes: fewer event-loop turns than with 16 KiB.
const chunkSize = 256 * 1024

export type BackupFile = Awaited<ReturnType<typeof openBackupFile>>

export interface BackupSummary {
  header: BackupHeader
  rows: RowCounts
  sha256: string
  signature: string | undefined
  /** Only a sealed backup has these keys. */
  keys: KeptKeys | undefined
  /** The e-mail addresses of the accounts in the backup. */
  accounts: string[]
}

/** Opens a backup file. The content is verified only at the end of its parts. */
export async function openBackupFile(path: string, readPassphrase: () => Promise<string>) {
  const start = await readStart(path)
  if (isSealed(start)) {
    const key = await openSealKey(start, await readPassphrase())
    return { parts: () => readParts(path, key) }
  }
  if (!start.subarray(0, gzipMagic.length).equals(gzipMagic)) {
    throw new BackupFileError('The file is not a backup of NSTP Portal.')
  }
  return { parts: () => readParts(path, null) }
}

export async function verifyBackup(file: BackupFile): Promise<BackupSummary> {
  let header: BackupHeader | undefined
  let end: Pick<BackupSummary, 'rows' | 'sha256' | 'signature' | 'keys'> | undefined
  const accounts: string[] = []
  // To its very end: nothing may follow the last line, and the compression's own checksum comes after it.
  for await (const part of file.parts()) {
    if (part.kind === 'header') header = part.header
    if (part.kind === 'rows' && part.table === 'admins') {
      for (const line of part.lines) accounts.push(check(accountSchema, parse(line)).email)
    }
    if (part.kind === 'end') end = part
  }
  if (!header || !end) throw new BackupFileError('The file is incomplete.')
  const { rows, sha256, signature, keys } = end
  return { header, rows, sha256, signature, keys, accounts }
}

async function readStart(path: string): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    if (!(await handle.stat()).isFile()) throw new BackupFileError('The file is a folder or a device.')
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sealHeaderBytes), 0, sealHeaderBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function* readParts(path: string, key: SealKey | null): AsyncGenerator<BackupPart> {
  const file = createReadStream(path, { highWaterMark: chunkSize, start: key ? sealHeaderBytes : 0 })
  const gunzip = createGunzip({ chunkSize })
  const source = key ? Readable.from(unseal(file, key), { objectMode: false }) : file
  // The reader gets the error from the last of them.
  pipeline(source, gunzip, () => undefined)
  try {
    yield* readBackup(gunzip)
  } catch (error) {
    throw toFileError(error)
  } finally {
    gunzip.destroy()
  }
}

function toFileError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string' || !code.startsWith('Z_')) return error
  const sentence = code === 'Z_BUF_ERROR' ? 'The file is incomplete.' : 'The file is damaged.'
  return new BackupFileError(sentence, { cause: error })
}

type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table' }
  | { kind: 'rows'; table: string; columns: string[]; lines: Buffer[] }
  | {
      kind: 'end'
      rows: RowCounts
      sha256: string
      signature: string | undefined
      keys: KeptKeys | undefined
    }

const emptyLine = Buffer.alloc(0)
const lineBreak = Buffer.from('\n')

/** Reads the parts of a backup. Their content is verified only at the end. */
async function* readBackup(source: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  const reader = createReader()
  for await (const lines of splitLines(source)) yield* reader.read(lines)
  reader.finish()
}

function createReader() {
  const hash = createHash('sha256')
  const rows: RowCounts = {}
  let tables: readonly string[] | undefined
  let open: { table: string; columns: string[] } | undefined
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

  function takeRows(lines: Buffer[], { table, columns }: { table: string; columns: string[] }): BackupPart {
    for (const line of lines) hash.update(line).update(lineBreak)
    rows[table] = (rows[table] ?? 0) + lines.length
    return { kind: 'rows', table, columns, lines }
  }

  function closeTable() {
    hash.update(lineBreak)
    open = undefined
  }

  function readLine(line: Buffer): BackupPart {
    if (isEnded) throw damaged('it has data after the last line')
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
        'The backup was made by a newer version of NSTP Portal. Restore it with that version.',
      )
    }
    const header = check(headerSchema, value)
    hash.update(line).update(lineBreak)
    tables = header.tables
    return { kind: 'header', header }
  }

  function readTable(line: Buffer, value: unknown, expected: string): BackupPart {
    const { table, columns } = check(tableSchema, value)
    if (table !== expected) throw damaged("its tables don't match its header")
    hash.update(line).update(lineBreak)
    rows[table] = 0
    open = { table, columns }
    return { kind: 'table' }
  }

  function readEnd(value: unknown): BackupPart {
    const end = check(endSchema, value)
    const sha256 = hash.digest('hex')
    const areCounted = Object.entries(rows).every(([table, count]) => end.rows[table] === count)
    if (end.sha256 !== sha256 || !areCounted) throw damaged('wrong checksum')
    isEnded = true
    return { kind: 'end', rows, sha256, signature: end.signature, keys: end.keys }
  }

  return {
    read,
    finish() {
      if (!isEnded) throw new BackupFileError('The file is incomplete.')
    },
  }
}

function countRows(lines: Buffer[], from: number): number {
  const end = lines.findIndex((line, index) => index >= from && line.length === 0)
  return (end === -1 ? lines.length : end) - from
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch (cause) {
    throw damaged('unreadable line', cause)
  }
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (!result.success) throw damaged('unexpected line', result.error)
  return result.data
}

function damaged(what: string, cause?: unknown): BackupFileError {
  return new BackupFileError(`The file is damaged: ${what}.`, { cause })
}

// bytes: ten times the longest row (a 10 MB attachment in hex).
const maxLineBytes = 256 * 1024 * 1024
const newline = 0x0a

async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  // A long line comes in many parts, which are put together only once.
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const part of source) {
    const lines: Buffer[] = []
    let from = 0
    for (let end = part.indexOf(newline); end !== -1; end = part.indexOf(newline, from)) {
      const rest = part.subarray(from, end)
      lines.push(begun.length === 0 ? rest : Buffer.concat([...begun, rest]))
      begun = []
      begunBytes = 0
      from = end + 1
    }
    if (from < part.length) begun.push(part.subarray(from))
    begunBytes += part.length - from
    if (begunBytes > maxLineBytes) throw new BackupFileError('The file is damaged: a line is too long.')
    if (lines.length > 0) yield lines
  }
  if (begun.length > 0) throw new BackupFileError('The file is incomplete.')
}
