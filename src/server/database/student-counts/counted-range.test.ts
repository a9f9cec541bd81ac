import { describe, expect, test } from 'vitest'
import { countedRange } from './counted-range.ts'

const zone = 'Asia/Manila'
const at = (text: string) => new Date(`${text}+08:00`)
const between = (from: string, until: string | null) =>
  countedRange({ from: at(from), until: until === null ? null : at(until) }, zone)

describe('the range that the counts cover', () => {
  test('all time', () => {
    expect(countedRange(null, zone)).toEqual({ grain: 'all', first: null, end: null, whole: null, edges: [] })
  })

  test('whole months are months, with or without an end', () => {
    const months = between('2026-08-01T00:00:00', '2027-01-01T00:00:00')
    expect(months).toMatchObject({ grain: 'month', first: '2026-08-01', end: '2027-01-01', edges: [] })
    expect(between('2026-08-01T00:00:00', null)).toMatchObject({ grain: 'month', end: null, edges: [] })
  })

  test('whole days are days', () => {
    const days = between('2026-08-02T00:00:00', '2026-09-01T00:00:00')
    expect(days).toMatchObject({ grain: 'day', first: '2026-08-02', end: '2026-09-01', edges: [] })
  })

  test('the shorter part of a partial day is subtracted or added', () => {
    expect(between('2026-08-02T09:00:00', '2026-08-05T20:00:00')).toEqual({
      grain: 'day',
      first: '2026-08-02',
      end: '2026-08-06',
      whole: { from: at('2026-08-02T00:00:00'), until: at('2026-08-06T00:00:00') },
      edges: [
        { range: { from: at('2026-08-02T00:00:00'), until: at('2026-08-02T09:00:00') }, sign: -1 },
        { range: { from: at('2026-08-05T20:00:00'), until: at('2026-08-06T00:00:00') }, sign: -1 },
      ],
    })
    expect(between('2026-08-02T15:00:00', '2026-08-05T04:00:00')).toEqual({
      grain: 'day',
      first: '2026-08-03',
      end: '2026-08-05',
      whole: { from: at('2026-08-03T00:00:00'), until: at('2026-08-05T00:00:00') },
      edges: [
        { range: { from: at('2026-08-02T15:00:00'), until: at('2026-08-03T00:00:00') }, sign: 1 },
        { range: { from: at('2026-08-05T00:00:00'), until: at('2026-08-05T04:00:00') }, sign: 1 },
      ],
    })
  })

  test('hours of one day are counted from the records', () => {
    const range = { from: at('2026-08-02T09:00:00'), until: at('2026-08-02T20:00:00') }
    const { first, end, edges } = countedRange(range, zone)
    expect(first).toBe(end)
    expect(edges).toEqual([{ range, sign: 1 }])
  })
})
