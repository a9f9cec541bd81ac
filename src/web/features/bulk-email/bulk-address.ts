import { type MailState, mailStates } from '#shared/mail.ts'
import { maxMailSearch } from '#shared/mail-history.ts'
import { tabPath } from '#web/lib/admin-tab.ts'

/** The state of the pane "Bulk Emails" as the page's address holds it. */
export interface BulkAddress {
  /** The batch that is open; null for the form and the history. */
  batch: string | null
  /** Which results are shown; null for all. */
  state: MailState | null
  /** Part of an address. */
  search: string
  /** Where the shown piece of results, or of the history, begins; '' for its start. */
  cursor: string
  /** The message that is open. */
  message: string | null
}

const controlCharacter = /\p{Cc}/u

/** Reads the pane's state. What an address says wrongly counts as not said. */
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

/** The address of a batch with what is shown of its results; without a batch, of the form and the history. */
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
