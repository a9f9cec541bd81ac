import type { Period } from '#shared/periods.ts'
import type { StudentListItem } from './student.ts'
import { nstpComponents } from './student-choices.ts'
import type { StudentField } from './student-fields.ts'

/** The list of students: what it can be narrowed and sorted by (spec §2 Students tab, §5, §9). */

export const componentFilters = ['all', ...nstpComponents] as const
export const archiveFilters = ['all', 'active', 'archived'] as const

/** Every record, or only those that may be the same person as another one. */
export const duplicatesFilters = ['all', 'only'] as const

export type ComponentFilter = (typeof componentFilters)[number]
export type ArchiveFilter = (typeof archiveFilters)[number]
export type DuplicatesFilter = (typeof duplicatesFilters)[number]

/** The columns that the list can be sorted by; a '-' before the name turns the order round. */
export const studentSortKeys = [
  'name',
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

/** A sort by its column and direction. */
export function sortParts(sort: StudentSort): { key: StudentSortKey; descending: boolean } {
  const key = studentSortKeys.find((known) => known === sort || `-${known}` === sort)
  return { key: key ?? 'registrationDate', descending: sort.startsWith('-') }
}

export const maxSearchLength = 100
export const defaultPageSize = 50
export const maxPageSize = 200
/** Pages beyond this one can't exist; a number this size still fits an offset. */
export const maxPage = 1_000_000

/** What the list shows and in which order. */
export interface StudentFilters {
  /** Words of a name, course, reference, student ID, e-mail address or phone; '' for all. */
  search: string
  component: ComponentFilter
  archive: ArchiveFilter
  /** 'all' or one year such as 2026-2027. */
  academicYear: string
  period: Period
  duplicates: DuplicatesFilter
  sort: StudentSort
}

export interface StudentListQuery extends StudentFilters {
  /** From 1. */
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
  sort: '-registrationDate',
}

/** '2026-2027': two years in a row. Records of other schools and times have years outside of the fixed list. */
export function isAcademicYear(text: string): boolean {
  const [, first, second] = /^(\d{4})-(\d{4})$/.exec(text) ?? []
  return first !== undefined && Number(second) === Number(first) + 1
}

/** One page of the list. */
export interface StudentPage {
  items: StudentListItem[]
  /** How many records the filters show, on all pages. */
  total: number
  /** Whether there is any record at all, whatever the filters hide. */
  anyRegistered: boolean
  page: number
  pageSize: number
  /** The calendar dates that the period covers, both included; null for all time. */
  periodDates: { first: string; last: string } | null
}

/** Every record that select-all takes: those of the filters, on all pages, that aren't archived. */
export interface StudentIds {
  ids: string[]
  total: number
}

/** The most records of one bulk change. */
export const maxBulkStudents = 100_000
/** The most records whose sheets are read at once. */
export const maxSheetStudents = 500

/** What a bulk change did. */
export interface BulkChange {
  count: number
  /** The records that it really changed: what an undo puts back. */
  ids: string[]
}

/** A print that a browser tells of. */
export interface PrintNote {
  kind: 'list' | 'sheet'
  /** How many students are on paper. */
  count: number
  /** Whose, where they are few. */
  ids?: readonly string[] | undefined
}

/** Two records that become one. */
export interface StudentMerge {
  keepId: string
  /** The versions that the person saw. */
  keepVersion: number
  dropId: string
  dropVersion: number
  /** Whose value each field gets; the kept record's where nothing is said. */
  take: { [Field in StudentField]?: 'keep' | 'drop' | undefined }
}
