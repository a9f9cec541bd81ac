import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CountedDay } from '#shared/attendance/standing.ts'
import {
  type Attended,
  attendanceScore,
  attendedOf,
  cogCellsOf,
  isEntered,
  type ProposedMark,
  proposeMark,
  readScore,
  type Scores,
} from './mark-proposal.ts'
import { type MarkScheme, partPresets, type SchemePart, scalePresets } from './mark-scheme.ts'
import { defaultMarking, markNumber } from './marking.ts'

const [scaleOf97, , itself] = scalePresets.map(({ scale }) => scale)
const rotc = partPresets[0]?.parts
if (!scaleOf97 || !itself || !rotc) throw new Error('there are three scales and a preset')
const percentMarking = { best: '100', passing: '75', worst: '0' }

const part = (key: string, weight: number, about: Partial<SchemePart> = {}): SchemePart => ({
  ...{ key, name: key, weight, top: 100, lowest: 0, column: null, attendance: null },
  ...about,
})

const schemeOf = (parts: readonly SchemePart[], about: Partial<MarkScheme> = {}): MarkScheme => ({
  ...{ parts: [...parts], minimums: [], scale: scaleOf97 },
  ...about,
})

const one = schemeOf([part('a', 100)])

function propose(scheme: MarkScheme, scores: Scores, attended: Attended | null = null) {
  return proposeMark(scheme, { scores, attended }, defaultMarking)
}

function must(proposed: ProposedMark | null): ProposedMark {
  if (!proposed) throw new Error('all parts have a score')
  return proposed
}

describe('a proposed mark', () => {
  test('of a cadet has attendance, aptitude and two examinations', () => {
    const scores = { attitude: 90, midterm: 70, final: 85.5 }
    const proposed = must(propose(schemeOf(rotc), scores, { attended: 14, of: 15 }))
    // 28 + 27 + 14 + 17.1
    expect(proposed).toMatchObject({ percent: '86.00', mark: '2.00', outcome: 'passed' })
    expect(proposed.parts[0]).toMatchObject({ score: 93.33, attendance: { attended: 14, of: 15 } })
    expect(cogCellsOf(proposed.parts)).toEqual({
      attendance: { percent: '93.33', points: '28.00' },
      attitude: { percent: '90.00', points: '27.00' },
      midterm: { percent: '70.00', points: '14.00' },
      final: { percent: '85.50', points: '17.10' },
    })
    const typed = must(propose(schemeOf(rotc), { ...scores, attendance: 100 }, { attended: 14, of: 15 }))
    expect(typed.parts[0]).toMatchObject({ score: 100, attendance: null })
  })

  test('waits for each score: a blank isn’t zero', () => {
    const scheme = schemeOf([part('a', 60), part('b', 40)])
    expect(propose(scheme, { a: 100 })).toBeNull()
    expect(propose(schemeOf(rotc), { attitude: 90, midterm: 70, final: 85 })).toBeNull()
    expect(propose(scheme, { a: 100, b: 0 })).toMatchObject({ percent: '60.00', mark: '5.00' })
    expect(propose(scheme, { a: 101, b: 0 })).toBeNull()
  })

  test('counts raw ÷ items × 50 + 50 where the lowest per cent is 50', () => {
    const scheme = schemeOf([part('a', 100, { top: 60, lowest: 50 })])
    expect([0, 30, 45, 60].map((a) => propose(scheme, { a })?.percent)).toEqual([
      '50.00',
      '75.00',
      '88.00',
      '100.00',
    ])
    const exact = { ...scheme, scale: { ...scaleOf97, decimals: 2 as const } }
    expect(propose(exact, { a: 45 })?.percent).toBe('87.50')
  })

  test('fails below a minimum, with its per cent and the best failing mark', () => {
    const parts = [part('a', 60), part('midterm', 20), part('final', 20)]
    const scheme = schemeOf(parts, { minimums: [{ parts: ['midterm', 'final'], points: 28 }] })
    const result = (midterm: number, final: number) => {
      const { percent, mark, outcome } = must(propose(scheme, { a: 100, midterm, final }))
      return `${percent} ${mark} ${outcome}`
    }
    expect(result(70, 70)).toBe('88.00 1.75 passed')
    expect(result(70, 69.99)).toBe('88.00 5.00 failed')
    expect(result(40, 100)).toBe('88.00 1.75 passed')
    const byPercent = { ...scheme, scale: itself }
    const failed = proposeMark(
      byPercent,
      { scores: { a: 100, midterm: 0, final: 90 }, attended: null },
      percentMarking,
    )
    expect(failed).toMatchObject({ percent: '78.00', mark: '74', outcome: 'failed' })
  })

  test('is none where the scale no longer fits the marks of the settings', () => {
    const strict = { ...defaultMarking, passing: '2.00' }
    expect(proposeMark(one, { scores: { a: 75 }, attended: null }, strict)).toBeNull()
  })

  test('is that of the table in each step of 0.01, never worse for more, and of all scores', () => {
    const wrong: string[] = []
    for (const decimals of [0, 1, 2] as const) {
      const scheme = { ...one, scale: { ...scaleOf97, decimals } }
      let before = 5
      for (let hundredth = 0; hundredth <= 10_000; hundredth += 1) {
        const { percent, mark, outcome } = must(propose(scheme, { a: hundredth / 100 }))
        const step = 10 ** (2 - decimals)
        const rounded = Math.floor((hundredth + step / 2) / step) * step
        const ofTable = scaleOf97.bounds.find(({ from }) => from * 100 <= rounded)?.mark
        const expected = `${(rounded / 100).toFixed(2)} ${ofTable} ${rounded >= 7_500 ? 'passed' : 'failed'}`
        const proposed = `${percent} ${mark} ${outcome}`
        if (proposed !== expected || markNumber(mark) > before) wrong.push(`${hundredth}: ${proposed}`)
        before = markNumber(mark)
      }
    }
    expect(wrong).toEqual([])
  })

  test('never gets worse by a better score, whatever the scheme', () => {
    const weights = fc
      .integer({ min: 1, max: 98 })
      .chain((a) => fc.integer({ min: 1, max: 99 - a }).map((b) => [a, b, 100 - a - b] as const))
    const about = fc.record({
      top: fc.integer({ min: 100, max: 20_000 }).map((top) => top / 100),
      lowest: fc.constantFrom(0 as const, 50 as const),
    })
    const shares = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    fc.assert(
      fc.property(
        weights,
        fc.tuple(about, about, about),
        fc.tuple(shares, shares, shares),
        fc.constantFrom(0 as const, 1 as const, 2 as const),
        fc.boolean(),
        (own, tops, pairs, decimals, hasMinimum) => {
          const parts = own.map((weight, index) => part(`p${index}`, weight, tops[index]))
          const points = Math.max(1, own[0] + own[1] - 1)
          const minimums = hasMinimum ? [{ parts: ['p0', 'p1'], points }] : []
          const scheme = schemeOf(parts, { minimums, scale: { ...scaleOf97, decimals } })
          const scoresBy = (pick: (pair: readonly [number, number]) => number): Scores =>
            Object.fromEntries(
              pairs.map((pair, index) => {
                const { top } = tops[index] ?? { top: 100 }
                return [`p${index}`, Math.floor(pick(pair) * top * 100) / 100]
              }),
            )
          const low = must(
            propose(
              scheme,
              scoresBy((pair) => Math.min(...pair)),
            ),
          )
          const high = must(
            propose(
              scheme,
              scoresBy((pair) => Math.max(...pair)),
            ),
          )
          expect(Number(high.percent)).toBeGreaterThanOrEqual(Number(low.percent))
          expect(markNumber(high.mark)).toBeLessThanOrEqual(markNumber(low.mark))
          expect(low.outcome === 'passed' && high.outcome === 'failed').toBe(false)
        },
      ),
    )
  })

  test('is the entered one until a score, a weight or the per cent is another', () => {
    const proposed = must(propose(one, { a: 88 }))
    expect(isEntered(proposed, proposed)).toBe(true)
    expect(isEntered({ ...proposed, parts: null, percent: null }, proposed)).toBe(false)
    expect(isEntered(proposed, must(propose(one, { a: 88.01 })))).toBe(false)
    const renamed = schemeOf([part('a', 100, { name: 'Project' })])
    expect(isEntered(proposed, must(propose(renamed, { a: 88 })))).toBe(true)
  })
})

