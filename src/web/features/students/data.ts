import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { createParser, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isCalendarPeriod, periodLabels, periods } from '#shared/periods.ts'
import type { StudentListItem, StudentPage } from '#shared/students/student-response.ts'
import {
  defaultPageSize,
  defaultStudentFilters,
  isAcademicYear,
  maxPage,
  maxSearchLength,
  type StudentFilters,
  type StudentListQuery,
  studentFilterChoices,
} from '#shared/students/students.ts'
import { showToast } from '#web/components/toaster.tsx'
import { createAddress, parseAsPage, parseAsSearch, parseAsText } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { type ApiClient, api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useListView } from './list-view.ts'

/** A page and what was asked for; past the end, the last page. */
export interface StudentList extends StudentPage {
  query: StudentListQuery
}

/** Follows the list to its last page when its address is beyond it. */
export function useStudentList(config: ListConfig) {
  const navigate = useNavigate()
  const { pageSize } = useListView()
  const { query, opened } = readAddress(useLocation().search, config, pageSize)
  const list = useQuery({ ...listQuery(query, config, api), placeholderData: keepPreviousData })
  const { data, isPlaceholderData } = list
  const lastPage =
    data && !isPlaceholderData && data.query.page < query.page
      ? writeAddress({ query: data.query, opened }, config)
      : null
  useEffect(() => {
    if (lastPage !== null) void navigate(lastPage, { replace: true })
  }, [lastPage, navigate])
  return list
}

function listQuery(query: StudentListQuery, config: ListConfig, from: ApiClient) {
  return queryOptions({
    queryKey: ['students', config.path, query],
    meta: { topics: ['settings'] },
    queryFn: ({ signal }) => loadList(query, from, signal),
    // Pending rows show with the reading after an own change, also when that change is in no column.
    structuralSharing: false,
  })
}

/** Leaves out what can't be read. */
export async function prefetchList(
  client: QueryClient,
  from: ApiClient,
  { search, config }: { search: string; config: ListConfig },
): Promise<void> {
  await Promise.all([
    client.prefetchQuery(listQuery(readAddress(search, config).query, config, from)),
    client.prefetchQuery(choicesQuery('academicYears', from)),
    client.prefetchQuery(choicesQuery('courses', from)),
  ])
}

async function loadList(query: StudentListQuery, from: ApiClient, signal: AbortSignal): Promise<StudentList> {
  const { page, pageSize } = query
  const params = { ...filterParams(query), page: String(page), pageSize: String(pageSize) }
  const list = await callApi(from.students.$get({ query: params }, { init: { signal } }))
  const lastPage = Math.max(1, Math.ceil(list.total / list.pageSize))
  // Records were removed, or the link is old.
  return page > lastPage ? await loadList({ ...query, page: lastPage }, from, signal) : { ...list, query }
}

export function useStudentRecord(id: string) {
  return useQuery({
    queryKey: ['students', 'record', id],
    queryFn: ({ signal }) => callApi(api.students[':id'].$get({ param: { id } }, { init: { signal } })),
    // Each opening reads it again: an edit must not begin with old values.
    gcTime: 0,
  })
}

const storedChoices = { academicYears: 'academic-years', courses: 'courses' } as const

type ChoicesName = keyof typeof storedChoices

/** What the registration form offers, and what records already have. */
export function useChoices(name: ChoicesName) {
  return useQuery(choicesQuery(name, api))
}

function choicesQuery(name: ChoicesName, from: ApiClient) {
  return queryOptions({
    queryKey: ['students', name],
    meta: { topics: ['settings'] },
    async queryFn({ signal }) {
      const init = { init: { signal } }
      const [offer, stored] = await Promise.all([
        callApi(from.registrations.offer.$get(undefined, init)),
        callApi(from.students[storedChoices[name]].$get(undefined, init)),
      ])
      return [...new Set([...offer[name], ...stored.items])]
    },
  })
}

/** Work that changes no record. @param failed before the sentence of a failure */
export function useTask(failed: string) {
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: (work: () => Promise<void>) => work(),
    onError: (error) => showToast({ type: 'error', message: `${failed}: ${sentenceOf(error)}` }),
  })
  return { run: mutate, isBusy: isPending }
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
function defineList(list: Pick<ListConfig, 'path' | 'defaults' | 'filters' | 'receivesRegistrations'>) {
  const { path, defaults, filters } = list
  const parseAsChoice = <Name extends keyof typeof studentFilterChoices>(name: Name) =>
    parseAsStringLiteral<StudentFilters[Name]>(
      name === 'sort' || filters.includes(name) ? studentFilterChoices[name] : [],
    ).withDefault(defaults[name])
  const address = createAddress(path, {
    search: parseAsSearch(maxSearchLength),
    component: parseAsChoice('component'),
    archive: parseAsChoice('archive'),
    academicYear: parseAsText((year) => (isAcademicYear(year) ? year : null)).withDefault(
      defaults.academicYear,
    ),
    period: createParser<StudentFilters['period']>({
      parse: (text) =>
        filters.includes('period')
          ? (periods.find((period) => period === text) ?? (isCalendarPeriod(text) ? text : null))
          : null,
      serialize: String,
    }).withDefault(defaults.period),
    course: parseAsText((text) => (filters.includes('course') ? text : null)).withDefault(defaults.course),
    sex: parseAsChoice('sex'),
    duplicates: parseAsChoice('duplicates'),
    yearLevel: parseAsChoice('yearLevel'),
    missing: parseAsChoice('missing'),
    network: parseAsText((text) => (filters.includes('network') ? text : null)).withDefault(defaults.network),
    sort: parseAsChoice('sort'),
    page: parseAsPage(maxPage),
    student: parseAsString,
    edit: parseAsString,
    form: parseAsString,
    duplicate: parseAsString,
    // Asks whether to print the sheets of the list.
    print: parseAsStringLiteral(['sheets']),
  })
  return { ...list, address }
}

