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
