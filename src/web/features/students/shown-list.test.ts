import { describe, expect, test } from 'vitest'
import type { StudentListItem } from '#shared/student.ts'
import type { StudentPage } from '#shared/students.ts'
import { firstShown, heldBack, receive, showNewest } from './shown-list.ts'

function page(names: string, total = names.length): StudentPage {
  const items = [...names].map(
    (id): StudentListItem => ({
      id,
      lastName: id,
      firstName: '',
      middleName: '',
      sex: '',
      course: '',
      academicYear: '',
      contactNumber: '',
      email: '',
      nstpComponent: '',
      archived: false,
      archivedDate: null,
      emergencyContactName: '',
      emergencyContactNumber: '',
      // By the letter: b registered after a.
      registrationDate: `2026-11-20T00:00:${id.charCodeAt(0) - 40}Z`,
      isDuplicate: false,
    }),
  )
  return { items, total, anyRegistered: true, page: 1, pageSize: 50, periodDates: null }
}

const names = ({ shown }: { shown: StudentPage }) => shown.items.map(({ id }) => id).join('')
/** A reading of a list that new registrations come into. */
function reading(page: StudentPage, mayMove: boolean, more: Partial<Parameters<typeof receive>[1]> = {}) {
  return { key: 'k', page, mayMove, ownChanges: 0, marksNew: true, ...more }
}

const list = firstShown(reading(page('ba'), true))

describe('a reading of the same list', () => {
  test('shows a new record and marks it, when rows may move', () => {
    const next = receive(list, reading(page('cba'), true))
    expect(names(next)).toBe('cba')
    expect([...next.fresh]).toEqual(['c'])
    expect(heldBack(next)).toBeNull()
  })

  test('keeps the marks of those who came earlier', () => {
    const once = receive(list, reading(page('cba'), true))
    const twice = receive(once, reading(page('dcb'), true))
    expect([...twice.fresh]).toEqual(['c', 'd'])
    expect(twice.arrived.map(({ id }) => id)).toEqual(['d'])
  })

  test('does not mark who moved up because another went away', () => {
    const next = receive(firstShown(reading(page('cb', 3), true)), reading(page('ca', 2), true))
    expect(names(next)).toBe('ca')
    expect(next.fresh.size).toBe(0)
  })

  test('holds new records back while rows may not move, and tells how many', () => {
    const next = receive(list, reading(page('dcba'), false))
    expect(names(next)).toBe('ba')
    expect(heldBack(next)).toBe('2 new registrations')
    const shown = showNewest(next)
    expect(names(shown)).toBe('dcba')
    expect([...shown.fresh]).toEqual(['d', 'c'])
  })

  test('tells of one that lies on another page', () => {
    const next = receive(list, reading(page('ba', 3), false))
    expect(heldBack(next)).toBe('1 new registration')
  })

  test('tells that rows went away', () => {
    const next = receive(list, reading(page('b'), false))
    expect(names(next)).toBe('ba')
    expect(heldBack(next)).toBe('The list has changed')
  })

  test('brings what changed within a row at once', () => {
    const changed = page('cba')
    changed.items = changed.items.map((item) => ({ ...item, course: 'SOTE' }))
    const next = receive(list, reading(changed, false))
    expect(names(next)).toBe('ba')
    expect(next.shown.items[0]?.course).toBe('SOTE')
  })

  test('shows at once what the person did here, also where rows may not move', () => {
    const next = receive(list, reading(page('b'), false, { ownChanges: 1 }))
    expect(names(next)).toBe('b')
    const others = receive(next, reading(page(''), false, { ownChanges: 1 }))
    expect(names(others)).toBe('b')
  })

  test('marks nobody as new in a list that nobody registers into', () => {
    const archive = firstShown(reading(page('ba'), true, { marksNew: false }))
    const next = receive(archive, reading(page('cba'), true, { marksNew: false }))
    expect(names(next)).toBe('cba')
    expect(next.fresh.size).toBe(0)
    const held = receive(archive, reading(page('cba'), false, { marksNew: false }))
    expect(heldBack(held)).toBe('The list has changed')
  })

  test('that was seen before changes nothing', () => {
    expect(receive(list, reading(list.newest, true))).toBe(list)
    const held = receive(list, reading(page('cba'), false))
    expect(receive(held, reading(held.newest, true))).toBe(held)
  })
})

test('another list replaces everything, with no row marked', () => {
  const next = receive(list, reading(page('xyz'), false, { key: 'other' }))
  expect(names(next)).toBe('xyz')
  expect(next.fresh.size).toBe(0)
  expect(heldBack(next)).toBeNull()
})
