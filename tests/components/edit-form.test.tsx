import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, Link, RouterProvider } from 'react-router'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { FieldError } from '#shared/problem.ts'
import { TextField } from '#web/components/field.tsx'
import { Form, useEditForm } from '#web/components/form.tsx'
import { Toaster } from '#web/components/toaster.tsx'
import { ApiProblem, connectionProblem, noSessionProblem } from '#web/lib/api-problem.ts'
import { endSession, resumeSession } from '#web/lib/session-end.ts'

interface Office {
  name: string
  room: string
  phone: string
}
type Options = Parameters<typeof useEditForm<Office, void>>[0]

const stored: Office = { name: 'NSTP Office', room: '101', phone: '0917 555 0101' }
const theirs: Office = { ...stored, phone: '0918 555 0202' }
const conflict = new ApiProblem({
  title: '',
  status: 409,
  detail: 'It was changed meanwhile.',
  code: 'conflict',
})

function problemsOf({ name, room }: Office): FieldError[] {
  const problems: FieldError[] = []
  if (name === '') problems.push({ path: 'name', message: 'Please enter a name.' })
  if (room === '') problems.push({ path: 'room', message: 'Please enter a room.' })
  return problems
}

function OfficeForm(options: Partial<Options>) {
  const form = useEditForm<Office, void>({
    values: stored,
    problemsOf,
    send: () => Promise.resolve(),
    ...options,
  })
  return (
    <Form form={form} label="Office" closesTo={(next) => next.pathname === '/list'}>
      <TextField label="Name" {...form.field('name')} id="name" />
      <TextField label="Room" {...form.field('room')} id="room" />
      <TextField label="Phone" {...form.field('phone')} id="phone" />
      <button type="submit" aria-disabled={form.phase === 'sending'}>
        {form.phase === 'sending' ? 'Saving…' : 'Save'}
      </button>
      <p>{form.phase === 'saved' ? 'Saved.' : ''}</p>
    </Form>
  )
}

/** A screen whose record is read anew, as after a change elsewhere. */
function Screen(options: Partial<Options>) {
  const [isChanged, setChanged] = useState(false)
  const { record } = options
  return (
    <>
      <OfficeForm
        {...options}
        {...(isChanged && record && { values: theirs, record: { ...record, version: 4 } })}
      />
      <button type="button" onClick={() => setChanged(true)}>
        A change comes
      </button>
    </>
  )
}

function open(options: Partial<Options> = {}) {
  const routes = [
    {
      path: '/',
      element: (
        <>
          <Screen {...options} />
          <Link to="/list">Back to the list</Link>
          <Link to="/other">Another screen</Link>
          <Toaster />
        </>
      ),
    },
    { path: '/list', element: <h1>The list</h1> },
    { path: '/other', element: <h1>Another screen</h1> },
  ]
  const router = createMemoryRouter(routes)
  const shown = render(<RouterProvider router={router} />)
  return { ...shown, user: userEvent.setup(), router }
}

const field = (label: string) => screen.getByRole<HTMLInputElement>('textbox', { name: label })
const save = () => screen.getByRole('button', { name: /^Sav/ })

/** An answer that comes when the test lets it. */
function waitForAnswer() {
  const gate: { open?: () => void } = {}
  const answer = new Promise<void>((resolve) => {
    gate.open = resolve
  })
  return { answer, come: () => gate.open?.() }
}

afterEach(cleanup)

