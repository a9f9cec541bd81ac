import { periods } from '#shared/periods.ts'
import {
  archiveFilters,
  componentFilters,
  defaultPageSize,
  defaultStudentFilters,
  isAcademicYear,
  maxPage,
  maxSearchLength,
  type StudentFilters,
  type StudentListQuery,
  studentSorts,
} from '#shared/students.ts'

/** The state of the students tab as the page's address holds it, all of it. */
export interface StudentsAddress {
  query: StudentListQuery
  /** The student whose details are open. */
  student: string | null
}

/** What no name holds, and the server refuses. */
const controlCharacter = /\p{Cc}/u

const filterNames = ['search', 'component', 'archive', 'academicYear', 'period', 'sort'] as const

function known<T extends string>(choices: readonly T[], value: string | null, fallback: T): T {
  return choices.find((choice) => choice === value) ?? fallback
}

/** Reads the tab's state. What an address says wrongly counts as not said: an old link still opens the list. */
export function readAddress(params: URLSearchParams): StudentsAddress {
  const defaults = defaultStudentFilters
  const year = params.get('academicYear') ?? ''
  return {
    query: {
      search: readSearch(params.get('search') ?? ''),
      component: known(componentFilters, params.get('component'), defaults.component),
      archive: known(archiveFilters, params.get('archive'), defaults.archive),
      academicYear: isAcademicYear(year) ? year : defaults.academicYear,
      period: known(periods, params.get('period'), defaults.period),
      sort: known(studentSorts, params.get('sort'), defaults.sort),
      page: readPage(params.get('page') ?? ''),
      pageSize: defaultPageSize,
    },
    student: params.get('student') || null,
  }
}

function readSearch(text: string): string {
  return controlCharacter.test(text) ? '' : text.trim().slice(0, maxSearchLength)
}

/** Digits only: '1e3' is a number, but not of a page. */
function readPage(text: string): number {
  return /^[1-9]\d*$/.test(text) ? Math.min(Number(text), maxPage) : 1
}

/** Writes the tab's state as a query string. Defaults are left out, so that addresses stay short. */
export function writeAddress({ query, student }: StudentsAddress): string {
  const params = new URLSearchParams({ tab: 'students' })
  for (const name of filterNames) {
    if (query[name] !== defaultStudentFilters[name]) params.set(name, query[name])
  }
  if (query.page > 1) params.set('page', String(query.page))
  if (student) params.set('student', student)
  return `?${params}`
}

/** The filters and the order as the API takes them. */
export function filterParams(filters: StudentFilters): StudentFilters {
  const { search, component, archive, academicYear, period, sort } = filters
  return { search, component, archive, academicYear, period, sort }
}

/** What tells one list from another: the same text, the same list. */
export function listKey(query: StudentListQuery): string {
  return writeAddress({ query, student: null })
}

/** What tells one set of students from another, in whatever order and on whatever page. */
export function setKey(query: StudentListQuery): string {
  return listKey({ ...query, sort: defaultStudentFilters.sort, page: 1 })
}
