import { expect, test } from 'vitest'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { otherChanges } from './announcement-form.tsx'

const seen: ManagedAnnouncement = {
  id: '0193f2a0-8d1c-7aaa-9bbb-0123456789ab',
  version: 1,
  title: 'Drill',
  content: 'At the gym.',
  contentHtml: '<p>At the gym.</p>',
  excerpt: 'At the gym.',
  category: 'General',
  pinned: false,
  state: 'published',
  createdAt: 1,
  updatedAt: 1,
  publishAt: 1,
  mailTo: null,
  mailedAt: null,
  mailProblem: '',
  expireAt: null,
  imageUrl: '/a.jpg',
  image: null,
  attachmentUrl: '/a',
  attachmentName: 'a.txt',
  attachmentType: 'text/plain',
  attachmentSize: 1,
}

const changes = (now: Partial<ManagedAnnouncement>) =>
  otherChanges(seen, { ...seen, version: 2, updatedAt: 2, ...now }, (instant) => `moment ${instant}`).map(
    ({ label, now: text }) => `${label}: ${text}`,
  )

test('lists only the differences, in form order', () => {
  expect(changes({})).toEqual([])
  expect(changes({ pinned: true, title: 'Parade', category: 'Event' })).toEqual([
    'Title: Parade',
    'Category: Event',
    'Pinned: Yes',
  ])
})

test('shows times, files and states as text', () => {
  expect(changes({ publishAt: null, expireAt: 5 })).toEqual(['Published: No (draft)', 'Expires: moment 5'])
  expect(changes({ imageUrl: null, attachmentUrl: '/b', attachmentName: 'b.txt' })).toEqual([
    'Image: Removed',
    'Attachment: b.txt',
  ])
  expect(changes({ imageUrl: '/b.jpg', attachmentUrl: null, attachmentName: null })).toEqual([
    'Image: New image',
    'Attachment: Removed',
  ])
})

test('shows the recipients of the e-mail', () => {
  expect(changes({ mailTo: '' })).toEqual(['Sent by e-mail to: All students'])
  expect(changes({ mailTo: 'ROTC', expireAt: 5 })).toEqual(['Expires: moment 5', 'Sent by e-mail to: ROTC'])
})

test('shortens a long text', () => {
  expect(changes({ content: 'x'.repeat(500) })).toEqual([`Content: ${'x'.repeat(160)}…`])
})
