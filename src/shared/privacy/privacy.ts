import * as z from 'zod/mini'
import { shapeError } from '#shared/field-rules.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'

/** blocked: the student objected, or disputes the record. */
export const restrictions = ['blocked', 'withdrawn'] as const
export type Restriction = (typeof restrictions)[number]

export const restrictionLabels: Record<Restriction, string> = {
  blocked: 'Blocked',
  withdrawn: 'Consent withdrawn',
}

/** The reasons are not personal, so that the audit trail may hold them. */
export const correctionReasons = {
  office: 'Mistake found by the office',
  student: 'Requested by student or guardian',
  document: 'Based on a document',
} as const
export type CorrectionReason = keyof typeof correctionReasons
export const correctionReasonNames = Object.keys(correctionReasons) as CorrectionReason[] // keys of a literal object

export const requestKinds = {
  access: 'Access to their data',
  copy: 'To get a copy',
  correction: 'To correct',
  objection: 'To object, block or withdraw consent',
  erasure: 'To erase',
} as const
export type RequestKind = keyof typeof requestKinds
export const requestKindNames = Object.keys(requestKinds) as RequestKind[] // keys of a literal object

/** How the office closes a request. */
export const outcomes = ['granted', 'refused'] as const
/** A request also closes when the student takes it back at /my. */
export const closedOutcomes = [...outcomes, 'withdrawn'] as const

// NPC Advisory 2021-01 allows 30 working days; 30 calendar days are within them.
export const requestDays = 30

/** The last day to answer a request. */
export function requestDueOn(receivedOn: CalendarDate): CalendarDate {
  const due = new Date(`${receivedOn}T00:00:00Z`)
  due.setUTCDate(due.getUTCDate() + requestDays)
  return due.toISOString().slice(0, 10)
}

// NPC Circular 16-03.
const breachHours = 72
const hourMs = 60 * 60_000

export const breachDue = (noticedAt: string | Date) =>
  new Date(new Date(noticedAt).getTime() + breachHours * hourMs)

export interface Breach {
  noticedAt: string
  happened: string
  data: string
  measures: string
  people: number
}

/** What NPC Circular 16-03 wants a notice to say. */
export function breachNotice(
  { happened, data, measures, people }: Breach,
  { noticed, schoolName }: { noticed: string; schoolName: string },
): string {
  const school = schoolName || 'our school'
  return [
    `The NSTP office of ${school} is notifying you of a personal data breach, as Republic Act 10173 requires.`,
    `What happened: ${happened}`,
    `Noticed: ${noticed}`,
    `Personal data that may be involved: ${data}`,
    `People concerned: ${people}`,
    `What we did: ${measures}`,
    'What you can do: be careful with messages that use these data, change passwords that contain them, and ask us for help.',
    `Contact: the NSTP office of ${school}. You may also complain to the National Privacy Commission (privacy.gov.ph).`,
  ].join('\n\n')
}

const text = (what: string, max: number) =>
  z
    .string(`Please fill in ${what}.`)
    .check(
      z.trim(),
      z.minLength(1, `Please fill in ${what}.`),
      z.maxLength(max, `Please shorten ${what} to ${max} characters or fewer.`),
    )

const shape = shapeError('Please send one object.')

export const requestSchema = z.strictObject(
  {
    kind: z.enum(requestKindNames, 'Please choose what the person asks for.'),
    reference: text('the reference', 40).check(z.toUpperCase()),
    receivedOn: z.iso.date('Please enter a valid date.'),
  },
  shape,
)

export const breachSchema = z.strictObject(
  {
    noticedAt: z.iso.datetime('Please enter when it was noticed.'),
    happened: text('what happened', 2000),
    data: text('the data that may be involved', 1000),
    measures: text('what was done', 2000),
    people: z
      .int('Please enter how many people are concerned.')
      .check(
        z.minimum(0, 'Please enter how many people are concerned.'),
        z.maximum(1e6, 'Please enter how many people are concerned.'),
      ),
  },
  shape,
)
