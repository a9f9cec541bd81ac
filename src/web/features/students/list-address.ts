import { useLocation, useNavigate } from 'react-router'
import { defaultPageSize, type StudentFilters, type StudentListQuery } from '#shared/students/students.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { useListView } from './list-view.ts'
import type { ListConfig } from './student-lists.ts'

export interface StudentsAddress {
  query: StudentListQuery
  opened: OpenRecord | null
}

export interface OpenRecord {
  as: 'details' | 'edit' | 'form' | 'duplicates'
  id: string
  /** Another record to compare, only with `duplicates`. */
  withId?: string
}

export function readAddress(
  text: string,
  { address }: ListConfig,
  pageSize = defaultPageSize,
): StudentsAddress {
  const { student, edit, form, duplicate, with: withId, print: _once, ...query } = address.read(text)
  const ids = { details: student, edit, form, duplicates: duplicate }
  const as = (['details', 'edit', 'form', 'duplicates'] as const).find((one) => ids[one])
  const id = as && ids[as]
  return {
    query: { ...query, pageSize },
    opened: as && id ? { as, id, ...(as === 'duplicates' && withId !== null && { withId }) } : null,
  }
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
    with: opened?.withId ?? null,
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
      // The first of two quick choices is in the address before it is on the screen.
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
