import { parseAsStringLiteral } from 'nuqs/server'
import { type MailState, mailKinds } from '#shared/mail/mail.ts'
import type { MailItem } from '#shared/mail/mail-response.ts'
import { createAddress } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import type { InstantTexts } from '#web/lib/date-texts.ts'
import { messagesParsers } from './email-data.ts'

export const outboxAddress = createAddress(tabPath('email', { pane: 'outbox' }), {
  ...messagesParsers,
  kind: parseAsStringLiteral(['all', ...mailKinds]).withDefault('all'),
})

export type OutboxAddress = ReturnType<typeof outboxAddress.read>

export const unknownExplanation =
  'The connection was lost before the mail server confirmed the e-mail. ' +
  'It is not sent again automatically, because the recipient might get it twice. ' +
  'Ask the recipient or check the mailbox’s Sent folder, then decide.'

export function canSendAgain({ state, kind }: Pick<MailItem, 'state' | 'kind'>): boolean {
  // A code is valid for ten minutes.
  if (kind === 'code') return state === 'unknown'
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
  // A mail server's text may lack a full stop.
  const reason = failure.replace(/[^.!?…]$/, '$&.')
  return [reason, tries, next].filter(Boolean).join(' ')
}

export function nothingFoundTitle({ state, kind, search }: Pick<OutboxAddress, 'state' | 'kind' | 'search'>) {
  return state === 'unknown' && kind === 'all' && search === ''
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
