import { expect, test } from 'vitest'
import { textOf } from './announcement-form.tsx'
import { type AnnouncementValues, emptyValues } from './announcement-values.ts'

const text = (name: keyof AnnouncementValues, values: Partial<AnnouncementValues>) =>
  textOf(name, { ...emptyValues, ...values }, (local) => `moment ${local}`)

test('shows times, files, states and recipients as text', () => {
  expect(text('title', { title: 'Parade' })).toBe('Parade')
  expect(text('pinned', { pinned: true })).toBe('Yes')
  expect(text('publication', { publication: 'draft' })).toBe('Draft')
  expect(text('publishAt', { publishAt: '2026-12-24T08:30' })).toBe('moment 2026-12-24T08:30')
  expect(text('expireAt', {})).toBe('Never')
  expect(text('mailTo', { mailTo: 'all' })).toBe('All students')
  expect(text('image', { image: '' })).toBe('')
  expect(text('image', { image: '/b.jpg' })).toBe('Saved image')
  expect(text('image', { image: new File(['x'], 'court.png') })).toBe('court.png')
  expect(text('attachment', { attachment: { url: '/b', name: 'b.txt', size: 1 } })).toBe('b.txt')
  expect(text('attachment', {})).toBe('')
})

test('shortens a long text', () => {
  expect(text('content', { content: 'x'.repeat(500) })).toBe(`${'x'.repeat(160)}…`)
})
