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
    }),
  )
  return { items, total, page: 1, pageSize: 50, periodDates: null }
}

const names = ({ shown }: { shown: StudentPage }) => shown.items.map(({ id }) => id).join('')
const list = firstShown('k', page('ba'))

describe('a reading of the same list', () => {
  test('shows a new record and marks it, when rows may move', () => {
    const next = receive(list, { key: 'k', page: page('cba'), mayMove: true })
    expect(names(next)).toBe('cba')
    expect([...next.fresh]).toEqual(['c'])
    expect(heldBack(next)).toBeNull()
  })

  test('keeps the marks of those who came earlier', () => {
    const once = receive(list, { key: 'k', page: page('cba'), mayMove: true })
    const twice = receive(once, { key: 'k', page: page('dcb'), mayMove: true })
    expect([...twice.fresh]).toEqual(['c', 'd'])
    expect(twice.arrived.map(({ id }) => id)).toEqual(['d'])
  })

  test('does not mark who moved up because another went away', () => {
    const next = receive(firstShown('k', page('cb', 3)), { key: 'k', page: page('ca', 2), mayMove: true })
    expect(names(next)).toBe('ca')
    expect(next.fresh.size).toBe(0)
  })

  test('holds new records back while rows may not move, and tells how many', () => {
    const next = receive(list, { key: 'k', page: page('dcba'), mayMove: false })
    expect(names(next)).toBe('ba')
    expect(heldBack(next)).toBe('2 new registrations')
    const shown = showNewest(next)
    expect(names(shown)).toBe('dcba')
    expect([...shown.fresh]).toEqual(['d', 'c'])
  })

  test('tells of one that lies on another page', () => {
    const next = receive(list, { key: 'k', page: page('ba', 3), mayMove: false })
    expect(heldBack(next)).toBe('1 new registration')
  })

  test('tells that rows went away', () => {
    const next = receive(list, { key: 'k', page: page('b'), mayMove: false })
    expect(names(next)).toBe('ba')
    expect(heldBack(next)).toBe('The list has changed')
  })

  test('brings what changed within a row at once', () => {
    const changed = page('cba')
    changed.items = changed.items.map((item) => ({ ...item, course: 'SOTE' }))
    const next = receive(list, { key: 'k', page: changed, mayMove: false })
    expect(names(next)).toBe('ba')
    expect(next.shown.items[0]?.course).toBe('SOTE')
  })

  test('that was seen before changes nothing', () => {
    expect(receive(list, { key: 'k', page: list.newest, mayMove: true })).toBe(list)
    const held = receive(list, { key: 'k', page: page('cba'), mayMove: false })
    expect(receive(held, { key: 'k', page: held.newest, mayMove: true })).toBe(held)
  })
})

test('another list replaces everything, with no row marked', () => {
  const next = receive(list, { key: 'other', page: page('xyz'), mayMove: false })
  expect(names(next)).toBe('xyz')
  expect(next.fresh.size).toBe(0)
  expect(heldBack(next)).toBeNull()
})
