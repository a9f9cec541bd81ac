import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { rollMessages } from '#shared/attendance/calls.ts'
import type { Roll, RollSections } from '#shared/attendance/roll-response.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { RollScreen } from '#web/features/attendance/roll-screen.tsx'
import { openScreen } from './open-screen.tsx'
import { refusal, serve } from './stub-server.ts'

const idOf = (end: string) => `0198f4b2-0000-7000-8000-0000000000${end}`
const sectionOf = (end: string, label: string) =>
  ({ id: idOf(end), component: 'CWTS', level: 1, label }) as const
const [alpha, bravo] = [sectionOf('a1', 'Alpha'), sectionOf('b1', 'Bravo')]
const own: RollSections = { items: [alpha, bravo], seesPhoneNumbers: false }
const today = calendarDateOf(new Date(), 'Asia/Manila')

const student = {
  id: idOf('51'),
  studentId: '26-0001',
  lastName: 'ABAD',
  firstName: 'ANA',
  middleName: '',
  extensionName: '',
  course: 'BSCS',
}

type Day = Roll['days'][number]

const dayOf = (change: Partial<Day>): Day => ({
  ...{ id: idOf('d1'), heldOn: today, title: '', startsAt: '', isMakeUp: false, isClosed: false },
  isToday: (change.heldOn ?? today) === today,
  ...change,
})
const earlier = dayOf({ id: idOf('d0'), heldOn: '2026-08-08' })

interface Stub {
  days?: Day[]
  students?: Roll['students']
  search?: string
  /** Whether calls of a section are refused. */
  isRefused?: (path: string) => boolean
  /** Whether the student is moved to another section, so that each call is left out. */
  isMoved?: boolean
}

function open({
  days = [],
  students = [student],
  search = '',
  isRefused = () => false,
  isMoved = false,
}: Stub) {
  let listed = students
  const log = serve(({ method, path, body: { calls } }) => {
    if (method === 'POST') {
      if (isRefused(path)) return refusal(404, 'not_found', rollMessages.section)
      if (isMoved) listed = []
      return { body: { count: 1, left: isMoved && Array.isArray(calls) ? calls.map(({ id }) => id) : [] } }
    }
    if (path === '/api/roll') return { body: own }
    const section = own.items.find(({ id }) => path.endsWith(id))
    return { body: { days, students: listed, calls: [], leftOut: 0, section } }
  })
  const { user } = openScreen(<RollScreen />, `/roll${search}`)
  const posts = () => log.filter(({ method }) => method === 'POST').map(({ path }) => path)
  return { log, posts, user }
}

const row = (name = /ABAD/) => screen.findByRole('button', { name })
const dayField = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Day' })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('opens at today’s own day, not at its make-up day', async () => {
  const makeUp = dayOf({ id: idOf('d2'), isMakeUp: true, startsAt: '07:30' })
  open({ days: [earlier, makeUp, dayOf({})] })
  await row()
  expect((await dayField()).value).toBe(idOf('d1'))
  expect(screen.getByRole('option', { name: /7:30 AM · make-up day$/ })).toBeTruthy()
})

test('asks for the day without an own one today, and says that it is an earlier one', async () => {
  const { user } = open({ days: [earlier] })
  await screen.findByText('No training day today.')
  expect(screen.queryByRole('button', { name: 'All present' })).toBeNull()
  await user.selectOptions(await dayField(), idOf('d0'))
  await row()
  expect(screen.getByText('An earlier day: Sat, Aug 8.')).toBeTruthy()
})

test('names a make-up day that is alone today, a day that has gone and one that is closed', async () => {
  open({ days: [dayOf({ isMakeUp: true })] })
  await screen.findByText('Only a make-up day today.')
  cleanup()
  open({ days: [dayOf({})], search: `?day=${idOf('d9')}` })
  await screen.findByText('This day is not on your list.')
  cleanup()
  open({ days: [dayOf({ isClosed: true })] })
  await screen.findByText(/^Closed by the office/)
})

