import { expect, test } from 'vitest'
import { fieldLabel, valueText } from './audit-texts.ts'

test('a field is called as on the screens', () => {
  expect(fieldLabel('contactNumber')).toBe('Contact Number')
  expect(fieldLabel('schoolName')).toBe('School name')
})

test('a missing value is a dash, a list stays readable', () => {
  expect([valueText(''), valueText(null), valueText(3), valueText(['a'])]).toEqual([
    '—',
    '—',
    '3',
    '[\n "a"\n]',
  ])
})
