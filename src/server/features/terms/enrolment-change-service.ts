import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { AuditEntry } from '#server/lib/audit.ts'
import {
  type ChangeContext,
  commitChange,
  mustBeCurrent,
  mustExist,
  mustInclude,
  type RecordChange,
} from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { idOfKey } from '#server/lib/idempotency.ts'
import { isComponent } from '#shared/students/student-choices.ts'
import {
  type Added,
  type Drop,
  enrolmentMessages,
  type Move,
  type SectionChange,
} from '#shared/terms/enrolments.ts'
import { sectionLabel, sectionMessages, termLabel } from '#shared/terms/terms.ts'
import { createEnrolmentChangeRepository, type LockedEnrolment } from './enrolment-change-repository.ts'
import { createEnrolmentsRepository } from './enrolment-repository.ts'
import { followComponent, setComponent } from './enrolment-service.ts'
import { nameOf } from './mark-service.ts'
import { createSectionsRepository, type ListedSection, type TermRow } from './repository.ts'
import { changeOnce, lockTerm } from './service.ts'

/** What is done with single enrollments and selected ones, each with its history and an undo. */
export function createEnrolmentChanges(options: ChangeContext & Pick<AppContext, 'timeZone'>) {
  const { clock, timeZone, publish } = options

  const causeOf = ({ adminId }: Staff, batchId: string, reason = '') => ({
    at: clock(),
    byId: adminId,
    batchId,
    reason,
  })

  return {
    async changeSection({ ids, sectionId, reason }: SectionChange, key: string | undefined, actor: Staff) {
      const { access, adminId } = actor
      const batchId = idOfKey(adminId ?? '', 'section', key)
      const lock = (tx: Queryable) => lockTermOf(tx, ids, access)
      return await changeOnce(options, batchId, lock, async (tx, term, record) => {
        const rows = await lockEnrolled(tx, ids, access)
        for (const row of rows)
          if (row.restriction !== null) throw new AppError('conflict', enrolmentMessages.blocked(nameOf(row)))
        const section = await findSection(tx, term, sectionId, access)
        const moved = rows.filter((row) => row.sectionId !== sectionId)
        if (section) mustTake(section, moved)
        const cause = causeOf(actor, batchId, reason)
        if (moved.length > 0) await storeSection(tx, record, moved, { term, section, actor, cause })
        return moved.length
      })
    },

    async drop({ ids, on, reason }: Drop, key: string | undefined, actor: Staff) {
      const { access, adminId } = actor
      const batchId = idOfKey(adminId ?? '', 'drop', key)
      const lock = (tx: Queryable) => lockTermOf(tx, ids, access)
      return await changeOnce(options, batchId, lock, async (tx, term, record) => {
        const rows = await lockEnrolled(tx, ids, access)
        await createEnrolmentChangeRepository(tx, access).drop(
          rows.map(({ id }) => id),
          { on, reason },
        )
        const changes = rows.map((row) => ({
          enrolmentId: row.id,
          what: 'dropped' as const,
          before: { status: 'enrolled', statusOn: row.statusOn, ...placeOf(row) },
          after: { status: 'dropped', statusOn: on },
          version: row.version + 1,
        }))
        await createEnrolmentsRepository(tx).note(changes, causeOf(actor, batchId, reason))
        await record(entryOf(actor, term, rows, { step: 'dropped' }))
        return rows.length
      })
    },

    async move(id: string, version: number, to: Move, actor: Staff) {
      const batchId = createId()
      const { isFollowed, ...moved } = await commitChange(options, 'terms', async (tx, record) => {
        const { access } = actor
        const term = await lockTermOf(tx, [id], access)
        const [found] = await lockEnrolled(tx, [id], access)
        const row = mustBeCurrent(found, enrolmentMessages.missing, version)
        const section = await findSection(tx, term, to.sectionId, access)
        const isSameCell = row.component === to.component && row.level === to.level
        if (isSameCell && row.sectionId === to.sectionId) return { batchId, id, version, isFollowed: false }
        if (section) mustTake(section, [{ component: to.component, level: to.level }])
        const cause = causeOf(actor, batchId, to.reason)
        if (isSameCell) {
          await storeSection(tx, record, [row], { term, section, actor, cause })
          return { batchId, id, version: version + 1, isFollowed: false }
        }
        mustInclude(access, to.component)
        await mustBeFree(tx, access, [row], {
          termId: term.id,
          level: to.level,
          isMoving: row.level === to.level,
        })
        const newId = await storeMove(tx, record, row, { term, to, section, actor, cause })
        const { studentId } = row
        const isFollowed = await setComponent(tx, record, { id: studentId, component: to.component, actor })
        // The enrolments of other terms follow.
        if (isFollowed) {
          await followComponent(tx, [studentId], { at: cause.at, timeZone, adminId: actor.adminId })
        }
        return { batchId, id: newId, version: 1, isFollowed }
      })
      if (isFollowed) publish('students')
      return moved
    },

    async add(termId: string, added: Added, key: string | undefined, actor: Staff) {
      const { studentIds, level, entry, school, sectionId, on } = added
      const batchId = idOfKey(actor.adminId ?? '', `adding ${termId}`, key)
      return await commitChange(options, 'terms', async (tx, record) => {
        const enrolments = createEnrolmentsRepository(tx)
        const term = await lockTerm(tx, termId)
        const done = await enrolments.countBatch(batchId)
        if (done > 0) return { batchId, count: done }
        const ids = [...new Set(studentIds)]
        const students = await createEnrolmentChangeRepository(tx, actor.access).hold(ids)
        if (students.length < ids.length) throw new AppError('conflict', enrolmentMessages.unknown)
        const rows = students.map(({ id: studentId, nstpComponent: component, restriction, ...name }) => {
          if (restriction !== null) throw new AppError('conflict', enrolmentMessages.blocked(nameOf(name)))
          if (!isComponent(component)) {
            throw new AppError('conflict', enrolmentMessages.withoutComponent(nameOf(name)))
          }
          return { id: createId(), studentId, component, level, ...name }
        })
        await mustBeFree(tx, actor.access, rows, { termId, level, isMoving: false })
        const section = await findSection(tx, term, sectionId, actor.access)
        if (section) mustTake(section, rows)
        await enrolments.insert(
          rows.map(({ id, studentId, component }) => ({
            ...{ id, studentId, component, termId, level, sectionId, entry, school },
            statusOn: on,
          })),
        )
        const after = { level, ...nowIn(section), entry }
        const changes = rows.map(({ id, component }) => ({
          enrolmentId: id,
          what: 'enrolled' as const,
          before: {},
          after: { component, ...after },
          version: 1,
        }))
        await enrolments.note(changes, causeOf(actor, batchId))
        await record(entryOf(actor, term, rows, { step: 'added', level }))
        return { batchId, count: rows.length }
      })
    },
  }
}

