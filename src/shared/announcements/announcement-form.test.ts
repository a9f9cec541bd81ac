import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { textMessages } from '#shared/form-text.ts'
import {
  announcementMessages,
  createAnnouncementEditSchema,
  createAnnouncementSchema,
  problemOfTimes,
} from './announcement-form.ts'

const schema = createAnnouncementSchema('Asia/Manila')
const editSchema = createAnnouncementEditSchema('Asia/Manila')
const filled = { title: 'Drill', content: 'At the gym.' }

function problemsOf(input: unknown, of: typeof schema | typeof editSchema = schema) {
  return z.safeParse(of, input).error?.issues.map(({ path, message }) => [path.join('.'), message])
}

describe('a new announcement', () => {
  test('has a title and content', () => {
    const both = [
      ['title', 'Title is required'],
      ['content', 'Content is required'],
    ]
    expect(problemsOf({})).toEqual(both)
    expect(problemsOf({ title: null, content: ' \r\n\t' })).toEqual(both)
    // A space without width shows as little.
    expect(problemsOf({ title: '\u200b', content: '\u200b' })).toEqual(both)
  })

  test('is trimmed, with normalized line ends', () => {
    expect(z.parse(schema, { title: ' Drill ', content: '\r\nOne\r\nTwo\rThree\n' })).toEqual({
      title: 'Drill',
      content: 'One\nTwo\nThree',
    })
  })

  test('may be long, but not without end', () => {
    expect(problemsOf({ title: 'a'.repeat(200), content: 'a\r\n'.repeat(10_000) })).toBeUndefined()
    expect(problemsOf({ title: 'a'.repeat(201), content: 'a'.repeat(20_001) })).toEqual([
      ['title', 'Please shorten the title to 200 characters or fewer.'],
      ['content', 'Please shorten the content to 20,000 characters or fewer.'],
    ])
  })

  test('contains no control characters, direction marks or lone surrogates, and its title is one line', () => {
    expect(problemsOf({ title: 'a\nb', content: 'a\u0000' })).toEqual([
      ['title', textMessages.characters('title')],
      ['content', textMessages.characters('content')],
    ])
    expect(problemsOf({ title: 'a\u202eb', content: '\ud800' })).toHaveLength(2)
    expect(problemsOf({ title: 7, content: [] })).toEqual([
      ['title', textMessages.notText('title')],
      ['content', textMessages.notText('content')],
    ])
  })

  test('is General unless its category is valid', () => {
    for (const category of ['Sports', '', 7, null, 'general']) {
      expect(z.parse(schema, { ...filled, category })).toMatchObject({ category: 'General' })
    }
    expect(z.parse(schema, { ...filled, category: 'LTS' })).toMatchObject({ category: 'LTS' })
  })

  test('accepts no other fields', () => {
    expect(problemsOf({ ...filled, createdBy: 'me', id: 1 })).toEqual([
      ['', 'These fields are not known here: createdBy, id.'],
    ])
  })
})

describe('an edit', () => {
  test('has only the sent fields', () => {
    expect(z.parse(editSchema, {})).toEqual({})
    expect(z.parse(editSchema, { pinned: 'true', keepExistingImage: 'false', draft: false })).toEqual({
      pinned: true,
      keepExistingImage: false,
      draft: false,
    })
    expect(problemsOf({ title: '', pinned: 'yes' }, editSchema)).toEqual([
      ['title', 'Title is required'],
      ['pinned', announcementMessages.yesOrNo],
    ])
  })
})

describe('an instant', () => {
  const publishAt = (value: unknown) => z.parse(editSchema, { publishAt: value }).publishAt

  test.each([
    [1795219200000, '2026-11-21T00:00:00.000Z'],
    ['1795219200000', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T08:00', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T08:00:00+08:00', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T00:00:00.123Z', '2026-11-21T00:00:00.123Z'],
  ])('may be %j', (value, iso) => {
    expect(publishAt(value)?.toISOString()).toBe(iso)
  })

  test('may be none', () => {
    expect(publishAt('')).toBeNull()
    expect(publishAt(null)).toBeNull()
  })

  test.each(['tomorrow', '2026-11-21', '2026-02-30T00:00:00Z', '0026-11-21T08:00', 7, Number.NaN, true])(
    'is not %j',
    (value) => {
      expect(problemsOf({ publishAt: value }, editSchema)).toEqual([
        ['publishAt', 'Please choose a date and a time.'],
      ])
    },
  )
})

test('a publication ends after its beginning and in the future', () => {
  const now = new Date('2026-11-21T00:00:00Z')
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  expect(problemOfTimes({ publishAt: at(1), expireAt: null }, now)).toBeUndefined()
  expect(problemOfTimes({ publishAt: at(1), expireAt: at(2) }, now)).toBeUndefined()
  expect(problemOfTimes({ publishAt: null, expireAt: at(1) }, now)).toBeUndefined()
  expect(problemOfTimes({ publishAt: at(1), expireAt: at(1) }, now)).toEqual({
    path: 'expireAt',
    message: 'Please choose an expiry after the publishing time.',
  })
  expect(problemOfTimes({ publishAt: at(-2), expireAt: at(0) }, now)).toEqual({
    path: 'expireAt',
    message: 'Please choose an expiry in the future.',
  })
})
