import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ContinuationPreview, PlacementPreview, Section, Term } from '#shared/terms/terms-response.ts'
import { ContinueStudentsModal } from '#web/features/terms/continue-students.tsx'
import type { Cell } from '#web/features/terms/data.ts'
import { PlaceStudentsModal } from '#web/features/terms/place-students.tsx'
import { createQueryClient } from '#web/lib/query.ts'

const term: Term = {
  id: '01990000-0000-7000-8000-000000000001',
  academicYear: '2026-2027',
  semester: 1,
  startsOn: '2026-08-03',
  endsOn: '2026-12-19',
  state: 'open',
  version: 1,
}

const section: Section = {
  id: '01990000-0000-7000-8000-000000000002',
  component: 'CWTS',
  level: 1,
  unit: '',
  name: 'Alpha',
  capacity: 40,
  takes: 'all',
  courses: [],
  adviser: '',
  meets: '',
  students: 0,
  official: 0,
  version: 1,
}

const cell: Cell = {
  component: 'CWTS',
  level: 1,
  sections: 1,
  capacity: 40,
  placed: 0,
  withoutSection: 0,
  official: 0,
  marked: 0,
  waiting: 30,
}

const placing = (basis: string): PlacementPreview => ({
  total: 30,
  placed: 30,
  sections: [{ id: section.id, before: 0, after: 30, capacity: 40 }],
  left: [],
  basis,
})

const continuing = (basis: string): ContinuationPreview => ({
  groups: [{ group: 'passed', choice: 'next', count: 30, students: [] }],
  ...{ next: 30, again: 0, left: 0, sections: 1, withoutSection: 0 },
  basis,
})

/** What the server is asked, and its answers when the test lets them come. */
const server = {
  asked: [] as { path: string; body: unknown; answer: (body: unknown) => void }[],
  of: (end: string) => server.asked.filter(({ path }) => path.endsWith(end)),
}

beforeEach(() => {
  server.asked = []
  vi.stubGlobal('fetch', (input: string | URL, init: RequestInit = {}) => {
    const { pathname: path } = new URL(input, window.location.href)
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null
    return new Promise<Response>((resolve) => {
      server.asked.push({ path, body, answer: (answered) => resolve(Response.json(answered)) })
    })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(element: ReactElement) {
  const router = createMemoryRouter([
    { path: '/', element: <QueryClientProvider client={createQueryClient()}>{element}</QueryClientProvider> },
  ])
  render(<RouterProvider router={router} />)
  return userEvent.setup()
}

const onClose = () => undefined
const onAddSections = vi.fn()
const onContinued = vi.fn()
const forms = {
  Placing: {
    form: <PlaceStudentsModal isOpen {...{ term, cell, onAddSections, onClose }} sections={[section]} />,
    change: () => screen.getByRole('checkbox', { name: 'Enroll without sections' }),
    press: /^(Place|Enroll) 30 students$/,
    path: '/placements',
    previewed: placing,
  },
  Continuing: {
    form: <ContinueStudentsModal isOpen {...{ term, cell, onContinued, onClose }} />,
    change: () => screen.getByRole('checkbox', { name: /^Copy the sections/ }),
    press: /^Continue 30 students$/,
    path: '/continuations',
    previewed: continuing,
  },
}

test.each(Object.entries(forms))(
  '%s waits for the preview of the latest choice, and sends what that showed',
  async (_what, one) => {
    const { form, change, press, path, previewed } = one
    const user = open(form)
    const previews = () => server.of(`${path}/preview`)
    await waitFor(() => expect(previews()).toHaveLength(1))
    previews()[0]?.answer(previewed('the first'))
    const button = await screen.findByRole('button', { name: press })
    expect(button.getAttribute('aria-disabled')).toBe('false')

    await user.click(change())
    await waitFor(() => expect(previews()).toHaveLength(2))
    // The preview of the choice before is still on the screen.
    expect(screen.getByRole('button', { name: press }).getAttribute('aria-disabled')).toBe('true')
    await user.click(screen.getByRole('button', { name: press }))
    expect(server.of(path)).toEqual([])

    previews()[1]?.answer(previewed('the second'))
    await waitFor(() =>
      expect(screen.getByRole('button', { name: press }).getAttribute('aria-disabled')).toBe('false'),
    )
    await user.click(screen.getByRole('button', { name: press }))
    await waitFor(() => expect(server.of(path)).toMatchObject([{ body: { basis: 'the second' } }]))
  },
)

test('placing that leaves students without room offers to add sections', async () => {
  const user = open(forms.Placing.form)
  await waitFor(() => expect(server.of('/placements/preview')).toHaveLength(1))
  const left = [{ reason: 'full', value: '', count: 30, students: [] }]
  server.of('/placements/preview')[0]?.answer({ ...placing('the first'), placed: 0, left })
  await user.click(await screen.findByRole('button', { name: 'Add sections' }))
  expect(onAddSections).toHaveBeenCalledOnce()
})
