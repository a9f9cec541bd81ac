import { instantOfLocal, type LocalTime } from '../local-time.ts'
import { perZone } from '../program-calendar.ts'

/** When enlistment opens and closes by itself, in the program's time; an empty text for no limit. */
export interface EnlistmentWindow {
  opensAt: LocalTime
  closesAt: LocalTime
}

interface WindowState {
  isOpen: boolean
  /** For visitors; null without a limit ahead or behind. */
  sentence: string | null
  /** When this state ends. */
  changesAt: Date | null
}

const formats = perZone(
  (timeZone) => new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'long', timeStyle: 'short' }),
)

export function windowState(window: EnlistmentWindow, now: Date, timeZone: string): WindowState {
  const opensAt = instantOfLocal(window.opensAt, timeZone)
  const closesAt = instantOfLocal(window.closesAt, timeZone)
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
