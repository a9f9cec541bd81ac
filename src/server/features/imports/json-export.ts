import { setImmediate as otherWork } from 'node:timers/promises'
import { AppError } from '#server/errors.ts'
import { maxColumns, type TableRow } from '#server/spreadsheet/reading/sheet-rows.ts'
import { fileSentences, unreadable } from '#server/spreadsheet/reading/unreadable.ts'
import { readFieldAliases } from '#shared/field-rules.ts'
import { importFields, importSentences, maxImportRows } from '#shared/imports.ts'
import { fieldAliases } from '#shared/student-fields.ts'
import { guessField } from './guess-columns.ts'

/** Longest text of one record: pictures aren't part of a student. */
const maxRecord = 256 * 1024
/** Known names of fields that make a file one of students. */
const enough = 2
/** Other requests are served at least this often, in milliseconds. */
const turnMs = 10
/** The record's id of the old system, which no field here holds. */
const ownId = 'id'

const damaged = 'This JSON file is damaged. Please export it from the old system once more.'
const noStudents =
  'This JSON file has no student records. Please export the “students” part of the old system’s database.'

interface Member {
  key: string
  /** Where the value begins and ends in the text. */
  from: number
  to: number
}

/** Whether a file begins as JSON objects or lists of objects do. */
export function isJson(file: Buffer): boolean {
  return /^\uFEFF?\s*(\{\s*["}]|\[\s*(\{|\]|null))/.test(file.toString('utf8', 0, 256))
}

/**
 * The old system's export as a table: records keyed by their id or in a list, at the top or below `students`.
 * The first row has the names of the fields. One record at a time is parsed: a file of 20 MB as a whole would
 * take hundreds of megabytes, and stop all other requests meanwhile.
 *
 * @throws AppError `invalid` or `too_big` with what to do about the file
 */
export async function* exportedRows(file: Buffer): AsyncGenerator<TableRow> {
  const text = decode(file)
  const start = skipSpace(text, 0)
  if (skipSpace(text, endOfValue(text, start)) !== text.length) throw unreadable(damaged)
  const records = studentsAt(text, start)

  const found = new Set<string>()
  for await (const record of recordsOf(text, records)) {
    for (const name of Object.keys(record)) found.add(name)
    if (found.size > maxColumns) throw unreadable(fileSentences.tooManyColumns(maxColumns))
  }
  const known: readonly string[] = importFields
  const names = [
    ...known.filter((name) => found.has(name)),
    ...[...found].filter((name) => !known.includes(name)),
  ]
  if (names.filter((name) => guessField(name) !== null).length < enough) throw unreadable(noStudents)

  yield { number: 0, cells: names }
  let number = 0
  for await (const record of recordsOf(text, records)) {
    number += 1
    const cells = names.map((name) => record[name] ?? '')
    if (cells.some((cell) => cell.trim() !== '')) yield { number, cells }
  }
}

function decode(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch (error) {
    throw unreadable(damaged, error)
  }
}

/** Where the object or list of records begins. */
function studentsAt(text: string, start: number): number {
  if (text[start] !== '{') return start
  for (const { key, from } of membersOf(text, start)) {
    if (key !== 'students') continue
    if (text[from] !== '{' && text[from] !== '[') throw unreadable(noStudents)
    return from
  }
  return start
}

/** The records' texts by name of field. Lists of the old system have holes, which are null. */
async function* recordsOf(text: string, start: number): AsyncGenerator<Record<string, string>> {
  let count = 0
  let turn = performance.now()
  for (const { from, to } of membersOf(text, start)) {
    if (text.slice(from, to) === 'null') continue
    if (text[from] !== '{') throw unreadable(noStudents)
    if (to - from > maxRecord) throw unreadable(fileSentences.tooLarge)
    count += 1
    if (count > maxImportRows) throw new AppError('too_big', { detail: importSentences.tooManyRows })
    yield textsOf(parse(text.slice(from, to)))
    if (performance.now() - turn < turnMs) continue
    await otherWork()
    turn = performance.now()
  }
}

/** A record's members as texts, each field by its own name. */
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

function textOf(value: unknown): string {
  // No field of a student holds an object or a list.
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

/** The members of the object, or the items of the list, that begins at an index. */
function* membersOf(text: string, start: number): Generator<Member> {
  const isObject = text[start] === '{'
  const end = isObject ? '}' : ']'
  let at = skipSpace(text, start + 1)
  if (text[at] === end) return
  for (;;) {
    let key = ''
    if (isObject) {
      const keyEnd = endOfValue(text, at)
      key = String(parse(text.slice(at, keyEnd)))
      at = skipSpace(text, keyEnd)
      if (text[at] !== ':') throw unreadable(damaged)
      at = skipSpace(text, at + 1)
    }
    const to = endOfValue(text, at)
    yield { key, from: at, to }
    at = skipSpace(text, to)
    if (text[at] === end) return
    if (text[at] !== ',') throw unreadable(damaged)
    at = skipSpace(text, at + 1)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable(damaged, error)
  }
}

/** The index behind the value that begins at an index, without a look at what is inside. */
function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start) + 1
  const isNested = text[start] === '{' || text[start] === '['
  const marks = isNested ? /["{}[\]]/g : /[\s,:\]}]|$/g
  marks.lastIndex = start
  let depth = 0
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (!isNested) return mark.index
    if (mark[0] === '"') marks.lastIndex = endOfString(text, mark.index) + 1
    else depth += mark[0] === '{' || mark[0] === '[' ? 1 : -1
    if (depth === 0) return marks.lastIndex
  }
  throw unreadable(damaged)
}

/** The index of the quote that ends the string. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  throw unreadable(damaged)
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}
