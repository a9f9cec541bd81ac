import { describe, expect, test } from 'vitest'
import { type ContinuingChoices, type ContinuingGroup, continueStudents, groupOf } from './continuing.ts'
import type { EnrolmentStatus, Level, Outcome } from './terms.ts'

test.each<[Level, Outcome, EnrolmentStatus, Level[], ContinuingGroup | null]>([
  [1, 'passed', 'enrolled', [1], 'passed'],
  [1, 'failed', 'enrolled', [1], 'passed'],
  [1, 'incomplete', 'enrolled', [], 'incomplete'],
  [1, 'none', 'enrolled', [], 'no mark'],
  [1, 'failed', 'enrolled', [], 'failed'],
  [1, 'dropped', 'enrolled', [], 'dropped'],
  [1, 'none', 'dropped', [], 'dropped'],
  [1, 'failed', 'enrolled', [2], 'failed'],
  [1, 'none', 'enrolled', [2], null],
  [2, 'passed', 'enrolled', [1, 2], 'done'],
  [2, 'failed', 'enrolled', [1], 'failed'],
  [2, 'none', 'dropped', [1], 'dropped'],
  [2, 'none', 'enrolled', [1], null],
  [2, 'incomplete', 'enrolled', [1], null],
  [2, 'passed', 'enrolled', [2], null],
])('the latest NSTP %i, %s, %s, with passes of %j: %s', (level, outcome, status, passed, group) => {
  expect(groupOf({ level, outcome, status, passed })).toBe(group)
})

const choices: ContinuingChoices = {
  passed: 'next',
  'no mark': 'next',
  incomplete: 'leave',
  failed: 'again',
  dropped: 'leave',
  done: 'leave',
}

const section = (id: string, change: object = {}) => ({
  id,
  component: 'CWTS' as const,
  unit: 'Alpha',
  name: id,
  capacity: 2,
  ...change,
})

const student = (id: string, sectionId: string | null, outcome: Outcome = 'passed') => ({
  id,
  component: 'CWTS' as const,
  level: 1 as const,
  outcome,
  status: 'enrolled' as const,
  passed: outcome === 'passed' ? [1 as const] : [],
  sectionId,
})

describe('sections', () => {
  const run = (
    students: ReturnType<typeof student>[],
    held: Parameters<typeof continueStudents>[1]['held'] = [],
    copySections = true,
  ) => {
    const earlier = [section('A'), section('B'), section('R', { component: 'ROTC' })]
    let last = 0
    const newId = () => `new ${++last}`
    const plan = continueStudents(students, { earlier, held, newId }, { choices, copySections })
    return {
      copied: plan.copied.map(({ id, from, level }) => `${id} = ${from.id} of ${level}`),
      places: plan.continued.map(({ student: { id }, level, sectionId }) => `${id} ${level} ${sectionId}`),
    }
  }

  test('are copied once each for who goes on', () => {
    expect(run([student('Abad', 'A'), student('Cruz', 'B', 'none'), student('Dizon', 'A')])).toEqual({
      copied: ['new 1 = A of 2', 'new 2 = B of 2'],
      places: ['Abad 2 new 1', 'Cruz 2 new 2', 'Dizon 2 new 1'],
    })
  })

  test('of the term with the same name are taken while they have places, in whatever case', () => {
    const held = [{ ...section('held', { name: 'a', unit: 'ALPHA' }), level: 2 as const, students: 1 }]
    expect(run([student('Abad', 'A'), student('Cruz', 'A')], held)).toEqual({
      copied: [],
      places: ['Abad 2 held', 'Cruz 2 null'],
    })
  })

  test('are not copied for who repeats, or is of another component by now', () => {
    expect(run([student('Abad', 'A', 'failed'), student('Cruz', 'R'), student('Dizon', null)])).toEqual({
      copied: [],
      places: ['Abad 1 null', 'Cruz 2 null', 'Dizon 2 null'],
    })
  })

  test('are none where they are not kept', () => {
    expect(run([student('Abad', 'A')], [], false)).toEqual({ copied: [], places: ['Abad 2 null'] })
  })
})
