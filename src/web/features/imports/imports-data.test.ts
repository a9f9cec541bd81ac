import { expect, test } from 'vitest'
import { importAddress } from './imports-data.ts'

const { read, to } = importAddress
const searchOf = (path: string) => path.slice(path.indexOf('?'))

test('an address is written and read back', () => {
  const address = { import: 'abc', of: 'terms', step: 'columns', rows: 'duplicate', page: 3 } as const
  expect(read(searchOf(to(address)))).toEqual(address)
  expect(to({})).toBe('/admin?tab=import')
})

test('invalid parameters are ignored', () => {
  expect(read('?tab=import&rows=odd&page=-1&step=x&of=email')).toEqual(read('?tab=import'))
})
