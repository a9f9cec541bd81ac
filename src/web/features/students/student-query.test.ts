import { describe, expect, test } from 'vitest'
import { defaultStudentFilters, maxPage } from '#shared/students.ts'
import { listKey, readAddress, setKey, writeAddress } from './student-query.ts'

const read = (query: string) => readAddress(new URLSearchParams(query))

describe("the tab's address", () => {
  test('says nothing for the defaults: active students, newest first', () => {
    const { query, student } = read('tab=students')
    expect(query).toEqual({ ...defaultStudentFilters, page: 1, pageSize: 50 })
    expect(student).toBeNull()
    expect(writeAddress({ query, student })).toBe('?tab=students')
  })

  test('holds every filter, the order, the page and the open student', () => {
    const address =
      '?tab=students&search=pe%C3%B1a+%26&component=LTS&archive=all&academicYear=2026-2027' +
      '&period=last-7-days&sort=-name&page=3&student=0198'
    expect(writeAddress(read(address))).toBe(address)
    expect(read(address).query).toMatchObject({ search: 'peña &', component: 'LTS', page: 3 })
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

describe('keys', () => {
  test('an open student makes no other list', () => {
    expect(listKey(read('search=a&student=1').query)).toBe(listKey(read('search=a').query))
  })

  test('order and page make another list of the same students', () => {
    expect(listKey(read('page=2').query)).not.toBe(listKey(read('').query))
    expect(setKey(read('page=2&sort=name').query)).toBe(setKey(read('').query))
    expect(setKey(read('component=ROTC').query)).not.toBe(setKey(read('').query))
  })
})
