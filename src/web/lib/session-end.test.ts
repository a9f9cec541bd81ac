import { afterEach, expect, test } from 'vitest'
import { noSessionProblem } from './api-problem.ts'
import {
  deferSessionEnd,
  endSession,
  onSessionResumed,
  resumeSession,
  sessionRefusal,
} from './session-end.ts'

const undo: (() => void)[] = []
afterEach(() => {
  resumeSession()
  for (const step of undo.splice(0)) step()
})

function hold() {
  const heard: string[] = []
  undo.push(
    deferSessionEnd({ onEnd: (sentence) => heard.push(sentence), onResume: () => heard.push('resumed') }),
  )
  return heard
}

test('unsaved input prevents leaving, and each refusal is reported', () => {
  const heard = hold()
  const said = noSessionProblem()
  expect(endSession(said)).toBe(false)
  expect(endSession(said)).toBe(false)
  expect(heard).toEqual([said.message, said.message])
  expect(sessionRefusal()).toBe(said)
})

test('a new sign-in is reported once, to deferrals and listeners', () => {
  const heard = hold()
  let resumed = 0
  undo.push(onSessionResumed(() => (resumed += 1)))
  resumeSession()
  expect(resumed).toBe(0)
  endSession(noSessionProblem())
  resumeSession()
  resumeSession()
  expect(heard.slice(1)).toEqual(['resumed'])
  expect(resumed).toBe(1)
  expect(sessionRefusal()).toBeNull()
})
