import { cleanup, screen, waitFor } from '@testing-library/react'
import { useLocation, useNavigate } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import type { OfficeRequest } from '#shared/requests/requests-response.ts'
import { requestMessages } from '#shared/requests/student-requests.ts'
import { RequestPanel } from '#web/features/requests/request-panel.tsx'
import { concerns } from '#web/lib/query.ts'
import { openScreen } from './open-screen.tsx'
import { serve } from './stub-server.ts'

const id = '0198f4b2-0000-7000-8000-00000000d001'
const change = { from: 'Cruz', to: 'Reyes', now: 'Cruz', granted: null }
const request: OfficeRequest = {
  id,
  kind: 'correction',
  askedAt: '2026-11-20T02:00:00Z',
  state: 'open',
  isPart: false,
  absence: null,
  decidedAt: null,
  waitsForGuardian: false,
  studentId: '0198f4b2-0000-7000-8000-00000000d002',
  reference: 'NSTP-AAAA-BBBB',
  name: 'Cruz, Ana',
  component: 'CWTS',
  labels: ['Last Name', 'Middle Name'],
  dueOn: null,
  reason: '',
  answer: '',
  version: 1,
  recordVersion: 1,
  changes: [
    { ...change, field: 'lastName', label: 'Last Name' },
    { ...change, field: 'middleName', label: 'Middle Name' },
  ],
  hindrance: '',
  archived: false,
  restriction: null,
  formerReferences: [],
  guardian: null,
  papers: [],
  certificates: [],
}

function Screen() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const opened = new URLSearchParams(search).get('request')
  return <RequestPanel id={opened} onClose={() => void navigate('/admin?tab=requests')} />
}

function open(shown: OfficeRequest = request) {
  const log = serve(({ method }) => ({ body: method === 'GET' ? shown : { movedIn: [] } }))
  const { router, ...opened } = openScreen(<Screen />, `/admin?tab=requests&request=${id}`)
  return { ...opened, log, search: () => router.state.location.search }
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('what is ticked is what the main button accepts, and the panel closes without a question', async () => {
  const { log, user, search } = open()
  await screen.findByRole('button', { name: 'Accept all' })
  await user.click(screen.getByRole('checkbox', { name: 'Accept: Last Name' }))
  expect(screen.queryByRole('button', { name: 'Accept all' })).toBeNull()
  await user.type(screen.getByLabelText('Answer to the student'), 'Bring a letter.')
  await user.click(screen.getByRole('button', { name: 'Accept 1 of 2' }))
  await waitFor(() => expect(search()).toBe('?tab=requests'))
  expect(log.find(({ method }) => method === 'POST')).toMatchObject({
    body: { accept: ['lastName'], answer: 'Bring a letter.' },
  })
})

test('a birth date is written as people read it', async () => {
  const birth = { from: '2006-07-05', to: '2006-07-06', now: '2006-07-05', granted: null }
  open({ ...request, changes: [{ ...birth, field: 'dateOfBirth', label: 'Date of Birth' }] })
  expect(await screen.findByText('Jul 5, 2006')).toBeTruthy()
  expect(screen.getByText('Jul 6, 2006')).toBeTruthy()
})

test('an excused absence has its day, its ground and what was called, and is accepted whole', async () => {
  const absence = { dayId: id, heldOn: '2026-09-12', startsAt: '07:30', title: 'Drill' }
  const { client, log, user } = open({
    ...{ ...request, kind: 'absence', labels: [], changes: [], reason: 'A wedding' },
    absence: { ...absence, isCancelled: false, ground: 'family', called: 'absent' },
  })
  expect(await screen.findByText(/Saturday, Sep 12, 2026 · 7:30 AM · Drill: Family/)).toBeTruthy()
  expect(screen.getByText('(called so far: absent)')).toBeTruthy()
  // A call of a facilitator meanwhile is shown before one decides.
  await client.invalidateQueries({ predicate: (query) => concerns(['attendance'], query) })
  expect(log.filter(({ method }) => method === 'GET')).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Accept' }))
  await waitFor(() =>
    expect(log.find(({ method }) => method === 'POST')).toMatchObject({ body: { accept: 'all' } }),
  )
})

test('an excused absence of a cancelled day is struck out, and can only be refused', async () => {
  const absence = { dayId: id, heldOn: '2026-09-12', startsAt: '07:30', title: '' }
  open({
    ...{ ...request, kind: 'absence', labels: [], changes: [], reason: 'A wedding' },
    absence: { ...absence, isCancelled: true, ground: 'family', called: null },
  })
  const day = await screen.findByText('Saturday, Sep 12, 2026 · 7:30 AM')
  expect(day.tagName).toBe('DEL')
  expect(screen.getByText('Cancelled')).toBeTruthy()
  expect(screen.getByText(requestMessages.dayCancelled)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Refuse' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
})

test.each(['absence', 'copy', 'blocking', 'erasure'] as const)(
  'refusing a request of the kind %s asks for the sentence at its field, before anything is sent',
  async (kind) => {
    const { log, user } = open({ ...request, kind, labels: [], changes: [] })
    await user.click(await screen.findByRole('button', { name: 'Refuse' }))
    expect(screen.getByLabelText('Answer to the student').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText(requestMessages.answer)).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Answer to the student'))
    expect(log.filter(({ method }) => method === 'POST')).toEqual([])
  },
)

test('a typed answer is not discarded without a question', async () => {
  const { user, search } = open()
  await user.type(await screen.findByLabelText('Answer to the student'), 'Bring')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Answer to the student').value).toBe('Bring')
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(search()).toBe('?tab=requests'))
})
