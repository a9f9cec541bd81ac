import { isIP } from 'node:net'
import type { ImapFlow } from 'imapflow'
import type { Attachment, Email } from 'postal-mime'
import { validate as isUuid } from 'uuid'
import * as z from 'zod/mini'
import { mailAccountMessages } from '#shared/mail/mail-account.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'
import { oauthProviders } from '#shared/mail/mail-sign-in.ts'
import type { Credentials, SendingAccount } from './mailer.ts'
import { checkedAddresses } from './smtp/allowed-server.ts'
import { SignInFailure } from './smtp/failures.ts'
import { isLocalhost } from './smtp/session.ts'

const inbox = 'INBOX'

const reportHeaders = ['content-type', 'from', 'x-failed-recipients']

export interface MailboxPosition {
  name: string
  lastUid: number
}

export type MailboxReader = Awaited<ReturnType<typeof openMailbox>>

/**
 * Read-only: nothing is marked, moved or deleted.
 * @throws Error for `mailboxFailure`, from every call
 */
export async function openMailbox(mailbox: Mailbox, signal: AbortSignal) {
  const client = await connectToMailbox(mailbox, signal)
  try {
    const { uidValidity } = await client.mailboxOpen(inbox, { readOnly: true })
    return createReader(client, `${uidValidity} ${mailbox.userName}@${mailbox.host}`)
  } catch (error) {
    client.close()
    throw error
  }
}

function createReader(client: ImapFlow, name: string) {
  async function search(query: { uid: string } | { since: Date }): Promise<number[]> {
    const found = (await client.search(query, { uid: true })) || []
    return found.sort((a, b) => a - b)
  }

  return {
    name,

    async newSince(position: MailboxPosition, { since, limit }: { since: Date; limit: number }) {
      if (position.name !== name) return (await search({ since })).slice(-limit)
      // For a range that begins after the last UID, a server returns the last one.
      const found = await search({ uid: `${position.lastUid + 1}:*` })
      return found.filter((uid) => uid > position.lastUid)
    },

    async candidatesAmong(uids: readonly number[]) {
      const query = { uid: true, internalDate: true, headers: reportHeaders }
      const messages = await client.fetchAll(uids.join(','), query, { uid: true })
      return messages
        .filter(({ headers }) => headers !== undefined && mayBeReport(headers.toString('latin1')))
        .map(({ uid, internalDate }) => ({ uid, receivedAt: dateOf(internalDate) }))
    },

    async read(uid: number): Promise<Buffer | null> {
      const query = { source: { maxLength: maxReportBytes } }
      const message = await client.fetchOne(String(uid), query, { uid: true })
      return (message ? message.source : undefined) ?? null
    },

    async close(): Promise<void> {
      // The connection may already be closed.
      await client.logout().catch(() => client.close())
    },
  }
}

