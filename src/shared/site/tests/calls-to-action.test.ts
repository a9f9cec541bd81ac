import { describe, expect, test } from 'vitest'
import { callToAction, enlistmentAvailability, othersToEnlistIn } from '../calls-to-action.ts'

describe('a call to action', () => {
  test.each([
    [true, [], undefined, 'enlist'],
    [true, ['ROTC'], undefined, 'enlist'],
    [true, ['ROTC', 'CWTS'], undefined, 'full'],
    [false, ['ROTC', 'CWTS'], undefined, 'wait'],
    [true, ['ROTC'], 'ROTC', 'full'],
    [true, ['ROTC'], 'CWTS', 'enlist'],
    [false, [], 'CWTS', 'wait'],
    [false, [], 'LTS', 'ask'],
    [true, [], 'LTS', 'ask'],
  ])('while open is %s and %j are full, for %s it is: %s', (isOpen, full, component, call) => {
    expect(callToAction({ isOpen, full }, component)).toBe(call)
  })

  test('at a full component offers those with places', () => {
    expect(othersToEnlistIn({ isOpen: true, full: ['ROTC'] }, 'ROTC')).toEqual(['CWTS'])
    expect(othersToEnlistIn({ isOpen: true, full: ['ROTC', 'CWTS'] }, 'ROTC')).toEqual([])
  })
})

test('a component that was full in another year has places', () => {
  const full = [
    { component: 'ROTC', academicYear: '2025-2026' },
    { component: 'CWTS', academicYear: '2026-2027' },
  ]
  expect(enlistmentAvailability({ closed: null, currentAcademicYear: '2026-2027', full })).toEqual({
    isOpen: true,
    full: ['CWTS'],
  })
})
