import type { SettingsChange } from '#shared/settings/settings.ts'
import { createAdminClient } from './admin-client.ts'
import { signInOverHttp } from './sign-in.ts'

/** What the coordinator does past the screens, with a session of its own. */
export async function openOffice(url: string) {
  const cookie = await signInOverHttp(url)
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
