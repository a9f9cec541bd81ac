import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral } from 'nuqs/server'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { maxPage, maxSearchLength } from '#shared/students/students.ts'
import { enrolmentSorts, missingOfEnrolments } from '#shared/terms/enrolments.ts'
import { outcomes } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { createAddress, parseAsId, parseAsPage, parseAsSearch } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, reading } from '#web/lib/api.ts'
import { type Cell, levelTexts } from './data.ts'

/** Waiting: for a section, enrolled or not. */
export const shownStudents = ['enrolled', 'waiting', 'dropped', 'moved', 'all'] as const

export const shownOutcomes = ['all', ...outcomes] as const

export const termStudentsAddress = createAddress(tabPath('terms', { pane: 'students' }), {
  term: parseAsId,
  component: parseAsStringLiteral(nstpComponents),
  level: parseAsStringLiteral(levelTexts),
  status: parseAsStringLiteral(shownStudents).withDefault('enrolled'),
  /** The section whose students are shown. */
  within: parseAsId,
  missing: parseAsStringLiteral(missingOfEnrolments).withDefault('none'),
  outcome: parseAsStringLiteral(shownOutcomes).withDefault('all'),
  search: parseAsSearch(maxSearchLength),
  sort: parseAsStringLiteral(enrolmentSorts).withDefault('name'),
  page: parseAsPage(maxPage),
})

export type TermStudentsAddress = ReturnType<typeof termStudentsAddress.read>

/** A link of somebody who reads marks, without what tells them. */
export function withoutMarks({ status, missing, outcome, sort, ...others }: TermStudentsAddress) {
  const isNeutral = missing !== 'mark' && outcome === 'all'
  return {
    ...others,
    status: status === 'waiting' ? 'enrolled' : status,
    missing: isNeutral ? missing : 'none',
    outcome: 'all',
    sort: sort.endsWith('entry') ? 'name' : sort,
  } satisfies TermStudentsAddress
}

/** All on a page can be selected at once. */
const pageSize = 100

export function useEnrolments(term: Term, cell: Cell, address: TermStudentsAddress) {
  const { status, within, missing, outcome, search, sort, page } = address
  const query = {
    ...{
      component: cell.component,
      missing,
      outcome,
      search,
      sort,
      page: String(page),
      pageSize: String(pageSize),
    },
    level: cell.level === 1 ? '1' : '2',
    status: status === 'waiting' ? 'enrolled' : status,
    ...(within !== null && { section: within }),
  } as const
  return useQuery({
    queryKey: ['terms', 'enrolments', term.id, query],
    meta: { topics: ['students'] },
    queryFn: reading(api.terms[':id'].enrolments.$get, { param: { id: term.id }, query }),
    placeholderData: keepPreviousData,
    enabled: status !== 'waiting',
  })
}

export function useUnplaced(term: Term, cell: Cell, { page }: Pick<TermStudentsAddress, 'page'>) {
  const query = {
    ...{ component: cell.component, page: String(page), pageSize: String(pageSize) },
    level: cell.level === 1 ? '1' : '2',
  } as const
  return useQuery({
    queryKey: ['terms', 'unplaced', term.id, query],
    meta: { topics: ['students'] },
    queryFn: reading(api.terms[':id'].unplaced.$get, { param: { id: term.id }, query }),
    placeholderData: keepPreviousData,
  })
}
