import { describe, expect, test } from 'vitest'
import { forecastFinish, type Outlook } from './forecast.ts'

const now = new Date('2026-11-21T08:00:00Z')
const gmail = { perDay: 450, perMinute: 20 }

const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const hoursLater = (hours: number) => minutesLater(hours * 60)
const finish = (outlook: Partial<Outlook>, quotas = gmail) =>
  forecastFinish({ now, sent: [], urgent: 0, bulk: 0, ...outlook }, quotas)

describe('the forecast', () => {
  test('of nothing is none', () => {
    expect(finish({})).toBeNull()
  })

  test('lets the first minute’s messages go at once, the others minute by minute', () => {
    expect(finish({ bulk: 1 })).toEqual(now)
    expect(finish({ bulk: 20 })).toEqual(now)
    expect(finish({ bulk: 21 })).toEqual(minutesLater(1))
    expect(finish({ bulk: 405 })).toEqual(minutesLater(20))
  })

  test('goes on the next day where the day’s quota ends, leaving a tenth of it to single messages', () => {
    expect(finish({ bulk: 406 })).toEqual(hoursLater(24))
    expect(finish({ urgent: 450 })).toEqual(minutesLater(22))
    expect(finish({ urgent: 451 })).toEqual(hoursLater(24))
  })

  test('takes eight days for 3,000 students', () => {
    const seventhDay = hoursLater(24 * 7)
    const end = finish({ bulk: 3_000 })
    expect(end && end > seventhDay && end < hoursLater(24 * 7 + 1)).toBe(true)
  })

  test('counts what was sent within the last day', () => {
    const sent = Array.from({ length: 405 }, () => hoursLater(-23))
    expect(finish({ sent, bulk: 1 })).toEqual(hoursLater(1))
    expect(finish({ sent, urgent: 1 })).toEqual(now)
  })

  test('puts what goes to many behind what one person waits for', () => {
    expect(finish({ urgent: 20, bulk: 1 })).toEqual(minutesLater(1))
  })

  test('keeps one place of the smallest quotas too', () => {
    expect(finish({ urgent: 1, bulk: 1 }, { perDay: 2, perMinute: 20 })).toEqual(hoursLater(24))
    expect(finish({ urgent: 2 }, { perDay: 2, perMinute: 20 })).toEqual(now)
  })

  test('stands for a quota of one', () => {
    expect(finish({ bulk: 3 }, { perDay: 1, perMinute: 1 })).toEqual(hoursLater(48))
  })
})
