import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { ChangeContext } from '#server/lib/change.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'
import { idOfKey } from '#server/lib/idempotency.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { studentName } from '#shared/students/student-name.ts'
import {
  type ConfirmedPlacement,
  type Placement,
  placeStudents,
  placingMessages,
} from '#shared/terms/placing.ts'
import { sectionLabel, termLabel } from '#shared/terms/terms.ts'
import type { EarlierRecords, PlacementPreview } from '#shared/terms/terms-response.ts'
import { createEnrolmentsRepository } from './enrolment-repository.ts'
import { createPlacingRepository, type UnplacedStudent } from './placing-repository.ts'
import { createSectionsRepository, type ListedSection, type TermRow } from './repository.ts'
import { changeOnce, findTerm, lockTerm, mustBeChangeable, mustHaveComponent } from './service.ts'

const mostNamed = 50

export function createPlacing(options: ChangeContext & Pick<AppContext, 'timeZone'>) {
  const { database, clock, timeZone } = options

  return {
    async preview(termId: string, placement: Placement, access: Access): Promise<PlacementPreview> {
      mustHaveComponent(access, placement.component)
      const { db } = database
      const term = await findTerm(db, termId)
      mustBeChangeable(term)
      return previewOf(await readPlan(db, term, placement, access))
    },

    /** Apart from the preview, which is read again with each choice. */
    async findEarlier(
      termId: string,
      cell: Pick<Placement, 'component' | 'level'>,
      access: Access,
    ): Promise<EarlierRecords> {
      mustHaveComponent(access, cell.component)
      const placing = createPlacingRepository(database.db, access)
      const term = await findTerm(database.db, termId)
      const students = await placing.listUnplaced(term, cell)
      const found = await placing.findEarlier(students.map(({ id }) => id))
      const ofStudent = new Map(found.map((record) => [record.id, record]))
      const items = students.flatMap((student) => {
        const record = ofStudent.get(student.id)
        return record ? [{ ...record, name: studentName(student) }] : []
      })
      return { count: items.length, items: items.slice(0, mostNamed) }
    },

    /** @param key a repeated request places nobody again */
    async place(
      termId: string,
      { basis, ...placement }: ConfirmedPlacement,
      key: string | undefined,
      actor: Staff,
    ) {
      mustHaveComponent(actor.access, placement.component)
      const batchId = idOfKey(actor.adminId ?? '', `placing ${termId}`, key)
      // Nobody else places or adds meanwhile, so that no section gets more than it has places for.
      const lock = (tx: Queryable) => lockTerm(tx, termId)
      return await changeOnce(options, batchId, lock, async (tx, term, record) => {
        const plan = await readPlan(tx, term, placement, actor.access)
        await mustBeAsSeen(tx, plan, basis, actor.access)
        if (plan.placed.length === 0) return 0
        const now = clock()
        const on = calendarDateOf(now, timeZone)
        await store(tx, term, plan, { placement, on, at: now, batchId, actor })
        await record({
          action: 'students-placed',
          actor,
          subject: termLabel(term),
          studentIds: plan.placed.map(({ student }) => student.id),
          detail: { component: placement.component, level: placement.level },
        })
        return plan.placed.length
      })
    },
  }
}

/**
 * Locks the students of the plan until the transaction ends.
 * @throws AppError `conflict` where they or the plan aren't those of the preview
 */
export async function mustBeAsSeen(
  tx: Queryable,
  plan: { students: readonly { id: string; version: number }[]; basis: string },
  basis: string,
  access: Access,
): Promise<void> {
  const held = await createPlacingRepository(tx, access).hold(plan.students)
  if (plan.basis === basis && held === plan.students.length) return
  throw new AppError('conflict', placingMessages.stale)
}

type Plan = Awaited<ReturnType<typeof readPlan>>

/** The preview and the change have the same plan. */
async function readPlan(db: Queryable, term: TermRow, placement: Placement, access: Access) {
  const { component, level, withoutSections, ids } = placement
  const named = ids && new Set(ids)
  const students = (await createPlacingRepository(db, access).listUnplaced(term, placement)).filter(
    ({ id, enrolmentId }) => (!named || named.has(id)) && !(withoutSections && enrolmentId !== null),
  )
  const sections = (await createSectionsRepository(db, access).list(term.id)).filter(
    (section) => section.component === component && section.level === level,
  )
  const plan = withoutSections ? enrolAll(students, sections) : placeStudents(students, sections, placement)
  return { ...plan, students, sections, basis: basisOf(students, sections) }
}

function enrolAll(
  students: readonly UnplacedStudent[],
  sections: readonly ListedSection[],
): ReturnType<typeof placeStudents<UnplacedStudent>> {
  return {
    placed: students.map((student) => ({ student, sectionId: null })),
    left: [],
    filled: new Map(sections.map(({ id, students: held }) => [id, held])),
  }
}

function basisOf(students: readonly UnplacedStudent[], sections: readonly ListedSection[]): string {
  const seen = [
    students.map(({ id, version, enrolmentVersion }) => [id, version, enrolmentVersion]),
    sections.map(({ id, version, students: held }) => [id, version, held]),
  ]
  return sha256(JSON.stringify(seen)).toString('base64url')
}

function previewOf({ students, sections, placed, left, filled, basis }: Plan): PlacementPreview {
  const groups = new Map<string, PlacementPreview['left'][number]>()
  for (const { student, reason } of left) {
    const value = reason === 'full' ? '' : student[reason]
    const key = `${reason} ${value}`
    const group = groups.get(key) ?? { reason, value, count: 0, students: [] }
    group.count += 1
    if (group.count <= mostNamed) group.students.push({ id: student.id, name: studentName(student) })
    groups.set(key, group)
  }
  return {
    total: students.length,
    placed: placed.length,
    sections: sections.map(({ id, capacity, students: before }) => ({
      id,
      before,
      after: filled.get(id) ?? before,
      capacity,
    })),
    left: [...groups.values()],
    basis,
  }
}

interface PlacedBatch {
  placement: Omit<Placement, 'ids'>
  on: string
  at: Date
  batchId: string
  actor: Staff
}

async function store(tx: Queryable, term: TermRow, plan: Plan, batch: PlacedBatch): Promise<void> {
  const { placement, on, at, batchId, actor } = batch
  const { component, level } = placement
  const enrolments = createEnrolmentsRepository(tx)
  const labels = new Map(plan.sections.map((section) => [section.id, sectionLabel(section)]))
  // The section's name is kept too, because it outlives the section.
  const valuesOf = (sectionId: string | null) => ({
    sectionId,
    section: sectionId === null ? '' : labels.get(sectionId),
  })
  const rows = plan.placed.map(({ student, sectionId }) => ({
    id: student.enrolmentId ?? createId(),
    studentId: student.id,
    entry: student.entry,
    sectionId,
    // The version after the change.
    version: (student.enrolmentVersion ?? 0) + 1,
    isNew: student.enrolmentId === null,
  }))
  await enrolments.enrol(
    rows.filter(({ isNew }) => isNew),
    { termId: term.id, component, level, on },
  )
  await enrolments.setSections(rows.filter(({ isNew }) => !isNew))
  const changes = rows.map(({ id, sectionId, version, isNew }) => ({
    enrolmentId: id,
    what: isNew ? ('enrolled' as const) : ('section' as const),
    before: isNew ? {} : valuesOf(null),
    after: isNew ? { component, level, ...valuesOf(sectionId) } : valuesOf(sectionId),
    version,
  }))
  await enrolments.note(changes, { at, byId: actor.adminId, batchId })
}
