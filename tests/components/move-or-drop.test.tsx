import { cleanup, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Modal } from '#web/components/modal.tsx'
import { AddToTerm } from '#web/features/terms/add-to-term.tsx'
import { MoveOrDropModal } from '#web/features/terms/move-or-drop.tsx'
import { openScreen } from './open-screen.tsx'
import { buildSection, cell, term } from './open-term.ts'
import { serve } from './stub-server.ts'

const sections = [buildSection('Alpha'), buildSection('Bravo'), buildSection('Delta', 2)]

const student = { lastName: 'Cruz', firstName: 'Ana', middleName: '', extensionName: '' }
const onClose = () => undefined

const moving = (
  <MoveOrDropModal
    term={term}
    sections={sections}
    enrolments={[{ id: 'e1', version: 3, component: 'CWTS', level: 1, section: null, student }]}
    onClose={onClose}
  />
)

const adding = (
  <Modal open onClose={onClose} title="Add to the term">
    <AddToTerm
      term={term}
      cell={cell}
      sections={sections}
      student={{ ...student, id: 's1', academicYear: '2026-2027', nstpComponent: 'CWTS' }}
      onClose={onClose}
    />
  </Modal>
)

function open(element: ReactElement) {
  const log = serve(() => ({ body: { batchId: 'b1' } }))
  return { ...openScreen(element), sent: () => log.find(({ method }) => method === 'POST') }
}

const select = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test.each([
  ['moved to', moving, 'To', 'Move 1 student', '/api/enrolments/section'],
  ['added to', adding, 'Section', 'Add to the term', `/api/terms/${term.id}/enrolments`],
])(
  'the section that a student is %s is the one shown, also after another level was chosen',
  async (_what, form, label, button, path) => {
    const { user, sent } = open(form)
    await user.selectOptions(await screen.findByRole('combobox', { name: label }), 'Bravo')
    const level = screen.getByLabelText<HTMLSelectElement>('Level')
    await user.selectOptions(level, '2')
    expect(select(label).value).toBe('')
    await user.selectOptions(level, '1')
    const shown = select(label).value
    await user.click(screen.getByRole('button', { name: button }))
    await waitFor(() => expect(sent()).toMatchObject({ path }))
    expect(shown).toBe('Bravo')
    expect(sent()?.body).toMatchObject({ sectionId: shown })
  },
)

test('a move within the level is not refused for the day, whose field it doesn’t show', async () => {
  const { user, sent } = open(moving)
  await user.click(await screen.findByRole('button', { name: 'Drop' }))
  await user.clear(screen.getByLabelText(/^From day/))
  await user.click(screen.getByRole('button', { name: 'Drop 1 student' }))
  expect(sent()).toBeUndefined()
  await user.click(screen.getByRole('button', { name: 'Move' }))
  await user.selectOptions(select('To'), 'Alpha')
  await user.click(screen.getByRole('button', { name: 'Move 1 student' }))
  await waitFor(() => expect(sent()).toMatchObject({ path: '/api/enrolments/section' }))
})
