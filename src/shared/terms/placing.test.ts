import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leftSentence, placeStudents, placingFills, placingOrders } from './placing.ts'
import { type SectionTakes, sectionTakes } from './terms.ts'

const student = (id: string, { sex = 'Female', course = 'SOICT' } = {}) => ({ id, sex, course })

interface SectionOptions {
  capacity?: number
  takes?: SectionTakes
  courses?: string[]
  students?: number
}

const section = (id: string, options: SectionOptions = {}) => ({
  id,
  capacity: 2,
  takes: 'all' as const,
  courses: [],
  students: 0,
  ...options,
})

const five = ['Abad', 'Bautista', 'Cruz', 'Dizon', 'Esguerra'].map((name) => student(name))

const byName = { order: 'name', fill: 'in turn' } as const

function placesOf({ placed }: ReturnType<typeof placeStudents<ReturnType<typeof student>>>) {
  return placed.map(({ student: { id }, sectionId }) => `${id} ${sectionId}`)
}

test('in turn, a section is full before the next begins', () => {
  const result = placeStudents(five, [section('A'), section('B'), section('C')], byName)
  expect(placesOf(result)).toEqual(['Abad A', 'Bautista A', 'Cruz B', 'Dizon B', 'Esguerra C'])
  expect([...result.filled]).toEqual([
    ['A', 2],
    ['B', 2],
    ['C', 1],
  ])
})

test('evenly, the section with the lowest share is next; of equal ones the first', () => {
  const sections = [
    section('A', { capacity: 4 }),
    section('B', { capacity: 2 }),
    section('C', { students: 1 }),
  ]
  expect(placesOf(placeStudents(five, sections, { ...byName, fill: 'evenly' }))).toEqual([
    'Abad A',
    'Bautista B',
    'Cruz A',
    'Dizon A',
    'Esguerra B',
  ])
})

test('by course, students of a course come together, in the order of their names', () => {
  const students = [
    student('Abad', { course: 'SOTE' }),
    student('Bautista', { course: 'SOBM' }),
    student('Cruz', { course: 'SOTE' }),
    student('Dizon', { course: 'SOBM' }),
  ]
  const result = placeStudents(students, [section('A'), section('B')], { ...byName, order: 'course' })
  expect(placesOf(result)).toEqual(['Bautista A', 'Dizon A', 'Abad B', 'Cruz B'])
})

describe('a section takes only', () => {
  test('whom it is for', () => {
    const students = [
      student('Abad', { sex: 'Male' }),
      student('Bautista'),
      student('Cruz', { course: 'SOTE' }),
    ]
    const sections = [
      section('men', { takes: 'Male' }),
      section('teachers', { courses: ['SOTE'] }),
      section('women', { takes: 'Female', courses: ['SOICT', 'SOBM'] }),
    ]
    const result = placeStudents(students, sections, byName)
    expect(placesOf(result)).toEqual(['Abad men', 'Bautista women', 'Cruz teachers'])
  })

  test('as many as it has places', () => {
    const result = placeStudents(five, [section('A', { students: 1 }), section('B', { students: 3 })], byName)
    expect(placesOf(result)).toEqual(['Abad A'])
    expect(result.left.map(({ reason }) => reason)).toEqual(['full', 'full', 'full', 'full'])
  })
})

test('who finds no place is told why', () => {
  const students = [
    student('Abad', { sex: 'Male' }),
    student('Bautista'),
    student('Cruz', { course: 'SOTE' }),
    student('Dizon'),
  ]
  const sections = [section('A', { takes: 'Female', courses: ['SOICT'], capacity: 1 })]
  const { left } = placeStudents(students, sections, byName)
  expect(left.map(({ student: { id }, reason }) => `${id} ${reason}`)).toEqual([
    'Abad sex',
    'Cruz course',
    'Dizon full',
  ])
  expect(placeStudents(students, [], byName).left.map(({ reason }) => reason)).toEqual(Array(4).fill('sex'))
  expect(leftSentence('sex', 'Female')).toBe('No section takes women.')
  expect(leftSentence('sex', 'Male')).toBe('No section takes men.')
  expect(leftSentence('course', 'SOTE')).toBe('No section takes SOTE.')
  expect(leftSentence('full', '')).toBe('All sections that take these students are full.')
})

test('everybody is placed or left once, nowhere over the capacity, and only while nothing fits', () => {
  const students = fc.array(
    fc.record({
      id: fc.uuid(),
      sex: fc.constantFrom('Male', 'Female'),
      course: fc.constantFrom('SOICT', 'SOBM', 'SOTE'),
    }),
    { maxLength: 60 },
  )
  const sections = fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      capacity: fc.integer({ min: 1, max: 12 }),
      takes: fc.constantFrom(...sectionTakes),
      courses: fc.subarray(['SOICT', 'SOBM', 'SOTE']),
      students: fc.integer({ min: 0, max: 14 }),
    }),
    { maxLength: 8, selector: ({ id }) => id },
  )
  const choice = fc.record({
    order: fc.constantFrom(...placingOrders),
    fill: fc.constantFrom(...placingFills),
  })
  fc.assert(
    fc.property(students, sections, choice, (all, open, chosen) => {
      const result = placeStudents(all, open, chosen)
      const seen = [...result.placed, ...result.left].map(({ student: one }) => one)
      expect(seen).toHaveLength(all.length)
      expect(new Set(seen)).toEqual(new Set(all))
      for (const one of open) {
        const added = result.placed.filter(({ sectionId }) => sectionId === one.id)
        expect(result.filled.get(one.id)).toBe(one.students + added.length)
        expect(added.length === 0 || one.students + added.length <= one.capacity).toBe(true)
        for (const own of added) expect([own.student.sex, 'all']).toContain(one.takes)
      }
      for (const { student: out, reason } of result.left) {
        const fitting = open.filter(
          ({ takes, courses }) =>
            ['all', out.sex].includes(takes) && (courses.length === 0 || courses.includes(out.course)),
        )
        expect(fitting.every(({ id, capacity }) => (result.filled.get(id) ?? 0) >= capacity)).toBe(true)
        expect(fitting.length > 0).toBe(reason === 'full')
      }
    }),
  )
})
