import type { ReactNode } from 'react'
import { type MailState, mailStates } from '#shared/mail/mail.ts'
import { maxMailSearch } from '#shared/mail/mail-history.ts'
import type { MailTemplateInfo } from '#shared/mail/mail-preview.ts'
import type { BatchPage, BatchSummary, MailItem, MailPage } from '#shared/mail/mail-response.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'

export interface BulkStart {
  batch: null
  history: BatchPage
  templates: readonly MailTemplateInfo[]
  courses: readonly string[]
  academicYears: readonly string[]
}

export interface OpenBatch {
  batch: string
  address: BulkAddress
  summary: BatchSummary
  results: MailPage
}

export type BulkEmailsData =
  | BulkStart
  | OpenBatch
  /** The batch was deleted, or the link is wrong. */
  | { batch: string; missing: string }

/** @throws ApiProblem */
export async function loadBulkEmails(params: URLSearchParams, signal: AbortSignal): Promise<BulkEmailsData> {
  const address = readBulkAddress(params)
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

export interface BulkAddress {
  batch: string | null
  state: MailState | null
  search: string
  /** '' for the first page. */
  cursor: string
  message: string | null
}

const controlCharacter = /\p{Cc}/u

/** Invalid parameters are ignored. */
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

export interface ResultsList {
  caption: string
  items: readonly MailItem[]
  busy: boolean
  opened: string | null
  onOpen: (id: string) => void
  onClose: () => void
}

export type RenderResults = (list: ResultsList) => ReactNode
