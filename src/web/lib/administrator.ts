import { useEffect } from 'react'
import { type LoaderFunctionArgs, redirect } from 'react-router'
import type { SessionUser } from '#shared/auth/session.ts'
import { type VersionedSettings, withDefaults } from '#shared/settings/settings.ts'
import { api, callApi, orErrorPage, serverApi } from './api.ts'
import { ApiProblem, noSessionProblem } from './api-problem.ts'
import { reconnectLive, useLiveTopics } from './live.ts'
import { adminPath, loginPath, setUpPaths } from './next-path.ts'
import { pageContext } from './page-context.ts'
import { readUser } from './session.ts'
import {
  endSession,
  onSessionResumed,
  ownSessionChanged,
  resumeSession,
  sessionRefusal,
} from './session-end.ts'

export interface AdministratorFrame {
  user: SessionUser
  now: string
  timeZone: string
  settings: VersionedSettings
  /** Whether the browser says that it is on a phone. Its width is known only later. */
  isPhone: boolean
}

// Security: keeps records out of every cache, the back/forward cache after sign-out included.
export const uncachedHeaders = () => ({ 'Cache-Control': 'no-store' })

/** Redirects to the login page and back again. */
export async function loadAdministrator(args: LoaderFunctionArgs): Promise<AdministratorFrame> {
  const { context, request } = args
  // The event stream begins before anything is read, and brings what changes from then on.
  const now = new Date().toISOString()
  const user = await orErrorPage(readUser(context, request))
  const { pathname, search } = new URL(request.url)
  if (!user) throw redirect(loginPath({ next: `${pathname}${search}` }))
  if (user.mustSetUp) throw redirect(setUpPaths[user.mustSetUp])
  const settings = withDefaults(await orErrorPage(callApi(serverApi(context, request).settings.$get())))
  return {
    user,
    settings,
    now,
    timeZone: context.get(pageContext).timeZone,
    isPhone: /Mobi/.test(request.headers.get('User-Agent') ?? ''),
  }
}

/**
 * When the session ends elsewhere, records leave this screen. A page with unsaved input stays until
 * the user signs in again in another tab.
 */
export function useSessionWatch({ id }: Pick<SessionUser, 'id'>): void {
  useLiveTopics(['session'], () => void checkSession(id))
  useEffect(
    () =>
      shareSignIn(id, (other) => {
        if (other !== id) leaveToOther()
        else if (sessionRefusal()) void checkSession(id)
      }),
    [id],
  )
  // The stream was opened for a user who is signed out: it sends no topics of the administration.
  useEffect(() => onSessionResumed(reconnectLive), [])
}

async function checkSession(id: string) {
  // This very page may be changing the password, and have the new cookie in a moment.
  await ownSessionChanged()
  try {
    const { user } = await callApi(api.session.$get())
    if (!user) endSession(noSessionProblem())
    else if (user.id === id) resumeSession()
    else leaveToOther()
  } catch (error) {
    // The next notice or reconnect checks again.
    if (!(error instanceof ApiProblem)) throw error
  }
}

/** Leaves the page. What it shows, its address and unsaved input aren't for the account that is signed in now. */
function leaveToOther() {
  window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })
  window.location.replace(adminPath)
}

/** Shares the sign-in with other tabs over a BroadcastChannel. @returns the cleanup */
function shareSignIn(id: string, onSignInElsewhere: (id: unknown) => void): () => void {
  const channel = new BroadcastChannel('sign-in')
  channel.addEventListener('message', ({ data }) => onSignInElsewhere(data))
  channel.postMessage(id)
  return () => channel.close()
}
