import { describe, expect, test } from 'vitest'
import { sectionMessages, termLimits } from '#shared/terms/terms.ts'
import { battalions, planMessages, problemsOfPlan, sectionsOf, sectionsOfSixty } from './section-plan.ts'

test('battalions and platoons: men in the first half of the units, women in the second', () => {
  const sections = sectionsOf(battalions, [])
  expect(sections).toHaveLength(32)
  expect(sections.reduce((sum, { capacity }) => sum + capacity, 0)).toBe(1_184)
  const unitsOf = (sex: string) => [
    ...new Set(sections.filter(({ takes }) => takes === sex).map(({ unit }) => unit)),
  ]
  expect(unitsOf('Male')).toEqual(['Alpha', 'Bravo', 'Charlie', 'Delta'])
  expect(unitsOf('Female')).toEqual(['Echo', 'Foxtrot', 'Golf', 'Hotel'])
  expect(sections[1]).toEqual({
    unit: 'Alpha',
    name: 'Platoon 2',
    capacity: 37,
    takes: 'Male',
    courses: [],
    adviser: '',
    meets: '',
  })
  expect(problemsOfPlan(battalions, [])).toEqual([])
})

test('sections of sixty are as many as the students need', () => {
  expect(sectionsOf(sectionsOfSixty(121), []).map(({ unit, name }) => unit + name)).toEqual([
    'Section 1',
    'Section 2',
    'Section 3',
  ])
  expect(sectionsOf(sectionsOfSixty(0), [])).toHaveLength(1)
})

test('more sections go on behind those that are there', () => {
  const held = [
    { unit: '', name: 'section 1' },
    { unit: '', name: 'Section 2' },
    { unit: 'A', name: 'Section 3' },
  ]
  const plan = { ...sectionsOfSixty(0), perUnit: '2' }
  expect(sectionsOf(plan, held).map(({ name }) => name)).toEqual(['Section 3', 'Section 4'])
})

describe('a plan is refused', () => {
  test.each([
    ['without a number', { perUnit: '' }, 'perUnit', planMessages.perUnit],
    ['with none', { perUnit: '0' }, 'perUnit', planMessages.perUnit],
    ['with half a section', { perUnit: '1.5' }, 'perUnit', planMessages.perUnit],
    ['with one name for all', { perUnit: '2', pattern: 'Section' }, 'pattern', planMessages.pattern],
    ['with more than may be sent', { units: 'A, B', perUnit: '150' }, 'perUnit', sectionMessages.tooMany],
    ['without places', { capacity: '' }, 'capacity', sectionMessages.capacity],
    [
      'with a long name',
      { pattern: 'x'.repeat(termLimits.name + 1) },
      'pattern',
      `Please shorten the name of the section to ${termLimits.name} characters or fewer.`,
    ],
  ])('%s', (_what, change, path, message) => {
    expect(problemsOfPlan({ ...sectionsOfSixty(0), ...change }, [])).toEqual([{ path, message }])
  })
})
