import type { ReturnedPage } from '#shared/returned-mail.ts'
import { api, callApi } from '#web/lib/api.ts'

/** What the pane "Addresses to fix" shows at one address. */
export interface ReturnedMailData {
  /** Where the shown piece begins; '' for the newest entries. */
  cursor: string
  page: ReturnedPage
}

/** Reads what an address of the pane asks for. @throws ApiProblem */
export async function loadReturnedMail(url: URL, signal: AbortSignal): Promise<ReturnedMailData> {
  const cursor = url.searchParams.get('cursor') ?? ''
  return { cursor, page: await callApi(api.mail.bounces.$get({ query: { cursor } }, { init: { signal } })) }
}