describe('an answer that does not hold', () => {
  test('has its sentence beside it after a press, the first one has the focus, and nothing is sent', async () => {
    const send = vi.fn<Options['send']>()
    const { user } = open({ send })
    await user.clear(field('Room'))
    await user.clear(field('Name'))
    expect(screen.queryByText('Please enter a name.')).toBeNull()
    await user.click(save())
    expect(screen.getByText('Please enter a name.')).toBeTruthy()
    expect(screen.getByText('Please enter a room.')).toBeTruthy()
    expect(document.activeElement).toBe(field('Name'))
    expect(field('Name').getAttribute('aria-describedby')).toBe('name-error')
    expect(field('Name').getAttribute('aria-invalid')).toBe('true')
    expect(send).not.toHaveBeenCalled()
  })

  test('loses its sentence as soon as it holds', async () => {
    const { user } = open()
    await user.clear(field('Name'))
    await user.click(save())
    await user.type(field('Name'), 'N')
    expect(screen.queryByText('Please enter a name.')).toBeNull()
  })

  test('of the server stands beside its field until that changes; another path stands above the form', async () => {
    const errors = [{ path: 'room', message: 'This room is taken.' }]
    const refused = new ApiProblem({
      title: '',
      status: 422,
      detail: 'Please check.',
      code: 'invalid',
      errors,
    })
    const { user } = open({ send: () => Promise.reject(refused) })
    await user.type(field('Room'), '2')
    await user.click(save())
    expect(await screen.findByText('This room is taken.')).toBeTruthy()
    expect(document.activeElement).toBe(field('Room'))
    expect(screen.queryByText('Please check.')).toBeNull()
    await user.type(field('Name'), '!')
    expect(screen.getByText('This room is taken.')).toBeTruthy()
    await user.type(field('Room'), '3')
    await waitFor(() => expect(screen.queryByText('This room is taken.')).toBeNull())

    cleanup()
    const unknown = { ...refused.problem, errors: [{ path: 'unknown', message: 'Unknown.' }] }
    const other = open({ send: () => Promise.reject(new ApiProblem(unknown)) })
    await other.user.click(save())
    expect(await screen.findByText('Please check.')).toBeTruthy()
  })
})

describe('while it is sent', () => {
  test('a second press sends nothing, and what is typed meanwhile stays, unsaved', async () => {
    const { answer, come } = waitForAnswer()
    const send = vi.fn<Options['send']>(() => answer)
    const { user } = open({ send })
    await user.type(field('Room'), '2')
    await user.dblClick(save())
    expect(save().textContent).toBe('Saving…')
    expect(save().getAttribute('aria-disabled')).toBe('true')
    await user.type(field('Name'), ' 2')
    come()
    await waitFor(() => expect(save().textContent).toBe('Save'))
    expect(send).toHaveBeenCalledTimes(1)
    expect(send.mock.calls[0]?.[0]).toMatchObject({ room: '1012', name: 'NSTP Office' })
    expect(field('Name').value).toBe('NSTP Office 2')
    await user.click(screen.getByRole('link', { name: 'Another screen' }))
    expect(await screen.findByText('Discard your changes?')).toBeTruthy()
  })

  test('a page that is left is left once it is saved; its own list has no second step back', async () => {
    for (const [link, heading] of [
      ['Another screen', 'Another screen'],
      ['Back to the list', undefined],
    ] as const) {
      const { answer, come } = waitForAnswer()
      const { user } = open({ send: () => answer })
      await user.type(field('Room'), '2')
      await user.click(save())
      await user.click(screen.getByRole('link', { name: link }))
      expect(await screen.findByText('Discard your changes?')).toBeTruthy()
      come()
      if (heading) expect(await screen.findByRole('heading', { name: heading })).toBeTruthy()
      else await waitFor(() => expect(screen.queryByText('Discard your changes?')).toBeNull())
      if (!heading) expect(field('Room').value).toBe('1012')
      cleanup()
    }
  })

  test('a form that fails keeps what was typed, says why, and is sent again by the next press', async () => {
    const send = vi
      .fn<Options['send']>(() => Promise.resolve())
      .mockRejectedValueOnce(connectionProblem(undefined))
    const { user } = open({ send, failed: 'The office was not saved. ' })
    await user.type(field('Room'), '2')
    await user.click(save())
    expect(await screen.findByText(/^The office was not saved\. .+/)).toBeTruthy()
    expect(field('Room').value).toBe('1012')
    await user.click(save())
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(screen.queryByText(/^The office was not saved/)).toBeNull()
    expect(send).toHaveBeenCalledTimes(2)
  })
})

