import type { BatchSummary } from '#shared/mail.ts'
import type { BatchPage, MailPage } from '#shared/mail-history.ts'
import type { MailTemplateInfo } from '#shared/mail-preview.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { type BulkAddress, readBulkAddress } from './bulk-address.ts'

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
