import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { StudentPage } from '#shared/students/student-response.ts'
import type { StudentListQuery } from '#shared/students/students.ts'
import { showToast } from '#web/components/toaster.tsx'
import { type ApiClient, api, callApi, reading } from '#web/lib/api.ts'
import { failureText } from '#web/lib/api-problem.ts'
import { recordKey } from '#web/lib/query.ts'
import { filterParams, readAddress, writeAddress } from './list-address.ts'
import { useListView } from './list-view.ts'
import type { ListConfig } from './student-lists.ts'

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
    queryKey: recordKey(id),
    queryFn: reading(api.students[':id'].$get, { param: { id } }),
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

/** Work that changes no record. @param whatFailed the words for a failure, before the reason */
export function useTask(whatFailed: string) {
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: (work: () => Promise<void>) => work(),
    onError: (error) => showToast('error', failureText(whatFailed, error)),
  })
  return { run: mutate, isBusy: isPending }
}
