import { act, cleanup, fireEvent, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readDraft, readKept } from '#web/features/registration/draft-key.ts'
import { valuesOf } from '#web/features/registration/form-values.ts'
import { createKeptCopy } from '#web/features/registration/kept-copy.ts'
import { draftOf, keepWaiting, useDraft } from '#web/features/registration/use-draft.ts'

const born = { birthMonth: '5', birthDay: '14', birthYear: '2007' }
const onWaiting = vi.fn<() => void>()

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  onWaiting.mockReset()
  document.body.innerHTML = `<form>
    <input type="hidden" name="idempotencyKey" value="key-of-this-form">
    ${['lastName', 'middleName', 'birthMonth', 'birthDay', 'birthYear'].map((name) => `<input name="${name}">`).join('')}
    <input type="radio" name="nstpComponent" value="CWTS"><input type="radio" name="nstpComponent" value="ROTC">
    <input type="checkbox" name="consent" value="true">
  </form>`
})
afterEach(cleanup)

const formOf = () => document.querySelector('form') ?? document.createElement('form')
const typed = () => valuesOf(new FormData(formOf()))

function openForm(canRestore = true) {
  const form = { current: formOf() }
  const nothing = () => undefined
  return renderHook(() => useDraft({ form, canRestore, onRestored: nothing, onWaiting, onLeave: nothing }))
    .result
}

function type(name: string, value: string) {
  const control = formOf().elements.namedItem(name)
  if (control instanceof HTMLInputElement) fireEvent.input(control, { target: { value } })
}

const submitted = { ...valuesOf(new FormData()), ...born, lastName: 'Dela Cruz', consent: 'true' }
const keep = (startedAt = Date.now()) =>
  createKeptCopy().save('2007-05-14', draftOf('tab', { ...born, lastName: 'Dela Cruz' }, 'a-key', startedAt))

test.each([true, false])(
  'opened answers replace those of another student (waiting: %s)',
  async (isWaiting) => {
    if (isWaiting) keepWaiting(submitted, 'a-key')
    else await keep()
    const draft = openForm()
    type('lastName', 'Macaraeg')
    type('middleName', 'Reyes')
    fireEvent.click(document.querySelector('[value="ROTC"]') ?? formOf())
    await act(async () => expect(await draft.current.open('2007-05-14')).toBe(true))
    expect(typed()).toMatchObject({ lastName: 'Dela Cruz', middleName: '', nstpComponent: '' })
    // The second one says that the form had answers.
    expect(onWaiting.mock.calls.map((given: unknown[]) => given[1])).toEqual(isWaiting ? [true] : [])
  },
)

test('opened answers also replace those that a refused form came with', async () => {
  keepWaiting(submitted, 'a-key')
  document.querySelector('[name="middleName"]')?.setAttribute('value', 'Reyes')
  document.querySelector('[value="ROTC"]')?.toggleAttribute('checked', true)
  const draft = openForm(false)
  await act(async () => void (await draft.current.open('2007-05-14')))
  expect(typed()).toMatchObject({ lastName: 'Dela Cruz', middleName: '', nstpComponent: '', consent: 'true' })
})

test('opening kept answers leaves the enlistment that waits on offer, and it stays the same', async () => {
  keepWaiting({ ...submitted, birthYear: '2006' }, 'another-key')
  await keep()
  const draft = openForm()
  const waiting = draft.current.offer?.waiting
  await act(async () => void (await draft.current.open('2007-05-14')))
  expect(draft.current.offer?.keptAt).toBeUndefined()
  expect(draft.current.offer?.waiting).toBe(waiting)
})

test('what this form has replaced is no longer on offer', async () => {
  await keep()
  const draft = openForm()
  type('lastName', 'Macaraeg')
  act(() => draft.current.noteInput())
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(draft.current.offer?.keptAt).toBeDefined()
  for (const [name, value] of Object.entries({ ...born, birthYear: '2008' })) type(name, value)
  act(() => draft.current.noteInput())
  await expect.poll(() => draft.current.offer).toBeUndefined()
})

test('leaving the page does not make answers newer', async () => {
  const startedAt = Date.now() - 600_000
  await keep(startedAt)
  const draft = openForm()
  await act(async () => void (await draft.current.open('2007-05-14')))
  act(() => void window.dispatchEvent(new Event('pagehide')))
  expect(readDraft('tab')?.startedAt).toBe(startedAt)
  act(() => draft.current.noteInput())
  act(() => void window.dispatchEvent(new Event('pagehide')))
  expect(readDraft('tab')?.startedAt).toBeGreaterThan(startedAt)
})

test('"Start anew" deletes what is kept, and what is typed then is kept', async () => {
  await keep()
  const draft = openForm()
  act(() => draft.current.startAnew())
  expect([readKept(), draft.current.offer]).toEqual([undefined, undefined])
  for (const [name, value] of Object.entries({ ...born, lastName: 'Macaraeg' })) type(name, value)
  act(() => draft.current.noteInput())
  await expect.poll(readKept).toBeDefined()
})
