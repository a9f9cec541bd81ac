import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, test, vi } from 'vitest'
import { defaultSettings } from '#shared/settings/settings.ts'
import { Attention } from '#web/features/statistics/attention.tsx'
import { AccountProvider, accountOf } from '#web/lib/account.ts'
import { openScreen } from './open-screen.tsx'
import { serve } from './stub-server.ts'

/** Notices of changes, of which none come here. */
class Silence extends EventTarget {
  close = () => undefined
}

beforeEach(() => vi.stubGlobal('EventSource', Silence))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('who is over the limits is counted under the name that the settings give the level', async () => {
  const { levelNames } = defaultSettings
  const names = { ...levelNames, ROTC: { first: 'MS 1', second: 'MS 2' } }
  const counted = { termId: '01990000-0000-7000-8000-000000000001', component: 'ROTC', level: 2 }
  serve(({ path }) => {
    if (path === '/api/attendance/standing') return { body: { items: [{ ...counted, near: 0, over: 3 }] } }
    if (path === '/api/settings') return { body: { ...defaultSettings, levelNames: names, version: 1 } }
    return { body: { open: 0, oldest: null, items: [], total: 0 } }
  })
  const account = accountOf({ id: '', role: 'coordinator', components: [], classes: [] })
  const value = { ...account, can: (permission: string) => permission === 'enrolments' }
  openScreen(
    <AccountProvider value={value}>
      <Attention />
    </AccountProvider>,
  )
  await screen.findByRole('link', { name: '3 students of ROTC, MS 2, over the limit of absences' })
})
