import { queryOptions } from '@tanstack/react-query'
import { parseAsStringLiteral } from 'nuqs/server'
import type { ReactNode } from 'react'
import type { Location } from 'react-router'
import { nstpComponents } from '#shared/students/student-choices.ts'
import type { Term, TermSummary } from '#shared/terms/terms-response.ts'
import { createAddress, parseAsId } from '#web/lib/address.ts'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, reading } from '#web/lib/api.ts'
import type { useFormAddress } from '#web/lib/form-address.ts'
import { adminPath } from '#web/lib/next-path.ts'

export const levelTexts = ['1', '2'] as const

const openedForms = ['new-term', 'dates', 'sections', 'place', 'continue', 'changes', 'parts'] as const

export type OpenedForm = (typeof openedForms)[number]

/** The panes, in the order in which a term is worked on. */
export const paneNames = ['sections', 'students', 'lists', 'attendance', 'marks'] as const

export type TermPane = (typeof paneNames)[number]

export const termsAddress = createAddress(tabPath('terms'), {
  pane: parseAsStringLiteral(paneNames).withDefault('sections'),
  term: parseAsId,
  component: parseAsStringLiteral(nstpComponents),
  level: parseAsStringLiteral(levelTexts),
  /** A form beside the list. */
  open: parseAsStringLiteral(openedForms),
  /** The section that is edited. */
  section: parseAsId,
  /** The section whose marks are shown. */
  marks: parseAsId,
})

export type TermsAddress = ReturnType<typeof termsAddress.read>

/** One component and level of a term. */
export interface PaneProps {
  term: Term
  cell: Cell
  /** The address with that component and level. */
  address: TermsAddress
  form: ReturnType<typeof useFormAddress>
  /** The lists that the office receives of a term. */
  renderLists: (term: Term) => ReactNode
  /** The lists of a term that are neither applied nor undone. */
  renderOpenLists: (term: Term) => ReactNode
  /** The training days of a component and level. */
  renderAttendance: (term: Term, cell: Cell) => ReactNode
}

export type Cell = TermSummary['items'][number]

export const summaryQuery = ({ id }: Term) =>
  queryOptions({
    queryKey: ['terms', 'summary', id],
    queryFn: reading(api.terms[':id'].summary.$get, { param: { id } }),
    select: ({ items }): readonly Cell[] => items,
  })

const orderOf = ({ academicYear, semester }: Term) => `${academicYear} ${semester}`

export const isEarlier = (other: Term, term: Term) => orderOf(other) < orderOf(term)

/** How many students get a section by placing. */
export const unplacedIn = ({ waiting, withoutSection }: Cell) => waiting + withoutSection

/** How many enrolled students have no mark; 0 if the account doesn't read marks. */
export function unmarkedIn(cells: readonly Cell[]): number {
  return cells.reduce(
    (sum, { placed, withoutSection, marked }) =>
      marked === undefined ? sum : sum + placed + withoutSection - marked,
    0,
  )
}

/** The component and level of the address. If it leaves them open, the first with something to see. */
export function chosenCell(cells: readonly Cell[], { component, level }: TermsAddress): Cell | undefined {
  const matching = cells.filter(
    (cell) =>
      (component === null || cell.component === component) &&
      (level === null || cell.level === Number(level)),
  )
  return (
    matching.find((cell) => cell.sections + cell.placed + unplacedIn(cell) > 0) ?? matching[0] ?? cells[0]
  )
}

/** Whether an address leads to the list behind a form. */
export function isFormClosed({ pathname, search }: Location): boolean {
  const { open, section } = termsAddress.read(search)
  return pathname === adminPath && tabOf(search) === 'terms' && open === null && section === null
}
