import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { codeOf } from '#server/database/errors.ts'
import type { AccessTokens, MayConnect } from '#server/features/mail/mailer.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { parseJson } from '#shared/json-text.ts'
import { notShown } from '#shared/mail/mail.ts'
import type { MailAccount } from '#shared/mail/mail-response.ts'
import { isTokenEndpoint, type OAuthWay, oauthProviders } from '#shared/mail/mail-sign-in.ts'
import { checkedAddresses, tokenServerOf } from './allowed-server.ts'
import { answered, type MailProblem, SignInFailure } from './failures.ts'
import { isLocalhost } from './session.ts'

// ms: below the time that a mail server waits for the sign-in.
const requestMs = 8_000

// bytes: a longer answer is none.
const maxAnswer = 64 * 1024

interface TokenAnswer {
  status: number
  body: string
}

/**
 * Security: by https with a valid certificate, except for localhost, to the address that was checked, and no redirect is
 * followed.
 * @throws Error
 */
async function requestToken(
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

/** Stores the permission of a person: a provider may replace it with each access token. */
export interface RefreshTokens {
  // The refresh token; '' for the permission of an app.
  current: () => string
  // Does nothing if the stored token isn't `used` any more, because another one came meanwhile.
  replace: (used: string, next: string) => Promise<void>
  // Reads the token again: another process may have replaced it.
  reload: () => Promise<unknown>
}

interface AccessTokenOptions extends Pick<AppContext, 'clock' | 'log'> {
  account: Pick<MailAccount, 'tokenEndpoint' | 'tokenScope' | 'clientId'> & { signIn: OAuthWay }
  clientSecret: string
  refreshTokens: RefreshTokens
  mayConnect: MayConnect
}

// ms: a token isn't used so shortly before its end.
const marginMs = 60_000

// s: for an answer that names no end. RFC 6749 recommends to name one.
const usualSeconds = 3_600

/** Access tokens are kept in memory only. */
export function createAccessTokens(options: AccessTokenOptions): AccessTokens {
  const { account, clientSecret, refreshTokens, mayConnect, clock, log } = options
  const { signIn, tokenEndpoint, tokenScope, clientId } = account
  const say = createSentences(signIn)
  let token: { text: string; until: number } | null = null
  let running: Promise<string> | null = null
  let unsaved: { used: string; next: string } | null = null

  const refreshToken = () => unsaved?.next ?? refreshTokens.current()

  async function ask(used: string): Promise<TokenAnswer> {
    const permission =
      used === ''
        ? { grant_type: 'client_credentials', scope: tokenScope }
        : { grant_type: 'refresh_token', refresh_token: used }
    const fields = { ...permission, client_id: clientId, client_secret: clientSecret }
    try {
      return await requestToken(tokenEndpoint, fields, mayConnect)
    } catch (error) {
      throw say.unreachable(error)
    }
  }

  async function renew(): Promise<string> {
    let used = refreshToken()
    let answer = await ask(used)
    if (answer.status >= 400 && answer.status < 500 && used !== '') {
      await reload()
      const newest = refreshToken()
      // Race: another process has replaced it meanwhile.
      if (newest !== used) {
        used = newest
        answer = await ask(used)
      }
    }
    const { success, data } = granted.safeParse(parseJson(answer.body))
    if (answer.status !== 200 || !success) throw say.refused(answer, [clientSecret, used])
    const { access_token: text, expires_in: seconds = usualSeconds, refresh_token: next } = data
    token = { text, until: clock().getTime() + seconds * 1_000 - marginMs }
    if (next && used !== '' && next !== used) unsaved = { used: unsaved?.used ?? used, next }
    await save()
    return text
  }

  async function reload(): Promise<void> {
    try {
      await refreshTokens.reload()
    } catch (error) {
      // The provider's refusal is what the office has to read.
      log.warn({ err: error }, 'a replacement of the permission of the mail account could not be looked for')
    }
  }

  async function save(): Promise<void> {
    if (!unsaved) return
    try {
      await refreshTokens.replace(unsaved.used, unsaved.next)
      unsaved = null
    } catch (error) {
      // The old one may be worthless: this one is used, and stored with the next access token.
      log.warn({ err: error }, 'the replaced permission of the mail account is not stored yet')
    }
  }

  return {
    way: signIn,

    current(): Promise<string> {
      if (token && clock().getTime() < token.until) return Promise.resolve(token.text)
      running ??= renew().finally(() => {
        running = null
      })
      return running
    },

    forget(text: string): void {
      if (token?.text === text) token = null
    },
  }
}

const granted = z.object({
  access_token: z.string().check(z.minLength(1)),
  expires_in: z.optional(z.coerce.number().check(z.minimum(0))),
  refresh_token: z.optional(z.string()),
})

const refusal = z.object({ error: z.string(), error_description: z.optional(z.string()) })

const later = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])

function createSentences(way: OAuthWay) {
  const { name } = oauthProviders[way]

  function failure(kind: MailProblem['kind'], path: string, sentence: string): SignInFailure {
    return new SignInFailure({ kind, sentence }, { path, message: sentence })
  }

  return {
    unreachable(error: unknown): SignInFailure {
      const code = codeOf(error) ?? ''
      if (code === 'EACCES') {
        const sentence = `The token address of ${name} is in a closed network, so nothing was sent.`
        return failure('connection', 'tokenEndpoint', sentence)
      }
      const waiting = 'Waiting e-mails are sent when it can be reached again.'
      const isTrust = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_/.test(code)
      const why = isTrust ? 'Its certificate can’t be trusted.' : 'Its token address did not answer.'
      return failure('connection', 'signIn', `Could not get permission from ${name}. ${why} ${waiting}`)
    },

    refused({ status, body }: TokenAnswer, secrets: readonly string[]): SignInFailure {
      const { error = '', error_description: details = '' } = refusal.safeParse(parseJson(body)).data ?? {}
      if (error === '' || status >= 500 || status === 429 || later.has(error)) {
        return failure(
          'server',
          'signIn',
          answered(
            `${name} gives no permission at the moment. Please check the token address if this goes on.`,
            `status ${status} ${error}`,
          ),
        )
      }
      // Microsoft adds where and when, which helps its own support only.
      const [words = ''] = [error, details]
        .filter(Boolean)
        .join(': ')
        .split('Trace ID:')
        .map((part) => part.trim())
      const said = secrets.filter(Boolean).reduce((text, one) => text.replaceAll(one, notShown), words)
      const isOfPerson = secrets.at(-1) !== ''
      if (error === 'invalid_grant' && isOfPerson) {
        const sentence = `${name} no longer accepts the stored permission. Connect the account again: enter a new refresh token in the configuration.`
        return failure('sign-in', 'refreshToken', answered(sentence, said))
      }
      const sentence = `${name} does not accept the client ID and the client secret. Please check both: the secret may have expired.`
      return failure('sign-in', 'clientSecret', answered(sentence, said))
    },
  }
}
