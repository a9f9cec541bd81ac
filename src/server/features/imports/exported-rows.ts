import { AppError } from '#server/lib/errors.ts'
import { createPause, type Pause } from '#server/lib/scheduler.ts'
import { maxColumns, type TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import { fileSentences, unreadable } from '#server/spreadsheet/reading/zip-parts.ts'
import { readFieldAliases } from '#shared/field-rules.ts'
import { importFields, importSentences, maxImportRows } from '#shared/imports/imports.ts'
import { fieldAliases } from '#shared/students/student-fields.ts'
import { guessField, minRecognized } from './column-guess.ts'

// characters
const maxRecord = 256 * 1024
/** Brackets and texts between two checks of the clock. */
const marksPerClockCheck = 1_000
/** The record's id in the old system, for which there is no field here. */
const ownId = 'id'

export function isJson(file: Buffer): boolean {
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

/** Finds the position at which the object or list of records begins. */
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
