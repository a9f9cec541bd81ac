import { describe, expect, test } from 'vitest'
import type { StudentListItem } from '#shared/students/student.ts'
import { defaultStudentFilters, maxPage, type StudentPage } from '#shared/students/students.ts'
import {
  archivePlace,
  firstShown,
  heldBack,
  listKey,
  listName,
  readAddress,
  receive,
  type StudentsAddress,
  setKey,
  showNewest,
  studentsPlace,
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
      isDuplicate: false,
    }),
  )
  return { items, total, anyRegistered: true, page: 1, pageSize: 50, periodDates: null }
}

const names = ({ shown }: { shown: StudentPage }) => shown.items.map(({ id }) => id).join('')
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

const read = (query: string) => readAddress(new URLSearchParams(query), studentsPlace)
const write = (address: StudentsAddress) => writeAddress(address, studentsPlace)

describe("the tab's address", () => {
  test('says nothing for the defaults: active students, newest first', () => {
    const { query, opened } = read('tab=students')
    expect(query).toEqual({ ...defaultStudentFilters, page: 1, pageSize: 50 })
    expect(opened).toBeNull()
    expect(write({ query, opened })).toBe('/admin?tab=students')
  })

  test('holds every filter, the order, the page and the open student', () => {
    const address =
      '/admin?tab=students&search=pe%C3%B1a+%26&component=LTS&archive=all&academicYear=2026-2027' +
      '&period=last-7-days&duplicates=only&sort=-name&page=3&student=0198'
    expect(write(read(address.slice(6)))).toBe(address)
    expect(read(address.slice(6)).query).toMatchObject({ search: 'peña &', component: 'LTS', page: 3 })
  })

  test('ignores what it does not know', () => {
    const { query } = read('component=XX&archive=no&academicYear=1999&period=ever&sort=address&page=-1')
    expect(query).toEqual({ ...defaultStudentFilters, page: 1, pageSize: 50 })
  })

  test.each(['0', '-1', '1.5', 'x', '1e3', '0x10', ' 2', ''])('takes the page %j for the first', (page) => {
    expect(read(`page=${page}`).query.page).toBe(1)
  })

  test('takes a page that no list has for the furthest one that could be asked for', () => {
    expect(read('page=999999999999').query.page).toBe(maxPage)
  })

  test.each(['%00', 'Dela%09Cruz', 'a%7F'])('ignores the search %j: it holds a control character', (text) => {
    expect(read(`search=${text}`).query.search).toBe('')
  })

  test('cuts a search that no name has', () => {
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
  const readArchive = (query: string) => readAddress(new URLSearchParams(query), archivePlace)

  test('says nothing for the defaults: archived students, the latest first', () => {
    const address = readArchive('')
    expect(address.query).toMatchObject({ archive: 'archived', sort: '-archivedDate', period: 'all-time' })
    expect(writeAddress(address, archivePlace)).toBe('/admin/archived')
  })

  test('holds its own filters and no other', () => {
    const { query } = readArchive('search=a&component=ROTC&archive=active&period=last-7-days')
    expect(query).toMatchObject({ search: 'a', component: 'ROTC', archive: 'archived', period: 'all-time' })
  })
})

describe('keys', () => {
  const key = (query: string) => listKey(read(query).query, studentsPlace)
  const set = (query: string) => setKey(read(query).query, studentsPlace)

  test('an open student makes no other list', () => {
    expect(key('search=a&student=1')).toBe(key('search=a'))
  })

  test('order and page make another list of the same students', () => {
    expect(key('page=2')).not.toBe(key(''))
    expect(set('page=2&sort=name')).toBe(set(''))
    expect(set('component=ROTC')).not.toBe(set(''))
  })
})

test('a name stands as last, first middle', () => {
  expect(listName({ lastName: 'Dela Cruz', firstName: 'Juan Miguel', middleName: 'Peña' })).toBe(
    'Dela Cruz, Juan Miguel Peña',
  )
  expect(listName({ lastName: 'Cruz', firstName: 'Ana', middleName: '' })).toBe('Cruz, Ana')
  expect(listName({ lastName: 'Cruz', firstName: '', middleName: '' })).toBe('Cruz')
  expect(listName({ lastName: '', firstName: '', middleName: '' })).toBe('N/A')
})
