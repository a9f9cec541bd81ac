import type { Queryable } from '#server/database/schema.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import {
  type ChangeContext,
  commitChange,
  mustBeOwn,
  mustExist,
  type RecordChange,
} from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { placingMessages } from '#shared/terms/placing.ts'
import { termLabel } from '#shared/terms/terms.ts'
import type { RecentBatch } from '#shared/terms/terms-response.ts'
import { createEnrolmentsRepository, type UndoneChange } from './enrolment-repository.ts'
import { followBack, followComponent, setComponent } from './enrolment-service.ts'
import { createMarksRepository } from './mark-repository.ts'
import { createSectionsRepository, type TermRow } from './repository.ts'
import { findTerm, lockAnyTerm, lockTerm } from './service.ts'

const undoBatchMs = 24 * 60 * 60_000

/** What was done to enrollments, and its undo. */
export function createBatches(options: ChangeContext & Pick<AppContext, 'timeZone'>) {
  const { database, clock, timeZone, publish } = options

  return {
    /** Lists the changes of the last day. Each counts what is still as the change left it. */
    async list(termId: string, { adminId, access }: Staff): Promise<RecentBatch[]> {
      await findTerm(database.db, termId)
      const since = new Date(clock().getTime() - undoBatchMs)
      const batches = await createEnrolmentsRepository(database.db).listBatches(termId, since, access)
      return batches.map(({ at, byId, ...batch }) => ({
        ...batch,
        at: at.toISOString(),
        mayUndo: access.components === 'all' || byId === adminId,
      }))
    },

    /** Takes back a change. Enrolments that were changed since stay as they are. */
    async undo(batchId: string, actor: Staff) {
      const { isFollowed, ...undone } = await commitChange(
        options,
        'terms',
        async (tx, record) => {
          const enrolments = createEnrolmentsRepository(tx)
          const now = clock()
          const since = new Date(now.getTime() - undoBatchMs)
          const { termId, byId, what } = mustExist(
            await enrolments.findBatch(batchId, since, actor.access),
            placingMessages.tooLate,
          )
          mustBeOwn(byId, actor)
          // Marks can be changed in a closed term too.
          const term = await (what === 'mark' ? lockAnyTerm : lockTerm)(tx, termId)
          const changes = await enrolments.lockBatch(batchId, actor.access)
          const undo = await planUndo(tx, term, changes, actor)
          const studentIds = [
            ...undo.placed,
            ...undo.added,
            ...undo.dropped,
            ...undo.marked,
            ...undo.moves.map(([from]) => from),
          ].map(({ studentId }) => studentId)
          if (studentIds.length === 0) throw new AppError('not_found', placingMessages.tooLate)
          await takeBack(tx, undo, { byId: actor.adminId, at: now })
          // The undo enrols students without a mark again. Their records may have got another component meanwhile.
          const enrolled = [...undo.dropped, ...undo.marked].map(({ studentId }) => studentId)
          await followComponent(tx, enrolled, { at: now, timeZone, adminId: actor.adminId })
          const isFollowed = await followBackOf(tx, record, undo.moves, { actor, at: now, timeZone })
          await record({ action: 'enrolments-undone', actor, subject: termLabel(term), studentIds })
          const count = studentIds.length
          const all = changes.filter(({ what }) => what !== 'moved').length
          return { count, skipped: all - count, isFollowed }
        },
        { long: true },
      )
      if (isFollowed) publish('students')
      return undone
    },
  }
}

interface Undo {
  // The enrolments that go back to another section.
  placed: UndoneChange[]
  added: UndoneChange[]
  dropped: UndoneChange[]
  marked: UndoneChange[]
  // Each pair is the enrolment that was left, and the one that replaced it.
  moves: [UndoneChange, UndoneChange][]
}

