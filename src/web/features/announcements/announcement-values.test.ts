import { describe, expect, test } from 'vitest'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { type AnnouncementValues, bodyOf, emptyValues, problemsOf, valuesOf } from './announcement-values.ts'

const timeZone = 'Asia/Manila'
const now = new Date('2026-11-21T08:00:00+08:00')

const announcement: ManagedAnnouncement = {
  id: '0193f2a0-8d1c-7aaa-9bbb-0123456789ab',
  version: 3,
  title: 'Drill',
  content: 'At the gym.',
  contentHtml: '<p>At the gym.</p>',
  excerpt: 'At the gym.',
  category: 'ROTC',
  pinned: true,
  state: 'published',
  createdAt: now.getTime(),
  updatedAt: now.getTime(),
  publishAt: now.getTime(),
  mailTo: null,
  mailedAt: null,
  mailProblem: '',
  expireAt: null,
  eventAt: null,
  place: '',
  imageUrl: null,
  image: null,
  attachmentUrl: null,
  attachmentName: null,
  attachmentType: null,
  attachmentSize: null,
  createdBy: null,
  authorEmail: 'coordinator@school.example',
}

const typed: AnnouncementValues = { ...emptyValues, title: 'Drill', content: 'At the gym.' }

function problems(values: Partial<AnnouncementValues>, { formerEnd = '', halfTyped = '' } = {}) {
  return problemsOf(
    { ...typed, ...values },
    { timeZone, now, formerEnd, isHalfTyped: (id) => id === halfTyped },
  ).map(({ path, message }) => `${path}: ${message}`)
}

describe('the form of a stored announcement', () => {
  test('keeps a published one published, without a time', () => {
    expect(valuesOf(announcement, timeZone)).toMatchObject({
      title: 'Drill',
      category: 'ROTC',
      pinned: true,
      publication: 'now',
      publishAt: '',
      expireAt: '',
    })
  })

  test('shows scheduled times in the program’s time zone', () => {
    const publishAt = Date.parse('2026-12-24T00:30:00Z')
    const planned: ManagedAnnouncement = {
      ...announcement,
      state: 'scheduled',
      publishAt,
      expireAt: publishAt,
    }
    expect(valuesOf(planned, timeZone)).toMatchObject({
      publication: 'at',
      publishAt: '2026-12-24T08:30',
      expireAt: '2026-12-24T08:30',
    })
  })

  test('keeps a draft a draft', () => {
    expect(valuesOf({ ...announcement, state: 'draft', publishAt: null }, timeZone).publication).toBe('draft')
  })
})

describe('the rules of the form', () => {
  test('accepts a title and a content', () => {
    expect(problems({})).toEqual([])
  })

  test('requires both, in form order', () => {
    expect(problems({ title: ' ', content: '' })).toEqual([
      'title: Title is required',
      'content: Content is required',
    ])
  })

  test('requires a time only when scheduled', () => {
    expect(problems({ publication: 'at' })).toEqual(['publishAt: Please choose a date and a time.'])
    expect(problems({ publication: 'draft' })).toEqual([])
  })

  test('rejects an expiry before publication or in the past', () => {
    const planned = { publication: 'at', publishAt: '2026-12-24T08:30' } as const
    expect(problems({ ...planned, expireAt: '2026-12-24T08:30' })).toEqual([
      'expireAt: Please choose an expiry after the publishing time.',
    ])
    expect(problems({ expireAt: '2026-11-21T07:59' })).toEqual([
      'expireAt: Please choose an expiry in the future.',
    ])
    expect(problems({ expireAt: '2026-11-21T08:01' })).toEqual([])
  })

  test('rejects an incomplete expiry', () => {
    expect(problems({ title: '', expireAt: '' }, { halfTyped: 'expireAt' })).toEqual([
      'title: Title is required',
      'expireAt: Please choose a date and a time.',
    ])
  })

  test('rejects an incomplete date of an event', () => {
    const refused = ['eventAt: Please choose a date and a time.']
    expect(problems({ category: 'Event' }, { halfTyped: 'eventAt' })).toEqual(refused)
    expect(problems({ category: 'General' }, { halfTyped: 'eventAt' })).toEqual([])
    expect(problems({ category: 'Event', place: 'x'.repeat(201) })).toEqual([
      'place: Please shorten the place to 200 characters or fewer.',
    ])
  })

  test('accepts an unchanged expiry that has passed', () => {
    expect(problems({ expireAt: '2026-11-01T00:00' }, { formerEnd: '2026-11-01T00:00' })).toEqual([])
  })
})

describe('what is sent', () => {
  const sent = (values: Partial<AnnouncementValues>) => Object.fromEntries(bodyOf({ ...typed, ...values }))

  test('is every field, and no file that wasn’t chosen', () => {
    expect(sent({})).toEqual({
      title: 'Drill',
      content: 'At the gym.',
      category: 'General',
      pinned: 'false',
      draft: 'false',
      publishAt: '',
      expireAt: '',
      eventAt: '',
      place: '',
      mailTo: 'nobody',
      keepExistingImage: 'false',
      keepExistingAttachment: 'false',
    })
  })

  test('omits the time unless scheduled', () => {
    const publishAt = '2026-12-24T08:30'
    expect(sent({ publication: 'at', publishAt })).toMatchObject({ draft: 'false', publishAt })
    expect(sent({ publication: 'draft', publishAt })).toMatchObject({ draft: 'true', publishAt: '' })
  })

  test('keeps the stored files, unless others are chosen', () => {
    const image = new File(['x'], 'a.png')
    const stored = { image: '/a.jpg', attachment: { url: '/a', name: 'a.txt', size: 1 } }
    expect(sent(stored)).toMatchObject({ keepExistingImage: 'true', keepExistingAttachment: 'true' })
    expect(sent(stored)).not.toHaveProperty('image')
    expect(sent({ image })).toMatchObject({ image, keepExistingAttachment: 'false' })
  })
})
