import * as z from 'zod/mini'
import { shapeError } from '#shared/field-rules.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { sectionMessages } from '#shared/terms/terms.ts'
import type { AttendanceState } from './calls.ts'

/** Limits of a rule. A student is over at the number, of `percent` above it; null doesn't count. */
export const ruleLimits = ['absences', 'percent', 'inRow', 'hoursMissed', 'lates'] as const
export type RuleLimit = (typeof ruleLimits)[number]

export type AttendanceRule = Record<RuleLimit, number | null> & {
  /** The hours of training that a level has to reach. */
  hours: number
}

/** RA 9163 asks for 54 to 90 hours a semester. */
const leastHours = 54

const none: AttendanceRule = {
  absences: null,
  percent: null,
  inRow: null,
  hoursMissed: null,
  lates: null,
  hours: leastHours,
}

export const rulePresets: readonly { name: string; rule: AttendanceRule }[] = [
  { name: 'ROTC (20 %, 3 days, 3 in a row)', rule: { ...none, absences: 3, percent: 20, inRow: 3 } },
  { name: '3 unexcused, third late is an absence', rule: { ...none, absences: 3, lates: 3 } },
  { name: '2 absences or 8 hours', rule: { ...none, absences: 2, hoursMissed: 8 } },
  { name: 'None', rule: none },
]

/** The rule of a component until the office sets one. */
export const defaultRule = (component: NstpComponent): AttendanceRule =>
  component === 'ROTC' ? (rulePresets[0]?.rule ?? none) : none

const most: Readonly<Record<RuleLimit, number>> = {
  absences: 100,
  percent: 100,
  inRow: 100,
  hoursMissed: 200,
  lates: 20,
}

export const ruleMessages = {
  limit: (limit: RuleLimit) => `Please enter a whole number from 1 to ${most[limit]}, or leave it empty.`,
  hours: 'Please enter the hours as a whole number from 1 to 200.',
  changed: 'Somebody else changed these limits meanwhile. Please close this form and look at them again.',
} as const

const limitOf = (name: RuleLimit) =>
  z.nullable(
    z
      .int(ruleMessages.limit(name))
      .check(z.minimum(1, ruleMessages.limit(name)), z.maximum(most[name], ruleMessages.limit(name))),
  )

export const attendanceRuleSchema = z.strictObject(
  {
    component: z.enum(nstpComponents, sectionMessages.component),
    absences: limitOf('absences'),
    percent: limitOf('percent'),
    inRow: limitOf('inRow'),
    hoursMissed: limitOf('hoursMissed'),
    lates: limitOf('lates'),
    hours: z
      .int(ruleMessages.hours)
      .check(z.minimum(1, ruleMessages.hours), z.maximum(200, ruleMessages.hours)),
  },
  shapeError('Please send the rule of one component.'),
)
export type AttendanceRuleOf = z.output<typeof attendanceRuleSchema>

// `seen` is the rule over which the change is made: what somebody else set meanwhile is kept.
export const ruleChangeSchema = z.extend(attendanceRuleSchema, { seen: z.optional(attendanceRuleSchema) })
export type RuleChange = z.output<typeof ruleChangeSchema>

export const standingLevels = ['fine', 'near', 'over'] as const
export type StandingLevel = (typeof standingLevels)[number]
export const limitStandings = ['near', 'over'] as const satisfies readonly StandingLevel[]
export type LimitStanding = (typeof limitStandings)[number]

/** A day on which something was called of the student. */
export interface CountedDay {
  state: AttendanceState
  hours: number
}

export interface Standing extends Record<AttendanceState, number> {
  days: number
  hours: number
  /** Most absences in a row. */
  inRow: number
  level: StandingLevel
  /** How many of the next days the student may miss; null without a limit. */
  left: number | null
}

/**
 * How a student stands. Only days count on which the student was called. An excused day is no absence, and neither
 * breaks nor lengthens a row. Near is who is over with one more absence, and has missed something.
 * @param counted in the order of days
 * @param toCome further days of the term on which the student trains: with `counted`, the whole of a per cent
 * @param nextHours the hours that an absence on the next day would miss
 */
export function standingOf(
  counted: readonly CountedDay[],
  rule: AttendanceRule,
  { toCome, nextHours }: { toCome: number; nextHours: number },
): Standing {
  const { row, missed, ...counts } = countOf(counted)
  const { absent, late, inRow } = counts
  const ofLates = rule.lates === null ? 0 : Math.floor(late / rule.lates)
  const absences = absent + ofLates
  const isOverAfter = (more: number) =>
    isOver(
      {
        absences: absences + more,
        percentOf: Math.max(counted.length + toCome, counted.length + more),
        inRow: Math.max(inRow, row + more),
        missed: missed + more * nextHours,
      },
      rule,
    )
  const left = leftBefore(isOverAfter, rule)
  const hasMissed = absent > 0 || (rule.lates !== null && late > 0)
  return { ...counts, level: isOverAfter(0) ? 'over' : hasMissed && left === 0 ? 'near' : 'fine', left }
}

// No limit of days is higher.
const mostLeft = 100

function leftBefore(isOverAfter: (more: number) => boolean, rule: AttendanceRule): number | null {
  if (ruleLimits.every((limit) => limit === 'lates' || rule[limit] === null)) return null
  for (let more = 1; more <= mostLeft; more += 1) if (isOverAfter(more)) return more - 1
  return null
}

/** `row` is the run of absences up to the last day, `missed` the hours of all. */
function countOf(counted: readonly CountedDay[]) {
  const counts = { days: counted.length, present: 0, late: 0, absent: 0, excused: 0, hours: 0, inRow: 0 }
  let row = 0
  let missed = 0
  for (const { state, hours } of counted) {
    counts[state] += 1
    if (state === 'absent') missed += hours
    else if (state !== 'excused') counts.hours += hours
    if (state !== 'excused') row = state === 'absent' ? row + 1 : 0
    counts.inRow = Math.max(counts.inRow, row)
  }
  return { ...counts, row, missed }
}

interface Missed {
  absences: number
  percentOf: number
  inRow: number
  missed: number
}

function isOver({ absences, percentOf, inRow, missed }: Missed, rule: AttendanceRule): boolean {
  const reaches = (count: number, limit: number | null) => limit !== null && count >= limit
  return (
    reaches(absences, rule.absences) ||
    reaches(inRow, rule.inRow) ||
    reaches(missed, rule.hoursMissed) ||
    (rule.percent !== null && absences * 100 > rule.percent * percentOf)
  )
}
