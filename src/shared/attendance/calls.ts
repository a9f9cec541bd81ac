import * as z from 'zod/mini'
import { shapeError, someOf } from '#shared/field-rules.ts'
import { excuseGrounds } from './excuse-grounds.ts'

export const attendanceStates = ['present', 'late', 'absent', 'excused'] as const
export type AttendanceState = (typeof attendanceStates)[number]

/** The keys of the desk's grid, and the letters of a pasted block. */
export const stateLetters: Readonly<Record<AttendanceState, string>> = {
  present: 'P',
  late: 'L',
  absent: 'A',
  excused: 'E',
}

export type CallSource = 'roll' | 'scan' | 'desk'

export const callLimits = { atOnce: 1_000, minutes: 600 } as const

export const callMessages = {
  calls: `Please send 1 to ${callLimits.atOnce.toLocaleString('en-US')} calls.`,
  twice: 'Please give each call its own id.',
  state: 'Please choose present, late, absent or excused.',
  minutes: `Please enter the minutes as a whole number from 1 to ${callLimits.minutes}, for who is late.`,
  ground: 'Please choose the ground of who is excused.',
  gone: 'A student left this list; nothing was saved. Please look at the list again.',
  tooMany: 'These are more than 1,000 students. Please choose a section.',
} as const

const ids = {
  // The caller makes the id: the same id again is the same call.
  id: z.uuid(callMessages.calls),
  dayId: z.uuid(callMessages.calls),
  studentId: z.uuid(callMessages.calls),
} as const

const minutes = z._default(
  z.nullable(
    z
      .int(callMessages.minutes)
      .check(z.minimum(1, callMessages.minutes), z.maximum(callLimits.minutes, callMessages.minutes)),
  ),
  null,
)

// Whether a call that is there already stays.
const onlyEmpty = z._default(z.boolean(callMessages.calls), false)

const minutesOfLate = z.refine<{ state: AttendanceState | null; minutes: number | null }>(
  ({ state, minutes }) => minutes === null || state === 'late',
  { path: ['minutes'], error: callMessages.minutes },
)

const callSchema = z
  .strictObject(
    {
      ...ids,
      // Null takes the call before back.
      state: z.nullable(z.enum(attendanceStates, callMessages.state)),
      minutes,
      ground: z._default(z.enum(['', ...excuseGrounds], callMessages.ground), ''),
      onlyEmpty,
    },
    shapeError('Please send calls.'),
  )
  .check(
    minutesOfLate,
    z.refine(({ state, ground }) => (ground !== '') === (state === 'excused'), {
      path: ['ground'],
      error: callMessages.ground,
    }),
  )

const batchOf = <T extends z.ZodMiniType<{ id: string }>>(call: T) =>
  someOf(call, callLimits.atOnce, callMessages.calls).check(
    z.refine((calls) => new Set(calls.map(({ id }) => id)).size === calls.length, callMessages.twice),
  )

export const callsSchema = z.strictObject({ calls: batchOf(callSchema) }, shapeError('Please send calls.'))
export type Call = z.output<typeof callSchema>

/** What a facilitator calls: excusing is the office's. */
export const rollStates = ['present', 'late', 'absent'] as const

export const rollMessages = {
  state: 'Please choose present, late or absent.',
  section: 'This section isn’t one of yours, or its term has ended.',
  gone: 'This student isn’t in one of your sections now. Please look at the list again.',
  account:
    'Another account is signed in on this phone now. These calls wait until the one that made them signs in again.',
  noPhoneNumbers: 'Your account doesn’t see phone numbers. Please ask your NSTP office.',
} as const

const rollCallSchema = z
  .strictObject(
    {
      ...ids,
      state: z.nullable(z.enum(rollStates, rollMessages.state)),
      minutes,
      onlyEmpty,
      // The version that the phone had of what was called already, null for none. A later call of the office stays.
      seen: z.nullable(z.int(callMessages.calls)),
      // When it was made, by the phone's clock and what that was wrong at its last contact. Null means now.
      calledAt: z._default(z.nullable(z.iso.datetime(callMessages.calls)), null),
    },
    shapeError('Please send calls.'),
  )
  .check(minutesOfLate)

export const rollCallsSchema = z.strictObject(
  {
    // The account that called. On a phone of several people another one may be signed in by the time they are sent.
    account: z.uuid(callMessages.calls),
    calls: batchOf(rollCallSchema),
  },
  shapeError('Please send calls.'),
)
export type RollCalls = z.output<typeof rollCallsSchema>
export type RollCall = z.output<typeof rollCallSchema>
