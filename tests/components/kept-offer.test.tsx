import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { KeptOffer } from '#web/features/registration/kept-offer.tsx'
import type { DraftOffer } from '#web/features/registration/use-draft.ts'

afterEach(cleanup)

// 10:12 on this computer.
const typedAt = new Date(2026, 10, 20, 10, 12).getTime()
const goOn = /^Go on with answers typed here at 10:12\sAM$/

const waiting = { startedAt: typedAt, idempotencyKey: 'a-key', values: {}, asksNumber: false }

function show(offer: Partial<DraftOffer>, refusal?: string) {
  const open = vi.fn<(birthDate: string) => Promise<boolean>>(async (birthDate) => birthDate === '2007-05-14')
  const onStartAnew = vi.fn<() => void>()
  const whole = { waiting: undefined, keptAt: undefined, ...offer }
  render(<KeptOffer offer={whole} refusal={refusal} open={open} onStartAnew={onStartAnew} />)
  return { open, onStartAnew }
}

const button = (name: string | RegExp) => screen.getByRole('button', { name })

test('kept answers are asked for by their birth date, and a wrong one is said', async () => {
  const { open } = show({ keptAt: typedAt })
  fireEvent.click(button(goOn))
  expect(document.activeElement).toBe(screen.getByLabelText('Month'))
  fireEvent.change(screen.getByLabelText('Month'), { target: { value: '5' } })
  fireEvent.change(screen.getByLabelText('Day'), { target: { value: '15' } })
  fireEvent.change(screen.getByLabelText('Year'), { target: { value: '2007' } })
  fireEvent.click(button('Show the answers'))
  await screen.findByText('No answers on this device are of a student with this birth date.')
  expect(open).toHaveBeenLastCalledWith('2007-05-15')
  fireEvent.change(screen.getByLabelText('Day'), { target: { value: '14' } })
  fireEvent.click(button('Show the answers'))
  await vi.waitFor(() => expect(screen.queryByText(/^No answers on this device/)).toBeNull())
  expect(open).toHaveBeenLastCalledWith('2007-05-14')
})

test('kept answers may be deleted, and an enlistment that waits may not', () => {
  const { onStartAnew } = show({ keptAt: typedAt })
  fireEvent.click(button('Start anew'))
  expect(onStartAnew).toHaveBeenCalledOnce()
  cleanup()
  show({ waiting })
  expect(screen.queryByRole('button', { name: 'Start anew' })).toBeNull()
  expect(button('Show the enlistment that waits')).toBeDefined()
})

test.each([
  [false, undefined, /^An enlistment submitted here at 10:12\sAM is not sent yet\. This page sends it/],
  [true, undefined, /^An enlistment submitted here at 10:12\sAM is not sent yet\. Its student must type/],
  [false, 'Full.', /^An enlistment submitted here at 10:12\sAM was not accepted: Full\.$/],
])(
  'an enlistment that waits says why it is not sent (number needed: %s, refused: %s)',
  (asksNumber, refusal, said) => {
    show({ waiting: { ...waiting, asksNumber } }, refusal)
    expect(screen.getByRole('status').textContent).toMatch(said)
  },
)
