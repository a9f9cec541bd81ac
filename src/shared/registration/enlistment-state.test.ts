import { expect, test } from 'vitest'
import { type EnlistmentSetting, enlistmentState, lastDayToEnlist } from './enlistment-state.ts'

const dates: EnlistmentSetting = {
  state: 'dates',
  opensAt: '2026-06-01T08:00',
  closesAt: '2026-06-30T17:00',
  message: 'Come back later.',
}
const at = (text: string, setting = dates) => enlistmentState(setting, new Date(text), 'Asia/Manila')

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
  expect(at('2026-06-01T00:00:00Z', { ...dates, opensAt: '', closesAt: '' })).toEqual({
    isOpen: true,
    sentence: null,
    changesAt: null,
  })
  expect(at('2026-06-01T00:00:00Z', { ...dates, closesAt: '' }).isOpen).toBe(true)
  expect(at('2026-06-01T00:00:00Z', { ...dates, opensAt: '' }).isOpen).toBe(true)
})

test('closed and open don’t ask for the dates', () => {
  expect(at('2026-06-15T00:00:00Z', { ...dates, state: 'closed' })).toEqual({
    isOpen: false,
    sentence: 'Come back later.',
    changesAt: null,
  })
  expect(at('2026-08-01T00:00:00Z', { ...dates, state: 'open' })).toEqual({
    isOpen: true,
    sentence: null,
    changesAt: null,
  })
})

test('the last day to enlist is known until enlistment closes, where it closes by itself', () => {
  const lastDay = (text: string, change: Partial<EnlistmentSetting> = {}) =>
    lastDayToEnlist({ ...dates, ...change }, new Date(text), 'Asia/Manila')
  expect(lastDay('2026-05-01T00:00:00Z')).toBe('2026-06-30')
  expect(lastDay('2026-06-30T08:59:59Z')).toBe('2026-06-30')
  expect(lastDay('2026-06-30T09:00:00Z')).toBeNull()
  expect(lastDay('2026-06-15T00:00:00Z', { closesAt: '2026-07-01T00:00' })).toBe('2026-06-30')
  expect(lastDay('2026-06-15T00:00:00Z', { closesAt: '' })).toBeNull()
  expect(lastDay('2026-06-15T00:00:00Z', { state: 'open' })).toBeNull()
  expect(lastDay('2026-06-15T00:00:00Z', { state: 'closed' })).toBeNull()
})
