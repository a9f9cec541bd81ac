import type { Queryable } from '#server/database/schema.ts'
import { officeItself } from '#server/lib/access.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { isDayOf } from '#shared/attendance/training-days.ts'
import type { OwnAttendance } from '#shared/my/own-page-response.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { createOwnAttendanceRepository } from './own-attendance-repository.ts'
import { createStanding } from './service.ts'
import { createTrainingDaysRepository, type TrainingDayRow } from './training-day-repository.ts'
import { ruleOf } from './training-day-service.ts'

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
    const { termId, component, level, sectionId } = place
    const days = (await createTrainingDaysRepository(db, officeItself).list(termId, component)).filter(
      (day) => day.level === null || day.level === level,
    )
    const calls = await own.listCalls(place)
    const isOwn = (day: TrainingDayRow) => isDayOf({ ...day, cancelledSectionIds: [] }, sectionId)
    if (calls.length === 0 && !days.some(isOwn)) return null
    const rule = await ruleOf(db, { termId, component }, officeItself)
    const counted = { counted: calls, planned: calls.filter(({ isPlanned }) => isPlanned).length }
    const today = calendarDateOf(clock(), timeZone)
    const ahead = days.filter((day) => day.heldOn >= today && day.state !== 'closed' && isOwn(day))
    const called = new Set(calls.map(({ dayId }) => dayId))
    const isDue = (day: TrainingDayRow) =>
      day.state === 'planned' && day.replacesId === null && isDayOf(day, sectionId)
    const next = ahead.findIndex(isDue)
    return {
      // Those before the next one are cancelled, or made up for others.
      coming: (next < 0 ? ahead : ahead.slice(0, next + 1)).map((day) => ({
        id: day.id,
        ...{ heldOn: day.heldOn, startsAt: day.startsAt, title: day.title },
        isCancelled: day.state === 'cancelled' || !isDayOf(day, sectionId),
        isMakeUp: day.replacesId !== null,
      })),
      standing: createStanding(days, rule)(counted, sectionId),
      lates: rule.lates,
      days: calls.map(({ dayId: id, heldOn, startsAt, title, state }) => ({
        ...{ id, heldOn, startsAt, title, state },
      })),
      excusable: [
        ...calls.filter(({ state }) => state === 'absent').map(({ dayId: id, ...day }) => ({ id, ...day })),
        ...ahead.filter((day) => isDue(day) && !called.has(day.id)),
      ].map(({ id, heldOn, startsAt, title }) => ({ id, heldOn, startsAt, title })),
    }
  }
}
