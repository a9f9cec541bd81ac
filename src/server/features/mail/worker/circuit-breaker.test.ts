import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#server/lib/clock.ts'
import { type CircuitBreaker, createCircuitBreaker, createBlockers } from './circuit-breaker.ts'

const away = { kind: 'connection', sentence: 'Could not reach the mail server.' } as const

describe('the circuit', () => {
  let now: number
  let circuit: CircuitBreaker

  beforeEach(() => {
    now = 0
    circuit = createCircuitBreaker(() => now)
  })

  function failTimes(times: number): number[] {
    return Array.from({ length: times }, () => {
      circuit.fail(away)
      const ms = circuit.waitMs()
      now += ms
      return ms / 1_000
    })
  }

  test('pauses longer after each failure, five minutes at most', () => {
    expect(failTimes(9)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  })

  test('takes failures at the same time for one', () => {
    circuit.fail(away)
    circuit.fail(away)
    circuit.fail(away)
    expect(circuit.waitMs()).toBe(5_000)
  })

  test('is in trouble until a message got through, also while it tries', () => {
    circuit.fail(away)
    now += 5_000
    expect([circuit.waitMs(), circuit.trouble()]).toEqual([0, away])
    circuit.succeed()
    expect(circuit.trouble()).toBeNull()
    expect(failTimes(1)).toEqual([5])
  })

  test('tries at once when the account has changed', () => {
    failTimes(6)
    circuit.fail(away)
    circuit.reset()
    expect([circuit.waitMs(), circuit.trouble()]).toEqual([0, null])
  })

  test('tries a wrong password seldom: servers lock accounts', () => {
    circuit.fail({ kind: 'sign-in', sentence: '' })
    expect(circuit.waitMs()).toBe(60_000)
  })
})

test('what a server says of one recipient is not told to everybody', () => {
  const obstacles = createBlockers({ circuit: createCircuitBreaker(), clock: systemClock })
  for (let refusal = 0; refusal < 2; refusal++) {
    obstacles.noteOutcome({
      end: 'deferred',
      failure: 'The mail server put it off: 451 4.7.1 <maria@students.example>: greylisted',
      isGeneral: true,
      isSilent: false,
    })
  }
  expect(obstacles.trouble()).toContain('451 4.7.1')
  expect(obstacles.trouble()).not.toContain('maria')
})

test('nor is what it says of the account’s quota', () => {
  const obstacles = createBlockers({ circuit: createCircuitBreaker(), clock: systemClock })
  const sentence =
    'This account has sent enough for now: 550 5.4.5 <maria@students.example> daily limit exceeded'
  obstacles.noteOutcome({ end: 'unreached', trouble: { kind: 'quota', sentence } })
  expect(obstacles.trouble()).toContain('550 5.4.5 … daily limit exceeded')
})
