import { expect, test } from 'vitest'
import {
  type MarkScheme,
  markSchemeSchema,
  partPresets,
  proposedScheme,
  scaleFault,
  scalePresets,
  schemeMessages,
} from './mark-scheme.ts'
import { defaultMarking } from './marking.ts'

const scheme = proposedScheme('ROTC', defaultMarking)
const percentMarking = { best: '100', passing: '75', worst: '0' }

function faultsOf(changed: Partial<MarkScheme>) {
  const { error } = markSchemeSchema.safeParse({ ...scheme, ...changed })
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
}

const withPart = (index: number, about: object) => ({
  parts: scheme.parts.map((part, at) => (at === index ? { ...part, ...about } : part)),
})

test('the presets are schemes, and ROTC begins with its own', () => {
  for (const { parts } of partPresets) expect(faultsOf({ parts: [...parts] })).toEqual([])
  for (const { scale } of scalePresets) expect(faultsOf({ scale })).toEqual([])
  expect(scheme.parts.map(({ weight }) => weight)).toEqual([30, 30, 20, 20])
  expect(proposedScheme('CWTS', defaultMarking).parts).toEqual([])
})

test.each<[string, Partial<MarkScheme>, string, string]>([
  ['no parts', { parts: [] }, 'parts', schemeMessages.parts],
  ['another sum', withPart(1, { weight: 20, column: null }), 'parts.3.weight', schemeMessages.weights(90)],
  ['two of one name', withPart(1, { name: 'ATTENDANCE' }), 'parts.1.name', schemeMessages.sameName],
  ['two of one key', withPart(1, { key: 'attendance' }), 'parts.1.key', schemeMessages.key],
  [
    'two of attendance',
    withPart(1, { attendance: { measure: 'days', excused: 'absent' } }),
    'parts.1.attendance',
    schemeMessages.attendanceTwice,
  ],
  ['two of one column', withPart(3, { column: 'midterm' }), 'parts.3.column', schemeMessages.columnTwice],
  [
    'a column of another per cent',
    withPart(3, { column: 'attitude' }),
    'parts.3.column',
    schemeMessages.columnTwice,
  ],
  [
    'a minimum of all points',
    { minimums: [{ parts: ['midterm', 'final'], points: 40 }] },
    'minimums.0.points',
    schemeMessages.minimum,
  ],
  [
    'a minimum of an unknown part',
    { minimums: [{ parts: ['other'], points: 1 }] },
    'minimums.0.points',
    schemeMessages.minimum,
  ],
])('a scheme is refused with %s', (_title, changed, path, message) => {
  expect(faultsOf(changed)).toContainEqual({ path, message })
})

test('a scale fits the marking where its marks are in order, and pass exactly from the passing per cent', () => {
  const [of97, , itself] = scalePresets.map(({ scale }) => scale)
  if (!of97 || !itself) throw new Error('there are three')
  const fault = (about: object, marking = defaultMarking) => scaleFault({ ...of97, ...about }, marking)
  expect(fault({})).toBeUndefined()
  expect(scaleFault(itself, percentMarking)).toBeUndefined()
  expect(scaleFault(itself, defaultMarking)).toBe(schemeMessages.mark('100'))
  const bounds = (...lines: [number, string][]) => ({ bounds: lines.map(([from, mark]) => ({ from, mark })) })
  expect(fault(bounds([75, '3.00'], [0, 'INC']))).toBe(schemeMessages.mark('INC'))
  expect(fault(bounds([90, '2.00'], [75, '1.00'], [0, '5.00']))).toBe(schemeMessages.order('1.00'))
  expect(fault(bounds([76, '3.00'], [0, '5.00']))).toBe(schemeMessages.edge(75))
  expect(fault(bounds([75, '3.00'], [70, '3.00'], [0, '5.00']))).toBe(schemeMessages.edge(75))
  expect(fault(bounds([90, '1.00'], [75, '3.00']))).toBe(schemeMessages.edge(75))
  expect(fault({ passing: 74 })).toBe(schemeMessages.edge(74))
})

const downFrom = (first: number, count: number, mark: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${first - index} ${mark(index)}`).join(', ')

// Tables that Philippine schools publish.
test.each([
  [
    '1.00 3.00 5.00',
    75,
    '98 1.00, 95 1.25, 92 1.50, 89 1.75, 86 2.00, 83 2.25, 80 2.50, 77 2.75, 75 3.00, 0 5.00',
  ],
  ['1.00 3.00 5.00', 75, '96 1.00, 94 1.25, 91 1.50, 83 2.25, 77 2.75, 75 3.00, 70 4.00, 0 5.00'],
  ['4.00 1.00 0.00', 50, '92 4.00, 85 3.50, 78 3.00, 71 2.50, 64 2.00, 57 1.50, 50 1.00, 0 0.00'],
  ['1.0 3.0 5.0', 75, `${downFrom(95, 21, (index) => (1 + index / 10).toFixed(1))}, 0 5.0`],
  ['100 75 40', 75, downFrom(100, 61, (index) => String(100 - index))],
])('marks of %s from %d per cent fit their marking', (marking, passing, lines) => {
  const [best = '', lowest = '', worst = ''] = marking.split(' ')
  const bounds = lines
    .split(', ')
    .map((each) => ({ from: Number(each.split(' ')[0]), mark: each.split(' ')[1] ?? '' }))
  expect(faultsOf({ scale: { passing, decimals: 0, bounds } })).toEqual([])
  expect(scaleFault({ passing, decimals: 0, bounds }, { best, passing: lowest, worst })).toBeUndefined()
})
