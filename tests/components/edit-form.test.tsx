import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiProblem, connectionProblem } from '#web/lib/api-problem.ts'
import { field, type OfficeOptions, openOffice, save, stored, wait, waitForAnswer } from './office-form.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('an answer that does not hold', () => {
  test('has its sentence beside it after a press, the first one has the focus, and nothing is sent', async () => {
    const send = vi.fn<OfficeOptions['send']>()
    const { user } = openOffice({ send })
    await user.clear(field('Room'))
    await user.clear(field('Name'))
    expect(screen.queryByText('Please enter a name.')).toBeNull()
    await user.click(save())
    await waitFor(() => expect(document.activeElement).toBe(field('Name')))
    expect(screen.getByText('Please enter a name.')).toBeTruthy()
    expect(screen.getByText('Please enter a room.')).toBeTruthy()
    expect(field('Name').getAttribute('aria-describedby')).toBe('name-error')
    expect(field('Name').getAttribute('aria-invalid')).toBe('true')
    expect(send).not.toHaveBeenCalled()
  })

  test('loses its sentence as soon as it holds', async () => {
    const { user } = openOffice()
    await user.clear(field('Name'))
    await user.click(save())
    expect(await screen.findByText('Please enter a name.')).toBeTruthy()
    await user.type(field('Name'), 'N')
    await waitFor(() => expect(screen.queryByText('Please enter a name.')).toBeNull())
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
    const { user } = openOffice({ send: () => Promise.reject(refused) })
    await user.type(field('Room'), '2')
    await user.click(save())
    expect(await screen.findByText('This room is taken.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(field('Room')))
    expect(screen.queryByText('Please check.')).toBeNull()
    await user.type(field('Name'), '!')
    expect(screen.getByText('This room is taken.')).toBeTruthy()
    await user.type(field('Room'), '3')
    await waitFor(() => expect(screen.queryByText('This room is taken.')).toBeNull())

    cleanup()
    const unknown = { ...refused.problem, errors: [{ path: 'unknown', message: 'Unknown.' }] }
    const other = openOffice({ send: () => Promise.reject(new ApiProblem(unknown)) })
    await other.user.click(save())
    expect(await screen.findByText('Please check.')).toBeTruthy()
  })
})

describe('while it is sent', () => {
  test('a second press sends nothing, and what is typed meanwhile stays, unsaved', async () => {
    const { answer, come } = waitForAnswer()
    const send = vi.fn<OfficeOptions['send']>(() => answer)
    const { user } = openOffice({ send })
    await user.type(field('Room'), '2')
    // Both before the next render.
    act(() => {
      save().click()
      save().click()
    })
    await waitFor(() => expect(save().textContent).toBe('Saving…'))
    await user.click(save())
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
      const { user } = openOffice({ send: () => answer })
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
      .fn<OfficeOptions['send']>(() => Promise.resolve())
      .mockRejectedValueOnce(connectionProblem(undefined))
    const { user } = openOffice({ send, whatFailed: 'The office was not saved' })
    await user.type(field('Room'), '2')
    await user.click(save())
    expect(await screen.findByText(/^The office was not saved: .+/)).toBeTruthy()
    expect(field('Room').value).toBe('1012')
    await user.click(save())
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(screen.queryByText(/^The office was not saved/)).toBeNull()
    expect(send).toHaveBeenCalledTimes(2)
  })
})

describe('a form that closes once it is saved', () => {
  test('shows that it is saved for its time, and closes once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const now = vi.fn()
    const { answer, come } = waitForAnswer()
    openOffice({ close: { after: 2_000, now }, send: () => answer })
    await act(async () => save().click())
    vi.advanceTimersByTime(10_000)
    expect(now).not.toHaveBeenCalled()
    await act(async () => come())
    expect(screen.getByText('Saved.')).toBeTruthy()
    vi.advanceTimersByTime(1_999)
    expect(now).not.toHaveBeenCalled()
    vi.advanceTimersByTime(10_000)
    expect(now).toHaveBeenCalledTimes(1)
  })

  test('stays open where saving fails', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const now = vi.fn()
    openOffice({ close: { after: 2_000, now }, send: () => Promise.reject(connectionProblem(undefined)) })
    await act(async () => save().click())
    expect(screen.getByText(connectionProblem(undefined).message)).toBeTruthy()
    vi.advanceTimersByTime(10_000)
    expect(now).not.toHaveBeenCalled()
  })

  test('takes nothing while it is sent: it would be lost with it', async () => {
    for (const [close, expected] of [
      [{ after: 2_000, now: () => undefined }, stored.phone],
      [undefined, '0919'],
    ] as const) {
      const { answer, come } = waitForAnswer()
      openOffice({ send: () => answer, ...(close && { close }) })
      await act(async () => save().click())
      fireEvent.change(field('Phone'), { target: { value: '0919' } })
      expect(field('Phone').value).toBe(expected)
      await act(async () => come())
      cleanup()
    }
  })
})

test('nothing is sent while a value is prepared, and its sentence goes when it is there', async () => {
  const send = vi.fn<OfficeOptions['send']>(() => Promise.resolve())
  const { user } = openOffice({ send })
  await user.click(screen.getByRole('button', { name: 'Find the room' }))
  expect(screen.queryByText(wait)).toBeNull()
  await user.click(save())
  expect(await screen.findByText(wait)).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(field('Room')))
  await user.click(screen.getByRole('button', { name: 'It is found' }))
  await waitFor(() => expect(screen.queryByText(wait)).toBeNull())
  expect(send).not.toHaveBeenCalled()
  await user.click(save())
  expect(await screen.findByText('Saved.')).toBeTruthy()
})

test('a question comes only before what can be sent, and "no" sends nothing', async () => {
  const send = vi.fn<OfficeOptions['send']>(() => Promise.resolve())
  const confirm = vi.fn<() => Promise<boolean>>().mockResolvedValueOnce(false).mockResolvedValueOnce(true)
  const { user } = openOffice({ send, confirm })
  await user.clear(field('Room'))
  await user.click(save())
  expect(await screen.findByText('Please enter a room.')).toBeTruthy()
  expect(confirm).not.toHaveBeenCalled()

  await user.type(field('Room'), '102')
  await user.click(save())
  await waitFor(() => expect(confirm).toHaveBeenCalledTimes(1))
  await waitFor(() => expect(save().textContent).toBe('Save'))
  expect(send).not.toHaveBeenCalled()
  expect(screen.queryByText('Saved.')).toBeNull()
  expect(field('Room').value).toBe('102')

  await user.click(save())
  expect(await screen.findByText('Saved.')).toBeTruthy()
  expect(send).toHaveBeenCalledTimes(1)
})
