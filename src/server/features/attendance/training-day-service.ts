import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { findTerm, lockTerm, mustHaveComponent } from '#server/features/terms/service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import {
  type ChangeContext,
  changesBetween,
  commitChange,
  mustBeCurrent,
  mustExist,
  pick,
} from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import type { TrainingDay, TrainingDayList } from '#shared/attendance/attendance-response.ts'
import {
  type AttendanceRuleOf,
  defaultRule,
  type RuleChange,
  ruleMessages,
} from '#shared/attendance/standing.ts'
import {
  type DayState,
  meetTogether,
  type NewTrainingDays,
  type TrainingDayEdit,
  trainingDayMessages,
} from '#shared/attendance/training-days.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { termLabel } from '#shared/terms/terms.ts'
import {
  createTrainingDaysRepository,
  type DayUse,
  type RuleRow,
  type TrainingDayRow,
} from './training-day-repository.ts'

type Term = Awaited<ReturnType<typeof lockTerm>>

/** Locks a day and its term. @throws AppError `not_found`; `conflict` for a closed term or another version */
export async function lockDay(tx: Queryable, id: string, version: number | undefined, access: Access) {
  const days = createTrainingDaysRepository(tx, access)
  const { termId } = mustExist(await days.find(id), trainingDayMessages.missing)
  const term = await lockTerm(tx, termId)
  const [locked] = await days.lock([id])
  const day = mustBeCurrent(locked, trainingDayMessages.missing, version)
  return { days, term, day }
}

export async function ruleOf(
  db: Queryable,
  { termId, component }: { termId: string; component: NstpComponent },
  access: Access,
): Promise<AttendanceRuleOf> {
  return presentRule(await createTrainingDaysRepository(db, access).findRule(termId, component), component)
}

export function presentRule(row: RuleRow | null | undefined, component: NstpComponent): AttendanceRuleOf {
  if (!row) return { component, ...defaultRule(component) }
  const { termId: _term, ...rule } = row
  return rule
}

const nobody = { present: 0, late: 0, absent: 0, excused: 0 }

