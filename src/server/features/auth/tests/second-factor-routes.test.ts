import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MadeApiToken } from '#shared/auth/api-tokens.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type AuditTrail, createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const unknownId = '0198f4b2-0000-7000-8000-000000000000'

let server: TestServer
let admin: ReturnType<typeof createAdminClient>
let trail: AuditTrail

beforeAll(async () => {
  server = await startTestServer()
  admin = createAdminClient(server, await server.signIn())
  trail = createAuditTrail(server.database)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('apiTokens').execute()
  await trail.clear()
})

async function make(name: string): Promise<MadeApiToken> {
  const response = await admin.call('POST', '/tokens', { name })
  expect(response.status).toBe(201)
  return await response.json()
}

async function list() {
  return (await (await admin.call('GET', '/tokens')).json()).items
}

describe('a token', () => {
  test('is returned once; the database stores its hash', async () => {
    const { token, ...made } = await make('  Registrar ')
    expect(token).toMatch(/^nstp_[\w-]{43}$/)
    expect(made).toMatchObject({
      name: 'Registrar',
      prefix: token.slice(0, 11),
      createdById: expect.stringMatching(/^[0-9a-f-]{36}$/),
      lastUsedAt: null,
    })
    expect(await list()).toEqual([made])

    const rows = await server.database.db.selectFrom('apiTokens').selectAll().execute()
    expect(rows.map(({ tokenHash }) => tokenHash.toString('hex'))).toEqual([
      createHash('sha256').update(token).digest('hex'),
    ])
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(await trail.entries()).toMatchObject([{ action: 'api-token-made', subject: 'Registrar' }])
  })

  test('is listed until it is revoked, newest first', async () => {
    const first = await make('Registrar')
    await make('Library')
    expect((await list()).map(({ name }: MadeApiToken) => name)).toEqual(['Library', 'Registrar'])

    expect((await admin.call('DELETE', `/tokens/${first.id}`)).status).toBe(204)
    expect((await list()).map(({ name }: MadeApiToken) => name)).toEqual(['Library'])
    expect(await trail.actions()).toEqual(['api-token-made', 'api-token-made', 'api-token-revoked'])
    expect(await admin.refusal('DELETE', `/tokens/${first.id}`)).toEqual({
      status: 404,
      code: 'not_found',
      detail: 'This token was already revoked.',
    })
    // Its name is free again.
    await make('Registrar')
  })

  test('is refused when an active one has its name, also concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => admin.call('POST', '/tokens', { name: 'Registrar' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(422)])
    const message =
      'A token with this name already exists. Please choose another name, or revoke that token first.'
    expect(await admin.refusal('POST', '/tokens', { name: 'REGISTRAR' })).toEqual({
      status: 422,
      code: 'invalid',
      detail: message,
      errors: [{ path: 'name', message }],
    })
    expect(await trail.actions()).toEqual(['api-token-made'])
  })

  test('is refused beyond fifty active ones', async () => {
    const { id: createdById } = await server.database.db
      .selectFrom('admins')
      .select('id')
      .executeTakeFirstOrThrow()
    await server.database.db
      .insertInto('apiTokens')
      .values(
        Array.from({ length: 50 }, (_, index) => ({
          id: unknownId.replace(/.{2}$/, String(index).padStart(2, '0')),
          name: `Program ${index}`,
          tokenHash: createHash('sha256').update(String(index)).digest(),
          prefix: 'nstp_abcdef',
          createdAt: new Date(),
          createdById,
        })),
      )
      .execute()
    expect(await admin.refusal('POST', '/tokens', { name: 'One more' })).toEqual({
      status: 409,
      code: 'conflict',
      detail: 'There are already 50 tokens. Please revoke one that is no longer needed.',
    })
  })
})

test.each([
  [{}, 'Please fill in the name.'],
  [{ name: ' ' }, 'Please fill in the name.'],
  [{ name: '\u200b' }, 'Please fill in the name.'],
  [{ name: 'x'.repeat(61) }, 'Please shorten the name to 60 characters or fewer.'],
  [{ name: 'two\nlines' }, 'Please remove the unusual characters from the name.'],
  [{ name: 'Registrar', scope: 'all' }, 'Unknown fields: scope.'],
])('refuses to create a token from %j', async (body, detail) => {
  expect(await admin.refusal('POST', '/tokens', body)).toMatchObject({ status: 422, code: 'invalid', detail })
})

test('an unknown token is not found', async () => {
  expect(await admin.refusal('DELETE', '/tokens/1')).toMatchObject({
    status: 422,
    detail: 'Invalid token ID.',
  })
  expect(await admin.refusal('DELETE', `/tokens/${unknownId}`)).toMatchObject({ status: 404 })
})

test("a token can't create, list or revoke tokens", async () => {
  const { id, token } = await make('Registrar')
  const calls = [
    ['GET', '/tokens'],
    ['POST', '/tokens', { name: 'Another' }],
    ['DELETE', `/tokens/${id}`],
  ] as const
  for (const [method, path, body] of calls) {
    for (const headers of [{}, { Authorization: `Bearer ${token}` }]) {
      expect(await createAdminClient(server, '').refusal(method, path, body, headers)).toEqual({
        status: 401,
        code: 'unauthenticated',
        detail: 'Authentication required. Please login as admin.',
      })
    }
  }
  expect(await list()).toHaveLength(1)
})
