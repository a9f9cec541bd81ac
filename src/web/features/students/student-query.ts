import { periods } from '#shared/periods.ts'
import {
  archiveFilters,
  componentFilters,
  defaultPageSize,
  duplicatesFilters,
  isAcademicYear,
  maxPage,
  maxSearchLength,
  type StudentFilters,
  type StudentListQuery,
  studentSorts,
} from '#shared/students.ts'
import type { FilterName, ListPlace } from './list-place.ts'

/** The state of a list of students as the page's address holds it, all of it. */
export interface StudentsAddress {
  query: StudentListQuery
  /** The record that is open over the list, and as what. */
  opened: OpenRecord | null
}

export interface OpenRecord {
  as: keyof typeof openParams
  id: string
}

/** The parameter that names the open record. */
const openParams = { details: 'student', edit: 'edit', form: 'form', duplicates: 'duplicate' } as const

/** What no name holds, and the server refuses. */
const controlCharacter = /\p{Cc}/u

function known<T extends string>(choices: readonly T[], value: string | null, fallback: T): T {
  return choices.find((choice) => choice === value) ?? fallback
}

/** Reads a list's state. What an address says wrongly counts as not said: an old link still opens the list. */
export function readAddress(params: URLSearchParams, place: ListPlace): StudentsAddress {
  const { defaults } = place
  const said = (name: FilterName) => (place.filters.includes(name) ? params.get(name) : null)
  const year = said('academicYear') ?? ''
  return {
    query: {
      search: readSearch(said('search') ?? ''),
      component: known(componentFilters, said('component'), defaults.component),
      archive: known(archiveFilters, said('archive'), defaults.archive),
      academicYear: isAcademicYear(year) ? year : defaults.academicYear,
      period: known(periods, said('period'), defaults.period),
      duplicates: known(duplicatesFilters, said('duplicates'), defaults.duplicates),
      sort: known(studentSorts, params.get('sort'), defaults.sort),
      page: readPage(params.get('page') ?? ''),
      pageSize: defaultPageSize,
    },
    opened: readOpened(params),
  }
}

function readOpened(params: URLSearchParams): OpenRecord | null {
  for (const as of ['details', 'edit', 'form', 'duplicates'] as const) {
    const id = params.get(openParams[as])
    if (id) return { as, id }
  }
  return null
}

function readSearch(text: string): string {
  return controlCharacter.test(text) ? '' : text.trim().slice(0, maxSearchLength)
}

/** Digits only: '1e3' is a number, but not of a page. */
function readPage(text: string): number {
  return /^[1-9]\d*$/.test(text) ? Math.min(Number(text), maxPage) : 1
}

/** Writes a list's state as a query string. Defaults are left out, so that addresses stay short. */
export function writeAddress({ query, opened }: StudentsAddress, place: ListPlace): string {
  const params = new URLSearchParams(place.mark)
  for (const name of [...place.filters, 'sort'] as const) {
    if (query[name] !== place.defaults[name]) params.set(name, query[name])
  }
  if (query.page > 1) params.set('page', String(query.page))
  if (opened) params.set(openParams[opened.as], opened.id)
  // A path alone: an empty search would leave the address as it is.
  return params.size === 0 ? place.path : `${place.path}?${params}`
}

/** The filters and the order as the API takes them. */
export function filterParams(filters: StudentFilters): StudentFilters {
  const { search, component, archive, academicYear, period, duplicates, sort } = filters
  return { search, component, archive, academicYear, period, duplicates, sort }
}

/** What tells one list from another: the same text, the same list. */
export function listKey(query: StudentListQuery, place: ListPlace): string {
  return writeAddress({ query, opened: null }, place)
}

/** What tells one set of students from another, in whatever order and on whatever page. */
export function setKey(query: StudentListQuery, place: ListPlace): string {
  return listKey({ ...query, sort: place.defaults.sort, page: 1 }, place)
}
