import { expect, test } from 'vitest'
import { directionOf, nextSort } from './students-table.tsx'

test('a press on a head sorts by it, another one the other way round', () => {
  expect(nextSort('-registrationDate', 'name')).toBe('name')
  expect(nextSort('name', 'name')).toBe('-name')
  expect(nextSort('-name', 'name')).toBe('name')
  expect(nextSort('-name', 'email')).toBe('email')
})

test('dates begin with the newest', () => {
  expect(nextSort('name', 'registrationDate')).toBe('-registrationDate')
  expect(nextSort('-registrationDate', 'registrationDate')).toBe('registrationDate')
})

test('a head tells how its column is sorted', () => {
  expect(directionOf('-name', 'name')).toBe('descending')
  expect(directionOf('name', 'name')).toBe('ascending')
  expect(directionOf('name', 'email')).toBe('none')
})
