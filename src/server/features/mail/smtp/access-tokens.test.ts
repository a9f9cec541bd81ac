import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { oauthProviders } from '#shared/mail/mail-sign-in.ts'
import { clientSecret, startTokenEndpoint, type TokenEndpoint } from '#tests/setup/token-endpoint.ts'
import { createAccessTokens } from './access-tokens.ts'
import { SignInFailure } from './failures.ts'

let endpoint: TokenEndpoint
let now: number
let stored: string
let logged: string[]
// Instead of storing a replaced refresh token.
let failure: Error | null

beforeEach(async () => {
  endpoint = await startTokenEndpoint()
  now = Date.UTC(2026, 10, 28)
  stored = ''
  logged = []
  failure = null
})
afterEach(() => endpoint.close())

type Options = Parameters<typeof createAccessTokens>[0]

function create({ account = {}, ...more }: Partial<Omit<Options, 'account'>> & { account?: object } = {}) {
  return createAccessTokens({
    account: {
      signIn: 'google',
      tokenEndpoint: endpoint.url,
      tokenScope: oauthProviders.microsoft.tokenScope,
      clientId: 'the app',
      ...account,
    },
    clientSecret,
    refreshTokens: {
      current: () => stored,
      async replace(used, next) {
        if (failure) throw failure
        if (stored === used) stored = next
      },
      reload: async () => undefined,
    },
    mayConnect: () => true,
    clock: () => new Date(now),
    log: pino({}, { write: (line) => logged.push(line) }),
    ...more,
  })
}

async function refusalBy(tokens: ReturnType<typeof create>) {
  const error: unknown = await tokens.current().catch((error: unknown) => error)
  if (!(error instanceof SignInFailure)) throw new Error('there was no refusal')
  return { ...error.problem, field: error.field.path }
}

describe('an access token', () => {
  test('is asked for with the permission of the app, or with that of a person', async () => {
    await create().current()
    stored = endpoint.refreshToken
    await create().current()
    const app = { client_id: 'the app', client_secret: clientSecret }
    expect(endpoint.requests).toEqual([
      { grant_type: 'client_credentials', scope: 'https://outlook.office365.com/.default', ...app },
      { grant_type: 'refresh_token', refresh_token: stored, ...app },
    ])
  })

  test('is requested once for all who ask at the same time, and kept until a minute before its end', async () => {
    const tokens = create()
    const first = await Promise.all([tokens.current(), tokens.current(), tokens.current()])
    now += 3_539_000
    expect(new Set([...first, await tokens.current()]).size).toBe(1)
    now += 1_000
    expect(await tokens.current()).not.toBe(first[0])
    expect(endpoint.requests).toHaveLength(2)
  })

  test('is requested anew after a server refused it, unless that was an older one', async () => {
    const tokens = create()
    const first = await tokens.current()
    tokens.forget(first)
    const second = await tokens.current()
    expect(second).not.toBe(first)
    tokens.forget(first)
    expect(await tokens.current()).toBe(second)
  })
})

describe('a refresh token that the provider replaces', () => {
  beforeEach(() => {
    endpoint.rotates = true
    endpoint.lifetime = 60
    stored = endpoint.refreshToken
  })

  test('is stored, and used from then on', async () => {
    const tokens = create()
    for (let times = 0; times < 3; times += 1) await tokens.current()
    expect(stored).toBe(endpoint.refreshToken)
    expect(endpoint.requests).toHaveLength(3)
  })

  test('is not lost while the database does not answer', async () => {
    const tokens = create()
    failure = new Error('no answer')
    await tokens.current()
    await tokens.current()
    expect(stored).toBe('the first refresh token')
    failure = null
    await tokens.current()
    expect(stored).toBe(endpoint.refreshToken)
    expect(logged.join()).toContain('is not stored yet')
    expect(logged.join()).not.toMatch(/a refresh token|an access token|client secret/)
  })

  test('by another process, is taken from the database', async () => {
    stored = 'a former refresh token'
    const tokens = create({
      refreshTokens: {
        current: () => stored,
        replace: async () => undefined,
        reload: async () => {
          stored = endpoint.refreshToken
        },
      },
    })
    expect(await tokens.current()).toMatch(/access token/)
  })
})

