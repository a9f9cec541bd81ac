import { parseAsStringLiteral } from 'nuqs/server'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { maxPage, maxSearchLength } from '#shared/students/students.ts'
import { enrolmentSorts, missingOfEnrolments } from '#shared/terms/enrolments.ts'
import { outcomes } from '#shared/terms/terms.ts'
import { createAddress, parseAsId, parseAsPage, parseAsSearch } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { levelTexts } from './data.ts'

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
