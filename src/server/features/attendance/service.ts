import type { Queryable } from '#server/database/schema.ts'
import { createSectionsService, findTerm, mustBeChangeable } from '#server/features/terms/service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { type ChangeContext, commitChange, type RecordChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import type { AttendanceGrid } from '#shared/attendance/attendance-response.ts'
import {
  type Call,
  type CallSource,
  callLimits,
  callMessages,
  type RollCall,
} from '#shared/attendance/calls.ts'
import {
  type AttendanceRuleOf,
  type CountedDay,
  type Standing,
  type StandingLevel,
  standingOf,
} from '#shared/attendance/standing.ts'
import { isDayOf, trainingDayMessages } from '#shared/attendance/training-days.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { sectionLabel, termLabel } from '#shared/terms/terms.ts'
import { createAttendanceRepository, type HeldRow, type ListedCell } from './repository.ts'
import { createTrainingDaysRepository, type TrainingDayRow } from './training-day-repository.ts'
import { presentDay, ruleOf } from './training-day-service.ts'

interface CallsFrom {
  source: CallSource
  access: Access
  /** The label of the section whose roll it is. */
  section?: string
  /** The sentence for students who aren't of the day. */
  gone?: string
  /** Finds the ids of the calls that are taken, once the days are locked. The others are left out. */
  admit?: (tx: Queryable, calls: readonly SentCall[]) => Promise<ReadonlySet<string>>
}

/**
 * @property seen the version that a phone had of what is called already, null for none; the desk sends none
 * @property calledAt when a phone made the call, null if that isn't known
 */
type SentCall = Call & Partial<Pick<RollCall, 'seen' | 'calledAt'>>

