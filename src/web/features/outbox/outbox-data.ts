import type { MailPage } from '#shared/mail-history.ts'
import { api, callApi } from '#web/lib/api.ts'
import { type OutboxAddress, readOutboxAddress } from './outbox-address.ts'

/** What the outbox shows at one address. */
export interface OutboxData {
  address: OutboxAddress
  page: MailPage
}

/** Reads what an address of the outbox asks for. @throws ApiProblem */
export async function loadOutbox(url: URL, signal: AbortSignal): Promise<OutboxData> {
  const address = readOutboxAddress(url.searchParams)
  const { state, kind, search, cursor } = address
  const query = {
    ...(state ? { state } : {}),
    ...(kind ? { kind } : {}),
    ...(search ? { search } : {}),
    ...(cursor ? { cursor } : {}),
  }
  return { address, page: await callApi(api.mail.messages.$get({ query }, { init: { signal } })) }
}
