import { expect, test } from 'vitest'
import { announcementHash, readIdOf } from './announcement-cards.tsx'

const id = '0193f2a0-8d1c-7aaa-9bbb-0123456789ab'

test('finds the open announcement in an address that was written here', () => {
  expect(readIdOf(announcementHash(id))).toBe(id)
})

test.each(['', '#', '#read=', '#read=../admin', `#${id}`, `#read=${id}x`])('finds none in %j', (hash) => {
  expect(readIdOf(hash)).toBeNull()
})
