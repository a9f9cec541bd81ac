import type { Outcome } from './terms.ts'

/** The school's numbers, as it writes them. The best one is its lowest or its highest. */
export interface MarkingScale {
  best: string
  passing: string
  worst: string
}

export const defaultMarking: MarkingScale = { best: '1.00', passing: '3.00', worst: '5.00' }

/** In letters: 100.000, DRP. */
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

/** As it is stored. */
export function writtenMark(typed: string): string {
  return typed.trim().toUpperCase()
}

/** As the school writes its numbers: spreadsheets take the zeros at the end away. */
export function markOfFile(text: string, { best }: MarkingScale): string {
  const mark = writtenMark(text)
  const number = markNumber(mark)
  const decimals = decimalsOf(best)
  return Number.isNaN(number) || decimalsOf(mark) >= decimals ? mark : number.toFixed(decimals)
}

const decimalsOf = (number: string) => number.split('.')[1]?.length ?? 0

/** @returns undefined for what is no mark in this scale; 'none' for '', which isn't 0 */
export function outcomeOf(mark: string, { best, passing, worst }: MarkingScale): Outcome | undefined {
  if (mark === '') return 'none'
  const [number, first, limit, last] = [mark, best, passing, worst].map(markNumber)
  if (number === undefined || first === undefined || limit === undefined || last === undefined) return
  if (Number.isNaN(number)) return lettered.get(mark)
  if (number < Math.min(first, last) || number > Math.max(first, last)) return
  const isPassed = first < last ? number <= limit : number >= limit
  return isPassed ? 'passed' : 'failed'
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
  mark: ({ best, worst }: MarkingScale) =>
    `Please enter a mark from ${best} to ${worst}, INC, or DRP, DO, FA, FDA, UD or W.`,
}
