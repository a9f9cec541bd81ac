import * as z from 'zod/mini'
import { dayOf, shapeError, someOf } from '#shared/field-rules.ts'
import { line, textMessages } from '#shared/form-text.ts'
import { type CalendarDate, dayAfter } from '#shared/program-calendar.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { type Level, levels, sectionMessages } from '#shared/terms/terms.ts'

export const dayStates = ['planned', 'closed', 'cancelled'] as const
export type DayState = (typeof dayStates)[number]

/** Sunday is 0. */
export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

export const trainingDayLimits = {
  title: 80,
  reason: 300,
  hours: 24,
  daysAtOnce: 150,
  sections: 200,
} as const

export const trainingDayMessages = {
  level: 'Please choose a level, or both.',
  sections: `Please choose ${trainingDayLimits.sections} sections or fewer.`,
  otherSection: 'Please choose sections of this component and level.',
  on: 'Please enter the day as a date.',
  none: 'Please choose at least one day.',
  tooMany: `Please add ${trainingDayLimits.daysAtOnce} days or fewer at once.`,
  twice: 'Please choose each day once.',
  oneReplacement: 'A make-up day is one day.',
  outside: (on: CalendarDate) => `${on} is outside the term.`,
  taken: (on: CalendarDate) => `These students already train on ${on} at this time.`,
  startsAt: 'Please enter the time as hours and minutes, or leave it empty.',
  hours: `Please enter the hours as a number from 0.25 to ${trainingDayLimits.hours}, in quarters.`,
  missing: 'This training day could not be found.',
  replaced: 'The day that is made up for could not be found.',
  isCancelled: (on: CalendarDate) => `The training day ${on} is cancelled.`,
  isClosed: 'This training day is closed. Please reopen it first.',
  notClosed: 'This training day isn’t closed.',
  isFuture: 'This training day hasn’t come yet.',
  hasCalls: 'Attendance was called on this training day. It can be cancelled, not deleted.',
  hasRequests: 'A student asked to be excused on this training day. It can be cancelled, not deleted.',
  hasExcuses:
    'Students are excused on this date, or ask to be. Please cancel this day, and add one on the other date.',
  isReplaced: 'A make-up day names this training day. Please delete that one first.',
  choices: 'Please choose for each section without a call.',
  withoutSection: 'Students without a section are left open or absent.',
  stale: 'Sections were called or changed meanwhile. Please look at them again.',
  reason: textMessages.required('reason'),
} as const

export const closingChoices = ['open', 'cancelled', 'absent'] as const
export type ClosingChoice = (typeof closingChoices)[number]

/** The days of a term that fall on one of the weekdays. */
export function datesOn(
  { startsOn, endsOn }: { startsOn: CalendarDate; endsOn: CalendarDate },
  chosen: readonly number[],
): CalendarDate[] {
  const dates: CalendarDate[] = []
  for (let date = startsOn; date <= endsOn; date = dayAfter(date)) {
    if (chosen.includes(new Date(`${date}T00:00:00Z`).getUTCDay())) dates.push(date)
  }
  return dates
}

interface DaySections {
  level: Level | null
  sectionIds: readonly string[]
}

/** Whether two days can have a student in common. */
export function meetTogether(one: DaySections, other: DaySections): boolean {
  if (one.level !== null && other.level !== null && one.level !== other.level) return false
  if (one.sectionIds.length === 0 || other.sectionIds.length === 0) return true
  return one.sectionIds.some((id) => other.sectionIds.includes(id))
}

/** Whether a section trains on a day. @param sectionId null for who has no section */
export function isDayOf(
  day: DaySections & { cancelledSectionIds: readonly string[] },
  sectionId: string | null,
): boolean {
  if (sectionId === null) return day.sectionIds.length === 0
  if (day.cancelledSectionIds.includes(sectionId)) return false
  return day.sectionIds.length === 0 || day.sectionIds.includes(sectionId)
}

/** Whether a day takes calls of a section's students: a make-up day takes everybody. */
export const takesCallsOf = (
  day: Parameters<typeof isDayOf>[0] & { replacesId: string | null },
  sectionId: string | null,
): boolean => day.replacesId !== null || isDayOf(day, sectionId)

const shape = shapeError('Please send one training day.')

const about = {
  title: z._default(line('title', trainingDayLimits.title, { required: false }), ''),
  startsAt: z
    .string(trainingDayMessages.startsAt)
    .check(z.regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/, trainingDayMessages.startsAt)),
  hours: z
    .number(trainingDayMessages.hours)
    .check(
      z.minimum(0.25, trainingDayMessages.hours),
      z.maximum(trainingDayLimits.hours, trainingDayMessages.hours),
      z.multipleOf(0.25, trainingDayMessages.hours),
    ),
}

export const newTrainingDaysSchema = z
  .strictObject(
    {
      component: z.enum(nstpComponents, sectionMessages.component),
      // Null means both levels.
      level: z.nullable(z.literal(levels, trainingDayMessages.level)),
      // An empty list means all sections.
      sectionIds: z._default(
        z
          .array(z.uuid(trainingDayMessages.sections), trainingDayMessages.sections)
          .check(z.maxLength(trainingDayLimits.sections, trainingDayMessages.sections)),
        [],
      ),
      on: someOf(
        dayOf(trainingDayMessages.on),
        trainingDayLimits.daysAtOnce,
        trainingDayMessages.none,
        trainingDayMessages.tooMany,
      ).check(z.refine((on) => new Set(on).size === on.length, trainingDayMessages.twice)),
      ...about,
      // The day that a make-up day replaces.
      replacesId: z._default(z.nullable(z.uuid(trainingDayMessages.replaced)), null),
    },
    shape,
  )
  .check(
    z.refine(({ on, replacesId }) => replacesId === null || on.length === 1, {
      path: ['on'],
      error: trainingDayMessages.oneReplacement,
    }),
  )
export type NewTrainingDays = z.output<typeof newTrainingDaysSchema>

export const trainingDayEditSchema = z.strictObject(
  {
    heldOn: dayOf(trainingDayMessages.on),
    ...about,
    isCancelled: z.boolean('Please say whether the day is cancelled.'),
  },
  shape,
)
export type TrainingDayEdit = z.output<typeof trainingDayEditSchema>

export const closingSchema = z.strictObject(
  {
    // A section without a call is in it once; null means the students without a section.
    sections: z
      .array(
        z.strictObject(
          {
            sectionId: z.nullable(z.uuid(trainingDayMessages.choices)),
            choice: z.enum(closingChoices, trainingDayMessages.choices),
          },
          shapeError(trainingDayMessages.choices),
        ),
        trainingDayMessages.choices,
      )
      .check(z.maxLength(1_000, trainingDayMessages.choices)),
    // Whether who was enrolled after the day is absent too. By default the day doesn't count for them.
    withLater: z._default(z.boolean(trainingDayMessages.choices), false),
  },
  shapeError(trainingDayMessages.choices),
)
export type Closing = z.output<typeof closingSchema>

/** Whether closing asks what it means that nobody called a section. */
export function needsChoice(
  { called, students, later }: { called: number; students: number; later: number },
  withLater: boolean,
): boolean {
  return called === 0 && students + (withLater ? later : 0) > 0
}

export const reopeningSchema = z.strictObject(
  { reason: line('reason', trainingDayLimits.reason) },
  shapeError('Please send the reason.'),
)