export function createAttendance(context: ChangeContext & Pick<AppContext, 'timeZone'>) {
  const { database, clock, audit, timeZone } = context
  const sections = createSectionsService(context)

  /** Takes calls in the transaction of a change. The later one of two people holds, and both are kept. */
  async function callWithin(
    { tx, record }: { tx: Queryable; record: RecordChange },
    termId: string,
    sent: readonly SentCall[],
    actor: Staff,
    { source, access, section, admit, gone = callMessages.gone }: CallsFrom = {
      source: 'desk',
      access: actor.access,
    },
  ): Promise<{ count: number; left: string[] }> {
    const term = await findTerm(tx, termId)
    const at = clock()
    const days = await lockDays(tx, sent, access)
    const attendance = createAttendanceRepository(tx, access, timeZone)
    // Those that are known are kept, whatever has become of their students and days.
    const known = await attendance.findKnown(sent)
    const fresh = timed(
      sent.filter(({ id }) => !known.has(id)),
      days,
      at,
      timeZone,
    )
    const admitted = await admittedOf(admit, tx, fresh)
    await mustBeCallable(tx, { termId, calls: admitted, days, at, timeZone, gone }, access)
    const calls = await withoutCalled(attendance, admitted, source)
    const taken = new Set(calls.map(({ id }) => id))
    const left = fresh.map(({ id }) => id).filter((id) => !taken.has(id))
    const calledBy = { at, byId: actor.adminId, source }
    const added = await attendance.addCalls(termId, calls, calledBy)
    if (added.size === 0) {
      // They are known or left out, or the term was closed: without its lock, so that a placing doesn't hold up a roll.
      mustBeChangeable(await findTerm(tx, termId))
      return { count: 0, left }
    }
    // The last of two calls of one day and student holds.
    const last = new Map(calls.filter(({ id }) => added.has(id)).map((call) => [cellOf(call), call] as const))
    await attendance.apply([...last.values()], calledBy)
    // A student whose call is taken back on a closed day becomes absent.
    for (const day of days) {
      const only = [...last.values()].flatMap(({ dayId, studentId, state }) =>
        dayId === day.id && state === null ? [studentId] : [],
      )
      if (day.closedAt === null || only.length === 0) continue
      const { openSectionIds, cancelledSectionIds, withLater } = day
      const without = [...openSectionIds, ...cancelledSectionIds]
      await attendance.writeAbsent(day, { without, withLater, only }, calledBy)
    }
    await record({
      action: 'attendance-called',
      actor,
      subject: termLabel(term),
      studentIds: [...new Set([...last.values()].map(({ studentId }) => studentId))],
      detail: {
        days: new Set(calls.map(({ dayId }) => dayId)).size,
        ...(source !== 'desk' && { source }),
        ...(section !== undefined && { section }),
      },
    })
    return { count: added.size, left }
  }

  return {
    /** @param standing 'all', or only the students who are near or over the limit */
    async grid(
      cell: Omit<ListedCell, 'hasMissed'>,
      standing: Exclude<StandingLevel, 'fine'> | 'all',
      actor: Staff,
    ): Promise<AttendanceGrid> {
      const { db } = database
      const { access } = actor
      const { termId, component, level, section } = cell
      const term = await findTerm(db, termId)
      const attendance = createAttendanceRepository(db, access, timeZone)
      const listedCell = { ...cell, hasMissed: standing !== 'all' }
      const { days, rule, listed, leftOut } = await readStanding(db, listedCell, { access, timeZone })
      const labels = new Map((await sections.list(termId, access)).map((one) => [one.id, sectionLabel(one)]))
      const students = listed.flatMap(({ recordId, restriction: _none, sectionId, stands, ...student }) => {
        if (standing !== 'all' && stands.level !== standing) return []
        const label = sectionId === null ? '' : (labels.get(sectionId) ?? '')
        return [{ student: { id: recordId, ...student }, sectionId, section: label, standing: stands }]
      })
      if (students.length > callLimits.atOnce) throw new AppError('too_big', callMessages.tooMany)
      const ids = students.map(({ student }) => student.id)
      const calls = await attendance.listCalls(
        days.map(({ id }) => id),
        ids,
      )
      const called = new Set(calls.map(({ dayId }) => dayId))
      const detail = { term: termId, component, level, list: 'attendance' }
      const entry = {
        action: 'students-listed',
        actor,
        subject: termLabel(term),
        affected: ids.length,
        detail,
      } as const
      await audit.recordView(db, entry, section ?? undefined)
      return {
        days: days
          .filter((day) => section === 'all' || called.has(day.id) || isDayOf(day, section))
          .map(presentDay),
        rule,
        students,
        calls,
        leftOut,
      }
    },

    callWithin,

    call: (termId: string, sent: readonly SentCall[], actor: Staff, from?: CallsFrom) =>
      commitChange(context, 'attendance', (tx, record) =>
        callWithin({ tx, record }, termId, sent, actor, from),
      ),
  }
}

/** Reads the students of a component and level with how each stands. Blocked records are left out. */
export async function readStanding(
  db: Queryable,
  cell: ListedCell,
  { access, timeZone }: { access: Access; timeZone: string },
) {
  const { termId, component, level } = cell
  const attendance = createAttendanceRepository(db, access, timeZone)
  const rows = await attendance.list(cell)
  const counted = await attendance.listCounted(cell)
  const days = (await createTrainingDaysRepository(db, access).list(termId, component)).filter(
    (day) => day.level === null || day.level === level,
  )
  const rule = await ruleOf(db, { termId, component }, access)
  const standingOfOne = createStanding(days, rule)
  const listed = rows
    .filter(({ restriction }) => restriction === null)
    .map((row) => ({ ...row, stands: standingOfOne(counted.get(row.recordId), row.sectionId) }))
  return { days, rule, listed, leftOut: rows.length - listed.length }
}

/**
 * How students of one component and level stand, at the desk and at /my alike.
 * @param days those of the component and level, cancelled ones too
 */
export function createStanding(days: readonly TrainingDayRow[], rule: AttendanceRuleOf) {
  // A make-up day counts only for who attends it: nobody can miss it.
  const due = days.filter(({ replacesId }) => replacesId === null)
  const planned = due.filter(({ state }) => state === 'planned')
  const nextHours = Math.max(0, ...(planned.length > 0 ? planned : due).map(({ hours }) => hours))
  return (
    called: { counted: readonly CountedDay[]; planned: number } | undefined,
    sectionId: string | null,
  ): Standing => {
    const toCome = planned.filter((day) => isDayOf(day, sectionId)).length - (called?.planned ?? 0)
    return standingOf(called?.counted ?? [], rule, { toCome: Math.max(0, toCome), nextHours })
  }
}

