import { type MailKind, type MailState, mailKinds, mailStates } from '#shared/mail/mail.ts'
import { maxMailSearch } from '#shared/mail/mail-history.ts'
import type { MailItem, MailPage } from '#shared/mail/mail-response.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import type { InstantTexts } from '#web/lib/date-texts.ts'

export interface OutboxData {
  address: OutboxAddress
  page: MailPage
}

/** @throws ApiProblem */
export async function loadOutbox(params: URLSearchParams, signal: AbortSignal): Promise<OutboxData> {
  const address = readOutboxAddress(params)
  const { state, kind, search, cursor } = address
  const query = {
    ...(state ? { state } : {}),
    ...(kind ? { kind } : {}),
    ...(search ? { search } : {}),
    ...(cursor ? { cursor } : {}),
  }
  return { address, page: await callApi(api.mail.messages.$get({ query }, { init: { signal } })) }
}

export interface OutboxAddress {
  state: MailState | null
  kind: MailKind | null
  search: string
  /** '' for the newest messages. */
  cursor: string
  message: string | null
}

const controlCharacter = /\p{Cc}/u

/** Invalid parameters are ignored. */
export function readOutboxAddress(params: URLSearchParams): OutboxAddress {
  const search = params.get('search') ?? ''
  return {
    state: mailStates.find((state) => state === params.get('state')) ?? null,
    kind: mailKinds.find((kind) => kind === params.get('kind')) ?? null,
    search: controlCharacter.test(search) ? '' : search.trim().slice(0, maxMailSearch),
    cursor: params.get('cursor') ?? '',
    message: params.get('message') || null,
  }
}

export function outboxPath({ state, kind, search, cursor, message }: Partial<OutboxAddress> = {}): string {
  return tabPath('email', {
    pane: 'outbox',
    ...(state ? { state } : {}),
    ...(kind ? { kind } : {}),
    ...(search ? { search } : {}),
    ...(cursor ? { cursor } : {}),
    ...(message ? { message } : {}),
  })
}

export const unknownExplanation =
  'The connection was lost before the mail server confirmed the e-mail. ' +
  'It is not sent again automatically, because the recipient might get it twice. ' +
  'Ask the recipient or check the mailbox’s Sent folder, then decide.'

export function canSendAgain({ state }: Pick<MailItem, 'state'>): boolean {
  return state === 'failed' || state === 'unknown'
}

/** Why a message was not sent yet, and the next attempt; '' for nothing. */
export function messageNote(
  { state, attempts, failure, notBefore }: Pick<MailItem, 'state' | 'attempts' | 'failure' | 'notBefore'>,
  { momentOf }: InstantTexts,
): string {
  if (state !== 'queued') return failure
  if (attempts === 0) return ''
  const tries = attempts === 1 ? 'Tried once.' : `Tried ${attempts} times.`
  const next = notBefore ? `Next try: ${momentOf(notBefore)}.` : ''
  return [closed(failure), tries, next].filter((part) => part !== '').join(' ')
}

// A mail server's text may lack a full stop.
function closed(text: string): string {
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`
}

export function momentOfMessage({ endedAt, createdAt }: Pick<MailItem, 'endedAt' | 'createdAt'>): string {
  return endedAt ?? createdAt
}

export function nothingFoundTitle({
  state,
  kind,
  search,
}: Pick<OutboxAddress, 'state' | 'kind' | 'search'>): string {
  return state === 'unknown' && kind === null && search === ''
    ? 'Nothing to review.'
    : 'No messages match these filters.'
}

/** The state is shown as text too, never by colour alone. */
export const mailTones = {
  queued: 'neutral',
  sending: 'info',
  sent: 'success',
  failed: 'danger',
  unknown: 'warning',
  cancelled: 'neutral',
} as const satisfies Record<MailState, string>
