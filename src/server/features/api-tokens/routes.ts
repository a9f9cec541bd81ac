import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { documented } from '#server/http/documented.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { apiTokenListSchema, madeApiTokenSchema, newApiTokenSchema } from '#shared/api-tokens.ts'
import type { ApiTokensService } from './service.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['mail'] }

const listTokens = createRoute({
  ...admin,
  method: 'get',
  path: '/tokens',
  summary: 'API tokens in use',
  description: 'Newest first. The last use is noted once a minute.',
  responses: {
    200: json(documented(apiTokenListSchema, 'ApiTokens'), 'All of them.'),
    ...problems('unauthenticated'),
  },
})

const makeToken = createRoute({
  ...admin,
  method: 'post',
  path: '/tokens',
  summary: 'Make an API token',
  description:
    'For a program that sends mail. It opens the e-mail calls and nothing else, shown as ' +
    '`Authorization: Bearer nstp_…`.',
  request: {
    body: { required: true, ...json(documented(newApiTokenSchema, 'NewApiToken'), 'Who will use it.') },
  },
  responses: {
    201: json(documented(madeApiTokenSchema, 'MadeApiToken'), 'With the token itself, this once.'),
    ...problems('unauthenticated', 'invalid', 'conflict'),
  },
})

const revokeToken = createRoute({
  ...admin,
  method: 'delete',
  path: '/tokens/{id}',
  summary: 'Revoke an API token',
  request: { params: z.object({ id: z.uuid('This is no id of a token.') }) },
  responses: {
    204: { description: 'It opens nothing any more.' },
    ...problems('unauthenticated', 'invalid', 'not_found'),
  },
})

/** The administrator's side of API tokens. */
export function createApiTokenRoutes({ tokens }: { tokens: ApiTokensService }) {
  return createRouter()
    .openapi(listTokens, async (c) => c.json({ items: await tokens.list() }, 200))
    .openapi(makeToken, async (c) => {
      const { name } = c.req.valid('json')
      return c.json(await tokens.make(name, await actorOf(c)), 201)
    })
    .openapi(revokeToken, async (c) => {
      await tokens.revoke(c.req.valid('param').id, await actorOf(c))
      return c.body(null, 204)
    })
}
