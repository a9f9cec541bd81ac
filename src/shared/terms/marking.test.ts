import { expect, test } from 'vitest'
import { defaultMarking, isPassedByRounding, isScale, markOfFile, outcomeOf, writtenMark } from './marking.ts'
import type { Outcome } from './terms.ts'

const percent = { best: '100', passing: '75', worst: '0' }

const marks: Record<'points' | 'percent', Partial<Record<Outcome | 'refused', string[]>>> = {
  points: {
    none: [''],
    passed: ['1', '1.0', '1.00', '1.25', '1.5', '1.75', '2.00', '2.25', '2.9', '3', '3.00', '3.000'],
    failed: ['3.001', '3.25', '4', '4.00', '5', '5.00'],
    incomplete: ['INC'],
    dropped: ['DRP', 'DO', 'FA', 'FDA', 'UD', 'W'],
    refused: ['0', '0.99', '5.01', '7', '75', 'A+', 'P', '1,25', '-1', '1.', 'IN', '1E0'],
  },
  percent: {
    none: [''],
    passed: ['100', '100.00', '99.5', '80', '75', '75.00'],
    failed: ['74.999', '74', '50', '1.00', '0', '0.00'],
    incomplete: ['INC'],
    dropped: ['DRP', 'FDA'],
    refused: ['100.01', '101', '1000', 'F', '75%', '0X10'],
  },
}

const rows = Object.entries(marks).flatMap(([scale, outcomes]) =>
  Object.entries(outcomes).flatMap(([outcome, texts]) => texts.map((mark) => ({ scale, mark, outcome }))),
)

test.each(rows)('$mark in $scale: $outcome', ({ scale, mark, outcome }) => {
  expect(outcomeOf(mark, scale === 'points' ? defaultMarking : percent) ?? 'refused').toBe(outcome)
})

test('a mark is written without spaces around it, and in capitals', () => {
  expect([' inc ', '1.00\r', '  '].map(writtenMark)).toEqual(['INC', '1.00', ''])
})

test('a mark from a file gets the decimals of the scale back', () => {
  const texts = ['1.5', ' 2 ', '1.75', '2.999', 'inc', 'A+', '']
  const ofPoints = ['1.50', '2.00', '1.75', '2.999', 'INC', 'A+', '']
  expect(texts.map((text) => markOfFile(text, defaultMarking))).toEqual(ofPoints)
  expect(['85', '85.5', '0'].map((text) => markOfFile(text, percent))).toEqual(['85', '85.5', '0'])
})

const twentieths = { best: '20', passing: '10', worst: '0' }

// What columns of averages hold.
test.each([
  ['85%', percent, '85', 'passed'],
  ['85 %', percent, '85', 'passed'],
  ['74.5%', percent, '74.5', 'failed'],
  ['100%', percent, '100', 'passed'],
  ['120%', percent, '120', undefined],
  ['85%', defaultMarking, '85%', undefined],
  ['85%', twentieths, '85%', undefined],
  ['1.66666666666667', defaultMarking, '1.67', 'passed'],
  ['2.995000001', defaultMarking, '3.00', 'passed'],
  ['1.0050', defaultMarking, '1.01', 'passed'],
  ['85.6666666666667', percent, '85.67', 'passed'],
  ['85.6666666666667%', percent, '85.67', 'passed'],
  ['74.9949', percent, '74.99', 'failed'],
  ['0.85', percent, '0.85', 'failed'],
  ['85.50%', percent, '85.50', 'passed'],
  ['1.75E+00', defaultMarking, '1.75E+00', undefined],
  ['8.5e1', percent, '8.5E1', undefined],
  ['1,75', defaultMarking, '1.75', 'passed'],
  ['85,5', percent, '85.5', 'passed'],
  ['1.0', defaultMarking, '1.00', 'passed'],
  ['1,66666666666667', defaultMarking, '1.67', 'passed'],
  ['85,25%', percent, '85.25', 'passed'],
  ['-1.5', defaultMarking, '-1.5', undefined],
  ['1.000000000000002', defaultMarking, '1.00', 'passed'],
  ['1.25/5.00', defaultMarking, '1.25/5.00', undefined],
])('of a file, %s in %o is the mark %s: %s', (text, scale, mark, outcome) => {
  expect(markOfFile(text, scale)).toBe(mark)
  expect(outcomeOf(mark, scale)).toBe(outcome)
})

test('an average that passes by its rounding alone is known', () => {
  const texts = ['3.0049', '3,0049', '3.0051', '2.9951', '1.66666', '3.004']
  expect(texts.filter((text) => isPassedByRounding(text, defaultMarking))).toEqual(['3.0049', '3,0049'])
  expect(['74.9951', '74.9951%', '74.99'].filter((text) => isPassedByRounding(text, percent))).toEqual([
    '74.9951',
    '74.9951%',
  ])
})

test.each([
  ['1.00', '3.00', '5.00', true],
  ['100', '75', '0', true],
  ['1', '1', '5', true],
  ['1', '5', '5', false],
  ['1', '6', '5', false],
  ['100', '0', '0', false],
  ['3', '3', '3', false],
  ['A', '3', '5', false],
  ['1', '', '5', false],
])('%s, %s, %s is a scale: %s', (best, passing, worst, expected) => {
  expect(isScale({ best, passing, worst })).toBe(expected)
})
