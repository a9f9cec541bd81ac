import { describe, expect, test } from 'vitest'
import { noTimes, timesAfter } from './change-service.ts'

const now = new Date('2026-11-21T08:00:30Z')
const at = (time: string) => new Date(`2026-11-${time}Z`)

const published = { publishedAt: at('20T10:15:42.123'), expireAt: null }
const scheduled = { publishedAt: at('22T10:15:00'), expireAt: at('30T00:00:00') }
const expired = { publishedAt: at('01T00:00:00'), expireAt: at('10T00:00:00') }

function publishedAfter(
  ...[edit, stored]: [Parameters<typeof timesAfter>[0], Parameters<typeof timesAfter>[1]]
) {
  return timesAfter(edit, stored, now).publishedAt
}

describe('an announcement is public', () => {
  test('at once, when it is published without a time', () => {
    expect(publishedAfter({ draft: false }, noTimes)).toEqual(now)
    expect(publishedAfter({ draft: false, publishAt: null }, noTimes)).toEqual(now)
    expect(publishedAfter({ publishAt: null }, scheduled)).toEqual(now)
  })

  test('from the given time on', () => {
    expect(publishedAfter({ publishAt: at('25T08:00:00') }, noTimes)).toEqual(at('25T08:00:00'))
    expect(publishedAfter({ publishAt: at('21T00:00:00') }, published)).toEqual(at('21T00:00:00'))
  })

  test('not while it is a draft', () => {
    expect(publishedAfter({}, noTimes)).toBeNull()
    expect(publishedAfter({ publishAt: null }, noTimes)).toBeNull()
    expect(publishedAfter({ draft: true, publishAt: at('25T08:00:00') }, published)).toBeNull()
    // Even an expired one may become a draft again.
    expect(publishedAfter({ draft: true }, expired)).toBeNull()
  })

  test('since its time, after any edit of other fields', () => {
    expect(publishedAfter({}, published)).toEqual(published.publishedAt)
    expect(publishedAfter({ draft: false, publishAt: null }, published)).toEqual(published.publishedAt)
    expect(publishedAfter({ draft: false }, scheduled)).toEqual(scheduled.publishedAt)
    expect(timesAfter({}, expired, now)).toEqual(expired)
  })

  test('since its time also when a form sends it rounded to the minute', () => {
    expect(publishedAfter({ publishAt: at('20T10:15:00') }, published)).toEqual(published.publishedAt)
    expect(publishedAfter({ publishAt: at('20T10:14:00') }, published)).toEqual(at('20T10:14:00'))
  })
})

describe('its end', () => {
  test('is set, left unchanged and removed', () => {
    expect(timesAfter({ expireAt: at('25T00:00:00') }, published, now).expireAt).toEqual(at('25T00:00:00'))
    expect(timesAfter({}, scheduled, now).expireAt).toEqual(scheduled.expireAt)
    expect(timesAfter({ expireAt: null }, scheduled, now).expireAt).toBeNull()
    expect(timesAfter({ expireAt: null }, expired, now).expireAt).toBeNull()
    // The same end sent back is no new one, though it has passed: by a form to the minute, by a program exactly.
    const expiredExactly = { ...expired, expireAt: at('10T00:00:42.123') }
    for (const expireAt of [at('10T00:00:00'), expiredExactly.expireAt]) {
      expect(timesAfter({ expireAt }, expiredExactly, now)).toEqual(expiredExactly)
    }
  })

  test.each([
    ['has passed', { expireAt: at('21T08:00:00') }, published, 'Please choose an expiry in the future.'],
    [
      'is before it',
      { expireAt: at('22T00:00:00') },
      scheduled,
      'Please choose an expiry after the publishing time.',
    ],
    [
      'comes before a later beginning',
      { publishAt: at('30T00:00:00') },
      scheduled,
      'Please choose an expiry after the publishing time.',
    ],
    [
      'has passed when it is published again',
      { publishAt: at('22T00:00:00') },
      expired,
      'Please choose an expiry in the future.',
    ],
  ])('may not be one that %s', (_name, edit, stored, message) => {
    expect(() => timesAfter(edit, stored, now)).toThrow(
      expect.objectContaining({ code: 'invalid', message, errors: [{ path: 'expireAt', message }] }),
    )
  })
})
