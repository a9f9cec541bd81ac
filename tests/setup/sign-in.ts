import './browser-fetch.ts'
import { adminEmail, adminPassword } from './administrator.ts'

/** Returns the `Cookie` header of the new session. */
export async function signInOverHttp(url: string, password = adminPassword): Promise<string> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: adminEmail, password }),
  })
  if (!response.ok) throw new Error(`sign-in failed: ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ')
}

export const firstPassword = 'the first pass phrase of all'

/** What the owner does after the first start. Later starts refuse the first password. */
export async function changeFirstPassword(url: string): Promise<void> {
  const cookie = await signInOverHttp(url, firstPassword).catch(() => undefined)
  if (cookie === undefined) return
  const changed = await fetch(`${url}/api/session/password`, {
    method: 'PUT',
    headers: { cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ currentPassword: firstPassword, newPassword: adminPassword }),
  })
  // Of several processes that start at once, one changes it; then its new one works.
  if (!changed.ok) await signInOverHttp(url)
  const token = changed.headers.getSetCookie()[0]?.split(';')[0]
  if (token) await fetch(`${url}/api/session`, { method: 'DELETE', headers: { cookie: token } })
}
