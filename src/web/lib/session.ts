import type { RouterContextProvider } from 'react-router'
import type { SessionUser } from '#shared/auth/session.ts'
import { callApi, serverApi } from './api.ts'

// With the prefix that it has over https.
const sessionCookie = /(?:^|;\s*)(?:__Host-)?nstp-session=[^;\s]/

/** Most visitors of the public pages have no cookie. */
export function mayBeSignedIn(request: Request): boolean {
  return sessionCookie.test(request.headers.get('Cookie') ?? '')
}

/** Makes no call for a visitor without the cookie. */
export async function readUser(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<SessionUser | null> {
  if (!mayBeSignedIn(request)) return null
  const { user } = await callApi(serverApi(context, request).session.$get())
  return user
}
