import { createRoute, z } from '@hono/zod-openapi'
import { actorOf, adminOf } from '#server/http/actor.ts'
import { documented } from '#server/http/documented.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import {
  codeSchema,
  passwordProofSchema,
  recoveryCodesSchema,
  twoFactorSchema,
  twoFactorSetUpSchema,
} from '#shared/auth/account.ts'
import { apiTokenListSchema, madeApiTokenSchema, newApiTokenSchema } from '#shared/auth/api-tokens.ts'
import type { SecondFactorService } from './second-factor-service.ts'
import type { SessionCookies } from './session-cookies.ts'
import type { ApiTokensService } from './token-service.ts'

const signedIn = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['session'] }

const password = {
  body: {
    ...json(documented(passwordProofSchema, 'PasswordProof'), 'The current password.'),
    required: true,
  },
}
const recoveryCodes = json(
  documented(recoveryCodesSchema, 'RecoveryCodes'),
  'Ten recovery codes. Each works once; they are shown only now.',
)

const readTwoFactor = createRoute({
  ...signedIn,
  method: 'get',
  path: '/session/two-factor',
  summary: 'Read the state of two-factor sign-in',
  responses: {
    200: json(documented(twoFactorSchema, 'TwoFactor'), 'Its state.'),
    ...problems('unauthenticated'),
  },
})

const beginTwoFactor = createRoute({
  ...signedIn,
  method: 'post',
  path: '/session/two-factor/set-up',
  summary: 'Start setting up two-factor sign-in',
  description:
    'Creates a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). ' +
    "Sign-ins don't need a code until one is confirmed. Starting again replaces the secret.",
  request: password,
  responses: {
    200: json(documented(twoFactorSetUpSchema, 'TwoFactorSetUp'), 'The secret for the authenticator app.'),
    ...problems('invalid', 'unauthenticated', 'conflict', 'too_many_requests'),
  },
})

const confirmTwoFactor = createRoute({
  ...signedIn,
  method: 'post',
  path: '/session/two-factor',
  summary: 'Turn two-factor sign-in on',
  request: {
    body: { ...json(documented(codeSchema, 'TwoFactorCode'), "The app's current code."), required: true },
  },
  responses: {
    200: recoveryCodes,
    ...problems('invalid', 'unauthenticated', 'conflict', 'too_many_requests'),
  },
})

// Not DELETE: some proxies drop the body of one, and the password is in it.
const turnOffTwoFactor = createRoute({
  ...signedIn,
  method: 'post',
  path: '/session/two-factor/off',
  summary: 'Turn two-factor sign-in off',
  request: password,
  responses: {
    204: { description: 'Off. The recovery codes are deleted.' },
    ...problems('invalid', 'unauthenticated', 'conflict', 'too_many_requests'),
  },
})

const renewRecoveryCodes = createRoute({
  ...signedIn,
  method: 'post',
  path: '/session/two-factor/recovery-codes',
  summary: 'Create new recovery codes',
  description: 'The old ones stop working.',
  request: password,
  responses: {
    200: recoveryCodes,
    ...problems('invalid', 'unauthenticated', 'conflict', 'too_many_requests'),
  },
})

interface SecondFactorRoutesOptions {
  service: SecondFactorService
  cookies: SessionCookies
}

export function createSecondFactorRoutes({ service, cookies }: SecondFactorRoutesOptions) {
  return createRouter()
    .openapi(readTwoFactor, async (c) => c.json(await service.state(await adminOf(c)), 200))
    .openapi(beginTwoFactor, async (c) => {
      const { password } = c.req.valid('json')
      return c.json(await service.begin(password, await adminOf(c), cookies.callerOf(c)), 200)
    })
    .openapi(confirmTwoFactor, async (c) => {
      const { code } = c.req.valid('json')
      return c.json({ recoveryCodes: await service.confirm(code, await adminOf(c), await actorOf(c)) }, 200)
    })
    .openapi(turnOffTwoFactor, async (c) => {
      await service.turnOff(c.req.valid('json').password, await adminOf(c), cookies.callerOf(c))
      return c.body(null, 204)
    })
    .openapi(renewRecoveryCodes, async (c) => {
      const { password } = c.req.valid('json')
      const codes = await service.renewRecoveryCodes(password, await adminOf(c), cookies.callerOf(c))
      return c.json({ recoveryCodes: codes }, 200)
    })
}

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['mail'] }

const listTokens = createRoute({
  ...admin,
  method: 'get',
  path: '/tokens',
  summary: 'List API tokens',
  description: 'Newest first. The last use is updated once a minute.',
  responses: {
    200: json(documented(apiTokenListSchema, 'ApiTokens'), 'All of them.'),
    ...problems('unauthenticated'),
  },
})

const makeToken = createRoute({
  ...admin,
  method: 'post',
  path: '/tokens',
  summary: 'Create an API token',
  description:
    'For a program that sends mail. It gives access to the e-mail calls only. Send it as ' +
    '`Authorization: Bearer nstp_…`.',
  request: {
    body: { required: true, ...json(documented(newApiTokenSchema, 'NewApiToken'), 'The name of its user.') },
  },
  responses: {
    201: json(documented(madeApiTokenSchema, 'MadeApiToken'), 'With the token, which is shown only now.'),
    ...problems('unauthenticated', 'invalid', 'conflict'),
  },
})

const revokeToken = createRoute({
  ...admin,
  method: 'delete',
  path: '/tokens/{id}',
  summary: 'Revoke an API token',
  request: { params: z.object({ id: z.uuid('Invalid token ID.') }) },
  responses: {
    204: { description: 'Revoked.' },
    ...problems('unauthenticated', 'invalid', 'not_found'),
  },
})

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
