import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { ListPurposes } from '#server/lib/list-purpose.ts'
import { batchesOf } from '#server/lib/paging.ts'
import { createPause } from '#server/lib/scheduler.ts'
import { isPhoneNumber } from '#shared/field-rules.ts'
import type { ImportChange } from '#shared/imports/import-response.ts'
import {
  type DateOrder,
  fieldsOfImport,
  type ImportField,
  isStudentField,
  type ListPurposeName,
  updateKeyWords,
} from '#shared/imports/imports.ts'
import { writtenSerial } from '#shared/papers/serial-checks.ts'
import { type CalendarDate, calendarDateOf, isCalendarDate } from '#shared/program-calendar.ts'
import { splitFullName } from '#shared/students/person-names.ts'
import { readReference } from '#shared/students/reference.ts'
import {
  bloodTypes,
  civilStatuses,
  componentNames,
  isComponent,
  nstpComponents,
  sexes,
  storedYearLevelLabels,
  yearLevelLabel,
} from '#shared/students/student-choices.ts'
import { changedFields, createStudentEditSchema, type EditBasis } from '#shared/students/student-edit.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { enrolmentMessages } from '#shared/terms/enrolments.ts'
import { checkSerials } from './check-serials.ts'
import type { StoredImport, WorkOrder } from './imports-repository.ts'
import { listOf, matchList } from './match-rows.ts'
import { createRecordsRepository, type FoundRecord } from './records-repository.ts'
import {
  blank,
  brokenProblems,
  createRowCheck,
  createTextReader,
  instantPattern,
  onePerField,
  ownComponentsSentence,
  problemsOf,
  readDate,
  shortenedProblems,
  type TextReader,
} from './row-fields.ts'
import { createRowsRepository, type RowFields, type RowResult, type StoredRow } from './rows-repository.ts'

const batchSize = 500

type Choices = Readonly<Record<'courses' | 'academicYears', readonly string[]>>

export interface CheckingOptions extends Pick<AppContext, 'database' | 'clock' | 'timeZone'> {
  offer: () => Choices
  /** The region of the settings, which serial numbers are compared with. */
  region: () => string
  lists: ListPurposes<ListPurposeName>
}

type ReadRow = Pick<StoredRow, 'number' | 'cells' | 'edits' | 'recordId'>

export function createRowReader(
  job: Pick<StoredImport, 'purpose' | 'mapping' | 'updateBy' | 'held'>,
  access: Access,
  { offer, clock, timeZone }: Pick<CheckingOptions, 'offer' | 'clock' | 'timeZone'>,
): (db: Queryable, rows: readonly ReadRow[]) => Promise<RowResult[]> {
  const { mapping, updateBy } = job
  if (!mapping) throw new Error('The rows of an import are checked before its columns are known.')
  const now = clock()
  const choices = choicesOf(job.held, offer())
  const rules = {
    dateOrder: mapping.dateOrder,
    today: calendarDateOf(now, timeZone),
    courses: choices.courses,
  }
  const textOf = createTextReader(mapping)
  if (job.purpose !== 'students') {
    const fields = fieldsOfImport(job)
    return (_db, rows) =>
      inSlices(rows, (row) => ({
        ...noResult,
        number: row.number,
        fields: readListed(fields, (field) => readValue(field, textOf(row, field), rules)),
        // A person chose this student for the row.
        recordId: row.recordId,
      }))
  }
  if (updateBy) {
    const { keyOf, check } = createUpdateCheck(updateBy, textOf, { ...choices, rules, timeZone, access })
    return async (db, rows) => {
      const values = rows.map(keyOf)
      const found = await createRecordsRepository(db, access).findNamed(updateBy, values)
      return inSlices(rows, (row, index) => check(row, found[index] ?? []))
    }
  }
  const check = createRowCheck(choices, now, timeZone)
  return (_db, rows) =>
    inSlices(rows, (row) => {
      const given: RowFields = {}
      for (const field of fieldsOfImport(job)) {
        const value = readValue(field, textOf(row, field), rules)
        if (value !== '') given[field] = value
      }
      const fields = withNameInParts(given)
      const checked = check(fields)
      const problems = onePerField([
        ...brokenProblems(fields),
        ...checked.problems,
        ...componentProblems(fields.nstpComponent, access),
      ])
      return { ...noResult, number: row.number, fields, ...checked, problems }
    })
}

/** A list is of use as far as it can be read: what can't be is left out. The academic year is that of its term. */
function readListed(fields: readonly ImportField[], read: (field: ImportField) => string): RowFields {
  const known: RowFields = {}
  for (const field of [...fields, 'academicYear'] as const) {
    const value = read(field)
    const isRead =
      field === 'dateOfBirth' ? isCalendarDate(value) : field !== 'nstpComponent' || isComponent(value)
    if (value !== '' && isRead) known[field] = value
  }
  return withNameInParts(known)
}

