import { adminEmail, adminPassword } from './administrator.ts'

/** Returns the `Cookie` header of the new session. */
export async function signInOverHttp(url: string): Promise<string> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: adminEmail, password: adminPassword }),
  })
  if (!response.ok) throw new Error(`sign-in failed with status ${response.status}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ')
}