const cellOf = ({ dayId, studentId }: Pick<Call, 'dayId' | 'studentId'>) => `${dayId} ${studentId}`

/** A call is made on its day or later, and before it arrives: another time is that of a wrong clock, and isn't known. */
function timed(
  calls: readonly SentCall[],
  days: readonly TrainingDayRow[],
  now: Date,
  timeZone: string,
): readonly SentCall[] {
  const heldOn = new Map(days.map((day) => [day.id, day.heldOn]))
  return calls.map((call) => {
    const at = call.calledAt ? new Date(call.calledAt) : null
    const isKnown = at && at <= now && calendarDateOf(at, timeZone) >= (heldOn.get(call.dayId) ?? '')
    return { ...call, calledAt: isKnown ? at.toISOString() : null }
  })
}

/**
 * The days are locked. Leaves out calls with `onlyEmpty` of who has another call; and those of a roll of who is excused,
 * which the office does, or of whom the office called after what the phone had seen.
 */
async function withoutCalled(
  attendance: ReturnType<typeof createAttendanceRepository>,
  calls: readonly SentCall[],
  source: CallSource,
): Promise<readonly SentCall[]> {
  const isOfDesk = source === 'desk'
  if (isOfDesk && !calls.some(({ onlyEmpty }) => onlyEmpty)) return calls
  const rows = await attendance.listHeld(calls)
  const held = new Map(rows.map((row) => [cellOf(row), row]))
  // Absences of closing are no calls: a phone without a network made “All present” before it saw them.
  const called = new Set(rows.filter((row) => row.source !== 'closing').map(cellOf))
  return calls.filter((call) => {
    const row = held.get(cellOf(call))
    if (!isOfDesk && row && isOfOffice(row, call.seen)) return false
    if (call.onlyEmpty && called.has(cellOf(call))) return false
    if (call.state !== null) called.add(cellOf(call))
    return true
  })
}

const isOfOffice = ({ state, source, version }: HeldRow, seen: SentCall['seen']) =>
  state === 'excused' || (source === 'desk' && seen !== version)

async function admittedOf(
  admit: CallsFrom['admit'],
  tx: Queryable,
  calls: readonly SentCall[],
): Promise<readonly SentCall[]> {
  const taken = await admit?.(tx, calls)
  return taken ? calls.filter(({ id }) => taken.has(id)) : calls
}

function lockDays(tx: Queryable, calls: readonly Call[], access: Access): Promise<TrainingDayRow[]> {
  return createTrainingDaysRepository(tx, access).lock([...new Set(calls.map(({ dayId }) => dayId))])
}

/** @throws AppError `not_found`; `conflict` for a day that is cancelled or still to come */
async function mustBeCallable(
  tx: Queryable,
  {
    termId,
    calls,
    days: locked,
    at,
    timeZone,
    gone,
  }: {
    termId: string
    calls: readonly Call[]
    days: readonly TrainingDayRow[]
    at: Date
    timeZone: string
    gone: string
  },
  access: Access,
): Promise<void> {
  const ids = new Set(calls.map(({ dayId }) => dayId))
  const days = locked.filter((day) => ids.has(day.id) && day.termId === termId)
  if (days.length < ids.size) throw new AppError('not_found', trainingDayMessages.missing)
  const cancelled = days.find(({ state }) => state === 'cancelled')
  if (cancelled) throw new AppError('conflict', trainingDayMessages.isCancelled(cancelled.heldOn))
  const today = calendarDateOf(at, timeZone)
  const toCome = new Set(days.filter(({ heldOn }) => heldOn > today).map(({ id }) => id))
  const isEarly = calls.some(({ dayId, state }) => toCome.has(dayId) && state !== null && state !== 'excused')
  if (isEarly) throw new AppError('conflict', trainingDayMessages.isFuture)
  const strangers = await createAttendanceRepository(tx, access, timeZone).countStrangers(calls)
  if (strangers > 0) throw new AppError('not_found', gone)
}
