import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, Link, RouterProvider } from 'react-router'
import type { FieldError } from '#shared/problem.ts'
import { SmallButton } from '#web/components/button.tsx'
import { TextField } from '#web/components/field.tsx'
import { Form, useEditForm } from '#web/components/form.tsx'
import { Toaster } from '#web/components/toaster.tsx'

/** A form of the administration with nothing of its own, for tests of what all of them have. */
interface Office {
  name: string
  room: string
  phone: string
}
export type OfficeOptions = Parameters<typeof useEditForm<Office, void>>[0]
export type OfficeField = keyof Office & string

export const stored: Office = { name: 'NSTP Office', room: '101', phone: '0917 555 0101' }
export const theirs: Office = { ...stored, phone: '0918 555 0202' }

/** Of the room, while it is prepared. */
export const wait = 'Please wait until the room is found.'

function problemsOf({ name, room }: Office): FieldError[] {
  const problems: FieldError[] = []
  if (name === '') problems.push({ path: 'name', message: 'Please enter a name.' })
  if (room === '') problems.push({ path: 'room', message: 'Please enter a room.' })
  return problems
}

function OfficeForm(options: Partial<OfficeOptions>) {
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
      <TextField
        label="Phone"
        name="phone"
        id="phone"
        value={form.values.phone}
        error={form.errorOf('phone')}
        onChange={({ target }) => form.set('phone', target.value)}
      />
      <button type="submit" aria-disabled={form.phase === 'sending'}>
        {form.phase === 'sending' ? 'Saving…' : 'Save'}
      </button>
      <p>{form.phase === 'saved' ? 'Saved.' : ''}</p>
      <SmallButton onClick={form.discard}>Discard</SmallButton>
      <SmallButton onClick={() => form.hold('room', wait)}>Find the room</SmallButton>
      <SmallButton onClick={() => form.hold('room', null)}>It is found</SmallButton>
    </Form>
  )
}

/** A screen whose record is read anew, as after a change elsewhere. */
function Screen(options: Partial<OfficeOptions>) {
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

export function openOffice(options: Partial<OfficeOptions> = {}) {
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

export const field = (label: string) => screen.getByRole<HTMLInputElement>('textbox', { name: label })
export const save = () => screen.getByRole('button', { name: /^Sav/ })

/** An answer that comes when the test lets it. */
export function waitForAnswer() {
  const gate: { open?: () => void } = {}
  const answer = new Promise<void>((resolve) => {
    gate.open = resolve
  })
  return { answer, come: () => gate.open?.() }
}
