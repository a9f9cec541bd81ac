import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Staff } from '#server/lib/actor.ts'
import { mustExist, mustInclude, type RecordChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { studentMissing } from '#server/lib/missing-students.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { sectionLabel, termLabel } from '#shared/terms/terms.ts'
import { createEnrolmentChangeRepository } from './enrolment-change-repository.ts'
import {
  createEnrolmentsRepository,
  type FollowedEnrolment,
  type GivenEnrolment,
} from './enrolment-repository.ts'

export type { FollowedEnrolment, GivenEnrolment }

export interface EnrolmentCause {
  at: Date
  timeZone: string
  adminId: string | null
  // The import that caused it; undefined for another cause.
  batchId?: string
}

/**
 * Writes a move within a term to the student's record. The caller's transaction changes the enrolments.
 * @returns whether the student had another component before
 * @throws AppError `permission_denied`
 */
export async function setComponent(
  tx: Queryable,
  record: RecordChange,
  { id, component, actor }: { id: string; component: NstpComponent; actor: Staff },
): Promise<boolean> {
  const enrolments = createEnrolmentChangeRepository(tx, actor.access)
  const { nstpComponent, reference } = mustExist(await enrolments.lockStudent(id), studentMissing)
  if (nstpComponent === component) return false
  mustInclude(actor.access, component)
  await enrolments.setComponent(id, component)
  await record({
    action: 'student-edited',
    actor,
    studentId: id,
    subject: reference,
    fields: ['nstpComponent'],
    values: { before: { nstpComponent }, after: { nstpComponent: component } },
  })
  return true
}

/**
 * Moves enrolments without a mark to the component that their students got, without a section. Call it in the same
 * transaction. Closed terms stay as they are.
 * @returns each with the name of its term
 */
export async function followComponent(
  tx: Queryable,
  studentIds: readonly string[],
  { at, timeZone, adminId, batchId }: EnrolmentCause,
): Promise<(FollowedEnrolment & { term: string })[]> {
  const enrolments = createEnrolmentsRepository(tx)
  if (studentIds.length === 0 || (await enrolments.lockTermsOf(studentIds)) === 0) return []
  const misfits = await enrolments.lockMisfits(studentIds)
  if (misfits.length === 0) return []
  const on = calendarDateOf(at, timeZone)
  const moves = misfits.map((enrolment) => ({ enrolment, newId: createId() }))
  await enrolments.setMoved(
    misfits.map(({ id }) => id),
    on,
  )
  await enrolments.insert(
    moves.map(({ enrolment: { termId, studentId, level, entry, school, wanted }, newId }) => ({
      id: newId,
      termId,
      studentId,
      component: wanted,
      level,
      entry,
      school,
      statusOn: on,
    })),
  )
  const changes = moves.flatMap(
    ({ enrolment: { id, component, level, sectionId, unit, section, statusOn, version, wanted }, newId }) => [
      {
        enrolmentId: id,
        what: 'moved' as const,
        before: {
          component,
          statusOn,
          sectionId,
          section: section === null ? '' : sectionLabel({ unit: unit ?? '', name: section }),
        },
        after: { component: wanted },
        version: version + 1,
      },
      {
        enrolmentId: newId,
        what: 'enrolled' as const,
        before: { component },
        after: { component: wanted, level, sectionId: null, section: '' },
        version: 1,
      },
    ],
  )
  await enrolments.note(changes, { at, byId: adminId, batchId: batchId ?? null })
  return moves.map(({ enrolment: { id, version, statusOn, ...term }, newId }) => ({
    movedId: id,
    version: version + 1,
    statusOn,
    newId,
    term: termLabel(term),
  }))
}

/** How many enrolments an import moved at that time, without those that its undo restored. */
export const countFollowed = (db: Queryable, batchId: string, at: Date) =>
  createEnrolmentsRepository(db).countMoved(batchId, at)

/**
 * Takes back what `followComponent` moved and nobody has changed since, after an undo gave students their component
 * back. Call it in the same transaction. The rest goes on in the earlier component, without a section: a section that
 * filled up gets nobody more.
 * @returns how many are without the section that they had
 */
export async function followBack(
  tx: Queryable,
  studentIds: readonly string[],
  cause: EnrolmentCause,
): Promise<number> {
  const enrolments = createEnrolmentsRepository(tx)
  if (studentIds.length === 0 || (await enrolments.lockTermsOf(studentIds)) === 0) return 0
  const followed = await enrolments.findFollowed(studentIds)
  if (!(await putBack(tx, followed, cause))) throw new AppError('conflict')
  const withoutSection = followed.filter(({ isSectionGone }) => isSectionGone).length
  return withoutSection + (await followComponent(tx, studentIds, cause)).length
}

/** @returns whether each of them was as `followComponent` left it */
async function putBack(
  tx: Queryable,
  followed: readonly FollowedEnrolment[],
  { at, adminId }: EnrolmentCause,
): Promise<boolean> {
  const enrolments = createEnrolmentsRepository(tx)
  const deleted = await enrolments.deleteNew(followed.map(({ newId }) => newId))
  if (deleted < followed.length) return false
  const moved = followed.map(({ movedId, version, statusOn }) => ({ id: movedId, version, statusOn }))
  if ((await enrolments.restore(moved)) < followed.length) return false
  const changes = moved.map(({ id, version }) => ({
    enrolmentId: id,
    what: 'undone' as const,
    before: { status: 'moved' },
    after: { status: 'enrolled' },
    version: version + 1,
  }))
  await enrolments.note(changes, { at, byId: adminId, batchId: null })
  return true
}

/**
 * Call it before a record is merged into another and deleted.
 * @returns what was moved, for the undo
 * @throws AppError `conflict` where one student would be enrolled twice in a level of a term, or pass it twice
 */
export async function mergeEnrolments(
  tx: Queryable,
  { from, to }: { from: string; to: string },
): Promise<GivenEnrolment[]> {
  const enrolments = createEnrolmentsRepository(tx)
  if ((await enrolments.lockTermsOf([from, to])) === 0) return []
  const clash = await enrolments.findClash(from, to)
  if (clash) {
    // Marks are of who is enrolled: after a drop it would be too late to take one back.
    const detail = clash.isPassed
      ? 'Both records passed the same level. Take back one of the marks first.'
      : `Both records are enrolled in ${termLabel(clash)}. Drop one enrollment first.`
    throw new AppError('conflict', detail)
  }
  return await enrolments.giveTo(to, { from })
}

/**
 * The undo of `mergeEnrolments`, and of the `followComponent` after it.
 * @returns whether nothing was changed since, and all still fits; else the transaction must not commit
 */
export async function splitEnrolments(
  tx: Queryable,
  {
    from,
    to,
    given,
    followed,
  }: {
    from: string
    to: string
    given: readonly GivenEnrolment[]
    followed: readonly FollowedEnrolment[]
  },
  cause: EnrolmentCause,
): Promise<boolean> {
  if (given.length + followed.length === 0) return true
  const enrolments = createEnrolmentsRepository(tx)
  await enrolments.lockTermsOf([from])
  const since = new Map(followed.map(({ movedId, version }) => [movedId, version]))
  const rows = given.map(({ id, version }) => ({ id, version: since.get(id) ?? version }))
  const back = await enrolments.giveTo(to, { from, rows })
  if (back.length < rows.length) return false
  if (!(await putBack(tx, followed, cause))) return false
  return !(await enrolments.isUnfit(followed.map(({ movedId }) => movedId)))
}
