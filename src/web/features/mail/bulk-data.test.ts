import { expect, test } from 'vitest'
import { type BulkAddress, bulkPath, readBulkAddress } from './bulk-data.ts'

const read = (path: string) => readBulkAddress(new URL(path, 'https://nstp.example').searchParams)

test('a written address is read back', () => {
  const everything: BulkAddress = {
    batch: '01990000-0000-7000-8000-000000000001',
    state: 'failed',
    search: 'juan+a@x.example',
    cursor: '1790000000000.01990000-0000-7000-8000-000000000002',
    message: '01990000-0000-7000-8000-000000000003',
  }
  expect(read(bulkPath(everything))).toEqual(everything)
})

test('the form has the shortest address', () => {
  expect(bulkPath()).toBe('/admin?tab=email&pane=bulk')
  expect(read(bulkPath()).batch).toBeNull()
})

test('invalid parameters are ignored', () => {
  const address = read('/admin?tab=email&pane=bulk&state=lost&search=a%00b')
  expect(address).toMatchObject({ state: null, search: '' })
})
