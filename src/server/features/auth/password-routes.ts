import { createRoute } from '@hono/zod-openapi'
import { adminOf } from '#server/http/admin-of.ts'
import { documented } from '#server/http/documented.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { leastPasswordLength, passwordChangeSchema } from '#shared/account.ts'
import type { PasswordService } from './password-service.ts'
import type { SessionCookies } from './session-cookies.ts'

const changePassword = createRoute({
  method: 'put',
  path: '/session/password',
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['session'],
  summary: 'Change the password',
  description:
    `The new password has at least ${leastPasswordLength} characters and isn't easy to guess: not made of common ` +
    'passwords, words of this system, the own address, sequences or repetitions. Every other session ends and ' +
    'every other browser is forgotten; this session goes on under a new cookie. A wrong current password counts ' +
    'as a failed sign-in.',
  request: {
    body: {
      ...json(documented(passwordChangeSchema, 'PasswordChange'), 'The old and the new one.'),
      required: true,
    },
  },
  responses: {
    204: { description: 'Changed; the new session cookie is set.' },
    ...problems('invalid', 'unauthenticated', 'conflict', 'too_many_requests'),
  },
})

/** Changing one's own password (spec §2 Profile Settings). */
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