const entryOf = (
  actor: Staff,
  term: TermRow,
  rows: readonly Pick<LockedEnrolment, 'studentId'>[],
  detail: AuditEntry['detail'] & { step: string },
): AuditEntry => ({
  action: 'enrolments-changed',
  actor,
  subject: termLabel(term),
  studentIds: rows.map(({ studentId }) => studentId),
  detail,
})

interface Stored {
  term: TermRow
  section: ListedSection | null
  actor: Staff
  cause: { at: Date; byId: string | null; batchId: string; reason: string }
}

/** Moves the enrolments to a section of their component and level, or out of their section. */
async function storeSection(
  tx: Queryable,
  record: RecordChange,
  rows: readonly LockedEnrolment[],
  { term, section, actor, cause }: Stored,
): Promise<void> {
  const enrolments = createEnrolmentsRepository(tx)
  const after = nowIn(section)
  await enrolments.setSections(rows.map(({ id }) => ({ id, sectionId: after.sectionId })))
  const changes = rows.map((row) => ({
    enrolmentId: row.id,
    what: 'section' as const,
    before: placeOf(row),
    after,
    version: row.version + 1,
  }))
  await enrolments.note(changes, cause)
  await record(entryOf(actor, term, rows, { step: 'section', section: after.section }))
}