/** "DELA CRUZ, Juan P." in its parts, where the file has no columns for them. */
function withNameInParts(known: RowFields): RowFields {
  const { fullName = '', ...others } = known
  const parts = known.lastName || known.firstName ? null : splitFullName(fullName)
  if (!parts) return known
  const written = Object.entries(parts).filter(([, part]) => part !== '')
  return { ...Object.fromEntries(written), ...others }
}

/** Refuses records of components that the account may not see. */
function componentProblems(component: string | undefined, access: Access): RowResult['problems'] {
  if (!component || access.includes(component)) return []
  return [{ path: 'nstpComponent', message: ownComponentsSentence(access) }]
}

export function choicesOf(held: StoredImport['held'], offered: Choices) {
  const both = (name: keyof Choices) => [...new Set([...offered[name], ...(held?.[name] ?? [])])]
  return { courses: both('courses'), academicYears: both('academicYears').sort() }
}

const noResult = {
  fields: {},
  registrationDate: null,
  archivedDate: null,
  problems: [],
  recordId: null,
  recordVersion: null,
  changes: null,
}

/** Resumes where an earlier check stopped. Duplicates are found last. */
export async function checkRows({ job, access, advance, finish }: WorkOrder, options: CheckingOptions) {
  const { database } = options
  const read = createRowReader(job, access, options)
  const { list } = createRowsRepository(database.db)
  let { progress } = job
  for await (const rows of batchesOf((after) => list(job.id, { after, limit: batchSize }), job.workRow)) {
    const results = await read(database.db, rows)
    const workRow = rows.at(-1)?.number ?? 0
    progress += rows.length
    await advance({})
    await database.transact(async (tx) => {
      // The claim is checked first: a process that lost it must not write.
      await advance({ workRow, progress }, tx)
      await createRowsRepository(tx).saveResults(job.id, results)
    })
  }
  await database.transact(
    async (tx) => {
      await resolveRows(tx, job, access, options)
      await finish({ state: 'checked' }, tx)
    },
    { long: true },
  )
}

/** Looks for rows that mean the same person, sets the states of all rows by it, and counts them. */
export async function resolveRows(
  tx: Queryable,
  job: Pick<StoredImport, 'id' | 'updateBy' | 'purpose' | 'termId' | 'paperId'>,
  access: Access,
  { lists, region }: Pick<CheckingOptions, 'lists' | 'region'>,
) {
  const { id, updateBy } = job
  const rows = createRowsRepository(tx)
  const list = listOf(job, lists)
  if (list) await matchList(tx, list, access)
  else if (updateBy) {
    await rows.markSameRecord(id)
    await rows.updateStates(id)
  } else await rows.markDuplicates(id, null, access)
  if (!list) await checkSerials(tx, id, { access, region: region() })
  await rows.count(id)
}

async function inSlices(rows: readonly ReadRow[], read: (row: ReadRow, index: number) => RowResult) {
  const results: RowResult[] = []
  const pause = createPause()
  for (const [index, row] of rows.entries()) {
    results.push(read(row, index))
    await pause()
  }
  return results
}

