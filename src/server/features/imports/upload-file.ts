import { v7 as createId } from 'uuid'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { createPause, type Pause } from '#server/lib/scheduler.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { isMisnamed, tableRows } from '#server/spreadsheet/reading/table-rows.ts'
import { maxColumns, type TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import { fileSentences, unreadable } from '#server/spreadsheet/reading/zip-parts.ts'
import { readFieldAliases } from '#shared/field-rules.ts'
import {
  dateFields,
  type ImportField,
  type ImportPurpose,
  importFieldLabel,
  importFields,
  importSentences,
  maxImportBytes,
  maxImportRows,
} from '#shared/imports/imports.ts'
import { fieldAliases } from '#shared/students/student-fields.ts'
import columnNames from './column-names.json'
import { createImportsRepository } from './imports-repository.ts'
import { createDateOrderGuess } from './row-fields.ts'
import { createRowsRepository, type StagedRow } from './rows-repository.ts'

// Each uses a connection for long work and up to 20 MB.
const maxUploads = 2
const longestName = 200
// Of the workbook that was sent: its first sheet is a summary.
const sheetOfSerials = /graduate|serial/i

export interface UploadedFile {
  bytes: Buffer
  fileName: string
  purpose: ImportPurpose
  // Of a list of people: one of them.
  termId: string | null
  paperId: string | null
  // Of serial numbers: the letter with which they came, and its day.
  reference?: string
  receivedOn?: string | null
}

export function createUpload({ database, audit, clock }: Pick<AppContext, 'database' | 'audit' | 'clock'>) {
  const uploads = createWorkQueue({ atOnce: maxUploads, maxWaiting: 0, busy: fileSentences.busy })

  async function store(
    id: string,
    { bytes, fileName, purpose, termId, paperId, reference = '', receivedOn = null }: UploadedFile,
    actor: Staff,
  ) {
    await database.transact(
      async (tx) => {
        const imports = createImportsRepository(tx)
        await imports.insert({
          id,
          fileName,
          purpose,
          termId,
          paperId,
          reference,
          receivedOn,
          createdAt: clock(),
          createdBy: actor.name,
          createdById: actor.adminId,
          state: 'uploaded',
          rowCount: 0,
          headers: [],
          guessedDateOrder: 'month-first',
        })
        const staged = await stageFile(
          bytes,
          fileName,
          (rows) => createRowsRepository(tx).stage(id, rows),
          purpose === 'serials' ? sheetOfSerials : undefined,
        )
        await imports.update(id, staged)
        await audit.record(tx, {
          action: 'import-uploaded',
          actor,
          subject: fileName,
          affected: staged.rowCount,
          detail: { import: id },
        })
      },
      { long: true },
    )
  }

  return async (file: UploadedFile, actor: Staff): Promise<string> => {
    if (file.bytes.length > maxImportBytes) throw new AppError('too_big', importSentences.tooBig)
    const id = createId()
    await uploads.run(() => store(id, { ...file, fileName: cleanName(file.fileName) }, actor))
    return id
  }
}

// Security: removes paths, control characters and marks that change the writing direction.
function cleanName(name: string): string {
  const last =
    name
      .replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu, '')
      .split(/[/\\]/)
      .at(-1)
      ?.trim() ?? ''
  return last.slice(0, longestName) || 'students'
}

// Rows and characters of one statement.
const batchSize = 500
const batchCharacters = 2 * 1024 * 1024
// Security: a small workbook can repeat one long text in every cell.
const maxCharacters = 128 * 1024 * 1024
// ms: the largest valid file takes a tenth of it.
const readLimitMs = 60_000

/** @throws AppError `invalid` or `too_big` for a file that can't be imported */
export async function stageFile(
  file: Buffer,
  fileName: string,
  stage: (rows: StagedRow[]) => Promise<void>,
  sheet?: RegExp,
) {
  const empty = isMisnamed(file, fileName) ? fileSentences.otherType : fileSentences.empty
  const reader = isJson(file) ? exportedRows(file) : tableRows(file, sheet)
  const end = Date.now() + readLimitMs
  const first = await readFirst(reader)
  const top = findHeader(first)
  const heading = first[top]?.cells
  if (!heading) throw unreadable(empty)
  const dates = createDateOrderGuess()
  const dateColumns = guessColumns(headersOf(heading, heading.length)).flatMap((field, index) =>
    field && dateFields.includes(field) ? [index] : [],
  )
  let width = heading.length
  let rowCount = 0
  let lastNumber = 0
  let batch: StagedRow[] = []
  let characters = 0
  let written = 0
  for await (const { number, cells } of rest(first.slice(top + 1), reader)) {
    rowCount += 1
    if (rowCount > maxImportRows) throw new AppError('too_big', importSentences.tooManyRows)
    width = Math.max(width, cells.length)
    dates.see(dateColumns.map((column) => cells[column] ?? ''))
    // A file may number its rows wrongly; here each number is one row.
    lastNumber = Math.max(lastNumber + 1, Math.min(number, 2_000_000_000 - maxImportRows + rowCount))
    batch.push({ number: lastNumber, cells: cells.map(storable) })
    characters += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (batch.length < batchSize && characters - written < batchCharacters) continue
    if (Date.now() > end || characters > maxCharacters) throw unreadable(fileSentences.tooLarge)
    await stage(batch)
    batch = []
    written = characters
  }
  if (rowCount === 0) throw unreadable(empty)
  if (batch.length > 0) await stage(batch)
  return { headers: headersOf(heading.map(storable), width), rowCount, guessedDateOrder: dates.order() }
}

