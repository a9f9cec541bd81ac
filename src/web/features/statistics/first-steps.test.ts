import { expect, test } from 'vitest'
import { enlistmentStep } from './first-steps.tsx'

test.each([
  ['open', false, 'Enlistment is open. Close it until your courses are right', 'Close enlistment'],
  ['open', true, 'Enlistment is open', undefined],
  ['closed', false, 'Enlistment is closed. Open it when your courses are right', 'Open enlistment'],
  ['closed', true, 'Enlistment is closed. Open it when your courses are right', 'Open enlistment'],
  // The dates may not have begun, so nothing has to be closed.
  ['dates', false, 'Enlistment opens and closes by its dates', undefined],
  ['dates', true, 'Enlistment opens and closes by its dates', undefined],
] as const)(
  'the first step of a portal that is %s, with own courses: %s',
  (state, hasOwnCourses, title, press) => {
    const step = enlistmentStep(state, hasOwnCourses, () => undefined)
    expect({ title: step.title, press: step.press?.label, isDone: step.isDone }).toEqual({
      ...{ title, press },
      isDone: press === undefined,
    })
  },
)