describe('what was typed', () => {
  test('is asked about before it is lost, and is gone when that is confirmed', async () => {
    const { user } = open()
    await user.type(field('Room'), '2')
    await user.click(screen.getByRole('link', { name: 'Another screen' }))
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(field('Room').value).toBe('1012')
    await user.click(screen.getByRole('link', { name: 'Another screen' }))
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    expect(await screen.findByRole('heading', { name: 'Another screen' })).toBeTruthy()
  })

  test('is asked about by the browser before a reload too, and nothing is when it is as it was', async () => {
    const { user } = open()
    const leaves = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(leaves()).toBe(true)
    await user.type(field('Room'), '2')
    expect(leaves()).toBe(false)
    await user.type(field('Room'), '{Backspace}')
    expect(leaves()).toBe(true)
    await user.click(screen.getByRole('link', { name: 'Another screen' }))
    expect(await screen.findByRole('heading', { name: 'Another screen' })).toBeTruthy()
  })

  test('stays when the session ends, and is saved after signing in again elsewhere', async () => {
    const send = vi.fn<Options['send']>(() => Promise.resolve()).mockRejectedValueOnce(noSessionProblem())
    const { user } = open({ send })
    await user.type(field('Room'), '2')
    expect(endSession(noSessionProblem())).toBe(false)
    expect(
      await screen.findByText(
        'Your session has ended. Sign in in another tab, then save here. Your changes stay on this page.',
      ),
    ).toBeTruthy()
    await user.click(save())
    expect(field('Room').value).toBe('1012')
    resumeSession()
    await user.click(save())
    expect(await screen.findByText('Saved.')).toBeTruthy()
  })
})

describe('another change of the record meanwhile', () => {
  const record = (now: Office) => ({
    what: 'office',
    version: 3,
    read: async () => ({ values: now, version: 4 }),
    labelOf: (name: keyof Office & string) => ({ name: 'Name', room: 'Room', phone: 'Phone' })[name],
  })
  /** As the server: an old version is refused. */
  const sendVersion = () =>
    vi.fn<Options['send']>(async (_values, { version }) => {
      if (version < 4) throw conflict
    })

  test('of other fields is shown and combined, and the next press saves both', async () => {
    const send = sendVersion()
    const { user } = open({ send, record: record(theirs) })
    await user.type(field('Room'), '2')
    await user.click(save())
    const shown = await screen.findByRole('region', { name: 'Conflicting changes' })
    expect(shown.textContent).toContain('This office was changed while you were editing it.')
    expect(document.activeElement).toBe(shown)
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
      const { user } = open({ send, record: record(theirs) })
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
    const { user } = open({ send, record: record({ ...stored, room: '1012' }) })
    await user.type(field('Room'), '2')
    await user.click(save())
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Conflicting changes' })).toBeNull()
  })

  test('that can not be read keeps what was typed and says so', async () => {
    const unread = { ...record(theirs), read: () => Promise.reject(connectionProblem(undefined)) }
    const { user } = open({ send: sendVersion(), record: unread })
    await user.type(field('Room'), '2')
    await user.click(save())
    expect(await screen.findByText(connectionProblem(undefined).message)).toBeTruthy()
    expect(field('Room').value).toBe('1012')
  })

  test.each(['', '2'])('is followed by a form unless something is typed (%j)', async (typed) => {
    const { user } = open({ record: record(theirs) })
    if (typed) await user.type(field('Room'), typed)
    await user.click(screen.getByRole('button', { name: 'A change comes' }))
    expect(field('Phone').value).toBe(typed ? '0917 555 0101' : '0918 555 0202')
    expect(field('Room').value).toBe(`101${typed}`)
  })
})
