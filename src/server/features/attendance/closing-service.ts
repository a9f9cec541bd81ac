import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { type ChangeContext, commitChange, mustExist } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import type { ClosingPreview, TrainingDay } from '#shared/attendance/attendance-response.ts'
import { type Closing, needsChoice, trainingDayMessages } from '#shared/attendance/training-days.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import { type CalledSection, createAttendanceRepository } from './repository.ts'
import { createTrainingDaysRepository, type TrainingDayRow } from './training-day-repository.ts'
import { dayLabel, lockDay, presentDay } from './training-day-service.ts'

/** Closing a training day: who was not called was absent. */
export function createClosing(context: ChangeContext & Pick<AppContext, 'timeZone'>) {
  const { database, clock, timeZone } = context

  /** The sections of a day with how many were called, without those for which it was cancelled. */
  const readSections = async (db: Queryable, day: TrainingDayRow, access: Access) =>
    (await createAttendanceRepository(db, access, timeZone).listCalledSections(day)).filter(
      ({ sectionId }) => sectionId === null || !day.cancelledSectionIds.includes(sectionId),
    )

  return {
    async preview(id: string, access: Access): Promise<ClosingPreview> {
      const { db } = database
      const found = await createTrainingDaysRepository(db, access).find(id)
      const day = mustExist(found, trainingDayMessages.missing)
      const called = await readSections(db, day, access)
      return {
        sections: called.map(({ sectionId, unit, name, formerly, uncalled, ...counts }) => ({
          sectionId,
          ...counts,
          label: labelOf({ sectionId, unit, name, formerly }),
          absent: uncalled,
        })),
      }
    },

    close: async (id: string, version: number, { sections, withLater }: Closing, actor: Staff) =>
      commitChange(
        context,
        'attendance',
        async (tx, record): Promise<{ day: TrainingDay; absent: number }> => {
          const { days, term, day } = await lockDay(tx, id, version, actor.access)
          mustBeOver(day, calendarDateOf(clock(), timeZone))
          const uncalled = (await readSections(tx, day, actor.access)).filter((section) =>
            needsChoice(section, withLater),
          )
          const choices = new Map(sections.map(({ sectionId, choice }) => [sectionId, choice]))
          if (choices.get(null) === 'cancelled') throw invalid('sections', trainingDayMessages.withoutSection)
          const isAsSeen =
            choices.size === uncalled.length && uncalled.every(({ sectionId }) => choices.has(sectionId))
          if (!isAsSeen) throw new AppError('conflict', trainingDayMessages.stale)
          const open = [...choices].filter(([, choice]) => choice === 'open').map(([section]) => section)
          const cancelled = [...choices].flatMap(([section, choice]) =>
            choice === 'cancelled' && section !== null ? [section] : [],
          )
          const cancelledSectionIds = [...day.cancelledSectionIds, ...cancelled]
          const at = clock()
          const closedBy = { at, byId: actor.adminId }
          const attendance = createAttendanceRepository(tx, actor.access, timeZone)
          const absent = await attendance.writeAbsent(
            day,
            { without: [...open, ...cancelledSectionIds], withLater },
            closedBy,
          )
          const state = open.length > 0 ? ('planned' as const) : ('closed' as const)
          const closed = { state, closedAt: at, cancelledSectionIds, openSectionIds: open, withLater }
          const row = await days.update(id, closed)
          await record({
            action: 'training-day-closed',
            actor,
            subject: dayLabel(term, day),
            affected: absent,
            detail: { leftOpen: open.length, cancelled: cancelled.length, withLater },
          })
          return { day: presentDay(row), absent }
        },
        { long: true },
      ),

    /** The absences that closing wrote are taken back, what was called stays. */
    reopen: async (id: string, version: number, reason: string, actor: Staff): Promise<TrainingDay> =>
      commitChange(
        context,
        'attendance',
        async (tx, record) => {
          const { days, term, day } = await lockDay(tx, id, version, actor.access)
          if (day.closedAt === null || day.state === 'cancelled') {
            throw new AppError('conflict', trainingDayMessages.notClosed)
          }
          const affected = await createAttendanceRepository(tx, actor.access, timeZone).takeBackAbsent(id)
          const row = await days.update(id, {
            state: 'planned',
            closedAt: null,
            cancelledSectionIds: [],
            openSectionIds: [],
            withLater: false,
            reopenReason: reason,
          })
          await record({
            action: 'training-day-reopened',
            actor,
            subject: dayLabel(term, day),
            affected,
          })
          return presentDay(row)
        },
        { long: true },
      ),
  }
}

function labelOf({
  sectionId,
  unit,
  name,
  formerly,
}: Pick<CalledSection, 'sectionId' | 'unit' | 'name' | 'formerly'>): string {
  if (name !== null) return sectionLabel({ unit: unit ?? '', name })
  return sectionId === null ? 'Without a section' : (formerly ?? 'A deleted section')
}

/** @throws AppError `conflict` for a day that is closed, cancelled or still to come */
function mustBeOver({ state, heldOn }: TrainingDayRow, today: string): void {
  if (state === 'cancelled') throw new AppError('conflict', trainingDayMessages.isCancelled(heldOn))
  if (state === 'closed') throw new AppError('conflict', trainingDayMessages.isClosed)
  if (heldOn > today) throw new AppError('conflict', trainingDayMessages.isFuture)
}
