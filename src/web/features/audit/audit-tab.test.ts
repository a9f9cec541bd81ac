import { expect, test } from 'vitest'
import { type AuditAddress, auditAddress, fieldLabel, valueText } from './audit-tab.tsx'

const everything: AuditAddress = {
  action: 'student-edited',
  search: '203.0.113',
  from: '2026-11-01',
  to: '2026-11-20',
  student: '0199-x',
  cursor: '1790000000000.01990000-0000-7000-8000-000000000000',
  entry: '01990000-0000-7000-8000-000000000001',
}

const searchOf = (path: string) => path.slice(path.indexOf('?'))

test('a written address is read back', () => {
  expect(auditAddress.read(searchOf(auditAddress.to(everything)))).toEqual(everything)
})

test('the newest entries without filters have the shortest address', () => {
  expect(auditAddress.to(auditAddress.read('?tab=audit'))).toBe('/admin?tab=audit')
})

test.each(['action=dance', 'from=yesterday', 'to=2026-02-30', 'cursor=top', 'search=%00'])(
  'a wrong %s counts as not said',
  (wrong) => {
    expect(auditAddress.to(auditAddress.read(wrong))).toBe('/admin?tab=audit')
  },
)

test('fields have the labels of the screens', () => {
  expect(fieldLabel('contactNumber')).toBe('Contact Number')
  expect(fieldLabel('schoolName')).toBe('School name')
  expect(fieldLabel('sealed')).toBe('Encrypted')
})

test('a missing value is a dash, a list is readable', () => {
  const texts = ['', null, 3, true, ['a']].map((value) => valueText('semesters', value))
  expect(texts).toEqual(['—', '—', '3', 'Yes', '[\n "a"\n]'])
})

test('a year level and a date of birth read as on the screens', () => {
  expect(valueText('yearLevel', 3)).toBe('3rd Year')
  expect(valueText('dateOfBirth', '2007-05-14')).toBe('May 14, 2007')
})
