import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { validate as isUuid } from 'uuid'
import { isMailAddress } from '#shared/mail-address.ts'
import { diagnosticOf, type RecipientStatus, readDeliveryStatus, statusOf } from './delivery-status.ts'

/** A message that says that others could not be delivered. */
export interface DeliveryReport {
  /** What may be ids of our messages, the surest first. */
  messageIds: string[]
  failures: Failure[]
}

/** One recipient who did not get the message. */
export interface Failure {
  /** In lower case; '' when the report names none. */
  recipient: string
  status: string
  diagnostic: string
}

/** More than a report needs; what lies beyond is the mail that came back. */
export const maxReportBytes = 256 * 1024

/** How much of a part is looked at. */
const maxPart = 64 * 1024
const maxIds = 20

/** Deep nesting is an attack, not a report: it is refused, as headers beyond any sense are. */
const limits = { maxNestingDepth: 20, maxHeadersSize: 128 * 1024, maxRfc822NestingDepth: 2 }

/**
 * Reads a delivery-status message. Delays and successes are no failures.
 *
 * @param source may be cut off
 * @returns null when it reports no failure
 * @throws Error for what is no message
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

/** What servers say that know no delivery-status part: a header with the addresses, and the reason somewhere in the text. */
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

/** What failed has a status of failure, whatever the server calls it. */
function failureStatus(status: string): string {
  return /^[45]/.test(status) ? status : '5.0.0'
}

/** The parts of a kind as text; bytes that are none of its letters become marks. */
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

/** The Message-ID among header lines. */
function messageIdOf(headers: string): string {
  return /^message-id:\s{0,10}(<[^<>\s]{1,250}>)/im.exec(headers)?.[1] ?? ''
}

/** Our messages are `<id@domain>`, where the id is the ledger's. */
function ourIdsIn(texts: readonly string[]): string[] {
  const ids = texts
    .flatMap((text) =>
      [...text.slice(0, maxPart).matchAll(/<([\da-f-]{36})@/gi)].map(([, id = '']) => id.toLowerCase()),
    )
    .filter((id) => isUuid(id))
  return [...new Set(ids)].slice(0, maxIds)
}
