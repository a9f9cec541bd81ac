import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import type { MayConnect } from '#server/features/mail/mailer.ts'
import { isTokenEndpoint } from '#shared/mail/mail-sign-in.ts'
import { checkedAddresses, tokenServerOf } from './allowed-server.ts'
import { isLocalhost } from './session.ts'

// ms: below the time that a mail server waits for the sign-in.
const requestMs = 8_000

// bytes: a longer answer is none.
const maxAnswer = 64 * 1024

export interface TokenAnswer {
  status: number
  body: string
}

/**
 * Security: by https with a valid certificate, except for localhost, to the address that was checked, and no redirect is
 * followed.
 * @throws Error
 */
export async function requestToken(
  endpoint: string,
  fields: Record<string, string>,
  mayConnect: MayConnect,
): Promise<TokenAnswer> {
  if (!isTokenEndpoint(endpoint)) throw new Error('a token address must begin with https://')
  const signal = AbortSignal.timeout(requestMs)
  const url = new URL(endpoint)
  const { host, port } = tokenServerOf(endpoint)
  const [address] = await checkedAddresses(host, mayConnect, signal)
  const body = new URLSearchParams(fields).toString()
  const sent = request({
    method: 'POST',
    host: address,
    port,
    path: url.pathname + url.search,
    headers: {
      Host: url.host,
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(body),
    },
    // The certificate is that of the name.
    ...(isIP(host) ? {} : { servername: host }),
    rejectUnauthorized: !isLocalhost(host),
    minVersion: 'TLSv1.2',
    agent: false,
    signal,
  })
  sent.end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response', { signal })
  if (!response) throw new Error('the token address did not answer')
  return { status: response.statusCode ?? 0, body: await readAnswer(response) }
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxAnswer) throw new Error('the answer of the token address is too long')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}