/** Finds the enrolments that are as the change left them, and still fit. */
export async function planUndo(
  tx: Queryable,
  term: Pick<TermRow, 'id'>,
  changes: readonly UndoneChange[],
  { access }: Pick<Staff, 'access'>,
): Promise<Undo> {
  const same = changes.filter(({ isSame }) => isSame)
  const ofKind = (kind: UndoneChange['what']) => same.filter(({ what }) => what === kind)
  const enrolled = ofKind('enrolled')
  // Other new enrolments replace one that was moved, which may be out of scope.
  const added = enrolled.filter(({ before }) => Object.keys(before).length === 0)
  const sections = await createSectionsRepository(tx, access).list(term.id)
  const room = new Map(sections.map(({ id, capacity, students }) => [id, capacity - students]))
  const leave = (id: string | null) => id !== null && room.set(id, (room.get(id) ?? 0) + 1)
  for (const { sectionId } of added) leave(sectionId)

  function fits(to: string | null, from: string | null): boolean {
    const places = to === null ? 1 : (room.get(to) ?? 0)
    if (places < 1) return false
    if (to !== null) room.set(to, places - 1)
    leave(from)
    return true
  }

  const gone = ofKind('dropped')
  const moves = ofKind('moved').flatMap((from): Undo['moves'] => {
    const to = enrolled.find(({ studentId }) => studentId === from.studentId)
    return to ? [[from, to]] : []
  })
  const live = await createEnrolmentsRepository(tx).findLive(
    term.id,
    [...gone, ...moves.map(([from]) => from)].map(({ studentId }) => studentId),
  )
  const isFree = ({ studentId, level }: UndoneChange, to?: UndoneChange) =>
    !live.some((one) => one.studentId === studentId && one.level === level && one.id !== to?.enrolmentId)
  const marked = ofKind('mark')
  const passes = await createMarksRepository(tx, access).findPasses(
    marked.flatMap(({ enrolmentId, before }) => (before.outcome === 'passed' ? [enrolmentId] : [])),
  )
  return {
    added,
    marked: marked.filter(({ enrolmentId }) => !passes.has(enrolmentId)),
    placed: ofKind('section').filter(({ before, sectionId }) => fits(before.sectionId ?? null, sectionId)),
    dropped: gone.filter((from) => isFree(from) && fits(from.sectionId, null)),
    moves: moves.filter(([from, to]) => isFree(from, to) && fits(from.sectionId, to.sectionId)),
  }
}

/** Students whom the change enrolled leave the term. Students who dropped or were moved are again where they were. */
export async function takeBack(
  tx: Queryable,
  { placed, added, dropped, marked, moves }: Undo,
  { byId, at }: { byId: string | null; at: Date },
): Promise<void> {
  const enrolments = createEnrolmentsRepository(tx)
  const restored = [...dropped, ...moves.map(([from]) => from)]
  await enrolments.setSections(
    placed.map(({ enrolmentId, before }) => ({ id: enrolmentId, sectionId: before.sectionId ?? null })),
  )
  await enrolments.delete([...added, ...moves.map(([, to]) => to)].map(({ enrolmentId }) => enrolmentId))
  await enrolments.restore(
    restored.map(({ enrolmentId, version, before, statusOn }) => ({
      id: enrolmentId,
      version,
      statusOn: before.statusOn ?? statusOn,
    })),
  )
  await enrolments.setMarks(
    marked.map(
      ({ enrolmentId: id, before: { mark = '', outcome = 'none', percent = null, parts = null } }) => ({
        ...{ id, mark, outcome, percent, parts },
      }),
    ),
  )
  const changes = [...placed, ...restored, ...marked].map(({ enrolmentId, before, after, version }) => ({
    enrolmentId,
    what: 'undone' as const,
    before: after,
    after: before,
    version: version + 1,
  }))
  await enrolments.note(changes, { at, byId, batchId: null })
}

/** The records' components, and their enrollments of other terms. @returns whether any was another one */
async function followBackOf(
  tx: Queryable,
  record: RecordChange,
  moves: Undo['moves'],
  { actor, at, timeZone }: { actor: Staff; at: Date; timeZone: string },
): Promise<boolean> {
  let isFollowed = false
  for (const [{ studentId: id, component }, to] of moves) {
    if (component === to.component) continue
    if (await setComponent(tx, record, { id, component, actor })) {
      isFollowed = true
      await followBack(tx, [id], { at, timeZone, adminId: actor.adminId })
    }
  }
  return isFollowed
}
