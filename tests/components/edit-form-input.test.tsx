import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { connectionProblem, noSessionProblem } from '#web/lib/api-problem.ts'
import { endSession, resumeSession } from '#web/lib/session-end.ts'
import { field, type OfficeOptions, openOffice, save, waitForAnswer } from './office-form.tsx'

afterEach(cleanup)

describe('what was typed', () => {
  test('is asked about before it is lost, and is gone when that is confirmed', async () => {
    const { user } = openOffice()
    await user.type(field('Room'), '2')
    await user.click(screen.getByRole('link', { name: 'Another screen' }))
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(field('Room').value).toBe('1012')
    await user.click(screen.getByRole('link', { name: 'Another screen' }))
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    expect(await screen.findByRole('heading', { name: 'Another screen' })).toBeTruthy()
  })

  test('is asked about by the browser before a reload too, and nothing is when it is as it was', async () => {
    const { user } = openOffice()
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
    const send = vi
      .fn<OfficeOptions['send']>(() => Promise.resolve())
      .mockRejectedValueOnce(noSessionProblem())
    const { user } = openOffice({ send })
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

  test('is told to the screen around it when it begins and when it ends, also while it is sent', async () => {
    const onDirty = vi.fn<(isDirty: boolean) => void>()
    const { answer, come } = waitForAnswer()
    const { user } = openOffice({ send: () => answer, onDirty })
    expect(onDirty.mock.lastCall).toEqual([false])
    await user.type(field('Room'), '2')
    expect(onDirty.mock.lastCall).toEqual([true])
    await user.type(field('Room'), '{Backspace}')
    expect(onDirty.mock.lastCall).toEqual([false])

    await user.type(field('Room'), '2')
    await user.click(save())
    await user.type(field('Name'), ' 2')
    come()
    await waitFor(() => expect(save().textContent).toBe('Save'))
    expect(onDirty.mock.lastCall).toEqual([true])
    await user.type(field('Name'), '{Backspace}{Backspace}')
    expect(onDirty.mock.lastCall).toEqual([false])
  })

  test('is discarded down to what was saved last', async () => {
    const send = vi
      .fn<OfficeOptions['send']>(() => Promise.reject(connectionProblem(undefined)))
      .mockResolvedValueOnce()
    const { user } = openOffice({ send })
    await user.type(field('Room'), '2')
    await user.click(save())
    expect(await screen.findByText('Saved.')).toBeTruthy()
    await user.type(field('Room'), '3')
    await user.click(save())
    expect(await screen.findByText(connectionProblem(undefined).message)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(field('Room').value).toBe('1012')
    expect(screen.queryByText(connectionProblem(undefined).message)).toBeNull()
    await user.click(screen.getByRole('link', { name: 'Another screen' }))
    expect(await screen.findByRole('heading', { name: 'Another screen' })).toBeTruthy()
  })
})
