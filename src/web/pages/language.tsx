import { redirect } from 'react-router'
import { languageCookie } from '#shared/site/language.ts'
import { safeNextPath } from '#web/lib/next-path.ts'
import { pageContext } from '#web/lib/page-context.ts'
import type { Route } from './+types/language'

// Seconds.
const year = 31_536_000

/** Switches the language of the public pages, without scripts too. */
export function loader({ request, context, params: { language } }: Route.LoaderArgs) {
  const next = safeNextPath(new URL(request.url).searchParams.get('next') ?? '/')
  const secure = context.get(pageContext).origin.startsWith('https:') ? '; Secure' : ''
  const cookie = `${languageCookie}=${language === 'fil' ? 'fil' : 'en'}; Path=/; Max-Age=${year}; SameSite=Lax; HttpOnly${secure}`
  return redirect(next, { status: 303, headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' } })
}