async function readFirst(reader: AsyncGenerator<TableRow>): Promise<TableRow[]> {
  const first: TableRow[] = []
  while (first.length < headerSearchRows) {
    const { done, value } = await reader.next()
    if (done) break
    first.push(value)
  }
  return first
}

async function* rest(first: readonly TableRow[], reader: AsyncGenerator<TableRow>): AsyncGenerator<TableRow> {
  yield* first
  yield* reader
}

// PostgreSQL stores no NUL and no lone surrogates.
function storable(text: string): string {
  return text.replace(/\0/g, '\u0001').replace(/[\ud800-\udfff]/gu, '\ufffd')
}

// characters
const maxRecord = 256 * 1024
const minRecognized = 2
/** Brackets and texts between two checks of the clock. */
const marksPerClockCheck = 1_000
/** The record's id in the old system, for which there is no field here. */
const ownId = 'id'

function isJson(file: Buffer): boolean {
  return /^\uFEFF?\s*(\{\s*["}]|\[\s*(\{|\]|null))/.test(file.toString('utf8', 0, 256))
}

/**
 * One record at a time: parsing 20 MB at once would take hundreds of MB and block the event loop.
 * @throws AppError `invalid` or `too_big`
 */
export async function* exportedRows(file: Buffer): AsyncGenerator<TableRow> {
  const text = orDamaged(() => new TextDecoder('utf-8', { fatal: true }).decode(file))
  const start = skipSpace(text, 0)
  const pause = createPause()
  if (skipSpace(text, await endOfValue(text, start, pause)) !== text.length)
    throw unreadable(fileSentences.damagedJson)
  const records = await studentsAt(text, start, pause)

  const found = new Set<string>()
  for await (const record of recordsOf(text, records, pause)) {
    for (const name of Object.keys(record)) found.add(name)
    if (found.size > maxColumns) throw unreadable(fileSentences.tooManyColumns)
  }
  const fieldNames: readonly string[] = importFields
  const names = [
    ...fieldNames.filter((name) => found.has(name)),
    ...[...found].filter((name) => !fieldNames.includes(name)),
  ]
  if (names.filter((name) => guessField(name) !== null).length < minRecognized)
    throw unreadable(fileSentences.noStudents)

  yield { number: 0, cells: names }
  let number = 0
  for await (const record of recordsOf(text, records, pause)) {
    number += 1
    const cells = names.map((name) => record[name] ?? '')
    if (cells.some((cell) => cell.trim() !== '')) yield { number, cells }
  }
}

function orDamaged<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw unreadable(fileSentences.damagedJson, error)
  }
}

/** Where the object or list of records begins. */
async function studentsAt(text: string, start: number, pause: Pause): Promise<number> {
  if (text[start] !== '{') return start
  for await (const { key, from } of membersOf(text, start, pause)) {
    if (key !== 'students') continue
    if (text[from] !== '{' && text[from] !== '[') throw unreadable(fileSentences.noStudents)
    return from
  }
  return start
}

/** The records' texts by name of field. Lists of the old system have holes, which are null. */
async function* recordsOf(text: string, start: number, pause: Pause): AsyncGenerator<Record<string, string>> {
  let count = 0
  for await (const { from, to } of membersOf(text, start, pause)) {
    if (text.slice(from, to) === 'null') continue
    if (text[from] !== '{') throw unreadable(fileSentences.noStudents)
    if (to - from > maxRecord) throw unreadable(fileSentences.tooLarge)
    count += 1
    if (count > maxImportRows) throw new AppError('too_big', importSentences.tooManyRows)
    yield textsOf(orDamaged(() => JSON.parse(text.slice(from, to))))
    await pause()
  }
}

function textsOf(record: unknown): Record<string, string> {
  const texts: Record<string, string> = Object.create(null)
  const { value, problems } = readFieldAliases(record)
  for (const [name, member] of Object.entries(value ?? {})) if (name !== ownId) texts[name] = textOf(member)
  // A field that is given twice, and differently, is for a person to decide: no rule accepts both at once.
  for (const { path } of problems) {
    const field = fieldAliases[path]
    const other: unknown = Object.entries(record ?? {}).find(([name]) => name === path)?.[1]
    if (field) texts[field] = `${texts[field]} / ${textOf(other)}`
  }
  return texts
}

// No field of a student is an object or a list.
function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
}

