import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { MarkItem } from '#shared/terms/marks-response.ts'
import { MarksGrid } from '#web/features/terms/marks-grid.tsx'
import { openScreen } from './open-screen.tsx'
import { term } from './open-term.ts'
import { serve } from './stub-server.ts'

const item = (end: string, lastName: string): MarkItem => {
  const id = `01990000-0000-7000-8000-0000000000${end}`
  const student = { id, lastName, firstName: 'Ana', middleName: '', extensionName: '', studentId: end }
  return {
    ...{ id, version: 1, mark: '', outcome: 'none', student },
    ...{ percent: null, parts: null, scores: {}, attended: null },
  }
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('who is over the limits of absences is offered letters, which are typed and not saved', async () => {
  const log = serve(() => ({ body: {} }))
  const dropped: MarkItem = { ...item('13', 'Cruz'), mark: 'FA', outcome: 'dropped' }
  const list = { scheme: null, items: [item('11', 'Abad'), item('12', 'Blas'), dropped], leftOut: 0 }
  const over = new Set([item('11', '').student.id, dropped.student.id])
  const { user } = openScreen(<MarksGrid term={term} list={list} over={over} isHere={() => false} />)
  expect(screen.getAllByText('Over the limit of absences')).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Fill in DRP for Abad, Ana' }))
  expect(screen.getByLabelText('Mark of Abad, Ana')).toHaveProperty('value', 'DRP')
  expect(screen.queryByText('Over the limit of absences')).toBeNull()
  await screen.findByRole('button', { name: 'Save 1 mark' })
  expect(log).toEqual([])
  await user.clear(screen.getByLabelText('Mark of Abad, Ana'))
  await screen.findByRole('button', { name: 'Fill in FA for Abad, Ana' })
})

test('each saving is a change of its own, and one whose answer was lost is sent again as the same, with what was typed since', async () => {
  let isLost = true
  const batchId = '01990000-0000-7000-8000-0000000000b1'
  const log = serve(({ method }) => {
    if (method !== 'PUT') return { body: {} }
    return isLost ? null : { body: { batchId, items: [], conflicts: [] } }
  })
  const list = { scheme: null, items: [item('11', 'Abad'), item('12', 'Blas')], leftOut: 0 }
  const { user } = openScreen(<MarksGrid term={term} list={list} isHere={() => false} />)
  const saved = () => log.filter(({ method }) => method === 'PUT')
  const save = async (count: number) => {
    await user.click(await screen.findByRole('button', { name: /^Save \d mark/ }))
    await waitFor(() => expect(saved()).toHaveLength(count))
  }

  await user.type(screen.getByLabelText('Mark of Abad, Ana'), '1.50')
  await save(1)
  isLost = false
  await user.type(screen.getByLabelText('Mark of Blas, Ana'), '2.00')
  await save(2)
  await save(3)
  const [lost, again, next] = saved().map(({ key }) => key)
  expect(lost).toMatch(/^[\w-]{8,128}$/)
  expect(again).toBe(lost)
  expect(next).toMatch(/^[\w-]{8,128}$/)
  expect(next).not.toBe(lost)
})
