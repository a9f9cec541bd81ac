import { expect, test } from 'vitest'
import { badgeText, bellLabel, clockTexts } from './admin-frame.tsx'

test('the bell has room for two digits', () => {
  expect([1, 99, 100, 1_000].map(badgeText)).toEqual(['1', '99', '99+', '99+'])
})

test('the bell says how many there are', () => {
  expect([0, 1, 250, 1_000].map(bellLabel)).toEqual([
    'Notifications: no new registrations',
    'Notifications: 1 new registration',
    'Notifications: 250 new registrations',
    'Notifications: 1,000 or more new registrations',
  ])
})

test('the clock shows 12-hour time and the long date', () => {
  expect(clockTexts(new Date('2026-11-20T07:07:00Z'), 'Asia/Manila')).toEqual({
    time: '3:07 PM',
    date: 'Friday, November 20, 2026',
  })
})

test("the clock goes by the program's calendar, wherever the browser is", () => {
  expect(clockTexts(new Date('2026-11-20T16:05:00Z'), 'Asia/Manila')).toEqual({
    time: '12:05 AM',
    date: 'Saturday, November 21, 2026',
  })
})
