import { z } from '@hono/zod-openapi'
import { adminRoutes, createRouter, json, jsonBody } from '#server/http/router.ts'
import { documented } from '#server/http/schemas.ts'
import { devicesSchema, leastPasswordLength, passwordChangeSchema } from '#shared/auth/account.ts'
import type { PasswordService } from './password-service.ts'
import type { DevicesService } from './service.ts'
import type { SessionCookies } from './session-cookies.ts'

const signedIn = adminRoutes('session')

const listDevices = signedIn.get('/session/devices', 'Signed-in devices', {
  description:
    'The browsers signed in as this administrator: this one first, then the most recently used. ' +
    'The last use is updated once a minute.',
  responses: { 200: json(documented(devicesSchema, 'Devices'), 'All of them.') },
})

const signOutDevice = signedIn.delete('/session/devices/{id}', 'Sign a device out', {
  description: 'Ends its session. The browser is no longer a known one.',
  request: { params: z.object({ id: z.uuid('Invalid device ID.') }) },
  responses: { 204: { description: 'Signed out.' } },
  problems: ['invalid', 'not_found'],
})

const signOutOthers = signedIn.delete('/session/devices', 'Sign out everywhere else', {
  responses: {
    200: json(z.object({ count: z.number().int() }), 'The number of ended sessions. This one continues.'),
  },
})

export function createDevicesRoutes({
  service,
  cookies,
}: {
  service: DevicesService
  cookies: SessionCookies
}) {
  return createRouter()
    .openapi(listDevices, async (c) =>
      c.json({ items: await service.list(c.var.admin, cookies.callerOf(c)) }, 200),
    )
    .openapi(signOutDevice, async (c) => {
      await service.signOut(c.req.valid('param').id, c.var.admin, cookies.callerOf(c))
      return c.body(null, 204)
    })
    .openapi(signOutOthers, async (c) =>
      c.json({ count: await service.signOutOthers(c.var.admin, cookies.callerOf(c)) }, 200),
    )
}

const changePassword = adminRoutes('session').put('/session/password', 'Change the password', {
  description:
    `The new password must have at least ${leastPasswordLength} characters and be hard to guess: no common ` +
    "passwords, words of this system, the account's address, sequences or repetitions. All other sessions end, " +
    'and all other known browsers are removed; this session continues with a new cookie. A wrong current ' +
    'password counts as a failed sign-in.',
  request: {
    body: jsonBody(documented(passwordChangeSchema, 'PasswordChange'), 'The old and the new password.'),
  },
  responses: { 204: { description: 'Changed; the new session cookie is set.' } },
  problems: ['conflict', 'too_many_requests'],
})

/** Spec §2 Profile Settings. */
export function createPasswordRoutes({
  service,
  cookies,
}: {
  service: PasswordService
  cookies: SessionCookies
}) {
  return createRouter().openapi(changePassword, async (c) => {
    const { sessionToken } = await service.change(c.req.valid('json'), c.var.admin, cookies.callerOf(c))
    cookies.set(c, 'session', sessionToken)
    return c.body(null, 204)
  })
}
