import { expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { createCircuit } from './circuit.ts'
import { createObstacles } from './obstacles.ts'

test('what a server says of one recipient is not told to everybody', () => {
  const obstacles = createObstacles({ circuit: createCircuit(), clock: systemClock })
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
  const obstacles = createObstacles({ circuit: createCircuit(), clock: systemClock })
  const sentence =
    'This account has sent enough for now: 550 5.4.5 <maria@students.example> daily limit exceeded'
  obstacles.noteOutcome({ end: 'unreached', trouble: { kind: 'quota', sentence } })
  expect(obstacles.trouble()).toContain('550 5.4.5 … daily limit exceeded')
})
