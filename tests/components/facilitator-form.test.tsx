import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Person } from '#shared/people/person.ts'
import { Modal } from '#web/components/modal.tsx'
import { PersonForm } from '#web/features/people/person-form.tsx'
import { openScreen } from './open-screen.tsx'
import { serve } from './stub-server.ts'

const idOf = (end: number) => `0198f4b2-0000-7000-8000-${String(end).padStart(12, '0')}`

const term = {
  termEndsOn: '2098-12-19',
  sections: Array.from({ length: 9 }, (_, at) => ({ id: idOf(at), name: `Section ${at} (CWTS, NSTP 1)` })),
}

const person: Person = {
  id: '1',
  version: 1,
  displayName: 'Lt. Cruz',
  email: 'cruz@school.example',
  role: 'facilitator',
  components: [],
  expiresOn: '2098-12-01',
  disabledAt: null,
  lastSignInAt: null,
  hasSecondFactor: false,
  secondFactorDue: null,
  mustChangePassword: false,
  // The second one was deleted meanwhile.
  sectionIds: [idOf(1), idOf(99)],
  seesPhoneNumbers: false,
}

function open() {
  const log = serve(() => ({ body: person }))
  const form = (
    <Modal open onClose={() => undefined} title="Edit person">
      <PersonForm stored={person} term={term} isOwn={false} onClose={() => undefined} />
    </Modal>
  )
  return { log, ...openScreen(form, '/admin?tab=people&person=1') }
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a facilitator with a section that is gone can be saved, without it', async () => {
  const { log, user } = open()
  await user.type(screen.getByRole('textbox', { name: 'Name' }), ' Jr.')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(log.find(({ method }) => method === 'PATCH')).toBeTruthy())
  expect(log.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
    displayName: 'Lt. Cruz Jr.',
    sectionIds: [idOf(1)],
  })
})

test('the end of the term is a date in words, and a search without a match says so', async () => {
  const { user } = open()
  screen.getByText('The account ends after this day, and with the term on Dec 19, 2098 at the latest.')
  await user.type(screen.getByRole('textbox', { name: 'Find a section' }), 'section 12')
  screen.getByText('No section matches.')
  expect(screen.getAllByRole('checkbox', { name: /^Section/ })).toHaveLength(1)
  await user.clear(screen.getByRole('textbox', { name: 'Find a section' }))
  expect(screen.queryByText('No section matches.')).toBeNull()
  expect(screen.getAllByRole('checkbox', { name: /^Section/ })).toHaveLength(9)
})
