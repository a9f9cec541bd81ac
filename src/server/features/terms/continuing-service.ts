import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { ChangeContext } from '#server/lib/change.ts'
import { sha256 } from '#server/lib/digest.ts'
import { idOfKey } from '#server/lib/idempotency.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { studentName } from '#shared/students/student-name.ts'
import { type ConfirmedContinuation, type Continuation, continueStudents } from '#shared/terms/continuing.ts'
import { levels, sectionLabel, termLabel } from '#shared/terms/terms.ts'
import type { ContinuationPreview } from '#shared/terms/terms-response.ts'
import { createContinuingRepository } from './continuing-repository.ts'
import { type ChangeCause, createEnrolmentsRepository } from './enrolment-repository.ts'
import { mustBeAsSeen } from './placing-service.ts'
import { createSectionsRepository, type TermRow } from './repository.ts'
import { changeOnce, findTerm, lockTerm, mustBeChangeable, mustHaveComponent } from './service.ts'

const mostNamed = 50

export function createContinuing(options: ChangeContext & Pick<AppContext, 'timeZone'>) {
  const { database, clock, timeZone } = options

  return {
    async preview(termId: string, continuation: Continuation, access: Access): Promise<ContinuationPreview> {
      if (continuation.component) mustHaveComponent(access, continuation.component)
      const { db } = database
      const term = await findTerm(db, termId)
      mustBeChangeable(term)
      return previewOf(await readPlan(db, term, continuation, access), continuation)
    },

    /** @param key a repeated request takes nobody in again */
    async continue(
      termId: string,
      { basis, ...continuation }: ConfirmedContinuation,
      key: string | undefined,
      actor: Staff,
    ) {
      if (continuation.component) mustHaveComponent(actor.access, continuation.component)
      const batchId = idOfKey(actor.adminId ?? '', `continuing ${termId}`, key)
      const lock = (tx: Queryable) => lockTerm(tx, termId)
      return await changeOnce(options, batchId, lock, async (tx, term, record) => {
        const plan = await readPlan(tx, term, continuation, actor.access)
        await mustBeAsSeen(tx, plan, basis, actor.access)
        if (plan.continued.length === 0) return 0
        const now = clock()
        await copySections(tx, term, plan, actor.access)
        await enrol(tx, term, plan, calendarDateOf(now, timeZone))
        await note(tx, plan, { at: now, byId: actor.adminId, batchId })
        await record({
          action: 'students-continued',
          actor,
          subject: termLabel(term),
          studentIds: plan.continued.map(({ student }) => student.id),
          detail: { sections: plan.copied.length },
        })
        return plan.continued.length
      })
    },
  }
}

type Plan = Awaited<ReturnType<typeof readPlan>>

/** The preview and the change have the same plan. */
async function readPlan(db: Queryable, term: TermRow, continuation: Continuation, access: Access) {
  const repository = createContinuingRepository(db, access)
  const students = await repository.list(term, continuation.component ?? 'all')
  const held = await createSectionsRepository(db, access).list(term.id)
  const sectionIds = students.flatMap(({ sectionId }) => (sectionId === null ? [] : [sectionId]))
  const earlier = await repository.listSections([...new Set(sectionIds)])
  const { groups, continued, copied } = continueStudents(
    students,
    { earlier, held, newId: createId },
    continuation,
  )
  const plan = continued.map(({ student, level, sectionId }) => ({
    student,
    level,
    sectionId,
    id: createId(),
    entry: level === student.level ? ('repeating' as const) : ('continuing' as const),
  }))
  const seen = [
    students.map(({ id, version, enrolmentId, enrolmentVersion, passed }) => [
      id,
      version,
      enrolmentId,
      enrolmentVersion,
      passed.length,
    ]),
    [...earlier, ...held].map(({ id, version }) => [id, version]),
    held.map(({ students: taken }) => taken),
  ]
  const basis = sha256(JSON.stringify(seen)).toString('base64url')
  return { students, held, groups, continued: plan, copied, basis }
}

function previewOf(
  { groups, continued, copied, basis }: Plan,
  { choices }: Continuation,
): ContinuationPreview {
  const counts = { next: 0, again: 0, leave: 0 }
  for (const [group, own] of groups) counts[choices[group]] += own.length
  return {
    groups: [...groups].map(([group, own]) => ({
      group,
      choice: choices[group],
      count: own.length,
      students: own.slice(0, mostNamed).map((student) => ({ id: student.id, name: studentName(student) })),
    })),
    next: counts.next,
    again: counts.again,
    left: counts.leave,
    sections: copied.length,
    withoutSection: continued.filter(({ sectionId }) => sectionId === null).length,
    basis,
  }
}

/** Adds copies behind the sections that the component and level has, in the order of the term before. */
async function copySections(
  tx: Queryable,
  { id: termId }: TermRow,
  { held, copied }: Plan,
  access: Access,
): Promise<void> {
  if (copied.length === 0) return
  const lastOf = (component: string, level: number) =>
    Math.max(
      -1,
      ...held.flatMap((own) => (own.component === component && own.level === level ? [own.position] : [])),
    )
  const inOrder = copied.toSorted((one, other) => one.from.position - other.from.position)
  const rows = inOrder.map(({ id, from, level }, index) => ({
    ...from,
    id,
    termId,
    level,
    position: lastOf(from.component, level) + 1 + index,
    version: 1,
  }))
  await createSectionsRepository(tx, access).insert(rows)
}

async function enrol(tx: Queryable, { id: termId }: TermRow, plan: Plan, on: string): Promise<void> {
  const enrolments = createEnrolmentsRepository(tx)
  for (const component of nstpComponents) {
    for (const level of levels) {
      const rows = plan.continued
        .filter(({ student, level: own }) => student.component === component && own === level)
        .map(({ id, student, entry, sectionId }) => ({ id, studentId: student.id, entry, sectionId }))
      if (rows.length > 0) await enrolments.enrol(rows, { termId, component, level, on })
    }
  }
}

async function note(tx: Queryable, { held, copied, continued }: Plan, cause: ChangeCause): Promise<void> {
  const labels = new Map([
    ...held.map((section) => [section.id, sectionLabel(section)] as const),
    ...copied.map(({ id, from }) => [id, sectionLabel(from)] as const),
  ])
  const changes = continued.map(({ id, student, level, sectionId }) => ({
    enrolmentId: id,
    what: 'enrolled' as const,
    before: {},
    after: {
      component: student.component,
      level,
      sectionId,
      section: sectionId === null ? '' : labels.get(sectionId),
    },
    version: 1,
  }))
  await createEnrolmentsRepository(tx).note(changes, cause)
}
