import { z } from '@hono/zod-openapi'
import { adminRoutes, createRouter, json, jsonBody } from '#server/http/router.ts'
import { documented } from '#server/http/schemas.ts'
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

const signedIn = adminRoutes('session')

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

const readTwoFactor = signedIn.get('/session/two-factor', 'Read the state of two-factor sign-in', {
  responses: { 200: json(documented(twoFactorSchema, 'TwoFactor'), 'Its state.') },
})

const beginTwoFactor = signedIn.post('/session/two-factor/set-up', 'Start setting up two-factor sign-in', {
  description:
    'Creates a secret for an authenticator app (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). ' +
    "Sign-ins don't need a code until one is confirmed. Starting again replaces the secret.",
  request: password,
  responses: {
    200: json(documented(twoFactorSetUpSchema, 'TwoFactorSetUp'), 'The secret for the authenticator app.'),
  },
  problems: ['conflict', 'too_many_requests'],
})

const confirmTwoFactor = signedIn.post('/session/two-factor', 'Turn two-factor sign-in on', {
  request: { body: jsonBody(documented(codeSchema, 'TwoFactorCode'), "The app's current code.") },
  responses: { 200: recoveryCodes },
  problems: ['conflict', 'too_many_requests'],
})

// Not DELETE: some proxies drop the body of one, and the password is in it.
const turnOffTwoFactor = signedIn.post('/session/two-factor/off', 'Turn two-factor sign-in off', {
  request: password,
  responses: { 204: { description: 'Off. The recovery codes are deleted.' } },
  problems: ['conflict', 'too_many_requests'],
})

const renewRecoveryCodes = signedIn.post('/session/two-factor/recovery-codes', 'Create new recovery codes', {
  description: 'The old ones stop working.',
  request: password,
  responses: { 200: recoveryCodes },
  problems: ['conflict', 'too_many_requests'],
})

interface SecondFactorRoutesOptions {
  service: SecondFactorService
  cookies: SessionCookies
}

export function createSecondFactorRoutes({ service, cookies }: SecondFactorRoutesOptions) {
  return createRouter()
    .openapi(readTwoFactor, async (c) => c.json(await service.state(c.var.admin), 200))
    .openapi(beginTwoFactor, async (c) => {
      const { password } = c.req.valid('json')
      return c.json(await service.begin(password, c.var.admin, cookies.callerOf(c)), 200)
    })
    .openapi(confirmTwoFactor, async (c) => {
      const { code } = c.req.valid('json')
      return c.json({ recoveryCodes: await service.confirm(code, c.var.admin, c.var.actor) }, 200)
    })
    .openapi(turnOffTwoFactor, async (c) => {
      await service.turnOff(c.req.valid('json').password, c.var.admin, cookies.callerOf(c))
      return c.body(null, 204)
    })
    .openapi(renewRecoveryCodes, async (c) => {
      const { password } = c.req.valid('json')
      const codes = await service.renewRecoveryCodes(password, c.var.admin, cookies.callerOf(c))
      return c.json({ recoveryCodes: codes }, 200)
    })
}

const admin = adminRoutes('mail')

const listTokens = admin.get('/tokens', 'List API tokens', {
  description: 'Newest first. The last use is updated once a minute.',
  responses: { 200: json(documented(apiTokenListSchema, 'ApiTokens'), 'All of them.') },
})

const makeToken = admin.post('/tokens', 'Create an API token', {
  description:
    'For a program that sends mail. It gives access to the e-mail calls only. Send it as ' +
    '`Authorization: Bearer nstp_…`.',
  request: { body: jsonBody(documented(newApiTokenSchema, 'NewApiToken'), 'The name of its user.') },
  responses: {
    201: json(documented(madeApiTokenSchema, 'MadeApiToken'), 'With the token, which is shown only now.'),
  },
  problems: ['conflict'],
})

const revokeToken = admin.delete('/tokens/{id}', 'Revoke an API token', {
  request: { params: z.object({ id: z.uuid('Invalid token ID.') }) },
  responses: { 204: { description: 'Revoked.' } },
  problems: ['invalid', 'not_found'],
})

export function createApiTokenRoutes({ tokens }: { tokens: ApiTokensService }) {
  return createRouter()
    .openapi(listTokens, async (c) => c.json({ items: await tokens.list() }, 200))
    .openapi(makeToken, async (c) => {
      const { name } = c.req.valid('json')
      return c.json(await tokens.make(name, c.var.actor), 201)
    })
    .openapi(revokeToken, async (c) => {
      await tokens.revoke(c.req.valid('param').id, c.var.actor)
      return c.body(null, 204)
    })
}
