import { type APIRequestContext, expect } from '@playwright/test'
import type { SettingsChange } from '#shared/settings/settings.ts'

/** Changes settings as another screen of the administrator would. The context has the session. */
export async function changeSettings(request: APIRequestContext, change: SettingsChange): Promise<void> {
  const { version } = await (await request.get('/api/settings')).json()
  const answer = await request.patch('/api/settings', {
    data: change,
    headers: { 'If-Match': `"${version}"` },
  })
  expect(answer.status()).toBe(200)
}
