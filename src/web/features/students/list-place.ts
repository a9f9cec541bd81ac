import { defaultStudentFilters, type StudentFilters } from '#shared/students.ts'

/** What a person can narrow a list down by; the order of the rows comes beside it. */
export type FilterName = Exclude<keyof StudentFilters, 'sort'>

/** One of the lists of students: where it lies, what it shows at first, and what its address can change. */
export interface ListPlace {
  path: string
  /** What its address says besides. */
  mark: Readonly<Record<string, string>>
  /** Its filters and order as long as the address says nothing else. */
  defaults: StudentFilters
  filters: readonly FilterName[]
  /** Whether new registrations appear in it, which are then marked as such. */
  receivesRegistrations: boolean
}

/** The tab of /admin with every student (spec §2 "Students tab"). */
export const studentsPlace: ListPlace = {
  path: '/admin',
  mark: { tab: 'students' },
  defaults: defaultStudentFilters,
  filters: ['search', 'component', 'archive', 'academicYear', 'period', 'duplicates'],
  receivesRegistrations: true,
}

/** The page of the archived students (spec §2 "Archived students page"): who came last stands first. */
export const archivePlace: ListPlace = {
  path: '/admin/archived',
  mark: {},
  defaults: { ...defaultStudentFilters, archive: 'archived', sort: '-archivedDate' },
  filters: ['search', 'component', 'academicYear'],
  receivesRegistrations: false,
}
