import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'

/** Import of students from a spreadsheet: what the screen and the API share. */

/** The largest file, in bytes, and the most rows below its headings. */
export const maxImportBytes = 20 * 1024 * 1024
export const maxImportRows = 50_000
/** How long the rows of a file are kept, in days: they are personal data that has done its work. */
export const importKeptDays = 30

export const updateKeyWords = { reference: 'reference code', studentId: 'student ID' } as const

export const importSentences = {
  tooBig: 'This file is larger than 20 MB. Please split it into smaller files and import them one by one.',
  tooManyRows:
    'This file has more than 50,000 rows. Please split it into smaller files and import them one by one.',
  consent: 'Please confirm that these students agreed to the privacy notice on paper.',
  registrationDate: 'Please enter a valid registration date.',
  archived: 'Please say whether the student is archived: Yes or No.',
  archivedDate: 'Please enter a valid archived date.',
  noKey: (key: UpdateKey) => `Please choose the column with the ${updateKeyWords[key]}.`,
  noDefaults: 'Values for all rows are only for new students: in an update, empty cells change nothing.',
} as const

/** What the record has beside the fields of the form. */
const recordFields = {
  reference: 'Reference Code',
  registrationDate: 'Registration Date',
  archived: 'Archived',
  archivedDate: 'Archived Date',
} as const

/** What a column can be: a field of the form, or one of the record's own. */
export const importFields = [
  ...studentFieldNames,
  'registrationDate',
  'archived',
  'archivedDate',
  'reference',
] as const
export type ImportField = (typeof importFields)[number]

/** What the rows of an update name their record by. */
export const updateKeys = ['reference', 'studentId'] as const
export type UpdateKey = (typeof updateKeys)[number]

/**
 * The fields that an import reads.
 *
 * @param updateBy null when it adds records
 */
export function fieldsOfImport(updateBy: UpdateKey | null): readonly ImportField[] {
  if (updateBy === null) return importFields.filter((field) => field !== 'reference')
  return updateBy === 'reference' ? ['reference', ...studentFieldNames] : studentFieldNames
}

/** Texts by field; a field may be missing. */
export type ImportTexts = { [Field in ImportField]?: string | undefined }

/** What a field is called on screens. */
export function importFieldLabel(field: ImportField): string {
  return isStudentField(field) ? fieldDefinition(field).label : recordFields[field]
}

export function isStudentField(field: ImportField): field is StudentField {
  return !(field in recordFields)
}

/** The fields that every student needs, from a column or as the same value for all. */
export const requiredImportFields: readonly StudentField[] = studentFieldNames.filter(
  (field) => fieldDefinition(field).required,
)

/** How dates such as 05/06/2006 are read. */
export const dateOrders = ['month-first', 'day-first'] as const
export type DateOrder = (typeof dateOrders)[number]

/**
 * uploaded: waits for its columns · checking · checked: waits to be imported · importing · imported · undone: its
 * records were taken out again
 */
export const importStates = ['uploaded', 'checking', 'checked', 'importing', 'imported', 'undone'] as const
export type ImportState = (typeof importStates)[number]

/** What becomes of a row: only ready ones are imported. A row of an update is unchanged when its record holds it all. */
export const importRowStates = ['ready', 'unchanged', 'problem', 'duplicate', 'skipped'] as const
export type ImportRowState = (typeof importRowStates)[number]
export type ImportCounts = Record<ImportRowState, number>

/** What was chosen on the way: the field of each column by its index, and values for all rows. */
export interface ImportMapping {
  columns: Record<string, ImportField | null>
  defaults: ImportTexts
  dateOrder: DateOrder
}

/** One import in the history. */
export interface ImportSummary {
  id: string
  fileName: string
  /** ISO instant of the upload. */
  createdAt: string
  createdBy: string
  state: ImportState
  /** What the rows name their records by, which they update; null in an import that adds records. */
  updateBy: UpdateKey | null
  rowCount: number
  /** Zero until the rows have been checked. */
  counts: ImportCounts
  /** How many records the import made, or updated. */
  importedCount: number
  importedAt: string | null
  undoneAt: string | null
  /** Whether the rows of the file are still kept. */
  hasRows: boolean
}

/** One column of the file. */
export interface ImportColumn {
  header: string
  /** What its first rows hold. */
  samples: string[]
  /** What its heading says it is. */
  guess: ImportField | null
}

export interface ImportDetails extends ImportSummary {
  columns: ImportColumn[]
  /** Read from the dates of the file. */
  guessedDateOrder: DateOrder
  mapping: ImportMapping | null
  /** Rows that are done of the work under way; null when there is none. */
  progress: { done: number; total: number } | null
  /** Why the last work came to nothing. */
  failure: string | null
  /** Imported or updated records that were edited, archived or deleted since. */
  changedSince: number
  /** Records of an update that were deleted since: an undo leaves them out. */
  deletedSince: number
  /** What a course and an academic year can be: on offer, or held by records. */
  choices: { courses: string[]; academicYears: string[] }
}

/** A record, or an earlier row of the file, that may be the same person. */
export interface ImportMatch {
  /** What is the same, in the same academic year; 'record': an earlier row updates the same record. */
  by: ('name' | 'studentId' | 'email' | 'record')[]
  /** Of the record; null for a row of the file. */
  reference: string | null
  studentId: string | null
  row: number | null
}

/** One row of the file as it would be imported. */
export interface ImportRow {
  /** As the spreadsheet program counts. */
  number: number
  state: ImportRowState
  /** Who it is and what is wrong: no more than the screen shows. */
  values: ImportTexts
  problems: { path: ImportField; message: string }[]
  matches: ImportMatch[]
  /** The record that the row updates. */
  record: { id: string; reference: string; lastName: string; firstName: string } | null
  /** What the row would change of it, in the order of the edit form. */
  changes: ImportChange[]
}

/** One value of a record before and after an update, as texts. */
export interface ImportChange {
  path: StudentField
  before: string
  after: string
}

export interface ImportRowPage {
  items: ImportRow[]
  total: number
  page: number
  pageSize: number
}

export const importRowPageSize = 25
