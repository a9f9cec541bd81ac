import type { SettingsChange } from '#shared/settings/settings.ts'
import { createAdminClient } from './admin-client.ts'
import { adminEmail, adminPassword } from './administrator.ts'
import { signInOverHttp } from './sign-in.ts'

/** What somebody of the office does past the screens, with a session of their own. */
export async function openOffice(url: string, email = adminEmail) {
  const cookie = await signInOverHttp(url, adminPassword, email)
  const { call } = createAdminClient({ url }, cookie)

  async function done<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await call(method, path, body)
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return await answer.json()
  }

  return {
    cookie,
    call,
    done,
    async changeSettings(change: SettingsChange): Promise<void> {
      const { version } = await done<{ version: number }>('GET', '/settings')
      const answer = await call('PATCH', '/settings', change, { 'If-Match': `"${version}"` })
      if (!answer.ok) throw new Error(`the settings were not changed: ${await answer.text()}`)
    },
  }
}