/** The members of the object, or the items of the list, that begins at an index. */
async function* membersOf(text: string, start: number, pause: Pause) {
  const isObject = text[start] === '{'
  const end = isObject ? '}' : ']'
  let at = skipSpace(text, start + 1)
  if (text[at] === end) return
  for (;;) {
    let key = ''
    if (isObject) {
      const from = at
      const keyEnd = await endOfValue(text, from, pause)
      key = String(orDamaged(() => JSON.parse(text.slice(from, keyEnd))))
      at = skipSpace(text, keyEnd)
      if (text[at] !== ':') throw unreadable(fileSentences.damagedJson)
      at = skipSpace(text, at + 1)
    }
    const to = await endOfValue(text, at, pause)
    yield { key, from: at, to }
    at = skipSpace(text, to)
    if (text[at] === end) return
    if (text[at] !== ',') throw unreadable(fileSentences.damagedJson)
    at = skipSpace(text, at + 1)
  }
}

/** The index behind the value that begins at an index, without parsing its content. */
async function endOfValue(text: string, start: number, pause: Pause): Promise<number> {
  if (text[start] === '"') return endOfString(text, start) + 1
  if (text[start] !== '{' && text[start] !== '[') return start + text.slice(start).search(/[\s,:\]}]|$/)
  const marks = /["{}[\]]/g
  marks.lastIndex = start
  let depth = 0
  let seen = 0
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    seen += 1
    if (seen % marksPerClockCheck === 0) await pause()
    if (mark[0] === '"') marks.lastIndex = endOfString(text, mark.index) + 1
    else depth += mark[0] === '{' || mark[0] === '[' ? 1 : -1
    if (depth === 0) return marks.lastIndex
  }
  throw unreadable(fileSentences.damagedJson)
}

/** The index of the quote that ends the string. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  throw unreadable(fileSentences.damagedJson)
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}

// By field, without case, accents and punctuation.
const otherNames: Partial<Record<ImportField, readonly string[]>> = columnNames

const studentFields = importFields.filter((field) => field !== 'fullName' && field !== 'mark')

const fieldsByName = new Map<string, ImportField>()
for (const field of importFields) {
  for (const name of [importFieldLabel(field), field, ...(otherNames[field] ?? [])]) {
    const words = wordsOf(name)
    if (!fieldsByName.has(words)) fieldsByName.set(words, field)
  }
}

export function guessField(header: string): ImportField | null {
  const words = wordsOf(header)
  const withoutNote = wordsOf(header.replace(/\([^()]*\)|\*/g, ' '))
  return fieldsByName.get(words) ?? fieldsByName.get(withoutNote) ?? null
}

/** @param fields those that the file may have; without them, all of a file of students */
export function guessColumns(
  headers: readonly string[],
  fields: readonly ImportField[] = studentFields,
): (ImportField | null)[] {
  const taken = new Set<ImportField>()
  const hasCourse = headers.some((header) => guessField(header) === 'course' && !namesProgram(header))
  return headers.map((header) => {
    const field = hasCourse && namesProgram(header) ? 'program' : guessField(header)
    if (field === null || !fields.includes(field) || taken.has(field)) return null
    taken.add(field)
    return field
  })
}

// Of a file without another column of courses they name the course: many schools have no other word for it.
const programNames = ['program', 'degree', 'degree program', 'program course']

function namesProgram(header: string): boolean {
  return programNames.includes(wordsOf(header))
}

function wordsOf(header: string): string {
  return header
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/#/g, ' number ')
    .replace(/[^a-z\d]+/g, ' ')
    .replace(/\b(no|num|nos|numbers)\b/g, 'number')
    .replace(/\b(of|the|your|students)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const headerSearchRows = 15

export function findHeader(rows: readonly TableRow[]): number {
  const recognized = rows.map(({ cells }) => cells.filter((cell) => guessField(cell) !== null).length)
  const most = Math.max(0, ...recognized)
  return most >= minRecognized ? recognized.indexOf(most) : 0
}

function headersOf(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index]?.replace(/\s+/g, ' ').trim() ?? '')
}
