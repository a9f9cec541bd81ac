import { expect, test } from 'vitest'
import { type AuditAddress, readAuditAddress, writeAuditAddress } from './audit-query.ts'

const everything: AuditAddress = {
  action: 'student-edited',
  search: '203.0.113',
  from: '2026-11-01',
  to: '2026-11-20',
  student: '0199-x',
  cursor: '1790000000000.01990000-0000-7000-8000-000000000000',
  entry: '01990000-0000-7000-8000-000000000001',
}

test('a written address is read back', () => {
  const written = writeAuditAddress(everything)
  expect(readAuditAddress(new URLSearchParams(written))).toEqual(everything)
})

test('the newest entries without filters have the shortest address', () => {
  const plain = readAuditAddress(new URLSearchParams('tab=audit'))
  expect(writeAuditAddress(plain)).toBe('?tab=audit')
})

test.each(['action=dance', 'from=yesterday', 'to=2026-02-30', 'cursor=top', 'search=%00'])(
  'a wrong %s counts as not said',
  (wrong) => {
    expect(writeAuditAddress(readAuditAddress(new URLSearchParams(wrong)))).toBe('?tab=audit')
  },
)