test('says that a roll has no students', async () => {
  open({ days: [dayOf({})], students: [] })
  await screen.findByText('No students on this roll.')
})

test('shows no other section in the place of one that isn’t there', async () => {
  open({ days: [dayOf({})], search: `?section=${idOf('c1')}` })
  await screen.findByText(rollMessages.section)
  expect(screen.queryByRole('combobox', { name: 'Day' })).toBeNull()
})

test('keeps calls that wait while another section is opened, and sends them to their own', async () => {
  let isRefused = true
  const { posts, user } = open({ days: [dayOf({})], isRefused: () => isRefused })
  await user.click(await row())
  await screen.findByText(/^1 call of Alpha \(CWTS, .+\) not saved/)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Section' }), bravo.id)
  await row(/ABAD.*absent/)
  expect(screen.queryByText('Discard your changes?')).toBeNull()
  isRefused = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  const path = `/api/roll/${alpha.id}`
  await waitFor(() => expect(posts()).toEqual([path, path]))
  expect(screen.queryByText(/not saved/)).toBeNull()
})

test('sends calls of other sections while those of one are refused, and discards those of that one alone', async () => {
  const isRefused = (path: string) => path.endsWith(alpha.id)
  const students = [student, { ...student, id: idOf('52'), lastName: 'BLAS' }]
  const { posts, user } = open({ days: [dayOf({})], students, isRefused })
  await user.click(await row())
  await screen.findByText(/^1 call of Alpha/)
  const section = screen.getByRole('combobox', { name: 'Section' })
  await user.selectOptions(section, bravo.id)
  await user.click(await row(/BLAS/))
  await waitFor(() => expect(posts()).toEqual([alpha, bravo].map(({ id }) => `/api/roll/${id}`)))
  screen.getByText(/^1 call of Alpha/)
  await user.click(screen.getByRole('button', { name: 'Discard' }))
  expect(screen.queryByText(/not saved/)).toBeNull()
  expect(posts()).toHaveLength(2)
})

test('calls all present without those whom a colleague called meanwhile, and one who is tapped anyhow', async () => {
  const students = [student, { ...student, id: idOf('52'), lastName: 'BLAS' }]
  const { log, posts, user } = open({ days: [dayOf({})], students })
  const sent = () => log.filter(({ method }) => method === 'POST').map(({ body }) => body)
  await row()
  await user.click(screen.getByRole('button', { name: 'All present' }))
  await waitFor(() => expect(posts()).toHaveLength(1))
  const present = { state: 'present', onlyEmpty: true }
  expect(sent()[0]).toMatchObject({ calls: [present, present] })
  cleanup()

  const other = open({ days: [dayOf({})] })
  await other.user.click(await row())
  await waitFor(() => expect(other.posts()).toHaveLength(1))
  const [tapped] = other.log.filter(({ method }) => method === 'POST')
  expect(tapped?.body).toMatchObject({ calls: [{ state: 'absent' }] })
  expect(JSON.stringify(tapped?.body)).not.toContain('"onlyEmpty":true')
})

test('names who was left out as the list had them, and says why', async () => {
  const { user } = open({ days: [dayOf({})], isMoved: true })
  await user.click(await row())
  await screen.findByText(/^ABAD, ANA was left out: called by somebody else meanwhile, or no longer/)
  expect(screen.queryByRole('button', { name: /ABAD/ })).toBeNull()
})

test('compares how many are here with who is called present or late', async () => {
  const { user } = open({
    days: [dayOf({})],
    students: [student, { ...student, id: idOf('52'), lastName: 'BLAS' }],
  })
  await row()
  await user.click(screen.getByRole('button', { name: 'All present' }))
  const field = screen.getByRole('textbox', { name: /^How many are here/ })
  await user.type(field, '3')
  await screen.findByText('1 more than are called present or late.')
  await user.click(await row())
  await screen.findByText('2 more than are called present or late.')
  await user.type(field, '{Backspace}1')
  await screen.findByText('As many as are called present or late.')
})