function createUpdateCheck(
  key: 'reference' | 'studentId',
  textOf: TextReader,
  {
    courses,
    academicYears,
    rules,
    timeZone,
    access,
  }: Choices & { rules: ValueRules; timeZone: string; access: Access },
) {
  const fields = studentFieldNames.filter((field) => field !== key)
  const words = updateKeyWords[key]
  // All rows share a schema, which takes a millisecond to make.
  let record: FoundRecord | undefined
  const schema = createStudentEditSchema({
    courses,
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

  const keyOf = (row: ReadRow): string => readValue(key, textOf(row, key), rules)

  function missing(named: string, found: number): string {
    if (named === '') return `This row has no ${words}.`
    return found === 0
      ? `No record has this ${words}.`
      : `${found} records have this ${words}. Please update them by reference code.`
  }

  /** The record that is meant and may be changed, or why there is none. */
  function meantBy(named: string, found: readonly FoundRecord[]): FoundRecord | string {
    const [only, ...others] = found
    if (!only || others.length > 0) return missing(named, found.length)
    return only.restriction === null ? only : enrolmentMessages.blocked(`${only.lastName}, ${only.firstName}`)
  }

  function check(row: ReadRow, found: readonly FoundRecord[]): RowResult {
    const named = keyOf(row)
    const own = named === '' ? {} : { [key]: named }
    const result = { ...noResult, number: row.number, changes: [] }
    const [lost] = shortenedProblems(own)
    const meant = lost?.message ?? meantBy(named, found)
    if (typeof meant === 'string')
      return { ...result, fields: own, problems: [{ path: key, message: meant }] }
    record = meant
    const edit: RowFields = {}
    for (const field of fields) {
      const text = textOf(row, field)
      const value = isSame(text, String(meant[field])) ? '' : readValue(field, text, rules)
      if (value !== '') edit[field] = value
    }
    const { data, error } = schema.safeParse(edit)
    return {
      ...result,
      fields: { ...own, ...edit },
      problems: onePerField([
        ...brokenProblems(edit),
        ...problemsOf(error, fields),
        ...componentProblems(edit.nstpComponent, access),
      ]),
      recordId: meant.id,
      recordVersion: meant.version,
      changes: data ? changesOf(data, meant) : [],
    }
  }

  return { keyOf, check }
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

const dashes = /[‐-―−]/g

type ValueReader = (value: string, rules: ValueRules) => string

const valueReaders: Partial<Record<ImportField, ValueReader>> = {
  dateOfBirth: (value, { dateOrder, today }) => readDate(value, dateOrder, today)?.date ?? value,
  registrationDate: readMoment,
  archivedDate: readMoment,
  reference: (value) => readReference(value) ?? value,
  // Programs that know numbers alone write 4711 as 4711.0, which is not 47110.
  studentId: (value) => value.replace(/^(\d{4,})\.0+$/, '$1'),
  serialNumber: writtenSerial,
  archived: choiceOf(['Yes', 'No'], { Yes: /^(y|true|1|archived)$/i, No: /^(n|false|0|active)$/i }),
  sex: choiceOf(sexes, { Male: /^(m|lalaki|boy|man)\.?$/i, Female: /^(f|babae|girl|woman)\.?$/i }),
  civilStatus: choiceOf(civilStatuses, { Widowed: /^(widow|widower|w)$/i, Single: /^s$/i, Married: /^m$/i }),
  bloodType: bloodTypeOf,
  yearLevel: yearLevelOf,
  academicYear: academicYearOf,
  nstpComponent: componentOf,
  course: (value, { courses }) => listed(courses, value) ?? value,
  contactNumber: phoneOf,
  emergencyContactNumber: phoneOf,
  guardianContactNumber: phoneOf,
  // Codes have four digits; a spreadsheet takes leading zeros away.
  zipCode: (value) => (/^\d{3}$/.test(value) ? `0${value}` : value),
  email: (value) => value.replace(/^mailto:/i, ''),
}

export function readValue(field: ImportField, text: string, rules: ValueRules): string {
  const value = text.trim()
  const definition = isStudentField(field) ? fieldDefinition(field) : undefined
  if (value === '' || (blank.test(value) && !definition?.required)) return ''
  const read = valueReaders[field]
  if (read) return read(value, rules)
  // A line break within a cell is layout, but for the fields that have several lines.
  return definition?.multiline
    ? value
    : value.replace(/\s+/g, (space) => (/[\r\n\t]/.test(space) ? ' ' : space))
}

function listed(list: readonly string[], value: string): string | undefined {
  const wanted = value.toLowerCase()
  return list.find((choice) => choice.toLowerCase() === wanted)
}

/** Reads one of the listed choices, or another way to write it. */
function choiceOf(list: readonly string[], otherWays: Record<string, RegExp>): ValueReader {
  return (value) => list.find((choice) => otherWays[choice]?.test(value)) ?? listed(list, value) ?? value
}

function readMoment(value: string, { dateOrder, today }: ValueRules): string {
  if (instantPattern.test(value)) return value
  const read = readDate(value, dateOrder, today)
  if (!read) return value
  return read.time === null ? read.date : `${read.date} ${read.time}`
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
    /^(?:[as]\.?\s*y\.?|school year|academic year)?\s*(?::\s*)?(\d{4})\s*(?:[-/‐-―−]|to)\s*(\d{4}|\d{2})$/i.exec(
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
  const [only, ...others] = nstpComponents.filter((component) => words.includes(component))
  return only && others.length === 0 ? only : value
}

// Spreadsheets drop the leading zero of 0917 123 4567.
function phoneOf(value: string): string {
  // Programs write a number of a sheet with its decimals, and keep a text by an apostrophe.
  const whole = value.replace(/^'/, '').replace(/^(\+?\d{7,})\.0+$/, '$1')
  const dashed = whole
    .replace(/\s/g, ' ')
    .replace(dashes, '-')
    .replace(/(\d)\.(?=\d)/g, '$1 ')
  if (!isPhoneNumber(dashed)) return value
  const digits = dashed.replace(/[() -]/g, '')
  // A sheet takes the plus away, as it does the zero.
  if (/^639\d{9}$/.test(digits)) return `+${dashed}`
  if (!/^9\d{9}$/.test(digits)) return dashed
  return dashed.startsWith('9') ? `0${dashed}` : `0${digits}`
}
