import { setImmediate as otherWork } from 'node:timers/promises'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import {
  type DateOrder,
  fieldsOfImport,
  type ImportChange,
  type ImportField,
  isStudentField,
  updateKeyWords,
} from '#shared/imports/imports.ts'
import { type CalendarDate, calendarDateOf } from '#shared/program-calendar.ts'
import {
  bloodTypes,
  civilStatuses,
  componentNames,
  nstpComponents,
  sexes,
  storedYearLevelLabels,
  yearLevelLabel,
} from '#shared/students/student-choices.ts'
import { changedFields, createStudentEditSchema, type EditBasis } from '#shared/students/student-edit.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createMatchesRepository } from './matches-repository.ts'
import { createRowCheck, createTextReader, instantPattern, type RowFields, readDate } from './row-fields.ts'
import { createRowsRepository, type RowResult, type StoredRow } from './rows-repository.ts'
import { createUpdatesRepository, type FoundRecord } from './updates-repository.ts'
import { WorkLost, type WorkOrder } from './work.ts'

const batchSize = 500
// ms: yields to requests this often.
const sliceMs = 10

export interface Choices {
  readonly courses: readonly string[]
  readonly academicYears: readonly string[]
}

export interface CheckingOptions {
  database: AppDatabase
  offer: () => Choices
  clock: () => Date
  timeZone: string
}

type ReadRow = Pick<StoredRow, 'number' | 'cells' | 'edits'>

export function createRowReader(
  job: Pick<StoredImport, 'mapping' | 'updateBy' | 'held'>,
  { offer, clock, timeZone }: Omit<CheckingOptions, 'database'>,
): (db: Queryable, rows: readonly ReadRow[]) => Promise<RowResult[]> {
  const { mapping, updateBy } = job
  if (!mapping) throw new Error('The rows of an import are checked before its columns are known.')
  const now = clock()
  const { courses, academicYears } = choicesOf(job.held, offer())
  const rules = { dateOrder: mapping.dateOrder, today: calendarDateOf(now, timeZone), courses }
  if (updateBy) {
    const { keyOf, check } = createUpdateCheck({ job, rules, academicYears, timeZone })
    return async (db, rows) => {
      const found = await createUpdatesRepository(db).find(updateBy, rows.map(keyOf), academicYears)
      return inSlices(rows, (row, index) => check(row, found[index] ?? []))
    }
  }
  const check = createRowCheck({ courses, academicYears, now, timeZone })
  const textOf = createTextReader(mapping)
  return (_db, rows) =>
    inSlices(rows, (row) => {
      const fields: RowFields = {}
      for (const field of fieldsOfImport(null)) {
        const value = readValue(field, textOf(row, field), rules)
        if (value !== '') fields[field] = value
      }
      const nothingUpdated = { recordId: null, recordVersion: null, changes: null }
      return { number: row.number, fields, ...nothingUpdated, ...check(fields) }
    })
}

export function choicesOf(
  held: StoredImport['held'],
  offered: Choices,
): { courses: string[]; academicYears: string[] } {
  return {
    courses: [...new Set([...offered.courses, ...(held?.courses ?? [])])],
    academicYears: [...new Set([...offered.academicYears, ...(held?.academicYears ?? [])])].sort(),
  }
}

/** Resumes where an earlier check stopped. Duplicates are found last. */
export async function checkRows({ job, token, advance }: WorkOrder, options: CheckingOptions): Promise<void> {
  const { database } = options
  const read = createRowReader(job, options)
  let { workRow, progress } = job
  for (;;) {
    const rows = await createRowsRepository(database.db).after(job.id, workRow, batchSize)
    const last = rows.at(-1)
    if (!last) break
    const results = await read(database.db, rows)
    workRow = last.number
    progress += rows.length
    await advance({})
    await database.transact(async (tx) => {
      // First: a process that lost its claim must not write.
      if (!(await createImportsRepository(tx).advance(job.id, token, { workRow, progress }))) {
        throw new WorkLost()
      }
      await createRowsRepository(tx).saveResults(job.id, results)
    })
  }
  await database.transact(
    async (tx) => {
      await resolveRows(tx, job)
      if (!(await createImportsRepository(tx).finish(job.id, token, { state: 'checked' })))
        throw new WorkLost()
    },
    { long: true },
  )
}

/** Looks for rows that mean the same person, sets the states of all rows by it, and counts them. */
export async function resolveRows(tx: Queryable, { id, updateBy }: Pick<StoredImport, 'id' | 'updateBy'>) {
  const rows = createRowsRepository(tx)
  if (updateBy) {
    await createMatchesRepository(tx).markSameRecord(id)
    await rows.updateStates(id)
  } else await createMatchesRepository(tx).mark(id, null)
  await rows.count(id)
}

