import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#server/lib/clock.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'

const unreachable = { kind: 'connection', sentence: 'Could not reach the mail server.' } as const
const failure = { end: 'unreached', problem: unreachable } as const

describe('the circuit breaker', () => {
  let now: number
  let circuitBreaker: CircuitBreaker

  beforeEach(() => {
    now = 0
    circuitBreaker = createCircuitBreaker({ clock: systemClock, now: () => now })
  })

  function failTimes(times: number): number[] {
    return Array.from({ length: times }, () => {
      circuitBreaker.noteOutcome(failure)
      const ms = circuitBreaker.waitMs()
      now += ms
      return ms / 1_000
    })
  }

  test('doubles the pause after each failure, up to five minutes', () => {
    expect(failTimes(9)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  })

  test('counts simultaneous failures as one', () => {
    circuitBreaker.noteOutcome(failure)
    circuitBreaker.noteOutcome(failure)
    circuitBreaker.noteOutcome(failure)
    expect(circuitBreaker.waitMs()).toBe(5_000)
  })

  test('reports the problem until a message is sent, also during a retry', () => {
    circuitBreaker.noteOutcome(failure)
    now += 5_000
    expect([circuitBreaker.waitMs(), circuitBreaker.problem()]).toEqual([0, unreachable])
    circuitBreaker.noteOutcome({ end: 'sent' })
    expect(circuitBreaker.problem()).toBeNull()
    expect(failTimes(1)).toEqual([5])
  })

  test('retries at once after a change of the account', () => {
    failTimes(6)
    circuitBreaker.noteOutcome(failure)
    circuitBreaker.reset()
    expect([circuitBreaker.waitMs(), circuitBreaker.problem()]).toEqual([0, null])
  })

  test('retries a wrong password after a minute, because servers lock accounts', () => {
    circuitBreaker.noteOutcome({ end: 'unreached', problem: { kind: 'sign-in', sentence: '' } })
    expect(circuitBreaker.waitMs()).toBe(60_000)
  })
})

test('the shown problem does not name a recipient', () => {
  const breaker = createCircuitBreaker({ clock: systemClock })
  for (let refusal = 0; refusal < 2; refusal++) {
    breaker.noteOutcome({
      end: 'deferred',
      failure: 'The mail server put it off: 451 4.7.1 <maria@students.example>: greylisted',
      isGeneral: true,
      isSilent: false,
    })
  }
  expect(breaker.reason()).toContain('451 4.7.1')
  expect(breaker.reason()).not.toContain('maria')
})

test('nor does the shown quota problem', () => {
  const breaker = createCircuitBreaker({ clock: systemClock })
  const sentence =
    'This account has sent enough for now: 550 5.4.5 <maria@students.example> daily limit exceeded'
  breaker.noteOutcome({ end: 'unreached', problem: { kind: 'quota', sentence } })
  expect(breaker.reason()).toContain('550 5.4.5 … daily limit exceeded')
})
