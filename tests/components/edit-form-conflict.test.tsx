import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiProblem, connectionProblem } from '#web/lib/api-problem.ts'
import {
  field,
  type OfficeField,
  type OfficeOptions,
  openOffice,
  save,
  stored,
  theirs,
} from './office-form.tsx'

const conflict = new ApiProblem({
  title: '',
  status: 409,
  detail: 'It was changed meanwhile.',
  code: 'conflict',
})

afterEach(cleanup)

describe('another change of the record meanwhile', () => {
  const record = (now: typeof stored) => ({
    what: 'office',
    version: 3,
    read: async () => ({ values: now, version: 4 }),
    labelOf: (name: OfficeField) => ({ name: 'Name', room: 'Room', phone: 'Phone' })[name],
  })
  /** As the server: an old version is refused. */
  const sendVersion = () =>
    vi.fn<OfficeOptions['send']>(async (_values, { version }) => {
      if (version < 4) throw conflict
    })

  test('of other fields is shown and combined, and the next press saves both', async () => {
    const send = sendVersion()
    const { user } = openOffice({ send, record: record(theirs) })
    await user.type(field('Room'), '2')
    await user.click(save())
    const shown = await screen.findByRole('region', { name: 'Conflicting changes' })
    expect(shown.textContent).toContain('This office was changed while you were editing it.')
    await waitFor(() => expect(document.activeElement).toBe(shown))
    expect(field('Phone').value).toBe('0918 555 0202')
    expect(field('Room').value).toBe('1012')
    await user.click(save())
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(send).toHaveBeenCalledTimes(2)
    const [values, context] = send.mock.lastCall ?? []
    expect(values).toEqual({ ...theirs, room: '1012' })
    expect(context).toMatchObject({ version: 4, changed: ['room'] })
  })

  test('of the same field needs a choice, and either version can be saved', async () => {
    for (const [choice, saved] of [
      [/Their change/, '0918 555 0202'],
      [/Your change/, '0919'],
    ] as const) {
      const send = sendVersion()
      const { user } = openOffice({ send, record: record(theirs) })
      await user.clear(field('Phone'))
      await user.type(field('Phone'), '0919')
      await user.click(save())
      await screen.findByRole('region', { name: 'Conflicting changes' })
      await user.click(save())
      expect(await screen.findByText('Please choose a value.')).toBeTruthy()
      expect(send).toHaveBeenCalledTimes(1)
      await user.click(screen.getByRole('radio', { name: choice }))
      expect(field('Phone').value).toBe(saved)
      await user.click(save())
      expect(await screen.findByText('Saved.')).toBeTruthy()
      expect(send.mock.lastCall?.[0].phone).toBe(saved)
      cleanup()
    }
  })

  test('that is the same as this one is saved without a question', async () => {
    const send = sendVersion()
    const { user } = openOffice({ send, record: record({ ...stored, room: '1012' }) })
    await user.type(field('Room'), '2')
    await user.click(save())
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Conflicting changes' })).toBeNull()
  })

  test('that can not be read keeps what was typed and says so', async () => {
    const unread = { ...record(theirs), read: () => Promise.reject(connectionProblem(undefined)) }
    const { user } = openOffice({ send: sendVersion(), record: unread })
    await user.type(field('Room'), '2')
    await user.click(save())
    expect(await screen.findByText(connectionProblem(undefined).message)).toBeTruthy()
    expect(field('Room').value).toBe('1012')
  })

  test.each(['', '2'])('is followed by a form unless something is typed (%j)', async (typed) => {
    const { user } = openOffice({ record: record(theirs) })
    if (typed) await user.type(field('Room'), typed)
    await user.click(screen.getByRole('button', { name: 'A change comes' }))
    await waitFor(() => expect(field('Phone').value).toBe(typed ? '0917 555 0101' : '0918 555 0202'))
    expect(field('Room').value).toBe(`101${typed}`)
  })
})
