import { type MailKind, type MailState, mailKinds, mailStates } from '#shared/mail.ts'
import { maxMailSearch } from '#shared/mail-history.ts'
import { tabPath } from '#web/lib/admin-tab.ts'

/** The state of the pane "Outbox" as the page's address holds it. */
export interface OutboxAddress {
  /** Null for all. */
  state: MailState | null
  kind: MailKind | null
  /** Part of an address or a subject. */
  search: string
  /** Where the shown piece begins, '' for the newest messages. */
  cursor: string
  /** The message that is open. */
  message: string | null
}

const controlCharacter = /\p{Cc}/u

/** Reads the pane's state. What an address says wrongly counts as not said. */
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

/** Writes the pane's state as an address, defaults left out. */
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
