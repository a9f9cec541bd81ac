import { expect, test } from 'vitest'
import { keyFor } from './sending-key.ts'

test('the same content keeps its key; changed content gets a new one', () => {
  const values = { to: 'juan@example.edu.ph', subject: 'Orientation' }
  const first = keyFor(['recipient', values], null)
  expect(first.key).toMatch(/^[\w-]{8,128}$/)
  expect(keyFor(['recipient', { ...values }], first)).toBe(first)
  const others = [
    ['recipient', { ...values, to: 'ana@example.edu.ph' }],
    ['self', values],
  ]
  const keys = others.map((content) => keyFor(content, first).key)
  expect(new Set([first.key, keyFor(['recipient', values], null).key, ...keys]).size).toBe(4)
})
