import type { Queryable } from '#server/database/schema.ts'
import { officeItself } from '#server/lib/access.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { isDayOf } from '#shared/attendance/training-days.ts'
import type { OwnAttendance } from '#shared/my/own-page-response.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { createOwnAttendanceRepository, type OwnDay } from './own-attendance-repository.ts'
import { createStanding } from './service.ts'
import { createTrainingDaysRepository } from './training-day-repository.ts'
import { presentRule } from './training-day-service.ts'

/** Keeps a day as it is until the transaction ends. */
export async function lockOwnDay(tx: Queryable, id: string): Promise<void> {
  await createTrainingDaysRepository(tx, officeItself).lock([id])
}

/** The attendance of one student, as that student reads it. Null without training days. */
export function createOwnAttendance({ clock, timeZone }: Pick<AppContext, 'clock' | 'timeZone'>) {
  return async (db: Queryable, studentId: string): Promise<OwnAttendance | null> => {
    const own = createOwnAttendanceRepository(db, studentId)
    const place = await own.findPlace()
    if (!place) return null
    const { component, sectionId, statusOn } = place
    const all = await own.listDays(place)
    const days = all.filter((day) => day.component === component)
    const isOwn = (day: OwnDay) => isDayOf({ ...day, cancelledSectionIds: [] }, sectionId)
    const isPlanned = (day: OwnDay) =>
      day.component === component && day.state === 'planned' && day.replacesId === null
    const isDue = (day: OwnDay) => isPlanned(day) && isDayOf(day, sectionId)
    const called = all.flatMap((day) =>
      day.called === null || day.state === 'cancelled' ? [] : { day, state: day.called, hours: day.hours },
    )
    if (called.length === 0 && !days.some(isOwn)) return null
    const rule = presentRule(place.rule, component)
    const counted = { counted: called, planned: called.filter(({ day }) => isPlanned(day)).length }
    const today = calendarDateOf(clock(), timeZone)
    const ahead = days.filter((day) => day.heldOn >= today && day.state !== 'closed' && isOwn(day))
    const next = ahead.findIndex(isDue)
    // A day that nobody called yet counts for who was enrolled by then.
    const isExcusable = (day: OwnDay) =>
      day.called === null
        ? isDue(day) && day.heldOn >= statusOn
        : day.called === 'absent' && day.state !== 'cancelled'
    return {
      // Those before the next one are cancelled, or made up for others.
      coming: (next < 0 ? ahead : ahead.slice(0, next + 1)).map((day) => ({
        ...shownDay(day),
        isCancelled: day.state === 'cancelled' || !isDayOf(day, sectionId),
        isMakeUp: day.replacesId !== null,
      })),
      standing: createStanding(days, rule)(counted, sectionId),
      lates: rule.lates,
      days: called.map(({ day, state }) => ({ ...shownDay(day), state })),
      excusable: all.filter(isExcusable).map(shownDay),
    }
  }
}

const shownDay = ({ id, heldOn, startsAt, title }: OwnDay) => ({ id, heldOn, startsAt, title })
