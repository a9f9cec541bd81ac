import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { AppEnv, SignedInAdmin } from '#server/http/context.ts'
import { documented } from '#server/http/documented.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { type SessionUser, sessionSchema, signedInSchema, signInSchema } from '#shared/session.ts'
import type { AuthService } from './service.ts'
import { cookieFor, isReachedOverHttps, readToken } from './session-cookie.ts'

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
    'password get the same answer. After several failures each further one brings a longer pause, told by ' +
    'Retry-After; a browser that signed in before is not held up by the failures of others. A session ends ' +
    'after 8 hours without use, and after 7 days in any case.',
  request: { body: { ...json(documented(signInSchema, 'SignIn'), 'Address and password.'), required: true } },
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
  /** PUBLIC_URL: https there makes the cookies Secure. */
  publicUrl: string | undefined
  /** Whether X-Forwarded-Proto may say https too. */
  trustProxy: boolean
}

/** Signing in and out (spec §2 Login). */
export function createSessionRoutes({ auth, publicUrl, trustProxy }: SessionRoutesOptions) {
  const isHttpsOnly = isReachedOverHttps({ publicUrl, trustProxy: false })

  function isHttps(c: Context<AppEnv>): boolean {
    return isReachedOverHttps({ publicUrl, trustProxy, forwardedProto: c.req.header('X-Forwarded-Proto') })
  }

  return createRouter()
    .openapi(readSession, async (c) => {
      const [admin, adminEmail] = await Promise.all([c.var.readAdmin(), auth.defaultAdminEmail()])
      c.header('Cache-Control', 'no-store')
      return c.json({ user: admin && userOf(admin), adminEmail }, 200)
    })
    .openapi(signIn, async (c) => {
      const cookies = c.req.header('Cookie')
      const { admin, sessionToken, deviceToken } = await auth.signIn(c.req.valid('json'), {
        clientAddress: c.var.clientAddress,
        userAgent: c.req.header('User-Agent') ?? '',
        sessionToken: readToken('session', cookies, isHttpsOnly),
        deviceToken: readToken('device', cookies, isHttpsOnly),
      })
      const session = cookieFor('session', isHttps(c))
      const device = cookieFor('device', isHttps(c))
      setCookie(c, session.name, sessionToken, session.options)
      setCookie(c, device.name, deviceToken, device.options)
      c.header('Cache-Control', 'no-store')
      return c.json({ user: userOf(admin) }, 200)
    })
    .openapi(signOut, async (c) => {
      await auth.signOut(readToken('session', c.req.header('Cookie'), isHttpsOnly))
      const { name, options } = cookieFor('session', isHttps(c))
      setCookie(c, name, '', { ...options, maxAge: 0 })
      return c.body(null, 204)
    })
}

function userOf({ displayName, email }: SignedInAdmin): SessionUser {
  return { displayName, email, isAdmin: true }
}
