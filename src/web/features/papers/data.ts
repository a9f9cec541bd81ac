import { queryOptions } from '@tanstack/react-query'
import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import type { Location } from 'react-router'
import { layoutCodes, type PaperState, paperLists } from '#shared/papers/papers.ts'
import type { LayoutItem, Paper } from '#shared/papers/papers-response.ts'
import type { BadgeTone } from '#web/components/badge.tsx'
import { createAddress, parseAsId, parseAsPage } from '#web/lib/address.ts'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, orNull, reading } from '#web/lib/api.ts'
import { adminPath } from '#web/lib/next-path.ts'

const paneNames = ['papers', 'certificates'] as const

const openedForms = ['make', 'edit', 'send', 'answer', 'layouts'] as const

export const papersAddress = createAddress(tabPath('papers'), {
  pane: parseAsStringLiteral(paneNames).withDefault('papers'),
  paper: parseAsId,
  /** The layout of a new paper. */
  layout: parseAsStringLiteral(layoutCodes),
  year: parseAsString,
  /** The form that is open. */
  open: parseAsStringLiteral(openedForms),
  /** The list of a frozen paper whose rows are shown. */
  list: parseAsStringLiteral(paperLists),
  /** The rule of the check that was opened last: coming back from a record finds it open. */
  rule: parseAsString,
  page: parseAsPage(9_999),
})

export type PapersAddress = ReturnType<typeof papersAddress.read>

/** Whether an address leads to the list or the paper behind a form. */
export function isFormClosed({ pathname, search }: Location): boolean {
  return pathname === adminPath && tabOf(search) === 'papers' && papersAddress.read(search).open === null
}

export const papersQuery = queryOptions({
  queryKey: ['papers', 'list'],
  queryFn: reading(api.papers.$get, { query: {} }),
  select: ({ items }): readonly Paper[] => items,
})

export const layoutsQuery = queryOptions({
  queryKey: ['papers', 'layouts'],
  meta: { topics: ['settings'] },
  queryFn: reading(api.layouts.$get, undefined),
  select: ({ items }): readonly LayoutItem[] => items,
})

/** Reads a paper; null if it no longer exists. */
export const readPaper = (id: string, signal: AbortSignal | null = null): Promise<Paper | null> =>
  orNull(callApi(api.papers[':id'].$get({ param: { id } }, { init: { signal } })))

export const stateTones: Record<PaperState, BadgeTone> = {
  draft: 'neutral',
  frozen: 'info',
  sent: 'amber',
  returned: 'warning',
  accepted: 'success',
}

export const stateNames: Record<PaperState, string> = {
  draft: 'Draft',
  frozen: 'Frozen',
  sent: 'Sent',
  returned: 'Returned',
  accepted: 'Accepted',
}

/** Whether the paper is not with the agency. A paper that came back is corrected by another one. */
export const isUnsent = ({ state }: Paper): boolean => state === 'draft' || state === 'frozen'

export const isOverdue = (paper: Paper, today: string): boolean =>
  paper.dueOn !== null && paper.dueOn < today && isUnsent(paper)
