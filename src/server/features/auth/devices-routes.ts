import { createRoute, z } from '@hono/zod-openapi'
import { adminOf } from '#server/http/actor.ts'
import { documented } from '#server/http/documented.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { devicesSchema, leastPasswordLength, passwordChangeSchema } from '#shared/auth/account.ts'
import type { PasswordService } from './password-service.ts'
import type { DevicesService } from './service.ts'
import type { SessionCookies } from './session-cookies.ts'

const signedIn = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['session'] }

const listDevices = createRoute({
  ...signedIn,
  method: 'get',
  path: '/session/devices',
  summary: 'Signed-in devices',
  description:
    'The browsers signed in as this administrator: this one first, then the most recently used. ' +
    'The last use is updated once a minute.',
  responses: {
    200: json(documented(devicesSchema, 'Devices'), 'All of them.'),
    ...problems('unauthenticated'),
  },
})

const signOutDevice = createRoute({
  ...signedIn,
  method: 'delete',
  path: '/session/devices/{id}',
  summary: 'Sign a device out',
  description: 'Ends its session. The browser is no longer a known one.',
  request: { params: z.object({ id: z.uuid('Invalid device ID.') }) },
  responses: {
    204: { description: 'Signed out.' },
    ...problems('invalid', 'unauthenticated', 'not_found'),
  },
})

const signOutOthers = createRoute({
  ...signedIn,
  method: 'delete',
  path: '/session/devices',
  summary: 'Sign out everywhere else',
  responses: {
    200: json(z.object({ count: z.number().int() }), 'The number of ended sessions. This one continues.'),
    ...problems('unauthenticated'),
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
      c.json({ items: await service.list(await adminOf(c), cookies.callerOf(c)) }, 200),
    )
    .openapi(signOutDevice, async (c) => {
      await service.signOut(c.req.valid('param').id, await adminOf(c), cookies.callerOf(c))
      return c.body(null, 204)
    })
    .openapi(signOutOthers, async (c) =>
      c.json({ count: await service.signOutOthers(await adminOf(c), cookies.callerOf(c)) }, 200),
    )
}

const changePassword = createRoute({
  method: 'put',
  path: '/session/password',
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['session'],
  summary: 'Change the password',
  description:
    `The new password must have at least ${leastPasswordLength} characters and be hard to guess: no common ` +
    "passwords, words of this system, the account's address, sequences or repetitions. All other sessions end, " +
    'and all other known browsers are removed; this session continues with a new cookie. A wrong current ' +
    'password counts as a failed sign-in.',
  request: {
    body: {
      ...json(documented(passwordChangeSchema, 'PasswordChange'), 'The old and the new password.'),
      required: true,
    },
  },
  responses: {
    204: { description: 'Changed; the new session cookie is set.' },
    ...problems('invalid', 'unauthenticated', 'conflict', 'too_many_requests'),
  },
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
    const { sessionToken } = await service.change(c.req.valid('json'), await adminOf(c), cookies.callerOf(c))
    cookies.set(c, 'session', sessionToken)
    return c.body(null, 204)
  })
}
