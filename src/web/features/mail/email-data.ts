import type { MailAccount, MailQueueStatus, MailServiceStatus } from '#shared/mail/mail.ts'
import type { ReturnedPage } from '#shared/mail/returned-mail.ts'
import { api, callApi } from '#web/lib/api.ts'

/** What the frame of the e-mail tab shows. */
export interface EmailFrameData {
  status: MailServiceStatus
  /** Null while e-mail is not configured. */
  account: MailAccount | null
  /** What the configuration begins with. */
  defaults: Pick<MailAccount, 'host' | 'port' | 'secure'>
  queue: MailQueueStatus
  /** How many addresses are to be fixed. */
  returned: number
}

/** @throws ApiProblem */
export async function loadEmailFrame(signal: AbortSignal): Promise<EmailFrameData> {
  const init = { init: { signal } }
  const [configuration, queue, { openCount }] = await Promise.all([
    callApi(api.mail.account.$get(undefined, init)),
    callApi(api.mail.queue.$get(undefined, init)),
    callApi(api.mail.bounces.$get({ query: {} }, init)),
  ])
  return { ...configuration, queue, returned: openCount }
}

/** The panes of the e-mail tab, by the value of the query's `pane`. The first three are the tabs of spec §2. */
const emailPanes = ['single', 'bulk', 'server', 'outbox', 'returned'] as const
export type EmailPane = (typeof emailPanes)[number]

/** The pane that a query selects; an unknown value is the first. */
export function emailPaneOf(search: URLSearchParams): EmailPane {
  const wanted = search.get('pane')
  return emailPanes.find((pane) => pane === wanted) ?? 'single'
}

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