export function readAddress(
  text: string,
  { address }: ListConfig,
  pageSize = defaultPageSize,
): StudentsAddress {
  const { student, edit, form, duplicate, print: _once, ...query } = address.read(text)
  const ids = { details: student, edit, form, duplicates: duplicate }
  const as = (['details', 'edit', 'form', 'duplicates'] as const).find((one) => ids[one])
  const id = as && ids[as]
  return { query: { ...query, pageSize }, opened: as && id ? { as, id } : null }
}

export function writeAddress({ query, opened }: StudentsAddress, { address }: ListConfig): string {
  const idOf = (as: OpenRecord['as']) => (opened?.as === as ? opened.id : null)
  const { pageSize: _fixed, ...params } = query
  return address.to({
    ...params,
    student: idOf('details'),
    edit: idOf('edit'),
    form: idOf('form'),
    duplicate: idOf('duplicates'),
  })
}

export function filterParams(list: StudentFilters & Partial<StudentListQuery>): StudentFilters {
  const { page: _page, pageSize: _size, ...filters } = list
  return filters
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
  address: ReturnType<typeof defineList>['address']
}

/** Spec §2 "Students tab". */
export const studentsListConfig: ListConfig = defineList({
  path: tabPath('students'),
  defaults: defaultStudentFilters,
  filters: [
    ...(['search', 'component', 'archive', 'academicYear', 'period', 'duplicates'] as const),
    ...(['course', 'sex', 'yearLevel', 'missing', 'network'] as const),
  ],
  receivesRegistrations: true,
})

/** Spec §2 "Archived students page": the last archived comes first. */
export const archiveListConfig: ListConfig = defineList({
  path: '/admin/archived',
  defaults: { ...defaultStudentFilters, archive: 'archived', sort: '-archivedDate' },
  filters: ['search', 'component', 'academicYear'],
  receivesRegistrations: false,
})

// Spec §2.
export const missing = 'N/A'

export function orMissing(text: string): string {
  return text === '' ? missing : text
}

export const isTimeSpan = (period: StudentFilters['period']) => period.includes('/')

/** 'Last Semester', 'November 2026', 'Nov 23, 2026, 2:10 – 3:40 AM'. */
export function periodText(period: StudentFilters['period']): string {
  if (!isCalendarPeriod(period)) return periodLabels[period]
  if (isTimeSpan(period)) {
    const [from = '', until = ''] = period.split('/').map((time) => `${time}Z`)
    const texts = new Intl.DateTimeFormat('en-US', {
      timeZone: 'UTC',
      dateStyle: 'medium',
      timeStyle: 'short',
    })
    return texts.formatRange(Date.parse(from), Date.parse(until))
  }
  const [, month, day] = period.split('-')
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    ...(month && { month: 'long' }),
    ...(day && { day: 'numeric' }),
  }).format(Date.parse(period))
}

/** 'Dela Cruz, Juan Miguel Peña': last, first middle (spec §2). */
export function listName(name: { lastName: string; firstName: string; middleName: string }): string {
  const given = `${name.firstName} ${name.middleName}`.trim()
  return [name.lastName, given].filter(Boolean).join(', ') || missing
}

export type StudentsNavigation = ReturnType<typeof useStudentsNavigation>

export function useStudentsNavigation(config: ListConfig) {
  const navigate = useNavigate()
  const { pageSize } = useListView()
  const { search } = useLocation()
  const address = readAddress(search, config, pageSize)
  const { query, opened } = address
  const form = useFormAddress(opened !== null || config.address.read(search).print !== null)

  return {
    address,
    show(changes: Partial<StudentListQuery>, { replace = false } = {}) {
      // Of two choices in a row, the first is in the address before it is on the screen.
      const latest = readAddress(window.location.search, config, pageSize).query
      const next = writeAddress({ query: { ...latest, page: 1, ...changes }, opened: null }, config)
      void navigate(next, { replace, preventScrollReset: true })
    },
    pathOf: (page: number) => writeAddress({ query: { ...query, page }, opened: null }, config),
    open: (record: OpenRecord, options?: { replace: boolean }) =>
      form.open(writeAddress({ query, opened: record }, config), options),
    close: () => form.close(writeAddress({ query, opened: null }, config)),
  }
}

/** The rows on the screen. New registrations are inserted only while that moves no row the user is working with. */
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
  if (mayMove || ownChanges !== list.ownChanges) return showPending({ ...list, newest: page, ownChanges })
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
