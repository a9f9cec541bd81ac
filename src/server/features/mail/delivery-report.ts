import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { validate as isUuid } from 'uuid'
import { isMailAddress } from '#shared/mail/mail-address.ts'

export interface DeliveryReport {
  messageIds: string[]
  failures: Failure[]
}

export interface Failure {
  recipient: string
  status: string
  diagnostic: string
}

// bytes: the rest is the returned mail, which is not needed.
export const maxReportBytes = 256 * 1024

const maxPart = 64 * 1024
const maxIds = 20

// Security: deep nesting and oversized headers are refused as an attack. Sizes in bytes.
const limits = { maxNestingDepth: 20, maxHeadersSize: 128 * 1024, maxRfc822NestingDepth: 2 }

/**
 * Delays and successes are no failures.
 * @param source may be truncated
 * @returns null when it reports no failure
 * @throws Error for an invalid message
 */
export async function readReport(source: Uint8Array): Promise<DeliveryReport | null> {
  const email = await PostalMime.parse(source.subarray(0, maxReportBytes), limits)
  const statuses = partsOf(email, /^message\/(?:global-)?delivery-status$/).map(readDeliveryStatus)
  const failures =
    statuses.length > 0 ? statuses.flatMap(({ recipients }) => failuresOf(recipients)) : plainFailures(email)
  if (failures.length === 0) return null
  const originals = partsOf(
    email,
    /^(?:message\/(?:rfc822|global|rfc822-headers|global-headers)|text\/rfc822-headers)$/,
  )
  return {
    messageIds: ourIdsIn([
      ...statuses.map(({ originalMessageId }) => originalMessageId),
      ...originals.map(messageIdOf),
      email.inReplyTo ?? '',
      email.references ?? '',
      ...(statuses.length > 0 ? [] : [messageIdOf(textOf(email))]),
    ]),
    failures,
  }
}

function failuresOf(recipients: readonly RecipientStatus[]): Failure[] {
  return recipients
    .filter(({ action, status }) => (action === '' ? status.startsWith('5') : action === 'failed'))
    .map(({ recipient, status, diagnostic }) => ({ recipient, status: failureStatus(status), diagnostic }))
}

function plainFailures(email: Email): Failure[] {
  const failed = email.headers.find(({ key }) => key === 'x-failed-recipients')?.value ?? ''
  const text = textOf(email)
  const line =
    text.split('\n').find((words) => /(?<![\d.])5(?:\d\d|\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.test(words)) ?? ''
  const reason = { status: failureStatus(statusOf(line)), diagnostic: diagnosticOf(line) }
  return failed
    .split(',')
    .map((address) => address.trim().toLowerCase())
    .filter(isMailAddress)
    .slice(0, maxIds)
    .map((recipient) => ({ recipient, ...reason }))
}

function failureStatus(status: string): string {
  return /^[45]/.test(status) ? status : '5.0.0'
}

// Invalid bytes become replacement characters.
function partsOf({ attachments }: Email, kind: RegExp): string[] {
  return attachments.filter(({ mimeType }) => kind.test(mimeType)).map(decode)
}

function decode({ content }: Attachment): string {
  if (typeof content === 'string') return content.slice(0, maxPart)
  return new TextDecoder().decode(new Uint8Array(content).subarray(0, maxPart))
}

function textOf({ text = '' }: Email): string {
  return text.slice(0, maxPart)
}

function messageIdOf(headers: string): string {
  return /^message-id:\s{0,10}(<[^<>\s]{1,250}>)/im.exec(headers)?.[1] ?? ''
}

function ourIdsIn(texts: readonly string[]): string[] {
  const ids = texts
    .flatMap((text) =>
      [...text.slice(0, maxPart).matchAll(/<([\da-f-]{36})@/gi)].map(([, id = '']) => id.toLowerCase()),
    )
    .filter((id) => isUuid(id))
  return [...new Set(ids)].slice(0, maxIds)
}

// RFC 3464, one recipient.
interface RecipientStatus {
  recipient: string
  action: string
  // RFC 3463: '5.1.1'; '' when the report gives none.
  status: string
  diagnostic: string
}

interface DeliveryStatus {
  originalMessageId: string
  recipients: RecipientStatus[]
}

const maxRecipients = 20
const maxDiagnostic = 500

function readDeliveryStatus(text: string): DeliveryStatus {
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

function statusOf(text: string): string {
  return /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.exec(text)?.[0] ?? ''
}

function diagnosticOf(text: string): string {
  const words = text.replace(/^\s*[\w.-]{1,40}\s*;/, '')
  return words
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxDiagnostic)
}

/** 'rfc822; <juan@example.edu>' → the address. */
function addressOf(field: string): string {
  const address = field
    .slice(field.indexOf(';') + 1)
    .trim()
    .replace(/^<(.*)>$/, '$1')
  return isMailAddress(address) ? address.toLowerCase() : ''
}

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
