import type { Permission } from '#shared/people/permissions.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'

// bytes; rows below the headings.
export const maxImportBytes = 20 * 1024 * 1024
export const maxImportRows = 50_000
// days: privacy.
export const importRetentionDays = 30

export const updateKeyWords = { reference: 'reference code', studentId: 'student ID' } as const

export const importSentences = {
  tooBig: 'This file is larger than 20 MB. Please split it into smaller files and import them one by one.',
  tooManyRows:
    'This file has more than 50,000 rows. Please split it into smaller files and import them one by one.',
  shortened:
    'A spreadsheet shortened this number, so digits are missing. Please enter all of them here, or give the column the format Number without decimals in the sheet and choose the file again.',
  twoPhones: 'This cell has two phone numbers. Please keep one of them.',
  nameInOne: (name: string) =>
    `Which is the last name of “${name}”? Please enter it here, or write such names as “Dela Cruz, Juan P.” in the file.`,
  consent: 'Please confirm that these students signed a paper consent.',
  dateOrder: 'Please choose the date format: these dates can be read both ways.',
  registrationDate: 'Please enter a valid registration date.',
  archived: 'Please enter Yes or No for archived.',
  archivedDate: 'Please enter a valid archived date.',
  noKey: (key: UpdateKey) => `Please choose the column with the ${updateKeyWords[key]}.`,
  noDefaults: 'Values for all rows are only for new students: in an update, empty cells change nothing.',
  noPerson: 'Please choose the column with the student ID, or the columns with the name.',
  noMark: 'Please choose the column with the marks.',
  noSerial: 'Please choose the column with the serial numbers.',
} as const

/** Lists that say something of the students of a term. */
export const termListPurposes = ['registrar', 'marks'] as const
const listPurposes = [...termListPurposes, 'serials'] as const
export type ListPurposeName = (typeof listPurposes)[number]

/** What a file is for: students to add or update, or a list. */
export const importPurposes = ['students', ...listPurposes] as const
export type ImportPurpose = (typeof importPurposes)[number]

/** Needed besides the permission to import. */
export const purposePermissions: Readonly<Record<ImportPurpose, Permission>> = {
  students: 'imports',
  registrar: 'enrolments',
  marks: 'marks',
  serials: 'papers',
}

const recordFields = {
  reference: 'Reference Code',
  registrationDate: 'Registration Date',
  archived: 'Archived',
  archivedDate: 'Archived Date',
} as const

const listFields = { fullName: 'Name in One Column', mark: 'Mark' } as const

export const importFields = [
  ...studentFieldNames,
  'registrationDate',
  'archived',
  'archivedDate',
  'reference',
  'fullName',
  'mark',
] as const
export type ImportField = (typeof importFields)[number]

/** The fields by which a person knows whose row it is. */
export const identityFields = [
  'lastName',
  'firstName',
  'dateOfBirth',
  'studentId',
  'email',
  'academicYear',
] as const

export const dateFields: readonly ImportField[] = ['dateOfBirth', 'registrationDate', 'archivedDate']

/** Several columns may be one of them, in their order: house number, street. */
export const joinedFields: readonly ImportField[] = ['address', 'guardianAddress', 'emergencyContactAddress']

export const updateKeys = ['reference', 'studentId'] as const
export type UpdateKey = (typeof updateKeys)[number]

/** The fields by which a list names a person. */
export const personFields = [
  'studentId',
  'fullName',
  'lastName',
  'firstName',
  'middleName',
  'extensionName',
  'dateOfBirth',
  'nstpComponent',
  'course',
] as const

const fieldsOfLists: Readonly<Record<ListPurposeName, readonly ImportField[]>> = {
  registrar: personFields,
  marks: [...personFields, 'mark'],
  serials: [...personFields, 'serialNumber', 'academicYear'],
}

/** The sentence about a missing column without which a list can't be used; null if none is missing. */
export function missingColumn(
  purpose: ListPurposeName,
  taken: Pick<ReadonlySet<ImportField | null>, 'has'>,
): string | null {
  const isNamed = taken.has('studentId') || taken.has('fullName') || taken.has('lastName')
  if (!isNamed) return importSentences.noPerson
  if (purpose === 'serials' && !taken.has('serialNumber')) return importSentences.noSerial
  return purpose === 'marks' && !taken.has('mark') ? importSentences.noMark : null
}

export function fieldsOfImport({
  purpose,
  updateBy,
}: {
  purpose: ImportPurpose
  updateBy: UpdateKey | null
}): readonly ImportField[] {
  if (purpose !== 'students') return fieldsOfLists[purpose]
  if (updateBy === null)
    return [...studentFieldNames, 'fullName', 'registrationDate', 'archived', 'archivedDate']
  return updateBy === 'reference' ? ['reference', ...studentFieldNames] : studentFieldNames
}

export function importFieldLabel(field: ImportField): string {
  return isStudentField(field) ? fieldDefinition(field).label : { ...recordFields, ...listFields }[field]
}

export function isStudentField(field: ImportField): field is StudentField {
  return !(field in recordFields || field in listFields)
}

export const requiredImportFields: readonly StudentField[] = studentFieldNames.filter(
  (field) => fieldDefinition(field).required,
)

export const dateOrders = ['month-first', 'day-first'] as const
export type DateOrder = (typeof dateOrders)[number]

/** What may part the columns of a text file. */
export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

export const encodings = ['utf-8', 'windows-1252', 'macintosh', 'utf-16le', 'utf-16be'] as const
export type Encoding = (typeof encodings)[number]

export const importStates = ['uploaded', 'checking', 'checked', 'importing', 'imported', 'undone'] as const
export type ImportState = (typeof importStates)[number]

/** The last two are of lists: nobody is meant; what the record says differs. */
export const importRowStates = [
  'ready',
  'unchanged',
  'problem',
  'duplicate',
  'skipped',
  'unmatched',
  'differs',
] as const
export type ImportRowState = (typeof importRowStates)[number]

/** The words for the values by which two rows, or a row and a record, mean the same person. */
export const matchWords = {
  name: 'name and date of birth',
  studentId: 'student ID',
  email: 'email',
  record: 'record',
} as const

export const importRowPageSize = 25
