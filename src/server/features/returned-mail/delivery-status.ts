import { isMailAddress } from '#shared/mail-address.ts'

/** What a mail server reports of one recipient (RFC 3464). */
export interface RecipientStatus {
  /** In lower case; '' when the report names none. */
  recipient: string
  action: string
  /** RFC 3463: '5.1.1'; '' when the report gives none. */
  status: string
  /** What the refusing server said, on one line. */
  diagnostic: string
}

export interface DeliveryStatus {
  /** Fields that name the message itself, where a server adds them. */
  originalMessageId: string
  recipients: RecipientStatus[]
}

/** Reports about more recipients than this are none about our messages, each of which has one. */
const maxRecipients = 20
const maxDiagnostic = 500

/** Reads the part message/delivery-status: groups of fields, the first of which is about the message. */
export function readDeliveryStatus(text: string): DeliveryStatus {
  const groups = groupsOf(text)
  const originalMessageId =
    groups
      .map((group) => group.get('x-original-message-id') ?? group.get('original-message-id'))
      .find(Boolean) ?? ''
  const recipients = groups
    .filter((group) => group.has('final-recipient') || group.has('action') || group.has('status'))
    .slice(0, maxRecipients)
    .map((group) => ({
      // What we wrote to; the final one may be where that address is forwarded.
      recipient: addressOf(group.get('original-recipient') ?? group.get('final-recipient') ?? ''),
      action: (group.get('action') ?? '').toLowerCase(),
      status: statusOf(group.get('status') ?? '') || statusOf(group.get('diagnostic-code') ?? ''),
      diagnostic: diagnosticOf(group.get('diagnostic-code') ?? ''),
    }))
  return { originalMessageId, recipients }
}

/** An enhanced status code within a text; '' when there is none. */
export function statusOf(text: string): string {
  return /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.exec(text)?.[0] ?? ''
}

/** A server's words on one line, without what would not print. */
export function diagnosticOf(text: string): string {
  const words = text.replace(/^\s*[\w.-]{1,40}\s*;/, '')
  return words
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxDiagnostic)
}

/** 'rfc822; <somebody@example.edu>' without its type and brackets. */
function addressOf(field: string): string {
  const address = field
    .slice(field.indexOf(';') + 1)
    .trim()
    .replace(/^<(.*)>$/, '$1')
  return isMailAddress(address) ? address.toLowerCase() : ''
}

/** Fields by their names in lower case, group by group. The first of a name counts. */
function groupsOf(text: string): Map<string, string>[] {
  const unfolded = text.replace(/\r\n?/g, '\n').replace(/\n[ \t]+(?=[^\s])/g, ' ')
  return unfolded.split(/\n[ \t]*\n/).map((group) => {
    const fields = group.split('\n').flatMap((line): [string, string][] => {
      const [, name, value] = /^([\w-]{1,80})[ \t]*:(.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.trim()]]
    })
    return new Map(fields.reverse())
  })
}