function dateOf(instant: Date | string | undefined): Date {
  const date = new Date(instant ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? new Date() : date
}

function mayBeReport(headers: string): boolean {
  const unfolded = headers.toLowerCase().replace(/\r?\n[ \t]+/g, ' ')
  return unfolded.split(/\r?\n/).some((line) => {
    if (line.startsWith('content-type:'))
      return line.includes('multipart/report') && /\breport-type="?delivery-status/.test(line)
    if (line.startsWith('from:')) return /\b(?:mailer-daemon|postmaster)@/.test(line)
    return line.startsWith('x-failed-recipients:')
  })
}

export type Mailbox = Pick<SendingAccount, 'host' | 'port' | 'userName' | 'mayConnect'> & Credentials

const encryptedPort = 993
const timeoutMs = 15_000

// Limits memory against a broken or hostile server. Sizes in bytes.
const responseLimits = { maxLineLength: 2_000_000, maxLiteralSize: 2_000_000, maxResponseSize: 8_000_000 }

/**
 * Security: certificates are checked, and nothing is sent before TLS.
 * @throws Error for `mailboxFailure`
 */
export async function connectToMailbox(mailbox: Mailbox, signal: AbortSignal): Promise<ImapFlow> {
  const { host, port, userName, tokens } = mailbox
  // Loaded at their first use: with what they need they are a fifth of the server's code, and most schools read no mailbox.
  const { ImapFlow } = await import('imapflow')
  signal.throwIfAborted()
  const resolving = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const [address] = await checkedAddresses(host, mailbox.mayConnect, resolving)
  const accessToken = await tokens?.current()
  signal.throwIfAborted()
  const isLocal = isLocalhost(host)
  const secure = port === encryptedPort
  const client = new ImapFlow({
    host: address,
    // The certificate is that of the name.
    ...(isIP(host) ? {} : { servername: host }),
    port,
    secure,
    ...(secure || isLocal ? {} : { doSTARTTLS: true }),
    tls: { rejectUnauthorized: !isLocal, minVersion: 'TLSv1.2' },
    logger: false,
    auth:
      accessToken === undefined
        ? { user: userName, pass: mailbox.password }
        : { user: userName, accessToken },
    disableAutoIdle: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...responseLimits,
  })
  // A lost connection without a listener would end the process. The waiting caller gets the error as well.
  client.on('error', () => undefined)
  const close = () => client.close()
  signal.addEventListener('abort', close)
  client.on('close', () => signal.removeEventListener('abort', close))
  try {
    signal.throwIfAborted()
    await client.connect()
    return client
  } catch (error) {
    const isRefused = imapError.safeParse(error).data?.authenticationFailed
    if (isRefused && accessToken !== undefined) tokens?.forget(accessToken)
    client.close()
    throw error
  }
}

/** Security: quotes nothing that the server said. */
export function mailboxFailure(
  error: unknown,
  { host, port, tokens }: Pick<Mailbox, 'host' | 'port' | 'tokens'>,
): string {
  if (error instanceof SignInFailure) return error.problem.sentence
  const { authenticationFailed, tlsFailed, code = '' } = imapError.safeParse(error).data ?? {}
  const at = `${host}, port ${port}`
  if (authenticationFailed && tokens) {
    const { name, refusedReading } = oauthProviders[tokens.way]
    return `The mail server at ${at} did not accept the permission of ${name}. ${refusedReading}`
  }
  if (authenticationFailed) {
    return `The mail server at ${at} refused the sign-in. Check the user name and the app password, and that the account allows IMAP.`
  }
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_(?:GET|VERIFY)|ISSUER/.test(code)) {
    return `The certificate of the mail server at ${at} is not valid. Check the address of the server.`
  }
  if (tlsFailed || /^(?:EPROTO|ERR_SSL|ERR_TLS|UPGRADE_TIMEOUT|STARTTLS)/.test(code)) {
    return `The mail server at ${at} offers no encrypted connection. Check the port: it is usually 993.`
  }
  if (code === 'EACCES') return mailAccountMessages.closedNetwork
  if (code === 'EDNS') return `There is no mail server at ${host}. Check the address of the server.`
  if (code === 'ECONNREFUSED')
    return `Nothing answers at ${at}. Check the address and the port of the server.`
  return `The mail server at ${at} did not answer as expected. Please try again later.`
}

const imapError = z.object({
  authenticationFailed: z.optional(z.boolean()),
  tlsFailed: z.optional(z.boolean()),
  code: z.optional(z.string()),
})

export type DeliveryReport = NonNullable<Awaited<ReturnType<typeof readReport>>>

export interface Failure {
  recipient: string
  // RFC 3463: '5.1.1'; '' when the report gives none.
  status: string
  diagnostic: string
}

// bytes: the rest is the original message, which is not needed.
export const maxReportBytes = 256 * 1024

const maxPart = 64 * 1024
const maxIds = 20

// Security: deep nesting and oversized headers are refused as an attack. Sizes in bytes.
const limits = { maxNestingDepth: 20, maxHeadersSize: 128 * 1024, maxRfc822NestingDepth: 2 }

/**
 * Reports of delays and of successes are ignored.
 * @param source may be truncated
 * @returns null when it reports no failure
 * @throws Error for an invalid message
 */
export async function readReport(source: Uint8Array) {
  const { default: PostalMime } = await import('postal-mime')
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
    messageIds: messageIdsIn([
      ...statuses.map(({ originalMessageId }) => originalMessageId),
      ...originals.map(messageIdOf),
      email.inReplyTo ?? '',
      email.references ?? '',
      ...(statuses.length > 0 ? [] : [messageIdOf(textOf(email))]),
    ]),
    failures,
  }
}

function failuresOf(recipients: readonly (Failure & { action: string })[]): Failure[] {
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

function messageIdsIn(texts: readonly string[]): string[] {
  const ids = texts
    .flatMap((text) =>
      [...text.slice(0, maxPart).matchAll(/<([\da-f-]{36})@/gi)].map(([, id = '']) => id.toLowerCase()),
    )
    .filter((id) => isUuid(id))
  return [...new Set(ids)].slice(0, maxIds)
}

const maxRecipients = 20
const maxDiagnostic = 500

// RFC 3464.
function readDeliveryStatus(text: string) {
  const groups = groupsOf(text)
  const originalMessageId =
    groups
      .map((group) => group.get('x-original-message-id') ?? group.get('original-message-id'))
      .find(Boolean) ?? ''
  const recipients = groups
    .filter((group) => group.has('final-recipient') || group.has('action') || group.has('status'))
    .slice(0, maxRecipients)
    .map((group) => ({
      // Prefers the address that was written to: the final one may be the target of a forwarding.
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
