import { data, isRouteErrorResponse, redirect } from 'react-router'
import type { SessionUser, SignIn } from '#shared/auth/session.ts'
import { connectionSentence } from '#shared/problem.ts'
import { SignInForm } from '#web/features/auth/sign-in-form.tsx'
import { accountOf, startPathOf } from '#web/lib/account.ts'
import { uncachedHeaders } from '#web/lib/administrator.ts'
import { callApi, orErrorPage, serverApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { adminPath, safeNextPath } from '#web/lib/next-path.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { cookiesOf, readForm } from '#web/lib/posted-form.ts'
import type { Route } from './+types/login'

export const meta = staticMeta({ title: 'Login' })

// Shows an address and, after a refusal, input. Session cookies are set separately.
export const headers = uncachedHeaders

export async function loader({ context, request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url)
  const session = serverApi(context, request).session
  const { user, adminEmail } = await orErrorPage(callApi(session.$get()))
  const next = safeNextPath(searchParams.get('next'))
  if (user) throw redirect(startOf(user, next))
  return { adminEmail, next, hasEnded: searchParams.has('ended') }
}

/** A facilitator has one screen: no address of another one is kept for after the sign-in. */
function startOf(user: SessionUser, next: string): string {
  const start = startPathOf(accountOf(user))
  return start === adminPath ? next : start
}

/** Works without scripts; forwards the session's cookies. */
export async function action({ context, request }: Route.ActionArgs) {
  const credentials = credentialsOf(await readForm(request))
  try {
    const response = await serverApi(context, request).session.$post({ json: credentials })
    const { user } = await response.json()
    const next = safeNextPath(new URL(request.url).searchParams.get('next'))
    return redirect(startOf(user, next), { headers: cookiesOf(response) })
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    const { email, keepSignedIn: keepsSignedIn = false } = credentials
    const { code, detail, errors = [], status } = error.problem
    const isAboutCode = errors.some(({ path }) => path === 'code')
    // The password was right: not a failure, the code is still missing.
    if (isAboutCode && credentials.code === undefined) {
      return data({ email, keepsSignedIn, sentence: null, errors: [], asksCode: true })
    }
    const isPaused = code === 'too_many_requests'
    // A throttled or lost request doesn't hide the code field.
    const asksCode = isAboutCode || isPaused || (credentials.code !== undefined && code !== 'unauthenticated')
    const sentence = isAboutCode ? null : detail
    return data({ email, keepsSignedIn, sentence, errors, asksCode, isPaused }, { status })
  }
}

// A missing response is shown above the form.
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  // Sending consumes the body.
  const sent = request.clone()
  try {
    return await serverAction()
  } catch (error) {
    // The redirect after sign-in, or an error.
    if (error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)) throw error
    const { email, code, keepSignedIn = false } = credentialsOf(await sent.formData())
    const kept = { email, asksCode: code !== undefined, keepsSignedIn: keepSignedIn }
    const unanswered = { ...kept, sentence: connectionSentence, errors: [], isUnanswered: true }
    // The error status keeps React Router from reloading data.
    return data(unanswered, { status: 503 })
  }
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  return <SignInForm {...loaderData} failure={actionData} />
}

function credentialsOf(form: FormData): SignIn {
  const text = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const credentials = {
    email: text('email'),
    password: text('password'),
    ...(form.has('keepSignedIn') && { keepSignedIn: true }),
  }
  return form.has('code') ? { ...credentials, code: text('code') } : credentials
}