async function inSlices(
  rows: readonly ReadRow[],
  read: (row: ReadRow, index: number) => RowResult,
): Promise<RowResult[]> {
  const results: RowResult[] = []
  let sliceStart = performance.now()
  for (const [index, row] of rows.entries()) {
    results.push(read(row, index))
    if (performance.now() - sliceStart < sliceMs) continue
    await otherWork()
    sliceStart = performance.now()
  }
  return results
}

type CheckUpdateReadRow = Pick<StoredRow, 'number' | 'cells' | 'edits'>

interface UpdateCheckOptions {
  job: Pick<StoredImport, 'updateBy' | 'mapping'>
  rules: ValueRules
  academicYears: readonly string[]
  timeZone: string
}

function createUpdateCheck({ job, rules, academicYears, timeZone }: UpdateCheckOptions) {
  const { updateBy: key, mapping } = job
  if (!key || !mapping) throw new Error('The rows of an update are checked before its columns are known.')
  const textOf = createTextReader(mapping)
  const fields = studentFieldNames.filter((field) => field !== key)
  const words = updateKeyWords[key]
  // One schema for all rows: a schema takes a millisecond to make.
  let record: FoundRecord | undefined
  const schema = createStudentEditSchema({
    courses: rules.courses,
    academicYears,
    get registered() {
      return calendarDateOf(current().registrationDate, timeZone)
    },
    get stored() {
      return current()
    },
  })
  function current(): FoundRecord {
    if (!record) throw new Error('A row is checked without its record.')
    return record
  }

  const keyOf = (row: CheckUpdateReadRow): string => readValue(key, textOf(row, key), rules)

  function editOf(row: CheckUpdateReadRow, held: FoundRecord): RowFields {
    const edit: RowFields = {}
    for (const field of fields) {
      const text = textOf(row, field)
      const value = isSame(text, String(held[field])) ? '' : readValue(field, text, rules)
      if (value !== '') edit[field] = value
    }
    return edit
  }

  return {
    keyOf,

    check(row: CheckUpdateReadRow, found: readonly FoundRecord[]): RowResult {
      const named = keyOf(row)
      const common = { number: row.number, registrationDate: null, archivedDate: null }
      record = found[0]
      if (!record || found.length > 1) {
        return {
          ...common,
          fields: named === '' ? {} : { [key]: named },
          problems: [{ path: key, message: missingName(named, found.length) }],
          recordId: null,
          recordVersion: null,
          changes: [],
        }
      }
      const edit = editOf(row, record)
      const { data, error } = schema.safeParse(edit)
      return {
        ...common,
        fields: { [key]: named, ...edit },
        problems: (error?.issues ?? []).flatMap(({ path, message }) => {
          const field = fields.find((name) => name === path[0])
          return field ? [{ path: field, message }] : []
        }),
        recordId: record.id,
        recordVersion: record.version,
        changes: data ? changesOf(data, record) : [],
      }
    },
  }

  function missingName(named: string, found: number): string {
    if (named === '') return `This row has no ${words}.`
    return found === 0
      ? `No record has this ${words}.`
      : `${found} records have this ${words}. Please update them by reference code.`
  }
}

function changesOf(edit: Parameters<typeof changedFields>[0], held: EditBasis['stored']): ImportChange[] {
  return changedFields(edit, held)
    .map((path) => ({ path, before: wordOf(path, held[path]), after: wordOf(path, edit[path] ?? '') }))
    .filter(({ before, after }) => !isSame(before, after))
}

function wordOf(field: StudentField, value: string | number): string {
  return field === 'yearLevel' ? yearLevelLabel(Number(value)) : String(value)
}

// Spreadsheet programs write other line breaks than forms.
function isSame(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/\r\n?/g, '\n').trim()
  return plain(one) === plain(other)
}

interface ValueRules {
  dateOrder: DateOrder
  today: CalendarDate
  courses: readonly string[]
}

const blank = /^(n\/a|-{1,3}|–|—|\.)$/i
const dashes = /[‐-―−]/g