export function createTrainingDays(context: ChangeContext) {
  const { database } = context

  return {
    async list(termId: string, component: NstpComponent, access: Access): Promise<TrainingDayList> {
      const { db } = database
      await findTerm(db, termId)
      const days = createTrainingDaysRepository(db, access)
      const rows = await days.list(termId, component)
      const counts = await days.countStates(termId, component)
      const items = rows.map((row) => ({ ...presentDay(row), ...(counts.get(row.id) ?? nobody) }))
      return { items, rule: await ruleOf(db, { termId, component }, access) }
    },

    async add(termId: string, added: NewTrainingDays, actor: Staff): Promise<TrainingDay[]> {
      const { component, level, sectionIds, on, replacesId, ...about } = added
      mustHaveComponent(actor.access, component)
      return await commitChange(context, 'attendance', async (tx, record) => {
        const term = await lockTerm(tx, termId)
        const days = createTrainingDaysRepository(tx, actor.access)
        const held = await days.list(termId, component)
        if (!(await days.areSections(termId, { component, level, sectionIds }))) {
          throw invalid('sectionIds', trainingDayMessages.otherSection)
        }
        if (replacesId !== null && !held.some(({ id }) => id === replacesId)) {
          throw invalid('replacesId', trainingDayMessages.replaced)
        }
        const rows = on.map((heldOn) => ({
          id: createId(),
          termId,
          component,
          level,
          sectionIds,
          heldOn,
          replacesId,
          ...about,
        }))
        for (const row of rows) mustFit(row, { term, held, path: 'on' })
        await days.insert(rows)
        await record({
          action: 'training-days-changed',
          actor,
          subject: termLabel(term),
          affected: rows.length,
          detail: { step: 'added', component, level },
        })
        const ids = new Set(rows.map(({ id }) => id))
        return (await days.list(termId, component)).filter(({ id }) => ids.has(id)).map(presentDay)
      })
    },

    edit: async (id: string, version: number, edit: TrainingDayEdit, actor: Staff): Promise<TrainingDay> =>
      commitChange(context, 'attendance', async (tx, record) => {
        const { days, term, day } = await lockDay(tx, id, version, actor.access)
        const { isCancelled, ...about } = edit
        if (edit.heldOn !== day.heldOn) mustBeMovable(day, await days.findUse(id))
        const state = stateAfter(day, isCancelled)
        const { fields, after } = changesBetween<TrainingDayRow>(day, { ...about, state })
        if (fields.length === 0) return presentDay(day)
        const others = (await days.list(term.id, day.component)).filter((other) => other.id !== id)
        if (!isCancelled) mustFit({ ...day, ...after }, { term, held: others, path: 'heldOn' })
        const row = await days.update(id, after)
        await record({
          action: 'training-days-changed',
          actor,
          subject: dayLabel(term, day),
          affected: 1,
          fields,
          values: { before: pick(day, fields), after: pick(row, fields) },
        })
        return presentDay(row)
      }),

    /** Lists the ids of who is told of a change of the day. */
    async students(id: string, actor: Staff): Promise<string[]> {
      const { db } = database
      const days = createTrainingDaysRepository(db, actor.access)
      const day = mustExist(await days.find(id), trainingDayMessages.missing)
      const ids = await days.listStudents(id)
      const subject = dayLabel(await findTerm(db, day.termId), day)
      const detail = { list: 'training day' }
      const entry = { action: 'students-listed', actor, subject, affected: ids.length, detail } as const
      await context.audit.recordView(db, entry, id)
      return ids
    },

    delete: async (id: string, version: number | undefined, actor: Staff): Promise<void> =>
      commitChange(context, 'attendance', async (tx, record) => {
        const { days, term, day } = await lockDay(tx, id, version, actor.access)
        const { isCalled, isAskedFor, isReplaced } = await days.findUse(id)
        if (isCalled) throw new AppError('conflict', trainingDayMessages.hasCalls)
        if (isAskedFor) throw new AppError('conflict', trainingDayMessages.hasRequests)
        if (isReplaced) throw new AppError('conflict', trainingDayMessages.isReplaced)
        await days.delete(id)
        await record({
          action: 'training-days-changed',
          actor,
          subject: dayLabel(term, day),
          affected: 1,
          detail: { step: 'deleted' },
        })
      }),

    async setRule(termId: string, { seen, ...rule }: RuleChange, actor: Staff): Promise<AttendanceRuleOf> {
      const { component } = rule
      mustHaveComponent(actor.access, component)
      return await commitChange(context, 'attendance', async (tx, record) => {
        const term = await lockTerm(tx, termId)
        const before = await ruleOf(tx, { termId, component }, actor.access)
        const { fields } = changesBetween<AttendanceRuleOf>(before, rule)
        if (fields.length === 0) return rule
        if (seen && changesBetween<AttendanceRuleOf>(before, seen).fields.length > 0) {
          throw new AppError('conflict', ruleMessages.changed)
        }
        await createTrainingDaysRepository(tx, actor.access).storeRule({ termId, ...rule })
        const values = { before: pick(before, fields), after: pick(rule, fields) }
        const subject = `${termLabel(term)}: ${component}`
        await record({ action: 'attendance-rule-changed', actor, subject, fields, values })
        return rule
      })
    },
  }
}

/** @throws AppError `invalid` for a day that keeps its date */
function mustBeMovable({ closedAt }: TrainingDayRow, { hasExcuses }: DayUse): void {
  // Absences were written for who was enrolled on the date.
  if (closedAt !== null) throw invalid('heldOn', trainingDayMessages.isClosed)
  // An excuse is for the date that the student or the desk had in view.
  if (hasExcuses) throw invalid('heldOn', trainingDayMessages.hasExcuses)
}

/** @throws AppError `invalid` for a closed day that is cancelled */
function stateAfter({ state }: TrainingDayRow, isCancelled: boolean): DayState {
  if (isCancelled && state === 'closed') throw invalid('isCancelled', trainingDayMessages.isClosed)
  if (isCancelled) return 'cancelled'
  return state === 'cancelled' ? 'planned' : state
}

type Placed = Pick<TrainingDayRow, 'heldOn' | 'startsAt' | 'level' | 'sectionIds'>

/** @throws AppError `invalid` for a day outside the term, or at the time of another day of the same students */
function mustFit(
  day: Placed,
  { term, held, path }: { term: Term; held: readonly TrainingDayRow[]; path: string },
): void {
  if (day.heldOn < term.startsOn || day.heldOn > term.endsOn) {
    throw invalid(path, trainingDayMessages.outside(day.heldOn))
  }
  const isTaken = held.some(
    (other) =>
      other.state !== 'cancelled' &&
      other.heldOn === day.heldOn &&
      other.startsAt === day.startsAt &&
      meetTogether(other, day),
  )
  if (isTaken) throw invalid(path, trainingDayMessages.taken(day.heldOn))
}

export const dayLabel = (term: Term, { component, heldOn }: TrainingDayRow) =>
  `${termLabel(term)}: ${component}, ${heldOn}`

export function presentDay({
  termId: _term,
  openSectionIds: _open,
  withLater: _later,
  closedAt,
  ...day
}: TrainingDayRow): TrainingDay {
  return { ...day, closedAt: closedAt?.toISOString() ?? null }
}