/** The enrollment stays where it is, with its mark. @returns the id of the one in its place */
async function storeMove(
  tx: Queryable,
  record: RecordChange,
  row: LockedEnrolment,
  { term, to: { component, level, sectionId, on, reason }, section, actor, cause }: Stored & { to: Move },
): Promise<string> {
  const enrolments = createEnrolmentsRepository(tx)
  const newId = createId()
  const { id, studentId, entry, school, statusOn, version } = row
  const from = { component: row.component, level: row.level }
  await enrolments.setMoved([id], on, reason)
  await enrolments.insert([
    { id: newId, termId: term.id, studentId, component, level, sectionId, entry, school, statusOn: on },
  ])
  const moved = {
    enrolmentId: id,
    what: 'moved',
    before: { ...from, statusOn, ...placeOf(row) },
    after: { component, level },
    version: version + 1,
  } as const
  const enrolled = {
    enrolmentId: newId,
    what: 'enrolled',
    before: from,
    after: { component, level, ...nowIn(section) },
    version: 1,
  } as const
  await enrolments.note([moved, enrolled], cause)
  await record(entryOf(actor, term, [row], { step: 'moved', component, level }))
  return newId
}

/**
 * Locks the term of these enrolments until the transaction ends.
 * @throws AppError `not_found`; `invalid` for several terms
 */
async function lockTermOf(tx: Queryable, ids: readonly string[], access: Access): Promise<TermRow> {
  const [termId, ...others] = await createEnrolmentChangeRepository(tx, access).termsOf(ids)
  if (others.length > 0) throw invalid('ids', enrolmentMessages.terms)
  return await lockTerm(tx, mustExist(termId, enrolmentMessages.missing))
}

/** @throws AppError `conflict` where one of them isn't enrolled any more */
async function lockEnrolled(
  tx: Queryable,
  ids: readonly string[],
  access: Access,
): Promise<LockedEnrolment[]> {
  const rows = await createEnrolmentChangeRepository(tx, access).lock(ids)
  if (rows.length < new Set(ids).size) throw new AppError('conflict', enrolmentMessages.gone)
  return rows
}

async function findSection(
  tx: Queryable,
  term: TermRow,
  id: string | null,
  access: Access,
): Promise<ListedSection | null> {
  if (id === null) return null
  const sections = await createSectionsRepository(tx, access).list(term.id)
  return mustExist(
    sections.find((section) => section.id === id),
    sectionMessages.missing,
  )
}

/** @throws AppError `conflict`: it is of another component or level, or has no room for all */
function mustTake(
  section: ListedSection,
  enrolments: readonly Pick<LockedEnrolment, 'component' | 'level'>[],
): void {
  const { component, level, capacity, students } = section
  const label = sectionLabel(section)
  if (enrolments.some((one) => one.component !== component || one.level !== level)) {
    throw new AppError('conflict', enrolmentMessages.otherCell(label))
  }
  const room = Math.max(0, capacity - students)
  if (enrolments.length > room) {
    throw new AppError('conflict', enrolmentMessages.noRoom(label, room, enrolments.length))
  }
}

/** @throws AppError `conflict`: one of them passed the level, or is enrolled in it */
async function mustBeFree(
  tx: Queryable,
  access: Access,
  students: readonly Pick<LockedEnrolment, 'studentId' | 'lastName' | 'firstName'>[],
  { termId, level, isMoving }: Pick<LockedEnrolment, 'level'> & { termId: string; isMoving: boolean },
): Promise<void> {
  const ids = students.map(({ studentId }) => studentId)
  const having = await createEnrolmentChangeRepository(tx, access).findHaving(ids, { termId, level })
  const clash = having.find(({ why }) => why !== 'already' || !isMoving)
  const student = clash && students.find(({ studentId }) => studentId === clash.studentId)
  if (!clash || !student) return
  throw new AppError('conflict', enrolmentMessages[clash.why](nameOf(student)))
}

const nowIn = (section: ListedSection | null) => ({
  sectionId: section?.id ?? null,
  section: section ? sectionLabel(section) : '',
})

/** The section's name is kept too, because it outlives the section. */
function placeOf({ sectionId, unit, section }: Pick<LockedEnrolment, 'sectionId' | 'unit' | 'section'>) {
  return { sectionId, section: section === null ? '' : sectionLabel({ unit: unit ?? '', name: section }) }
}
