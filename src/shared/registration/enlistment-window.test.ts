import { expect, test } from 'vitest'
import { windowState } from './enlistment-window.ts'

const window = { opensAt: '2026-06-01T08:00', closesAt: '2026-06-30T17:00' }
const at = (text: string, limits = window) => windowState(limits, new Date(text), 'Asia/Manila')

test('enlistment opens and closes to the minute, in the program’s time', () => {
  expect(at('2026-05-31T23:59:59.999Z')).toEqual({
    isOpen: false,
    sentence: 'Enlistment opens on June 1, 2026 at 8:00 AM.',
    changesAt: new Date('2026-06-01T00:00:00Z'),
  })
  expect(at('2026-06-01T00:00:00Z')).toEqual({
    isOpen: true,
    sentence: 'Enlist until June 30, 2026 at 5:00 PM.',
    changesAt: new Date('2026-06-30T09:00:00Z'),
  })
  expect(at('2026-06-30T09:00:00Z')).toEqual({
    isOpen: false,
    sentence: 'Enlistment closed on June 30, 2026 at 5:00 PM.',
    changesAt: null,
  })
})

test('an empty limit is none', () => {
  expect(at('2026-06-01T00:00:00Z', { opensAt: '', closesAt: '' })).toEqual({
    isOpen: true,
    sentence: null,
    changesAt: null,
  })
  expect(at('2026-06-01T00:00:00Z', { ...window, closesAt: '' }).isOpen).toBe(true)
  expect(at('2026-06-01T00:00:00Z', { ...window, opensAt: '' }).isOpen).toBe(true)
})