describe('attendance', () => {
  const days = (letters: string): CountedDay[] =>
    [...letters].map((letter, index) => ({
      state: ({ P: 'present', L: 'late', A: 'absent', E: 'excused' } as const)[
        letter as 'P' | 'L' | 'A' | 'E'
      ],
      hours: index === 0 ? 8 : 4,
    }))

  test.each([
    ['PLAE', 'days', 'left out', { attended: 2, of: 3 }],
    ['PLAE', 'days', 'attended', { attended: 3, of: 4 }],
    ['PLAE', 'days', 'absent', { attended: 2, of: 4 }],
    ['PLAE', 'hours', 'left out', { attended: 12, of: 16 }],
    ['AP', 'hours', 'absent', { attended: 4, of: 12 }],
    ['', 'days', 'absent', null],
    ['EE', 'days', 'left out', null],
  ] as const)('of %s in %s, excused %s', (letters, measure, excused, expected) => {
    expect(attendedOf(days(letters), { measure, excused })).toEqual(expected)
  })

  test('gives a score of two decimals, halves upwards', () => {
    expect([1, 2, 3].map((attended) => attendanceScore({ attended, of: 3 }, 100))).toEqual([
      33.33, 66.67, 100,
    ])
    expect(attendanceScore({ attended: 1, of: 8 }, 100.04)).toBe(12.51)
    expect(attendanceScore({ attended: 3.75, of: 54 }, 30)).toBe(2.08)
  })
})

test('a typed score has at most two decimals, and isn’t above the top one', () => {
  const texts = ['', ' ', '0', '45', '45,5', '59.99', '60', '60.01', '45.555', '-1', 'x', '1e1']
  expect(texts.map((text) => readScore(text, { top: 60 }))).toEqual([
    ...[null, null, 0, 45, 45.5, 59.99, 60],
    ...Array.from({ length: 5 }),
  ])
})
