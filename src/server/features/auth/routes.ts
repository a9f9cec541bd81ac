import type { SignedInAdmin } from '#server/http/context.ts'
import { rateLimit } from '#server/http/limits.ts'
import { createRouter, json, jsonBody, publicRoutes } from '#server/http/router.ts'
import { documented } from '#server/http/schemas.ts'
import { type SessionUser, sessionSchema, signedInSchema, signInSchema } from '#shared/auth/session.ts'
import type { AuthService } from './service.ts'
import type { SessionCookies } from './session-cookies.ts'

const readSession = publicRoutes('session').get('/session', 'Read the session', {
  description:
    "Includes the default address of the login form. Without a session, `user` is null, which isn't an error.",
  responses: { 200: json(documented(sessionSchema, 'Session'), 'The signed-in administrator, or null.') },
})

const signIn = publicRoutes('session').post('/session', 'Sign in', {
  description:
    'Sets the session cookie (HttpOnly) and a cookie that marks the browser as known. A wrong ' +
    'address and a wrong password get the same answer. With two-factor sign-in, the right ' +
    'password without `code` gets 401 with an entry of `errors` at `code`: send the request again ' +
    'with the 6-digit code of the authenticator app, or with a recovery code. After several ' +
    "failures each further one causes a longer pause (Retry-After); failures of others don't " +
    'affect a known browser. A session expires after 8 hours without use, and after 7 days at the ' +
    'latest.',
  request: {
    body: jsonBody(documented(signInSchema, 'SignIn'), 'Address, password and, if required, a code.'),
  },
  responses: { 200: json(documented(signedInSchema, 'SignedIn'), 'Signed in; the cookies are set.') },
  problems: ['too_many_requests'],
})

const signOut = publicRoutes('session').delete('/session', 'Sign out', {
  description: 'Ends the session and clears its cookie. Also 204 without a session.',
  responses: { 204: { description: 'Signed out.' } },
})

interface SessionRoutesOptions {
  auth: AuthService
  cookies: SessionCookies
}

export const signInLimit = { points: 60, duration: 60 }

/** Spec §2 Login. */
export function createSessionRoutes({ auth, cookies }: SessionRoutesOptions) {
  const signIns = rateLimit(signInLimit)
  return createRouter()
    .openapi(readSession, async (c) => {
      const [admin, adminEmail] = await Promise.all([c.var.readAdmin(), auth.defaultAdminEmail()])
      c.header('Cache-Control', 'no-store')
      return c.json({ user: admin && userOf(admin), adminEmail }, 200)
    })
    .openapi(signIn, async (c) => {
      await signIns.take(c)
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
