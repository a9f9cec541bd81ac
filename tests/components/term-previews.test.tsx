import { cleanup, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ContinuationPreview, PlacementPreview } from '#shared/terms/terms-response.ts'
import { Modal } from '#web/components/modal.tsx'
import { ContinueStudents } from '#web/features/terms/continue-students.tsx'
import { PlaceStudents } from '#web/features/terms/place-students.tsx'
import { openScreen } from './open-screen.tsx'
import { buildSection, cell, term } from './open-term.ts'

const section = buildSection('Alpha')

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

const onClose = () => undefined
const onAddSections = vi.fn()
const onContinued = vi.fn()
const inModal = (form: ReactElement) => (
  <Modal open onClose={onClose} title="Form">
    {form}
  </Modal>
)
const forms = {
  Placing: {
    form: inModal(<PlaceStudents {...{ term, cell, onAddSections, onClose }} sections={[section]} />),
    change: () => screen.getByRole('checkbox', { name: 'Enroll without sections' }),
    press: /^(Place|Enroll) 30 students$/,
    path: '/placements',
    previewed: placing,
  },
  Continuing: {
    form: inModal(<ContinueStudents {...{ term, cell, onContinued, onClose }} />),
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
    const { user } = openScreen(form)
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
  const { user } = openScreen(forms.Placing.form)
  await waitFor(() => expect(server.of('/placements/preview')).toHaveLength(1))
  const left = [{ reason: 'full', value: '', count: 30, students: [] }]
  server.of('/placements/preview')[0]?.answer({ ...placing('the first'), placed: 0, left })
  await user.click(await screen.findByRole('button', { name: 'Add sections' }))
  expect(onAddSections).toHaveBeenCalledOnce()
})
