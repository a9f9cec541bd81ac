import { expect, test } from 'vitest'
import { managerAddress } from './data.ts'

const { read, to } = managerAddress

test('shows everything by default', () => {
  expect(read('tab=announcements')).toEqual({ category: null, state: null, show: 50, open: null })
  expect(to(read('tab=announcements'))).toBe('/admin?tab=announcements')
})

test('contains filters, length and the open form', () => {
  const address = '/admin?tab=announcements&category=LTS&state=draft&show=100&open=new'
  expect(to(read(address.slice(7)))).toBe(address)
})

test('ignores invalid parameters', () => {
  expect(read('category=Notices&state=gone&show=-1&open=')).toEqual({
    category: null,
    state: null,
    show: 50,
    open: null,
  })
  expect(read('show=100000').show).toBe(500)
})
