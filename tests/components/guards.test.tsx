import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, Link, RouterProvider } from 'react-router'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { UnsavedGuard } from '#web/components/unsaved-prompt.tsx'
import { connectionProblem } from '#web/lib/api-problem.ts'

afterEach(cleanup)

const button = (name: string) => screen.getByRole('button', { name })
const question = () => screen.queryByRole('dialog')
const isClosed = () => waitFor(() => expect(question()).toBeNull())

/** Moves that are saved somewhere else, as those of the chart. */
function Moves({ closesTo }: { closesTo?: (path: string) => boolean }) {
  const [isUnsaved, setUnsaved] = useState(false)
  return (
    <>
      <h1>Moves</h1>
      <button type="button" onClick={() => setUnsaved(true)}>
        Move
      </button>
      <button type="button" onClick={() => setUnsaved(false)}>
        Saved
      </button>
      <Link to="/moves?view=chart">Another view</Link>
      <Link to="/list">List</Link>
      <UnsavedGuard
        isUnsaved={isUnsaved}
        staysOpen={({ pathname }) => pathname === '/moves'}
        closesTo={closesTo && (({ pathname }) => closesTo(pathname))}
      />
    </>
  )
}

interface Answer {
  isPossible?: boolean
  remove: () => Promise<void>
}

/** A slide that is deleted by the server, after a question. */
function Slide({ remove, isPossible }: Answer) {
  const [asked, setAsked] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  async function confirm() {
    setPending(true)
    await remove().then(
      () => setAsked(null),
      (reason: unknown) => setError(reason instanceof Error ? reason : null),
    )
    setPending(false)
  }
  return (
    <>
      <button type="button" onClick={() => setAsked('Flag raising')}>
        Delete it
      </button>
      <QuestionModal
        title="Delete slide"
        thing={asked}
        action={{ isPending, error, reset: () => setError(null) }}
        {...(isPossible !== undefined && { isPossible })}
        onConfirm={() => void confirm()}
        onClose={() => setAsked(null)}
      >
        {(title) => <p>Delete “{title}”?</p>}
      </QuestionModal>
    </>
  )
}

describe('the question before input is lost', () => {
  function open(closesTo?: (path: string) => boolean) {
    const routes = [
      { path: '/moves', element: <Moves {...(closesTo && { closesTo })} /> },
      { path: '/list', element: <h1>The list</h1> },
    ]
    const router = createMemoryRouter(routes, { initialEntries: ['/list', '/moves'] })
    render(<RouterProvider router={router} />)
    const visit = (name: string) => userEvent.click(screen.getByRole('link', { name, hidden: true }))
    return { router, visit, path: () => router.state.location.pathname + router.state.location.search }
  }

  test('comes before another page, not before another view of this one, and not without input', async () => {
    const { visit, path } = open()
    await userEvent.click(button('Move'))
    await visit('Another view')
    expect(path()).toBe('/moves?view=chart')
    expect(question()).toBeNull()
    await visit('List')
    expect(await screen.findByText('You have unsaved changes.')).toBeTruthy()
    await userEvent.click(button('Keep editing'))
    await isClosed()
    expect(path()).toBe('/moves?view=chart')
    await userEvent.click(button('Saved'))
    await visit('List')
    expect(path()).toBe('/list')
  })

  test('comes before Back too, and Discard leads there', async () => {
    const { router, path } = open()
    await userEvent.click(button('Move'))
    await act(() => router.navigate(-1))
    expect(path()).toBe('/moves')
    await userEvent.click(await screen.findByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(path()).toBe('/list'))
  })

  test('is answered by Escape as by Keep editing', async () => {
    const { visit, path } = open()
    await userEvent.click(button('Move'))
    await visit('List')
    await screen.findByText('You have unsaved changes.')
    await userEvent.keyboard('{Escape}')
    await isClosed()
    expect(path()).toBe('/moves')
  })

  test.each([
    { closesTo: () => false, expected: '/list' },
    // Its own form leads there: one step back is enough.
    { closesTo: (path: string) => path === '/list', expected: '/moves' },
  ])('goes once all is saved, and leads to $expected', async ({ closesTo, expected }) => {
    const { visit, path } = open(closesTo)
    await userEvent.click(button('Move'))
    await visit('List')
    await screen.findByText('You have unsaved changes.')
    await act(async () => screen.getByRole('button', { name: 'Saved', hidden: true }).click())
    await isClosed()
    expect(path()).toBe(expected)
  })
})

describe('a question with two answers', () => {
  async function ask(answer: Answer) {
    const user = userEvent.setup()
    render(<Slide {...answer} />)
    await user.click(button('Delete it'))
    expect((await screen.findByRole('dialog', { name: 'Delete slide' })).textContent).toContain(
      'Flag raising',
    )
    return user
  }

  test.each(['Cancel', 'Close', 'Escape'])('%s does nothing, and gives the focus back', async (way) => {
    const remove = vi.fn<Answer['remove']>()
    const user = await ask({ remove })
    if (way === 'Escape') await user.keyboard('{Escape}')
    else await user.click(button(way))
    await isClosed()
    await waitFor(() => expect(document.activeElement).toBe(button('Delete it')))
    expect(remove).not.toHaveBeenCalled()
  })

  test('while it is done, it is neither done twice nor closed', async () => {
    const gate: { open?: () => void } = {}
    const remove = vi.fn<Answer['remove']>(
      () =>
        new Promise((resolve) => {
          gate.open = resolve
        }),
    )
    const user = await ask({ remove })
    await user.click(button('Delete'))
    expect(button('Deleting…').getAttribute('aria-disabled')).toBe('true')
    await user.click(button('Deleting…'))
    await user.click(button('Cancel'))
    await user.keyboard('{Escape}')
    expect(remove).toHaveBeenCalledTimes(1)
    expect(question()).not.toBeNull()
    await act(async () => gate.open?.())
    await isClosed()
  })

  test('a failure is said in it, and is forgotten when it closes', async () => {
    const remove = vi
      .fn<Answer['remove']>(() => Promise.resolve())
      .mockRejectedValueOnce(connectionProblem(undefined))
    const user = await ask({ remove })
    await user.click(button('Delete'))
    expect((await screen.findByRole('alert')).textContent).toContain(connectionProblem(undefined).message)
    await user.click(button('Cancel'))
    await isClosed()
    await user.click(button('Delete it'))
    await screen.findByRole('dialog')
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(button('Delete'))
    await isClosed()
    expect(remove).toHaveBeenCalledTimes(2)
  })

  test('what is not possible has only the way back', async () => {
    const remove = vi.fn<Answer['remove']>()
    const user = await ask({ remove, isPossible: false })
    expect(button('Delete').getAttribute('aria-disabled')).toBe('true')
    await user.click(button('Delete'))
    expect(remove).not.toHaveBeenCalled()
    await user.click(button('Cancel'))
    await isClosed()
  })
})
