import { describe, expect, test } from 'vitest'
import { defaultStudentFilters, maxPage } from '#shared/students/students.ts'
import { listKey, readAddress, type StudentsAddress, setKey, writeAddress } from './list-address.ts'
import { archiveListConfig, studentsListConfig } from './student-lists.ts'

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
