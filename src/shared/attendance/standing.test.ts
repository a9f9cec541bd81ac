import { describe, expect, test } from 'vitest'
import { attendanceStates } from './calls.ts'
import { defaultRule, rulePresets, type StandingLevel, standingOf } from './standing.ts'

/** 'PPA' of days of four hours. */
const daysOf = (letters: string) =>
  [...letters].flatMap((letter) => {
    const state = attendanceStates.find((one) => one[0] === letter.toLowerCase())
    return state ? [{ state, hours: 4 }] : []
  })

const [rotc, unexcused, hours, none] = rulePresets.map(({ rule }) => rule)

function levelOf(letters: string, rule: typeof rotc, toCome = 0): StandingLevel {
  if (!rule) throw new Error('a preset is missing')
  return standingOf(daysOf(letters), rule, { toCome, nextHours: 4 }).level
}

describe('a preset', () => {
  test.each([
    ['PPPPPPPPPP', 5, 'fine'],
    ['AP', 13, 'fine'],
    // Two are the limit of absences less one.
    ['APAP', 11, 'near'],
    ['APEAP', 10, 'near'],
    ['APAPA', 10, 'over'],
    ['AAA', 12, 'over'],
    // More than 20 % of five days.
    ['APPPP', 0, 'near'],
    ['AAPPP', 0, 'over'],
    // A fifth is not more than a fifth.
    ['AAPPPPPPPP', 0, 'near'],
    ['EEEE', 0, 'fine'],
  ] as const)('ROTC: %s with %i to come is %s', (letters, toCome, level) => {
    expect(levelOf(letters, rotc, toCome)).toBe(level)
  })

  test.each([
    ['PLLP', 'fine'],
    ['LLA', 'fine'],
    ['LLLA', 'near'],
    ['LLLAA', 'over'],
    ['LLLLLL', 'near'],
    ['LLLLLLLLL', 'over'],
    ['AAEE', 'near'],
    ['APAPA', 'over'],
  ] as const)('3 unexcused, third late is an absence: %s is %s', (letters, level) => {
    expect(levelOf(letters, unexcused)).toBe(level)
  })

  test.each([
    ['LLLLL', 'fine'],
    ['A', 'near'],
    ['APPA', 'over'],
  ] as const)('2 absences or 8 hours: %s is %s', (letters, level) => {
    expect(levelOf(letters, hours)).toBe(level)
  })

  test('2 absences or 8 hours: one whole day of eight is over', () => {
    const counted = [{ state: 'absent', hours: 8 }] as const
    expect(standingOf(counted, hours ?? defaultRule('CWTS'), { toCome: 5, nextHours: 4 }).level).toBe('over')
  })

  test('none: nobody is over', () => {
    expect(levelOf('AAAAAAAA', none)).toBe('fine')
  })
})

test('an excused day is no absence, and neither breaks nor lengthens a row', () => {
  const of = (letters: string) =>
    standingOf(daysOf(letters), defaultRule('ROTC'), { toCome: 9, nextHours: 4 })
  expect(of('AAEA')).toMatchObject({ days: 4, absent: 3, excused: 1, inRow: 3, hours: 0, level: 'over' })
  expect(of('AALAP')).toMatchObject({ days: 5, absent: 3, late: 1, present: 1, inRow: 2, hours: 8 })
  expect(of('')).toEqual({
    ...{ days: 0, present: 0, late: 0, absent: 0, excused: 0, hours: 0, inRow: 0 },
    ...{ level: 'fine', left: 1 },
  })
})

test.each([
  ['', 15, 2],
  ['AP', 13, 1],
  ['APAP', 11, 0],
  ['', 3, 0],
  ['APPPP', 0, 0],
  ['AAA', 12, 0],
] as const)('ROTC: %s with %i to come may miss %i more', (letters, toCome, left) => {
  const one = standingOf(daysOf(letters), defaultRule('ROTC'), { toCome, nextHours: 4 })
  expect(one.left).toBe(left)
})

test('without a limit of days nothing is left or used up', () => {
  const ahead = { toCome: 9, nextHours: 4 }
  expect(standingOf(daysOf('AA'), defaultRule('CWTS'), ahead).left).toBeNull()
  const ofHours = { ...defaultRule('CWTS'), hoursMissed: 10 }
  expect(standingOf(daysOf('A'), ofHours, ahead).left).toBe(1)
})
