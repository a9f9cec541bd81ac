import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { CalledDay } from '#shared/attendance/attendance-response.ts'
import { trainingDayMessages } from '#shared/attendance/training-days.ts'
import { Toaster } from '#web/components/toaster.tsx'
import { TrainingDays } from '#web/features/attendance/training-days.tsx'
import { openScreen } from './open-screen.tsx'
import { term } from './open-term.ts'
import { serve } from './stub-server.ts'

const cancelled: CalledDay = {
  ...{ id: '01990000-0000-7000-8000-0000000000d1', component: 'CWTS', level: 1, sectionIds: [] },
  ...{ heldOn: '2026-08-08', title: '', startsAt: '07:30', hours: 4, state: 'cancelled', closedAt: null },
  ...{ cancelledSectionIds: [], reopenReason: '', replacesId: null, version: 2 },
  ...{ present: 0, late: 0, absent: 0, excused: 0 },
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a cancelled day whose time is taken is not restored, and the reason is said', async () => {
  const message = trainingDayMessages.taken(cancelled.heldOn)
  serve(() => ({
    status: 422,
    body: { title: '', status: 422, code: 'invalid', detail: '', errors: [{ path: 'heldOn', message }] },
  }))
  const { user } = openScreen(
    <>
      <TrainingDays term={term} days={[cancelled]} sections={[]} />
      <Toaster />
    </>,
  )
  const [menu] = await screen.findAllByRole('button', { name: /Sat, Aug/ })
  if (menu) await user.click(menu)
  await user.click(await screen.findByRole('menuitem', { name: 'Restore the day' }))
  expect(await screen.findByText(`The day was not restored: ${message}`)).toBeTruthy()
})
