import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { throttleSchedules, throttleSentence, throttleSubject } from './throttle-repository.ts'

describe('pauses after failed sign-ins', () => {
  test('an account has five tries, then 30 s, 1, 2, 4, 8 and at most 15 minutes', () => {
    expect(throttleSchedules.account).toEqual([0, 0, 0, 0, 30, 60, 120, 240, 480, 900])
  })

  test('a known device has the same', () => {
    expect(throttleSchedules.device).toEqual(throttleSchedules.account)
  })

  test('a network, which a whole school may share, has twenty tries', () => {
    const { network } = throttleSchedules
    expect(network.filter((pause) => pause === 0)).toHaveLength(19)
    expect(network[19]).toBe(30)
    expect(network.at(-1)).toBe(900)
  })
})

describe('the sentence of a refusal', () => {
  test.each([
    [1, 'Too many failed attempts. Please try again in 1 second.'],
    [30, 'Too many failed attempts. Please try again in 30 seconds.'],
    [59, 'Too many failed attempts. Please try again in 59 seconds.'],
    [60, 'Too many failed attempts. Please try again in 1 minute.'],
    [61, 'Too many failed attempts. Please try again in 2 minutes.'],
    [900, 'Too many failed attempts. Please try again in 15 minutes.'],
  ])('%i s', (seconds, sentence) => {
    expect(throttleSentence(seconds)).toBe(sentence)
  })
})

describe('whose failures count together', () => {
  test('the stored key reveals neither an address nor a network', () => {
    for (const [kind, identity] of [
      ['account', 'admin@school.example'],
      ['network', '203.0.113.7'],
    ] as const) {
      // FIPS 180-4's, as the system has it, and not the product's own function.
      const digest = createHash('sha256').update(`${kind}:${identity}`).digest('base64url')
      expect(throttleSubject(kind, identity).key).toBe(`${kind}:${digest}`)
    }
  })

  test('kinds never share a count', () => {
    const keys = (['account', 'network', 'device', 'set-up'] as const).map(
      (kind) => throttleSubject(kind, 'x').key,
    )
    expect(new Set(keys.map((key) => key.split(':')[1])).size).toBe(4)
  })
})
