import { expect, test } from 'vitest'
import { importPath, readImportsAddress } from './imports-data.ts'

const read = (path: string) => readImportsAddress(new URL(path, 'http://x').searchParams)

test('an address is written and read back', () => {
  const part = { atColumns: true, rows: 'duplicate', page: 3 } as const
  expect(read(importPath('abc', part))).toEqual({ id: 'abc', ...part })
  expect(read(importPath(null))).toEqual({ id: null, atColumns: false, rows: null, page: 1 })
})

test('invalid parameters are ignored', () => {
  expect(read('/admin?tab=import&import=&rows=odd&page=-1&step=x')).toEqual(read('/admin?tab=import'))
})