describe('no access token:', () => {
  test('a revoked permission is told with the provider’s words, and what to do', async () => {
    stored = 'a revoked refresh token'
    expect(await refusalBy(create())).toEqual({
      kind: 'sign-in',
      field: 'refreshToken',
      sentence:
        'Google no longer accepts the stored permission. Connect the account again: enter a new refresh token in the configuration. It answered: invalid_grant: Expired or revoked.',
    })
  })

  test('an expired client secret, without what serves the provider’s own support', async () => {
    const error_description =
      "AADSTS7000222: The provided client secret keys for app 'x' are expired. Trace ID: 1 Timestamp: 2"
    endpoint.refusal = { status: 401, body: { error: 'invalid_client', error_description } }
    expect(await refusalBy(create({ account: { signIn: 'microsoft' } }))).toEqual({
      kind: 'sign-in',
      field: 'clientSecret',
      sentence:
        "Microsoft 365 does not accept the client ID and the client secret. Please check both: the secret may have expired. It answered: invalid_client: AADSTS7000222: The provided client secret keys for app 'x' are expired.",
    })
  })

  test('secrets that the answer repeats are left out', async () => {
    stored = 'a revoked refresh token'
    const error_description = `${clientSecret} or ${stored} is wrong`
    endpoint.refusal = { status: 400, body: { error: 'invalid_grant', error_description } }
    const { sentence } = await refusalBy(create())
    expect(sentence).toContain('invalid_grant: (not shown) or (not shown) is wrong')
  })

  test.each([
    ['an error of the provider', { status: 503, body: 'down' }],
    ['a busy provider', { status: 429, body: { error: 'slow_down' } }],
    ['a page instead of an answer', { status: 200, body: '<html>' }],
    ['an answer without a token', { status: 200, body: { token_type: 'Bearer' } }],
    ['a redirect', { status: 302, body: {} }],
  ])('%s is a matter of time', async (_name, refusal) => {
    endpoint.refusal = refusal
    expect(await refusalBy(create())).toMatchObject({ kind: 'server', field: 'signIn' })
    endpoint.refusal = null
    expect(await create().current()).toMatch(/access token/)
  })

  test('nothing listens', async () => {
    await endpoint.close()
    expect(await refusalBy(create())).toEqual({
      kind: 'connection',
      field: 'signIn',
      sentence:
        'Could not get permission from Google. Its token address did not answer. Waiting e-mails are sent when it can be reached again.',
    })
  })

  test('a provider that does not answer is waited for eight seconds', {
    tags: ['rest'],
    timeout: 20_000,
  }, async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket))
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const address = silent.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const begun = performance.now()
    const tokenEndpoint = `https://127.0.0.1:${port}/token`
    expect(await refusalBy(create({ account: { tokenEndpoint } }))).toMatchObject({ kind: 'connection' })
    expect(performance.now() - begun).toBeLessThan(10_000)
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  test('a remote provider’s certificate is not trusted', async () => {
    const remote = await startTokenEndpoint('127.0.0.2')
    const { sentence } = await refusalBy(create({ account: { tokenEndpoint: remote.url } }))
    expect(sentence).toContain('Its certificate can’t be trusted.')
    expect(remote.requests).toEqual([])
    await remote.close()
  })

  test('the token address is in a closed network, or not https', async () => {
    const closed = await refusalBy(create({ mayConnect: () => false }))
    expect(closed.sentence).toMatch(/closed network/)
    const tokenEndpoint = endpoint.url.replace('https:', 'http:')
    expect(await refusalBy(create({ account: { tokenEndpoint } }))).toMatchObject({ kind: 'connection' })
    expect(endpoint.requests).toEqual([])
  })
})
