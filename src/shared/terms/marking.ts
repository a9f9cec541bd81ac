import type { Outcome } from './terms.ts'

/** The school's numbers, as it writes them. The best one is its lowest or its highest. */
export interface MarkingScale {
  best: string
  passing: string
  worst: string
}

export const defaultMarking: MarkingScale = { best: '1.00', passing: '3.00', worst: '5.00' }

/** When students see their marks and outcomes at /my: 'closed' is when the term is closed. */
export const marksShownWhen = ['never', 'closed', 'at once'] as const
export type MarksShownWhen = (typeof marksShownWhen)[number]

/** The most characters of a mark: 100.000, DRP. */
export const mostInMark = 10

const decimal = /^\d{1,3}(\.\d{1,3})?$/

/** NaN for anything else. */
export function markNumber(text: string): number {
  return decimal.test(text) ? Number(text) : Number.NaN
}

/** Whether some marks pass and some fail. */
export function isScale({ best, passing, worst }: MarkingScale): boolean {
  const [first, middle, last] = [best, passing, worst].map(markNumber)
  if (first === undefined || middle === undefined || last === undefined) return false
  return first < last ? first <= middle && middle < last : first >= middle && middle > last
}

// Incomplete, and the ways in which schools write that somebody left.
const lettered = new Map<string, Outcome>([
  ['INC', 'incomplete'],
  ...['DRP', 'DO', 'FA', 'FDA', 'UD', 'W'].map((letters) => [letters, 'dropped'] as const),
])

/** The mark as it is stored. */
export function writtenMark(typed: string): string {
  return typed.trim().toUpperCase()
}

const percent = /^(\d{1,3}(?:\.\d+)?)\s?%$/
const average = /^\d{1,3}\.\d{4,}$/

/**
 * The mark as the school writes its numbers: spreadsheets take the zeros at the end away. On a scale to 100, 85% is 85.
 * An average of many decimals is rounded to the mark that people see.
 */
export function markOfFile(text: string, scale: MarkingScale): string {
  const written = withPoint(text)
  const mark = isOf100(scale) ? written.replace(percent, '$1') : written
  const decimals = decimalsOf(scale.best)
  if (average.test(mark)) return rounded(mark, Math.max(2, decimals))
  const number = markNumber(mark)
  return Number.isNaN(number) || decimalsOf(mark) >= decimals ? mark : number.toFixed(decimals)
}

export function isPercent(text: string): boolean {
  return percent.test(writtenMark(text))
}

// Spreadsheets of other countries write 1,75; no mark has thousands.
const withPoint = (text: string) => writtenMark(text).replace(/^(\d{1,3}),(\d+\s?%?)$/, '$1.$2')

/** Whether an average only passes, or fails, because it was rounded. */
export function isPassedByRounding(text: string, scale: MarkingScale): boolean {
  const exact = withPoint(text).replace(percent, '$1')
  if (!average.test(exact)) return false
  const mark = markOfFile(text, scale)
  return isPassing(Number(exact), scale) !== isPassing(markNumber(mark), scale)
}

const isOf100 = ({ best, worst }: MarkingScale) => Math.max(markNumber(best), markNumber(worst)) === 100

// Half of a hundredth has no binary fraction: its digits decide.
function rounded(digits: string, decimals: number): string {
  return (Math.round(Number(`${digits}e${decimals}`)) / 10 ** decimals).toFixed(decimals)
}

const decimalsOf = (number: string) => number.split('.')[1]?.length ?? 0

/** @returns undefined for what is no mark in this scale; 'none' for '', which isn't 0 */
export function outcomeOf(mark: string, { best, passing, worst }: MarkingScale): Outcome | undefined {
  if (mark === '') return 'none'
  const [number, first, last] = [mark, best, worst].map(markNumber)
  if (number === undefined || first === undefined || last === undefined) return
  if (Number.isNaN(number)) return lettered.get(mark)
  if (number < Math.min(first, last) || number > Math.max(first, last)) return
  return isPassing(number, { best, passing, worst }) ? 'passed' : 'failed'
}

function isPassing(number: number, { best, passing, worst }: MarkingScale): boolean {
  const limit = markNumber(passing)
  return markNumber(best) < markNumber(worst) ? number <= limit : number >= limit
}

export const outcomeNames: Readonly<Record<Outcome, string>> = {
  none: '',
  passed: 'Passed',
  failed: 'Failed',
  incomplete: 'Incomplete',
  dropped: 'Dropped',
}

export const markingMessages = {
  text: 'Please send each mark as a short text.',
  scale: 'Please enter the number as the school writes it, such as 3.00.',
  passing: 'Please enter a passing mark from the best to the worst one, which itself fails.',
  percent: ({ best, worst }: MarkingScale) =>
    `This is a percentage, but marks go from ${best} to ${worst}. Please enter the mark.`,
  byRounding: (mark: string, outcome: Outcome) =>
    `This average is ${mark}, ${outcome}, only because it is rounded.`,
  mark: ({ best, worst }: MarkingScale) =>
    `Please enter a mark from ${best} to ${worst}, INC, or DRP, DO, FA, FDA, UD or W.`,
}
