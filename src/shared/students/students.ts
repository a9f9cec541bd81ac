import { type CalendarPeriod, type Period, periods } from '#shared/periods.ts'
import { nstpComponents } from './student-choices.ts'
import type { StudentField } from './student-fields.ts'

// Product 9.1.

export const componentFilters = ['all', ...nstpComponents] as const
export const archiveFilters = ['all', 'active', 'archived'] as const

const duplicatesFilters = ['all', 'only'] as const

/** `other`: neither of them. */
const sexFilters = ['all', 'male', 'female', 'other'] as const
export const yearLevelFilters = ['all', '1', '2', '3', '4', '5'] as const
/**
 * Records without this value; `guardian`: without the name of a father, mother or guardian; `permission`: blocked ones;
 * `ownSerial`: whose serial number another student has too.
 */
export const missingFilters = [
  'none',
  'studentId',
  'serialNumber',
  'bloodType',
  'zipCode',
  'guardian',
  'permission',
  'ownSerial',
] as const

/** The field whose value a filter or an order reveals. Not everybody of the office sees these fields. */
export const missingFields: Readonly<Record<string, StudentField>> = {
  bloodType: 'bloodType',
  zipCode: 'zipCode',
  guardian: 'guardianName',
}
export const sortFields: Readonly<Record<string, StudentField>> = {
  contactNumber: 'contactNumber',
  email: 'email',
  emergencyContact: 'emergencyContactName',
}

export type ComponentFilter = (typeof componentFilters)[number]
export type DuplicatesFilter = (typeof duplicatesFilters)[number]
export type MissingFilter = (typeof missingFilters)[number]

export const studentSortKeys = [
  'name',
  'studentId',
  'sex',
  'course',
  'academicYear',
  'contactNumber',
  'email',
  'nstpComponent',
  'status',
  'emergencyContact',
  'registrationDate',
  'archivedDate',
] as const

export type StudentSortKey = (typeof studentSortKeys)[number]
export type StudentSort = StudentSortKey | `-${StudentSortKey}`

export const studentSorts: readonly StudentSort[] = studentSortKeys.flatMap(
  (key) => [key, `-${key}`] as const,
)

export function sortParts(sort: StudentSort): { key: StudentSortKey; descending: boolean } {
  const key = studentSortKeys.find((sortKey) => sortKey === sort || `-${sortKey}` === sort)
  return { key: key ?? 'registrationDate', descending: sort.startsWith('-') }
}

export const maxSearchLength = 100
export const defaultPageSize = 50
export const maxPageSize = 200
// Limit: still fits an offset.
export const maxPage = 1_000_000

export interface StudentFilters {
  search: string
  component: ComponentFilter
  archive: (typeof archiveFilters)[number]
  academicYear: string
  period: Period | CalendarPeriod
  duplicates: DuplicatesFilter
  course: string
  sex: (typeof sexFilters)[number]
  yearLevel: (typeof yearLevelFilters)[number]
  missing: MissingFilter
  // 'all' or that of `networkToKeep`.
  network: string
  sort: StudentSort
}

export interface StudentListQuery extends StudentFilters {
  page: number
  pageSize: number
}

export const defaultStudentFilters: StudentFilters = {
  search: '',
  component: 'all',
  archive: 'active',
  academicYear: 'all',
  period: 'all-time',
  duplicates: 'all',
  course: 'all',
  sex: 'all',
  yearLevel: 'all',
  missing: 'none',
  network: 'all',
  sort: '-registrationDate',
}

/** Shared by the addresses of the lists and the queries of the API. */
export const studentFilterChoices: {
  [Name in
    | 'component'
    | 'archive'
    | 'period'
    | 'duplicates'
    | 'sex'
    | 'yearLevel'
    | 'missing'
    | 'sort']: readonly StudentFilters[Name][]
} = {
  component: componentFilters,
  archive: archiveFilters,
  period: periods,
  duplicates: duplicatesFilters,
  sex: sexFilters,
  yearLevel: yearLevelFilters,
  missing: missingFilters,
  sort: studentSorts,
}

export function isAcademicYear(text: string): boolean {
  const [, first, second] = /^(\d{4})-(\d{4})$/.exec(text) ?? []
  return first !== undefined && Number(second) === Number(first) + 1
}

export const maxBulkStudents = 100_000
export const maxSheetStudents = 500

export const studentListFields = [
  'id',
  'lastName',
  'firstName',
  'middleName',
  'extensionName',
  'studentId',
  'sex',
  'course',
  'academicYear',
  'contactNumber',
  'email',
  'nstpComponent',
  'archived',
  'archivedDate',
  'emergencyContactName',
  'emergencyContactNumber',
  'registrationDate',
  'restriction',
] as const
