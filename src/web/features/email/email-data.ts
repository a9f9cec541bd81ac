import type { MailAccount, MailQueueStatus, MailServiceStatus } from '#shared/mail.ts'
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
