import type { ReactNode } from 'react'
import { type BatchSummary, type MailItem, type MailState, mailStates } from '#shared/mail/mail.ts'
import { type BatchPage, type MailPage, maxMailSearch } from '#shared/mail/mail-history.ts'
import type { MailTemplateInfo } from '#shared/mail/mail-preview.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'

/** What the form offers, and the batches before. */
export interface BulkStart {
  batch: null
  history: BatchPage
  templates: readonly MailTemplateInfo[]
  /** What students can be narrowed by: what is on offer, then what else records hold. */
  courses: readonly string[]
  academicYears: readonly string[]
}

/** One batch, and the piece of its results that is shown. */
export interface OpenBatch {
  batch: string
  address: BulkAddress
  summary: BatchSummary
  results: MailPage
}

/** What the pane "Bulk Emails" shows at one address. */
export type BulkEmailsData =
  | BulkStart
  | OpenBatch
  /** There is no such batch: it was swept away, or the link is wrong. */
  | { batch: string; missing: string }

/** Reads what an address of the pane asks for. @throws ApiProblem */
export async function loadBulkEmails(url: URL, signal: AbortSignal): Promise<BulkEmailsData> {
  const address = readBulkAddress(url.searchParams)
  if (address.batch === null) return await loadStart(address, signal)
  try {
    return await loadBatch(address.batch, address, signal)
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.code === 'not_found') {
      return { batch: address.batch, missing: error.message }
    }
    throw error
  }
}

async function loadStart({ cursor }: BulkAddress, signal: AbortSignal): Promise<BulkStart> {
  const init = { init: { signal } }
  const [history, templates, offer, courses, academicYears] = await Promise.all([
    callApi(api.mail.batches.$get({ query: cursor ? { cursor } : {} }, init)),
    callApi(api.mail.templates.$get(undefined, init)),
    callApi(api.registrations.offer.$get(undefined, init)),
    callApi(api.students.courses.$get(undefined, init)),
    callApi(api.students['academic-years'].$get(undefined, init)),
  ])
  return {
    batch: null,
    history,
    templates: templates.items,
    courses: [...new Set([...offer.courses, ...courses.items])],
    academicYears: [...new Set([...offer.academicYears, ...academicYears.items])],
  }
}

async function loadBatch(id: string, address: BulkAddress, signal: AbortSignal): Promise<OpenBatch> {
  const { state, search, cursor } = address
  const query = {
    ...(state ? { state } : {}),
    ...(search ? { search } : {}),
    ...(cursor ? { cursor } : {}),
  }
  const init = { init: { signal } }
  const [summary, results] = await Promise.all([
    callApi(api.mail.batches[':id'].$get({ param: { id } }, init)),
    callApi(api.mail.batches[':id'].results.$get({ param: { id }, query }, init)),
  ])
  return { batch: id, address, summary, results }
}

/** The state of the pane "Bulk Emails" as the page's address holds it. */
export interface BulkAddress {
  /** The batch that is open; null for the form and the history. */
  batch: string | null
  /** Which results are shown; null for all. */
  state: MailState | null
  /** Part of an address. */
  search: string
  /** Where the shown piece of results, or of the history, begins; '' for its start. */
  cursor: string
  /** The message that is open. */
  message: string | null
}

const controlCharacter = /\p{Cc}/u

/** Reads the pane's state. What an address says wrongly counts as not said. */
export function readBulkAddress(params: URLSearchParams): BulkAddress {
  const search = params.get('search') ?? ''
  return {
    batch: params.get('batch') || null,
    state: mailStates.find((state) => state === params.get('state')) ?? null,
    search: controlCharacter.test(search) ? '' : search.trim().slice(0, maxMailSearch),
    cursor: params.get('cursor') ?? '',
    message: params.get('message') || null,
  }
}

/** The address of a batch with what is shown of its results; without a batch, of the form and the history. */
export function bulkPath({ batch, state, search, cursor, message }: Partial<BulkAddress> = {}): string {
  return tabPath('email', {
    pane: 'bulk',
    ...(batch ? { batch } : {}),
    ...(state ? { state } : {}),
    ...(search ? { search } : {}),
    ...(cursor ? { cursor } : {}),
    ...(message ? { message } : {}),
  })
}

/** The messages of a batch, and the one that is open. */
export interface ResultsList {
  caption: string
  items: readonly MailItem[]
  busy: boolean
  /** The message that is open, as the address has it; null for none. */
  opened: string | null
  onOpen: (id: string) => void
  onClose: () => void
}

export type RenderResults = (list: ResultsList) => ReactNode
