import { expect, test, vi } from 'vitest'
import { createReference } from '../repository.ts'

test('a reference is NSTP and two groups of four unambiguous characters', () => {
  for (let count = 0; count < 2_000; count++) {
    expect(createReference()).toMatch(/^NSTP-[2-9A-HJ-NP-TW-Z]{4}-[2-9A-HJ-NP-TW-Z]{4}$/)
  }
})

test('references differ', () => {
  const references = Array.from({ length: 10_000 }, createReference)
  expect(new Set(references).size).toBe(references.length)
})

test('every character is about equally likely', () => {
  // Its values can be foretold: with this one all characters would be the same.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const counts = new Map<string, number>()
  for (let count = 0; count < 6_000; count++) {
    for (const character of createReference().slice(5).replace('-', '')) {
      counts.set(character, (counts.get(character) ?? 0) + 1)
    }
  }
  expect(counts.size).toBe(30)
  // 1,600 of each are expected; 40 is the standard deviation.
  for (const count of counts.values()) expect(Math.abs(count - 1_600)).toBeLessThan(280)
})
