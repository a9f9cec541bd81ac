import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ClassListsModal } from '#web/features/terms/class-lists.tsx'
import { AccountProvider, accountOf } from '#web/lib/account.ts'
import { openScreen } from './open-screen.tsx'
import { buildSection, cell, term } from './open-term.ts'
import { serve } from './stub-server.ts'

const id = '01990000-0000-7000-8000-0000000000a1'
const section = { ...buildSection('Alpha'), students: 1 }
const abad = {
  ...{ id, lastName: 'ABAD', firstName: 'ANA', middleName: '', extensionName: '', studentId: '26-1' },
  ...{ course: 'BSCS', sex: 'Female', contactNumber: '09175551001' },
}

function open(role: 'coordinator' | 'assistant') {
  const record = { ...abad, emergencyContactName: 'NENA ABAD', emergencyContactNumber: '09175552002' }
  const log = serve(({ path }) => ({
    body: { items: path.endsWith('/sheets') ? [record] : [{ section, students: [abad], leftOut: 0 }] },
  }))
  const { user } = openScreen(
    <AccountProvider value={accountOf({ id, role, components: [], classes: [] })}>
      <ClassListsModal term={term} cell={cell} listed={{ section }} onClose={() => undefined} />
    </AccountProvider>,
  )
  return { log, user }
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the emergency sheet of a section is read by the route that records a print, and printed', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  const { log, user } = open('coordinator')
  await user.click(await screen.findByRole('button', { name: 'Print emergency sheet' }))
  await screen.findByText('Emergency sheet: Alpha')
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    ...['1', 'ABAD, ANA', '0917 555 1001', 'NENA ABAD', '0917 555 2002'],
  ])
  expect(log.filter(({ method }) => method === 'POST')).toMatchObject([
    { path: '/api/students/sheets', body: { ids: [id] } },
  ])
  await vi.waitFor(() => expect(print).toHaveBeenCalledOnce())
})

test('it is not offered to who takes no records out', async () => {
  open('assistant')
  await screen.findByRole('button', { name: 'Print' })
  expect(screen.queryByRole('button', { name: 'Print emergency sheet' })).toBeNull()
})
