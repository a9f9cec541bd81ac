import { createParser, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { periods } from '#shared/periods.ts'
import type { StudentListItem, StudentPage, StudentView } from '#shared/students/student-response.ts'
import {
  archiveFilters,
  componentFilters,
  defaultPageSize,
  defaultStudentFilters,
  duplicatesFilters,
  isAcademicYear,
  maxPage,
  maxSearchLength,
  type StudentFilters,
  type StudentListQuery,
  studentSorts,
} from '#shared/students/students.ts'
import { createAddress, parseAsSearch, parseAsText } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { usePendingLocation } from '#web/lib/pending-location.ts'
import { useScreenQuery } from '#web/lib/query.ts'

export interface StudentsData {
  address: StudentsAddress
  list: StudentPage
  record: LoadedRecord | null
  academicYears: readonly string[]
  courses: readonly string[]
}

export type LoadedRecord = { record: StudentView } | { failure: string }

/** Follows the list to its last page when its address is beyond it. */
export function useStudentsQuery(config: ListConfig) {
  const navigate = useNavigate()
  const query = useScreenQuery({
    key: ['students', config.path],
    topics: ['settings'],
    load: (params, signal) => loadAddress(readAddress(params.toString(), config), signal),
  })
  const { data, isPlaceholderData } = query
  const { search } = useLocation()
  useEffect(() => {
    if (!data || isPlaceholderData) return
    const wanted = readAddress(search, config)
    if (data.address.query.page < wanted.query.page)
      void navigate(writeAddress(data.address, config), { replace: true })
  }, [data, isPlaceholderData, search, config, navigate])
  return query
}

/**
 * @throws ApiProblem when the list can't be read. For the open record the error is returned: the list can
 *   be shown without it.
 */
async function loadAddress(address: StudentsAddress, signal: AbortSignal): Promise<StudentsData> {
  const [list, record, offer, years, courses] = await Promise.all([
    loadList(address, signal),
    loadRecord(address.opened, signal),
    callApi(api.registrations.offer.$get(undefined, { init: { signal } })),
    callApi(api.students['academic-years'].$get(undefined, { init: { signal } })),
    address.opened?.as === 'edit'
      ? callApi(api.students.courses.$get(undefined, { init: { signal } }))
      : { items: [] },
  ])
  const lastPage = Math.max(1, Math.ceil(list.total / list.pageSize))
  if (address.query.page > lastPage) {
    // Records were removed, or the link is old.
    return await loadAddress({ ...address, query: { ...address.query, page: lastPage } }, signal)
  }
  return {
    address,
    list,
    record,
    academicYears: [...new Set([...offer.academicYears, ...years.items])],
    courses: [...new Set([...offer.courses, ...courses.items])],
  }
}

async function loadList({ query }: StudentsAddress, signal: AbortSignal): Promise<StudentPage> {
  const { page, pageSize } = query
  return await callApi(
    api.students.$get(
      { query: { ...filterParams(query), page: String(page), pageSize: String(pageSize) } },
      { init: { signal } },
    ),
  )
}

async function loadRecord(opened: OpenRecord | null, signal: AbortSignal): Promise<LoadedRecord | null> {
  // The comparison reads its records itself.
  if (opened === null || opened.as === 'duplicates') return null
  const { id } = opened
  try {
    return { record: await callApi(api.students[':id'].$get({ param: { id } }, { init: { signal } })) }
  } catch (error) {
    // The user left the page; the router expects its own abort error.
    signal.throwIfAborted()
    return { failure: sentenceOf(error) }
  }
}

export interface StudentsAddress {
  query: StudentListQuery
  opened: OpenRecord | null
}

export interface OpenRecord {
  as: 'details' | 'edit' | 'form' | 'duplicates'
  id: string
}

/** An old link still opens the list; what the list has no control for is its default. */
function addressOf({ path, defaults, filters }: ListConfig) {
  const parseAsChoice = <T extends string>(name: FilterName, choices: readonly T[], byDefault: T) =>
    parseAsStringLiteral(filters.includes(name) ? choices : []).withDefault(byDefault)
  return createAddress(path, {
    search: parseAsSearch(maxSearchLength),
    component: parseAsChoice('component', componentFilters, defaults.component),
    archive: parseAsChoice('archive', archiveFilters, defaults.archive),
    academicYear: parseAsText((year) => (isAcademicYear(year) ? year : null)).withDefault(
      defaults.academicYear,
    ),
    period: parseAsChoice('period', periods, defaults.period),
    duplicates: parseAsChoice('duplicates', duplicatesFilters, defaults.duplicates),
    sort: parseAsStringLiteral(studentSorts).withDefault(defaults.sort),
    page: parseAsPage,
    student: parseAsString,
    edit: parseAsString,
    form: parseAsString,
    duplicate: parseAsString,
  })
}

// Digits only: '1e3' is a number, but not of a page.
const parseAsPage = createParser({
  parse: (text) => (/^[1-9]\d*$/.test(text) ? Math.min(Number(text), maxPage) : null),
  serialize: String,
}).withDefault(1)

export function readAddress(text: string, config: ListConfig): StudentsAddress {
  const { student, edit, form, duplicate, ...query } = addressOf(config).read(text)
  const ids = { details: student, edit, form, duplicates: duplicate }
  const as = (['details', 'edit', 'form', 'duplicates'] as const).find((one) => ids[one])
  const id = as && ids[as]
  return { query: { ...query, pageSize: defaultPageSize }, opened: as && id ? { as, id } : null }
}

export function writeAddress({ query, opened }: StudentsAddress, config: ListConfig): string {
  const idOf = (as: OpenRecord['as']) => (opened?.as === as ? opened.id : null)
  return addressOf(config).to({
    ...query,
    student: idOf('details'),
    edit: idOf('edit'),
    form: idOf('form'),
    duplicate: idOf('duplicates'),
  })
}

export function filterParams(filters: StudentFilters): StudentFilters {
  const { search, component, archive, academicYear, period, duplicates, sort } = filters
  return { search, component, archive, academicYear, period, duplicates, sort }
}

/** Equal for equal filters, order and page. */
export function listKey(query: StudentListQuery, config: ListConfig): string {
  return writeAddress({ query, opened: null }, config)
}

/** Equal for equal filters; order and page don't matter. */
export function setKey(query: StudentListQuery, config: ListConfig): string {
  return listKey({ ...query, sort: config.defaults.sort, page: 1 }, config)
}

export type FilterName = Exclude<keyof StudentFilters, 'sort'>

export interface ListConfig {
  path: string
  defaults: StudentFilters
  filters: readonly FilterName[]
  receivesRegistrations: boolean
}

/** Spec §2 "Students tab". */
export const studentsListConfig: ListConfig = {
  path: tabPath('students'),
  defaults: defaultStudentFilters,
  filters: ['search', 'component', 'archive', 'academicYear', 'period', 'duplicates'],
  receivesRegistrations: true,
}

/** Spec §2 "Archived students page": the last archived comes first. */
export const archiveListConfig: ListConfig = {
  path: '/admin/archived',
  defaults: { ...defaultStudentFilters, archive: 'archived', sort: '-archivedDate' },
  filters: ['search', 'component', 'academicYear'],
  receivesRegistrations: false,
}

// Spec §2.
export const missing = 'N/A'

export function orMissing(text: string): string {
  return text === '' ? missing : text
}

/** 'Dela Cruz, Juan Miguel Peña': last, first middle (spec §2). */
export function listName(name: { lastName: string; firstName: string; middleName: string }): string {
  const given = `${name.firstName} ${name.middleName}`.trim()
  return [name.lastName, given].filter((part) => part !== '').join(', ') || missing
}

const fromList = { openedFromList: true }

export interface StudentsNavigation {
  address: StudentsAddress
  show: (changes: Partial<StudentListQuery>, options?: { replace?: boolean }) => void
  pathOf: (page: number) => string
  open: (opened: OpenRecord, options?: { replace?: boolean }) => void
  close: () => void
}

export function useStudentsNavigation(config: ListConfig): StudentsNavigation {
  const navigate = useNavigate()
  const current = useLocation()
  const address = readAddress(usePendingLocation().search, config)
  const { query } = address

  return {
    address,
    show(changes, { replace = false } = {}) {
      const next = writeAddress({ query: { ...query, page: 1, ...changes }, opened: null }, config)
      void navigate(next, { replace, preventScrollReset: true })
    },
    pathOf: (page) => writeAddress({ query: { ...query, page }, opened: null }, config),
    open(opened, { replace = false } = {}) {
      // A replaced record passes on where it was opened from.
      const state = replace ? current.state : fromList
      void navigate(writeAddress({ query, opened }, config), { replace, state, preventScrollReset: true })
    },
    close() {
      // Opened from the list: one step back, so that Back afterwards doesn't open it again. A shared link has
      // no list in its history.
      if (isFromList(current.state)) void navigate(-1)
      else {
        const closed = writeAddress({ query, opened: null }, config)
        void navigate(closed, { replace: true, preventScrollReset: true })
      }
    },
  }
}

function isFromList(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'openedFromList' in state
}

/**
 * The rows on the screen. New registrations are inserted only while that moves no row the user is
 * working with.
 */
export interface ListState {
  key: string
  shown: StudentPage
  newest: StudentPage
  fresh: ReadonlySet<string>
  arrived: readonly StudentListItem[]
  ownChanges: number
  marksNew: boolean
}

interface ListUpdate {
  key: string
  page: StudentPage
  mayMove: boolean
  // The user's own changes show at once.
  ownChanges: number
  marksNew: boolean
}

const none: ReadonlySet<string> = new Set()

export function initialList({ key, page, ownChanges, marksNew }: ListUpdate): ListState {
  return { key, shown: page, newest: page, fresh: none, arrived: [], ownChanges, marksNew }
}

/** Returns the same object when nothing changes. */
export function applyUpdate(list: ListState, update: ListUpdate): ListState {
  const { key, page, mayMove, ownChanges } = update
  if (key !== list.key) return initialList(update)
  if (page === list.newest) return list
  if (mayMove || ownChanges !== list.ownChanges) {
    return showPending({ ...list, newest: page, ownChanges })
  }
  return { ...list, shown: refreshed(list.shown, page), newest: page }
}

export function showPending(list: ListState): ListState {
  if (!list.marksNew) return { ...list, shown: list.newest, arrived: [] }
  const before = new Set(list.shown.items.map(({ id }) => id))
  // A row may also have moved up from the next page because another one was removed.
  const latest =
    list.shown.items
      .map(({ registrationDate }) => registrationDate)
      .sort()
      .at(-1) ?? ''
  const arrived = list.newest.items.filter(
    ({ id, registrationDate }) => !before.has(id) && registrationDate >= latest,
  )
  const fresh = new Set([...list.fresh, ...arrived.map(({ id }) => id)])
  return { ...list, shown: list.newest, fresh, arrived }
}

function refreshed(shown: StudentPage, newest: StudentPage): StudentPage {
  const news = new Map(newest.items.map((item) => [item.id, item]))
  return { ...shown, items: shown.items.map((item) => news.get(item.id) ?? item) }
}

export function pendingText({ shown, newest, marksNew }: ListState): string | null {
  const isSame =
    shown.total === newest.total &&
    shown.items.length === newest.items.length &&
    shown.items.every(({ id }, index) => newest.items[index]?.id === id)
  if (isSame) return null
  const more = newest.total - shown.total
  return marksNew && more > 0 ? registrations(more) : 'The list has changed'
}

export function registrations(count: number): string {
  return countOf(count, 'new registration')
}
