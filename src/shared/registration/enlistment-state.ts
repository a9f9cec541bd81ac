import { instantOfLocal, type LocalTime } from '../local-time.ts'
import { type CalendarDate, calendarDateOf, perZone } from '../program-calendar.ts'

export const enlistmentStates = ['closed', 'open', 'dates'] as const

/** Whether students can enlist, as the office has set it. */
export interface EnlistmentSetting {
  state: (typeof enlistmentStates)[number]
  /** The start and the end for the state `dates`, in the program's time; an empty text for no limit. */
  opensAt: LocalTime
  closesAt: LocalTime
  /** The message to students while enlistment is closed. */
  message: string
}

interface EnlistmentState {
  isOpen: boolean
  /** The sentence for visitors; null without a limit ahead or behind. */
  sentence: string | null
  /** The time when this state ends. */
  changesAt: Date | null
}

const formats = perZone(
  (timeZone) => new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'long', timeStyle: 'short' }),
)

export function enlistmentState(setting: EnlistmentSetting, now: Date, timeZone: string): EnlistmentState {
  if (setting.state === 'closed') return { isOpen: false, sentence: setting.message, changesAt: null }
  if (setting.state === 'open') return { isOpen: true, sentence: null, changesAt: null }
  const opensAt = instantOfLocal(setting.opensAt, timeZone)
  const closesAt = instantOfLocal(setting.closesAt, timeZone)
  // ICU versions differ in the space before AM and PM.
  const text = (instant: Date) => formats(timeZone).format(instant).replace(/\s/gu, ' ')
  if (closesAt && now >= closesAt) {
    return { isOpen: false, sentence: `Enlistment closed on ${text(closesAt)}.`, changesAt: null }
  }
  if (opensAt && now < opensAt) {
    return { isOpen: false, sentence: `Enlistment opens on ${text(opensAt)}.`, changesAt: opensAt }
  }
  if (!closesAt) return { isOpen: true, sentence: null, changesAt: null }
  return { isOpen: true, sentence: `Enlist until ${text(closesAt)}.`, changesAt: closesAt }
}

/** The last day on which students can enlist. Null when no end is set, or when it has passed. */
export function lastDayToEnlist(
  { state, closesAt }: EnlistmentSetting,
  now: Date,
  timeZone: string,
): CalendarDate | null {
  const end = state === 'dates' ? instantOfLocal(closesAt, timeZone) : undefined
  // Enlistment that closes at midnight has its last moment on the day before.
  return end && now < end ? calendarDateOf(new Date(end.getTime() - 1), timeZone) : null
}
