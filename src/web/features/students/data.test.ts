import { describe, expect, test } from 'vitest'
import type { StudentListItem, StudentPage } from '#shared/students/student-response.ts'
import { defaultStudentFilters, maxPage } from '#shared/students/students.ts'
import {
  applyUpdate,
  archiveListConfig,
  initialList,
  listKey,
  listName,
  pendingText,
  readAddress,
  type StudentsAddress,
  setKey,
  showPending,
  studentsListConfig,
  writeAddress,
} from './data.ts'

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
      restriction: null,
      isDuplicate: false,
    }),
  )
  return { items, total, anyRegistered: true, page: 1, pageSize: 50, periodDates: null }
}

const names = ({ shown }: { shown: StudentPage }) => shown.items.map(({ id }) => id).join('')
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
    expect(next.shown.items[0]?.course).toBe('SOTE')
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

const read = (query: string) => readAddress(query, studentsListConfig)
const write = (address: StudentsAddress) => writeAddress(address, studentsListConfig)

describe("the tab's address", () => {
  test('is empty for the defaults: active students, newest first', () => {
    const { query, opened } = read('tab=students')
    expect(query).toEqual({ ...defaultStudentFilters, page: 1, pageSize: 50 })
    expect(opened).toBeNull()
    expect(write({ query, opened })).toBe('/admin?tab=students')
  })

  test('holds every filter, the order, the page and the open student', () => {
    const address =
      '/admin?tab=students&search=peña+%26&component=LTS&archive=all&academicYear=2026-2027' +
      '&period=2026-11&course=SOTE&sex=male&duplicates=only&sort=-name&page=3&student=0198'
    expect(write(read(address.slice(6)))).toBe(address)
    expect(read(address.slice(6)).query).toMatchObject({ search: 'peña &', component: 'LTS', page: 3 })
  })

  test('ignores unknown values', () => {
    const { query } = read('component=XX&archive=no&academicYear=1999&period=ever&sort=address&page=-1')
    expect(query).toEqual({ ...defaultStudentFilters, page: 1, pageSize: 50 })
  })

  test.each(['0', '-1', '1.5', 'x', '1e3', '0x10', ' 2', ''])('reads the page %j as the first', (page) => {
    expect(read(`page=${page}`).query.page).toBe(1)
  })

  test('reads a page that is too large as the largest one allowed', () => {
    expect(read('page=999999999999').query.page).toBe(maxPage)
  })

  test.each(['%00', 'Dela%09Cruz', 'a%7F'])('ignores the search %j with a control character', (text) => {
    expect(read(`search=${text}`).query.search).toBe('')
  })

  test('truncates a search that is too long', () => {
    expect(read(`search=${'x'.repeat(500)}`).query.search).toHaveLength(100)
  })
})

describe('what is open', () => {
  test.each([
    ['student=1', { as: 'details', id: '1' }],
    ['edit=1', { as: 'edit', id: '1' }],
    ['form=1', { as: 'form', id: '1' }],
    ['duplicate=1', { as: 'duplicates', id: '1' }],
    // One record at a time.
    ['student=1&edit=2', { as: 'details', id: '1' }],
    ['student=', null],
  ])('%s is %j', (query, opened) => {
    expect(read(query).opened).toEqual(opened)
  })
})

describe("the archive's address", () => {
  const readArchive = (query: string) => readAddress(query, archiveListConfig)

  test('is empty for the defaults: archived students, the latest first', () => {
    const address = readArchive('')
    expect(address.query).toMatchObject({ archive: 'archived', sort: '-archivedDate', period: 'all-time' })
    expect(writeAddress(address, archiveListConfig)).toBe('/admin/archived')
  })

  test('holds its own filters and no other', () => {
    const { query } = readArchive('search=a&component=ROTC&archive=active&period=last-7-days')
    expect(query).toMatchObject({ search: 'a', component: 'ROTC', archive: 'archived', period: 'all-time' })
  })
})

describe('keys', () => {
  const key = (query: string) => listKey(read(query).query, studentsListConfig)
  const set = (query: string) => setKey(read(query).query, studentsListConfig)

  test('an open student does not change the list', () => {
    expect(key('search=a&student=1')).toBe(key('search=a'))
  })

  test('order and page change the list, but not its set of students', () => {
    expect(key('page=2')).not.toBe(key(''))
    expect(set('page=2&sort=name')).toBe(set(''))
    expect(set('component=ROTC')).not.toBe(set(''))
  })
})

test('a name is last, first middle', () => {
  expect(listName({ lastName: 'Dela Cruz', firstName: 'Juan Miguel', middleName: 'Peña' })).toBe(
    'Dela Cruz, Juan Miguel Peña',
  )
  expect(listName({ lastName: 'Cruz', firstName: 'Ana', middleName: '' })).toBe('Cruz, Ana')
  expect(listName({ lastName: 'Cruz', firstName: '', middleName: '' })).toBe('Cruz')
  expect(listName({ lastName: '', firstName: '', middleName: '' })).toBe('N/A')
})
