import type { MailAccount } from '#shared/mail.ts'
import type { ServerStatus } from '#shared/server-status.ts'
import { api, callApi } from '#web/lib/api.ts'

/** How the server is. @throws ApiProblem */
export async function loadServerStatus(signal: AbortSignal): Promise<ServerStatus> {
  return await callApi(api.status.$get(undefined, { init: { signal } }))
}

/** What mail is sent by. */
export interface ShownAccount {
  account: MailAccount | null
  isConfigured: boolean
  message: string
}

/** @throws ApiProblem */
export async function loadMailAccount(signal: AbortSignal): Promise<ShownAccount> {
  const { account, status } = await callApi(api.mail.account.$get(undefined, { init: { signal } }))
  return { account, isConfigured: status.isConfigured, message: status.message }
}