export function readValue(field: ImportField, text: string, rules: ValueRules): string {
  const value = text.trim()
  if (value === '' || (blank.test(value) && !isRequired(field))) return ''
  switch (field) {
    case 'dateOfBirth':
      return readDate(value, rules.dateOrder, rules.today)?.date ?? value
    case 'registrationDate':
    case 'archivedDate':
      return readMoment(value, rules)
    case 'reference':
      return referenceOf(value)
    case 'archived':
      return archivedOf(value)
    case 'sex':
      return sexOf(value)
    case 'civilStatus':
      return civilStatusOf(value)
    case 'bloodType':
      return bloodTypeOf(value)
    case 'yearLevel':
      return yearLevelOf(value)
    case 'academicYear':
      return academicYearOf(value)
    case 'nstpComponent':
      return componentOf(value)
    case 'course':
      return listed(rules.courses, value) ?? value
    case 'contactNumber':
    case 'emergencyContactNumber':
    case 'guardianContactNumber':
      return phoneOf(value)
    case 'zipCode':
      // Codes have four digits; a spreadsheet takes leading zeros away.
      return /^\d{3}$/.test(value) ? `0${value}` : value
    case 'email':
      return value.replace(/^mailto:/i, '')
    default:
      // A line break within a cell is layout, but for the fields that have several lines.
      return isStudentField(field) && fieldDefinition(field).multiline
        ? value
        : value.replace(/\s*[\r\n\t]+\s*/g, ' ')
  }
}

function isRequired(field: ImportField): boolean {
  return isStudentField(field) && fieldDefinition(field).required === true
}

function readMoment(value: string, { dateOrder, today }: ValueRules): string {
  if (instantPattern.test(value)) return value
  const read = readDate(value, dateOrder, today)
  if (!read) return value
  return read.time === null ? read.date : `${read.date} ${read.time}`
}

function referenceOf(value: string): string {
  const letters = value.toUpperCase().replace(/[^\dA-Z]/g, '')
  const [, first, second] = /^(?:NSTP)?([\dA-Z]{4})([\dA-Z]{4})$/.exec(letters) ?? []
  return first && second ? `NSTP-${first}-${second}` : value
}

function archivedOf(value: string): string {
  if (/^(yes|y|true|1|archived)$/i.test(value)) return 'Yes'
  return /^(no|n|false|0|active)$/i.test(value) ? 'No' : value
}

function listed(list: readonly string[], value: string): string | undefined {
  const wanted = value.toLowerCase()
  return list.find((choice) => choice.toLowerCase() === wanted)
}

function sexOf(value: string): string {
  if (/^(m|lalaki|boy|man)\.?$/i.test(value)) return 'Male'
  if (/^(f|babae|girl|woman)\.?$/i.test(value)) return 'Female'
  return listed(sexes, value) ?? value
}

function civilStatusOf(value: string): string {
  if (/^(widow|widower|w)$/i.test(value)) return 'Widowed'
  if (/^s$/i.test(value)) return 'Single'
  if (/^m$/i.test(value)) return 'Married'
  return listed(civilStatuses, value) ?? value
}

function bloodTypeOf(value: string): string {
  const short = value
    .toUpperCase()
    .replace(dashes, '-')
    .replace(/\(|\)|TYPE|RH/g, '')
    .replace(/POSITIVE|POS\b/, '+')
    .replace(/NEGATIVE|NEG\b/, '-')
    .replace(/\s/g, '')
    .replace(/^0/, 'O')
  return listed(bloodTypes, short) ?? value
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']
const romans = ['i', 'ii', 'iii', 'iv', 'v']

function yearLevelOf(value: string): string {
  const word = value
    .toLowerCase()
    .replace(/\b(year|yr|level)\b\.?/g, ' ')
    .replace(/[-.]/g, ' ')
    .trim()
  const digit = /^([1-5])(st|nd|rd|th)?$/.exec(word)?.[1]
  const index = digit ? Number(digit) - 1 : Math.max(ordinals.indexOf(word), romans.indexOf(word))
  return storedYearLevelLabels[index] ?? value
}

function academicYearOf(value: string): string {
  const [, first, second] =
    /^(?:[as]\.?\s*y\.?|school year|academic year)?\s*:?\s*(\d{4})\s*(?:[-/‐-―−]|to)\s*(\d{4}|\d{2})$/i.exec(
      value,
    ) ?? []
  if (first === undefined || second === undefined) return value
  return `${first}-${second.length === 2 ? `${first.slice(0, 2)}${second}` : second}`
}

function componentOf(value: string): string {
  const byName = nstpComponents.find(
    (component) => componentNames[component].toLowerCase() === value.toLowerCase().replace(/’/g, "'"),
  )
  if (byName) return byName
  const words = value.toUpperCase().split(/[^A-Z]+/)
  const named = nstpComponents.filter((component) => words.includes(component))
  const [only] = named
  return named.length === 1 && only ? only : value
}

// Spreadsheets drop the leading zero of 0917 123 4567.
function phoneOf(value: string): string {
  const dashed = value.replace(dashes, '-').replace(/(\d)\.(?=\d)/g, '$1 ')
  return /^9\d{9}$/.test(dashed) ? `0${dashed}` : dashed
}
