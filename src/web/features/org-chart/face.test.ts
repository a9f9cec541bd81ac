import { expect, test } from 'vitest'
import { initialsOf } from './face.tsx'

test.each([
  ['Maria Santos', 'MS'],
  ['Dr. Maria Clara Peña', 'MP'],
  ['ñico', 'Ñ'],
  ['Dr.', 'D'],
  ['  Lt. Col.  Ramon  (Ret.) ', 'R'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
