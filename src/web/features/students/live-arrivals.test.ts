import { describe, expect, test } from 'vitest'
import type { StudentListItem, StudentPage } from '#shared/students/student-response.ts'
import { applyUpdate, initialList, pendingText, showPending } from './live-arrivals.ts'

function page(names: string, total = names.length): StudentPage {
  const items = [...names].map(
    (id): StudentListItem => ({
      id,
      lastName: id,
      firstName: '',
      middleName: '',
      extensionName: '',
      studentId: '',
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
      restriction: null,
      isDuplicate: false,
    }),
  )
  return { items, total, anyRegistered: true, page: 1, pageSize: 50, periodDates: null }
}

const names = ({ shownPage }: { shownPage: StudentPage }) => shownPage.items.map(({ id }) => id).join('')
function updateOf(
  page: StudentPage,
  mayMove: boolean,
  more: Partial<Parameters<typeof applyUpdate>[1]> = {},
) {
  return { key: 'k', page, mayMove, ownChanges: 0, marksNew: true, ...more }
}

const list = initialList(updateOf(page('ba'), true))

describe('an update of the same list', () => {
  test('shows a new record and marks it, when rows may move', () => {
    const next = applyUpdate(list, updateOf(page('cba'), true))
    expect(names(next)).toBe('cba')
    expect([...next.fresh]).toEqual(['c'])
    expect(pendingText(next)).toBeNull()
  })

  test('keeps the marks of earlier new records', () => {
    const once = applyUpdate(list, updateOf(page('cba'), true))
    const twice = applyUpdate(once, updateOf(page('dcb'), true))
    expect([...twice.fresh]).toEqual(['c', 'd'])
    expect(twice.arrived.map(({ id }) => id)).toEqual(['d'])
  })

  test('does not mark a record that moved up because another was removed', () => {
    const next = applyUpdate(initialList(updateOf(page('cb', 3), true)), updateOf(page('ca', 2), true))
    expect(names(next)).toBe('ca')
    expect(next.fresh.size).toBe(0)
  })

  test('does not mark what an own change brought back, as Undo does', () => {
    const next = applyUpdate(list, updateOf(page('cba'), true, { ownChanges: 1 }))
    expect(names(next)).toBe('cba')
    expect(next.fresh.size).toBe(0)
  })

  test('only counts new records while rows may not move', () => {
    const next = applyUpdate(list, updateOf(page('dcba'), false))
    expect(names(next)).toBe('ba')
    expect(pendingText(next)).toBe('2 new registrations')
    const shown = showPending(next)
    expect(names(shown)).toBe('dcba')
    expect([...shown.fresh]).toEqual(['d', 'c'])
  })

  test('counts a new record on another page', () => {
    const next = applyUpdate(list, updateOf(page('ba', 3), false))
    expect(pendingText(next)).toBe('1 new registration')
  })

  test('reports removed rows', () => {
    const next = applyUpdate(list, updateOf(page('b'), false))
    expect(names(next)).toBe('ba')
    expect(pendingText(next)).toBe('The list has changed')
  })

  test('shows changes within a row at once', () => {
    const changed = page('cba')
    changed.items = changed.items.map((item) => ({ ...item, course: 'SOTE' }))
    const next = applyUpdate(list, updateOf(changed, false))
    expect(names(next)).toBe('ba')
    expect(next.shownPage.items[0]?.course).toBe('SOTE')
  })

  test('shows the user’s own changes at once, even while rows may not move', () => {
    const next = applyUpdate(list, updateOf(page('b'), false, { ownChanges: 1 }))
    expect(names(next)).toBe('b')
    const others = applyUpdate(next, updateOf(page(''), false, { ownChanges: 1 }))
    expect(names(others)).toBe('b')
  })

  test('marks no record as new in the archive', () => {
    const archive = initialList(updateOf(page('ba'), true, { marksNew: false }))
    const next = applyUpdate(archive, updateOf(page('cba'), true, { marksNew: false }))
    expect(names(next)).toBe('cba')
    expect(next.fresh.size).toBe(0)
    const held = applyUpdate(archive, updateOf(page('cba'), false, { marksNew: false }))
    expect(pendingText(held)).toBe('The list has changed')
  })

  test('with the same data changes nothing', () => {
    expect(applyUpdate(list, updateOf(list.newest, true))).toBe(list)
    const held = applyUpdate(list, updateOf(page('cba'), false))
    expect(applyUpdate(held, updateOf(held.newest, true))).toBe(held)
  })
})

test('another list replaces everything, with no row marked', () => {
  const next = applyUpdate(list, updateOf(page('xyz'), false, { key: 'other' }))
  expect(names(next)).toBe('xyz')
  expect(next.fresh.size).toBe(0)
  expect(pendingText(next)).toBeNull()
})
