import type { RouterContextProvider } from 'react-router'
import type { SessionUser } from '#shared/auth/session.ts'
import { callApi, serverApi } from './api.ts'

/** Finds the cookie also with the prefix that it has over https. */
export function hasCookie(request: Request, name: string): boolean {
  const given = new RegExp(`(?:^|;\\s*)(?:__Host-)?${name}=[^;\\s]`)
  return given.test(request.headers.get('Cookie') ?? '')
}

/** Makes no call without the cookie: most visitors of the public pages have none. */
export async function readUser(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<SessionUser | null> {
  if (!hasCookie(request, 'nstp-session')) return null
  const { user } = await callApi(serverApi(context, request).session.$get())
  return user
}
