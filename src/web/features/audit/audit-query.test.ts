import { expect, test } from 'vitest'
import { type AuditAddress, auditAddress } from './audit-query.ts'

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
