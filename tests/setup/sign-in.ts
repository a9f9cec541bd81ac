import './browser-fetch.ts'
import { adminEmail, adminPassword } from './administrator.ts'
import { officeSettings } from './office-settings.ts'

/** Returns the `Cookie` header of the new session. */
export async function signInOverHttp(
  url: string,
  password = adminPassword,
  email = adminEmail,
): Promise<string> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`sign-in failed: ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.slice(0, cookie.indexOf(';')))
    .join('; ')
}

export const firstPassword = 'the first pass phrase of all'

/** What the owner does after the first start: a password, and enlistment is open. Later starts refuse the first one. */
export async function changeFirstPassword(url: string, keepsNewSettings = false): Promise<void> {
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
  if (!token) return
  if (!keepsNewSettings) await storeSettings(url, token)
  await fetch(`${url}/api/session`, { method: 'DELETE', headers: { cookie: token } })
}

/** Of a product from the template, which stores all else. */
export async function storePublicAddress(url: string): Promise<void> {
  const cookie = await signInOverHttp(url)
  await storeSettings(url, cookie)
  await fetch(`${url}/api/session`, { method: 'DELETE', headers: { cookie } })
}

async function storeSettings(url: string, cookie: string): Promise<void> {
  const { version } = await (await fetch(`${url}/api/settings`, { headers: { cookie } })).json()
  const stored = await fetch(`${url}/api/settings`, {
    method: 'PATCH',
    headers: { cookie, 'Content-Type': 'application/json', 'If-Match': `"${version}"` },
    body: JSON.stringify({ academicYears: officeSettings.academicYears, publicAddress: url }),
  })
  if (!stored.ok) throw new Error(`the settings were not stored: ${await stored.text()}`)
}
