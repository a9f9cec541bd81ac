import { createRoute } from '@hono/zod-openapi'
import type { SignedInAdmin } from '#server/http/context.ts'
import { documented } from '#server/http/documented.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { type SessionUser, sessionSchema, signedInSchema, signInSchema } from '#shared/auth/session.ts'
import type { AuthService } from './service.ts'
import type { SessionCookies } from './session-cookies.ts'

const readSession = createRoute({
  method: 'get',
  path: '/session',
  tags: ['session'],
  summary: 'Who is signed in',
  description:
    'Also gives the address that the login form starts with. Without a session, `user` is null: that is no error.',
  responses: { 200: json(documented(sessionSchema, 'Session'), 'The signed-in administrator, or nobody.') },
})

const signIn = createRoute({
  method: 'post',
  path: '/session',
  tags: ['session'],
  summary: 'Sign in',
  description:
    'Sets the session cookie (HttpOnly) and one that marks the browser as known. A wrong address and a wrong ' +
    'password get the same answer. Where two-factor sign-in is on, the right password without `code` is answered ' +
    'with 401 and an entry of `errors` at `code`: send the same again with the 6-digit code of the authenticator ' +
    'app, or with a recovery code. After several failures each further one brings a longer pause, told by ' +
    'Retry-After; a browser that signed in before is not held up by the failures of others. A session ends ' +
    'after 8 hours without use, and after 7 days in any case.',
  request: {
    body: {
      ...json(documented(signInSchema, 'SignIn'), 'Address and password, and where it is asked for a code.'),
      required: true,
    },
  },
  responses: {
    200: json(documented(signedInSchema, 'SignedIn'), 'Signed in; the cookies are set.'),
    ...problems('invalid', 'unauthenticated', 'too_many_requests'),
  },
})

const signOut = createRoute({
  method: 'delete',
  path: '/session',
  tags: ['session'],
  summary: 'Sign out',
  description: 'Ends the session and clears its cookie. Without a session there is nothing to end: also 204.',
  security: [{ session: [] }],
  responses: { 204: { description: 'Nobody is signed in any more.' } },
})

interface SessionRoutesOptions {
  auth: AuthService
  cookies: SessionCookies
}

/** Spec §2 Login. */
export function createSessionRoutes({ auth, cookies }: SessionRoutesOptions) {
  return createRouter()
    .openapi(readSession, async (c) => {
      const [admin, adminEmail] = await Promise.all([c.var.readAdmin(), auth.defaultAdminEmail()])
      c.header('Cache-Control', 'no-store')
      return c.json({ user: admin && userOf(admin), adminEmail }, 200)
    })
    .openapi(signIn, async (c) => {
      await c.var.takePoint('signIn')
      const signedIn = await auth.signIn(c.req.valid('json'), cookies.callerOf(c))
      cookies.set(c, 'session', signedIn.sessionToken)
      cookies.set(c, 'device', signedIn.deviceToken)
      c.header('Cache-Control', 'no-store')
      return c.json({ user: userOf(signedIn.admin) }, 200)
    })
    .openapi(signOut, async (c) => {
      await auth.signOut(cookies.callerOf(c))
      cookies.clear(c, 'session')
      return c.body(null, 204)
    })
}

function userOf({ displayName, email }: SignedInAdmin): SessionUser {
  return { displayName, email, isAdmin: true }
}
