import { useEffect } from 'react'
import { type RouterContextProvider, redirect } from 'react-router'
import type { SessionUser } from '#shared/auth/session.ts'
import type { VersionedSettings } from '#shared/settings/settings.ts'
import { api, callApi, orErrorPage, serverApi } from './api.ts'
import { ApiProblem, noSessionProblem } from './api-problem.ts'
import { renewLiveConnection, useLiveTopics } from './live.ts'
import { loginPath } from './next-path.ts'
import { pageContext } from './page-context.ts'
import { readUser } from './session.ts'
import {
  endSession,
  onSessionResumed,
  ownSessionChanged,
  resumeSession,
  sessionRefusal,
} from './session-end.ts'

/** What the frames of the administrator's pages need to be drawn. */
export interface AdministratorFrame {
  user: SessionUser
  /** The server's time at rendering, an ISO instant. */
  now: string
  timeZone: string
  settings: VersionedSettings
}

/** Records stay out of every cache, and out of what the browser's Back brings to life after signing out. */
export const uncachedHeaders = () => ({ 'Cache-Control': 'no-store' })

/** Only a signed-in administrator gets further; others sign in first and come back to where they were going. */
export async function loadAdministrator(
  context: Readonly<RouterContextProvider>,
  request: Request,
): Promise<AdministratorFrame> {
  const user = await orErrorPage(readUser(context, request))
  const { pathname, search } = new URL(request.url)
  if (!user) throw redirect(loginPath({ next: `${pathname}${search}` }))
  const settings = await orErrorPage(callApi(serverApi(context, request).settings.$get()))
  return { user, settings, now: new Date().toISOString(), timeZone: context.get(pageContext).timeZone }
}

/**
 * Signed out elsewhere, or the password changed: the records on this screen go too. What was kept because something
 * typed would be lost goes on when somebody signs in again in another tab.
 */
export function useSessionWatch(): void {
  useLiveTopics(['session'], () => void checkSession())
  useEffect(() => shareSignIn(() => void (sessionRefusal() && checkSession())), [])
  // The stream was opened for somebody who is signed out: it tells of nothing that only administrators read.
  useEffect(() => onSessionResumed(renewLiveConnection), [])
}

async function checkSession() {
  // This very page may be changing the password, and have the new cookie in a moment.
  await ownSessionChanged()
  try {
    const { user } = await callApi(api.session.$get())
    if (user) resumeSession()
    else endSession(noSessionProblem())
  } catch (error) {
    // Not known now: the next notice asks again, as does a connection that comes back.
    if (!(error instanceof ApiProblem)) throw error
  }
}

/**
 * Tells the browser's other tabs that somebody is signed in here, and hears it from them.
 *
 * @returns how to stop
 */
function shareSignIn(onSignInElsewhere: () => void): () => void {
  const channel = new BroadcastChannel('sign-in')
  channel.addEventListener('message', onSignInElsewhere)
  channel.postMessage(null)
  return () => channel.close()
}
