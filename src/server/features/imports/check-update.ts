import { type ImportChange, updateKeyWords } from '#shared/imports.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { yearLevelLabel } from '#shared/student-choices.ts'
import { changedFields, createStudentEditSchema, type EditBasis } from '#shared/student-edit.ts'
import { type StudentField, studentFieldNames } from '#shared/student-fields.ts'
import type { RowFields } from './check-row.ts'
import type { StoredImport } from './imports-repository.ts'
import { type ReadingRules, readValue } from './read-values.ts'
import { createTextReader } from './row-fields.ts'
import type { RowResult, StoredRow } from './rows-repository.ts'
import type { FoundRecord } from './updates-repository.ts'

type ReadRow = Pick<StoredRow, 'number' | 'cells' | 'edits'>

interface UpdateCheckOptions {
  job: Pick<StoredImport, 'updateBy' | 'mapping'>
  rules: ReadingRules
  academicYears: readonly string[]
  timeZone: string
}

/**
 * Makes the check of rows that update records: which record a row names, and what it would change of it by the rules
 * of an edit. Give `check` the records that its key names.
 */
export function createUpdateCheck({ job, rules, academicYears, timeZone }: UpdateCheckOptions) {
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
    get held() {
      return current()
    },
  })
  function current(): FoundRecord {
    if (!record) throw new Error('A row is checked without its record.')
    return record
  }

  const keyOf = (row: ReadRow): string => readValue(key, textOf(row, key), rules)

  /** What the row says otherwise than its record; a value in the record's own spelling says the same. */
  function editOf(row: ReadRow, held: FoundRecord): RowFields {
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

    check(row: ReadRow, found: readonly FoundRecord[]): RowResult {
      const named = keyOf(row)
      const common = { number: row.number, registrationDate: null, archivedDate: null }
      record = found[0]
      if (!record || found.length > 1) {
        return {
          ...common,
          fields: named === '' ? {} : { [key]: named },
          problems: [{ path: key, message: namesNobody(named, found.length) }],
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

  function namesNobody(named: string, found: number): string {
    if (named === '') return `This row has no ${words}.`
    return found === 0
      ? `No record has this ${words}.`
      : `${found} records have this ${words}. Please update them by reference code.`
  }
}

function changesOf(edit: Parameters<typeof changedFields>[0], held: EditBasis['held']): ImportChange[] {
  return changedFields(edit, held)
    .map((path) => ({ path, before: wordOf(path, held[path]), after: wordOf(path, edit[path] ?? '') }))
    .filter(({ before, after }) => !isSame(before, after))
}

function wordOf(field: StudentField, value: string | number): string {
  return field === 'yearLevel' ? yearLevelLabel(Number(value)) : String(value)
}

/** Spreadsheet programs write other line breaks than forms. */
function isSame(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/\r\n?/g, '\n').trim()
  return plain(one) === plain(other)
}
