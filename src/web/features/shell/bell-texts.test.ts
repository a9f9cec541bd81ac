import { expect, test } from 'vitest'
import { badgeText, bellLabel } from './bell-texts.ts'

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
