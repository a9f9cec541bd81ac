import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#server/lib/clock.ts'
import { type CircuitBreaker, createBlockers, createCircuitBreaker } from './circuit-breaker.ts'

const unreachable = { kind: 'connection', sentence: 'Could not reach the mail server.' } as const

describe('the circuit breaker', () => {
  let now: number
  let circuitBreaker: CircuitBreaker

  beforeEach(() => {
    now = 0
    circuitBreaker = createCircuitBreaker(() => now)
  })

  function failTimes(times: number): number[] {
    return Array.from({ length: times }, () => {
      circuitBreaker.fail(unreachable)
      const ms = circuitBreaker.waitMs()
      now += ms
      return ms / 1_000
    })
  }

  test('doubles the pause after each failure, up to five minutes', () => {
    expect(failTimes(9)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  })

  test('counts simultaneous failures as one', () => {
    circuitBreaker.fail(unreachable)
    circuitBreaker.fail(unreachable)
    circuitBreaker.fail(unreachable)
    expect(circuitBreaker.waitMs()).toBe(5_000)
  })

  test('reports the problem until a message is sent, also during a retry', () => {
    circuitBreaker.fail(unreachable)
    now += 5_000
    expect([circuitBreaker.waitMs(), circuitBreaker.problem()]).toEqual([0, unreachable])
    circuitBreaker.succeed()
    expect(circuitBreaker.problem()).toBeNull()
    expect(failTimes(1)).toEqual([5])
  })

  test('retries at once after a change of the account', () => {
    failTimes(6)
    circuitBreaker.fail(unreachable)
    circuitBreaker.reset()
    expect([circuitBreaker.waitMs(), circuitBreaker.problem()]).toEqual([0, null])
  })

  test('retries a wrong password after a minute, because servers lock accounts', () => {
    circuitBreaker.fail({ kind: 'sign-in', sentence: '' })
    expect(circuitBreaker.waitMs()).toBe(60_000)
  })
})

test('the shown problem does not name a recipient', () => {
  const blockers = createBlockers({ circuitBreaker: createCircuitBreaker(), clock: systemClock })
  for (let refusal = 0; refusal < 2; refusal++) {
    blockers.noteOutcome({
      end: 'deferred',
      failure: 'The mail server put it off: 451 4.7.1 <maria@students.example>: greylisted',
      isGeneral: true,
      isSilent: false,
    })
  }
  expect(blockers.problem()).toContain('451 4.7.1')
  expect(blockers.problem()).not.toContain('maria')
})

test('nor does the shown quota problem', () => {
  const blockers = createBlockers({ circuitBreaker: createCircuitBreaker(), clock: systemClock })
  const sentence =
    'This account has sent enough for now: 550 5.4.5 <maria@students.example> daily limit exceeded'
  blockers.noteOutcome({ end: 'unreached', problem: { kind: 'quota', sentence } })
  expect(blockers.problem()).toContain('550 5.4.5 … daily limit exceeded')
})
