import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { KeptOffer } from '#web/features/registration/kept-offer.tsx'
import type { DraftOffer } from '#web/features/registration/use-draft.ts'
import type { Outcome } from '#web/features/registration/use-waiting.ts'

afterEach(cleanup)

// 10:12 on this computer.
const typedAt = new Date(2026, 10, 20, 10, 12).getTime()
const goOn = /^Go on with answers typed here at 10:12\sAM$/

const waiting = { startedAt: typedAt, idempotencyKey: 'a-key', values: {}, asksNumber: false }

function show(offer: Partial<DraftOffer>, outcome?: Outcome) {
  const open = vi.fn<(birthDate: string) => Promise<boolean>>(async (birthDate) => birthDate === '2007-05-14')
  const onStartAnew = vi.fn<() => void>()
  const whole = { waiting: undefined, keptAt: undefined, ...offer }
  render(<KeptOffer offer={whole} outcome={outcome} open={open} onStartAnew={onStartAnew} />)
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
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Month')))
  expect(screen.getByLabelText('Year').getAttribute('aria-invalid')).toBe('true')
  expect(button('Show the answers').hasAttribute('disabled')).toBe(false)
  fireEvent.change(screen.getByLabelText('Day'), { target: { value: '14' } })
  fireEvent.click(button('Show the answers'))
  await vi.waitFor(() => expect(screen.queryByText(/^No answers on this device/)).toBeNull())
  expect(screen.queryByLabelText('Month')).toBeNull()
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

const receipt = {
  id: 'an-id',
  reference: 'NSTP-2026-0001',
  registrationDate: '2026-11-20',
  emailSent: false,
  emailError: null,
}
const sent = { enlisted: { receipt, nstpComponent: 'CWTS', initials: 'J. D.' } }

test.each<[boolean, Outcome | undefined, RegExp]>([
  [false, undefined, /^An enlistment submitted here at 10:12\sAM is not sent yet\. This page sends it/],
  [true, undefined, /^An enlistment submitted here at 10:12\sAM is not sent yet\. Its student must type/],
  [
    false,
    'refused',
    /^An enlistment submitted here at 10:12\sAM was not accepted\. Its student must open it\.$/,
  ],
  [false, sent, /^An enlistment submitted here at 10:12\sAM was sent\. Its reference code is shown after/],
])(
  'an enlistment that waits says what becomes of it (number needed: %s, %s)',
  (asksNumber, outcome, said) => {
    show({ waiting: { ...waiting, asksNumber } }, outcome)
    expect(screen.getByRole('status').textContent).toMatch(said)
    // Only after the birth date.
    expect(document.body.textContent).not.toMatch(/NSTP-2026|J\. D\./)
  },
)
