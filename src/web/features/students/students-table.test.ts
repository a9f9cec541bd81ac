import { expect, test } from 'vitest'
import { directionOf, nextSort } from './students-table.tsx'

test('a click on a heading sorts by it, another one reverses the order', () => {
  expect(nextSort('-registrationDate', 'name')).toBe('name')
  expect(nextSort('name', 'name')).toBe('-name')
  expect(nextSort('-name', 'name')).toBe('name')
  expect(nextSort('-name', 'email')).toBe('email')
})

test('dates begin with the newest', () => {
  expect(nextSort('name', 'registrationDate')).toBe('-registrationDate')
  expect(nextSort('-registrationDate', 'registrationDate')).toBe('registrationDate')
})

test('a heading states the sort direction of its column', () => {
  expect(directionOf('-name', 'name')).toBe('descending')
  expect(directionOf('name', 'name')).toBe('ascending')
  expect(directionOf('name', 'email')).toBe('none')
})
