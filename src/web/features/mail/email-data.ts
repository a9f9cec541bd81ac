import type {
  MailAccount,
  MailQueueStatus,
  MailServiceStatus,
  ReturnedPage,
} from '#shared/mail/mail-response.ts'
import { api, callApi } from '#web/lib/api.ts'

export interface EmailFrameData {
  status: MailServiceStatus
  account: MailAccount | null
  defaults: Pick<MailAccount, 'host' | 'port' | 'secure'>
  queue: MailQueueStatus
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

/** By the value of the query's `pane`. The first three are the tabs of spec §2. */
const emailPanes = ['single', 'bulk', 'server', 'outbox', 'returned'] as const
export type EmailPane = (typeof emailPanes)[number]

/** An unknown value selects the first pane. */
export function emailPaneOf(search: URLSearchParams): EmailPane {
  const wanted = search.get('pane')
  return emailPanes.find((pane) => pane === wanted) ?? 'single'
}

export interface ReturnedMailData {
  cursor: string
  page: ReturnedPage
}

/** @throws ApiProblem */
export async function loadReturnedMail(
  params: URLSearchParams,
  signal: AbortSignal,
): Promise<ReturnedMailData> {
  const cursor = params.get('cursor') ?? ''
  return { cursor, page: await callApi(api.mail.bounces.$get({ query: { cursor } }, { init: { signal } })) }
}
