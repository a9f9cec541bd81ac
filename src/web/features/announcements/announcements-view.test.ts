import { describe, expect, test } from 'vitest'
import {
  addressOfMore,
  announcementsAddress,
  listQueryOf,
  readAnnouncementsAddress,
} from './announcements-view.tsx'

const read = (search: string) => readAnnouncementsAddress(new URLSearchParams(search))

describe('the address of the public view', () => {
  test('shows the newest page of all categories by default', () => {
    expect(read('')).toEqual({ category: null, show: 12, cursor: '' })
    expect(announcementsAddress(read(''))).toBe('/announcements')
    expect(listQueryOf(read(''))).toEqual({ limit: '12' })
  })

  test('contains category, length and cursor', () => {
    const address = read('category=ROTC&show=24&cursor=abc')
    expect(address).toEqual({ category: 'ROTC', show: 24, cursor: 'abc' })
    expect(announcementsAddress(address)).toBe('/announcements?category=ROTC&show=24&cursor=abc')
    expect(listQueryOf(address)).toEqual({ limit: '24', category: 'ROTC', cursor: 'abc' })
  })

  test.each([
    ['category=LTS', null, 12],
    ['category=rotc&show=banana', null, 12],
    ['show=-5', null, 12],
    ['show=13', null, 24],
    ['show=1e9', null, 48],
    ['show=Infinity', null, 48],
  ])('takes %s for what it can mean', (search, category, show) => {
    expect(read(search)).toEqual({ category, show, cursor: '' })
  })

  test('grows by a page, and continues at a cursor when full', () => {
    expect(addressOfMore(read('category=CWTS'), 'next')).toBe('/announcements?category=CWTS&show=24')
    expect(addressOfMore(read('category=CWTS&show=48'), 'next')).toBe(
      '/announcements?category=CWTS&cursor=next',
    )
  })
})
