import type { MailItem } from '#shared/mail.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import type { OutboxAddress } from './outbox-address.ts'

/** What is told of messages nobody knows the end of. */
export const unknownExplanation =
  'The message was on its way, and what sent it was cut off before the mail server said whether it takes it. ' +
  'Such a message is never sent again by itself, because somebody might get it twice. ' +
  'Ask the recipient, or look into the mailbox’s Sent folder, and decide.'

/** Whether somebody can have a message sent again. */
export function canSendAgain({ state }: Pick<MailItem, 'state'>): boolean {
  return state === 'failed' || state === 'unknown'
}

/** Why a message was not sent, or not yet, and what comes next; '' when there is nothing to say. */
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

/** A mail server's own words end as they like: what follows them must not run on. */
function closed(text: string): string {
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`
}

/** The instant that tells most about a message: its end, or else when it was written. */
export function momentOfMessage({ endedAt, createdAt }: Pick<MailItem, 'endedAt' | 'createdAt'>): string {
  return endedAt ?? createdAt
}

/** What a list that a filter left empty says: only all of the unknown ones can be settled. */
export function nothingFoundTitle({
  state,
  kind,
  search,
}: Pick<OutboxAddress, 'state' | 'kind' | 'search'>): string {
  return state === 'unknown' && kind === null && search === ''
    ? 'Nothing is left to decide about.'
    : 'No messages match these filters.'
}
