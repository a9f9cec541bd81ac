import type { CountedDay } from '#shared/attendance/standing.ts'
import { type CogColumn, type MarkScheme, type SchemePart, scaleFault } from './mark-scheme.ts'
import { type MarkingScale, outcomeOf } from './marking.ts'
import type { Outcome } from './terms.ts'

/** Scores by the key of their part. */
export type Scores = Readonly<Record<string, number>>

/** What was attended, of what counts: days, or hours. */
export interface Attended {
  attended: number
  of: number
}

/** A part of an entered mark, as it was when the mark was entered. */
export interface EnteredPart
  extends Pick<SchemePart, 'key' | 'name' | 'weight' | 'top' | 'lowest' | 'column'> {
  score: number
  attendance: Attended | null
}

export interface ProposedMark {
  // It has two decimals, as it is stored.
  percent: string
  mark: string
  outcome: Extract<Outcome, 'passed' | 'failed'>
  parts: EnteredPart[]
}

/**
 * What a student attended. Late is attended. @returns null without a day that counts: nothing is no score of 0
 */
export function attendedOf(
  counted: readonly CountedDay[],
  { measure, excused }: NonNullable<SchemePart['attendance']>,
): Attended | null {
  const sum = { attended: 0, of: 0 }
  for (const { state, hours } of counted) {
    if (state === 'excused' && excused === 'left out') continue
    const size = measure === 'days' ? 1 : hours
    sum.of += size
    if (state === 'excused' ? excused === 'attended' : state !== 'absent') sum.attended += size
  }
  return sum.of === 0 ? null : sum
}

/** The score of the attendance part, to a hundredth, half up. */
export function attendanceScore({ attended, of }: Attended, top: number): number {
  // Hours are quarters, scores hundredths: whole numbers keep the halves exact.
  const [part, whole] = [Math.round(attended * 4), Math.round(of * 4)]
  return Math.floor((2 * hundredths(top) * part + whole) / (2 * whole)) / 100
}

/** @returns undefined for what is no score of the part; null for an empty one, which isn't 0 */
export function readScore(text: string, { top }: Pick<SchemePart, 'top'>): number | null | undefined {
  const written = text.trim().replace(',', '.')
  if (written === '') return null
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(written)) return
  const score = Number(written)
  return score <= top ? score : undefined
}

const hundredths = (value: number) => Math.round(value * 100)

interface Fraction {
  over: bigint
  under: bigint
}

/** The points that a part gives to the per cent: its weight × (lowest + score ÷ top × the rest). */
function pointsOf({ weight, lowest, top, score }: Omit<EnteredPart, 'attendance'>): Fraction {
  const [own, whole] = [hundredths(score), hundredths(top)]
  return { over: BigInt(weight * (lowest * whole + (100 - lowest) * own)), under: BigInt(100 * whole) }
}

const sumOf = (points: readonly Fraction[]): Fraction =>
  points.reduce(
    (sum, { over, under }) => ({ over: sum.over * under + over * sum.under, under: sum.under * under }),
    { over: 0n, under: 1n },
  )

/** Rounded to hundredths, half up, after it was rounded so to fewer decimals. */
function roundedHundredths({ over, under }: Fraction, decimals: 0 | 1 | 2): number {
  const steps = 10n ** BigInt(decimals)
  return Number((over * steps * 2n + under) / (under * 2n)) * 10 ** (2 - decimals)
}

const asText = (value: number) => (value / 100).toFixed(2)

/** What a part shows on the certificate of grades: its own per cent, and the points of its weight. */
function cogTextsOf(part: EnteredPart): { percent: string; points: string } {
  const points = pointsOf(part)
  const whole = { over: points.over * 100n, under: points.under * BigInt(part.weight) }
  return { percent: asText(roundedHundredths(whole, 2)), points: asText(roundedHundredths(points, 2)) }
}

/** The texts of the parts that fill columns of the certificate of grades. */
export function cogCellsOf(
  parts: readonly EnteredPart[],
): Partial<Record<CogColumn, ReturnType<typeof cogTextsOf>>> {
  return Object.fromEntries(
    parts.flatMap((part) => (part.column === null ? [] : [[part.column, cogTextsOf(part)] as const])),
  )
}

/** The mark of a rounded per cent, in hundredths. Below the last line it is the last one. */
function markAt({ bounds }: MarkScheme['scale'], percent: number): string {
  return (bounds.find(({ from }) => hundredths(from) <= percent) ?? bounds.at(-1))?.mark ?? ''
}

/**
 * The one way from scores to a mark, for every screen and the server: per cent, its mark, and its outcome. A missed
 * minimum fails, with the best failing mark at most.
 * @param attended what the student attended, for the attendance part without a typed score
 * @returns null until each part has a score, and where the scale doesn't fit the marking
 */
export function proposeMark(
  { parts, minimums, scale }: MarkScheme,
  { scores, attended }: { scores: Scores; attended: Attended | null },
  marking: MarkingScale,
): ProposedMark | null {
  const entered = parts.flatMap(
    ({ key, name, weight, top, lowest, column, attendance }): (EnteredPart & { points: Fraction })[] => {
      const counted = attendance && scores[key] === undefined ? attended : null
      const score = scores[key] ?? (counted && attendanceScore(counted, top))
      // A score of before the top was lowered is none.
      if (score === null || score > top) return []
      const part = { key, name, weight, top, lowest, column, score, attendance: counted }
      return [{ ...part, points: pointsOf(part) }]
    },
  )
  if (entered.length < parts.length || scaleFault(scale, marking) !== undefined) return null
  const percent = roundedHundredths(sumOf(entered.map(({ points }) => points)), scale.decimals)
  const isShort = minimums.some((minimum) => {
    const own = entered.filter(({ key }) => minimum.parts.includes(key))
    const { over, under } = sumOf(own.map(({ points }) => points))
    return over * 100n < BigInt(hundredths(minimum.points)) * under
  })
  const lowered = isShort ? Math.min(percent, hundredths(scale.passing) - 1) : percent
  const mark = markAt(scale, lowered)
  const outcome = outcomeOf(mark, marking)
  if (outcome !== 'passed' && outcome !== 'failed') return null
  return {
    percent: asText(percent),
    mark,
    outcome,
    parts: entered.map(({ points: _points, ...part }) => part),
  }
}

/** Whether a mark was entered with these parts, and the same per cent. */
export function isEntered(
  { mark, percent, parts }: { mark: string; percent: string | null; parts: readonly EnteredPart[] | null },
  proposed: ProposedMark,
): boolean {
  return (
    mark === proposed.mark &&
    percent === proposed.percent &&
    parts?.length === proposed.parts.length &&
    proposed.parts.every((part, index) => isSamePart(part, parts[index]))
  )
}

// A new name, or another lowest per cent with the same result, says nothing else of the student.
function isSamePart(one: EnteredPart, other: EnteredPart | undefined): boolean {
  return (['key', 'score', 'top', 'weight', 'column'] as const).every((name) => one[name] === other?.[name])
}
