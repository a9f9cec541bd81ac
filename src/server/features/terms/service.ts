import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { endFacilitators } from '#server/features/people/service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import {
  type ChangeContext,
  changesBetween,
  changesOf,
  commitChange,
  mustBeCurrent,
  mustExist,
  pick,
  type RecordChange,
} from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import {
  type NewSections,
  type NewTerm,
  type SectionEdit,
  sectionLabel,
  sectionMessages,
  type TermEdit,
  type TermState,
  termLabel,
  termMessages,
} from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { createEnrolmentsRepository } from './enrolment-repository.ts'
import {
  createSectionsRepository,
  createTermsRepository,
  type ListedSection,
  type SectionRow,
  type TermRow,
  type TermsRepository,
} from './repository.ts'

/** @throws AppError `not_found` */
export async function findTerm(db: Queryable, id: string): Promise<TermRow> {
  return mustExist(await createTermsRepository(db).find(id), termMessages.missing)
}

export async function findOpenTerm(db: Queryable): Promise<TermRow | undefined> {
  return (await createTermsRepository(db).list()).find(({ state }) => state === 'open')
}

/** @throws AppError `conflict`: sections and enrolments of a closed term stay as they are */
export function mustBeChangeable(term: TermRow): void {
  if (term.state === 'closed') throw new AppError('conflict', termMessages.isClosed(termLabel(term)))
}

/** Locks a term, whether it is closed or not. @throws AppError `not_found` */
export async function lockAnyTerm(tx: Queryable, id: string): Promise<TermRow> {
  return mustExist(await createTermsRepository(tx).lock(id), termMessages.missing)
}

/** @throws AppError `not_found`; `conflict` for a closed term */
export async function lockTerm(tx: Queryable, id: string): Promise<TermRow> {
  const term = await lockAnyTerm(tx, id)
  mustBeChangeable(term)
  return term
}

/**
 * A change of many enrolments, under the id of its request: repeated, it does nothing and has the same answer.
 * @param work returns how many were changed
 */
export function changeOnce(
  context: ChangeContext,
  batchId: string,
  lock: (tx: Queryable) => Promise<TermRow>,
  work: (tx: Queryable, term: TermRow, record: RecordChange) => Promise<number>,
): Promise<{ batchId: string; count: number }> {
  return commitChange(
    context,
    'terms',
    async (tx, record) => {
      const term = await lock(tx)
      const done = await createEnrolmentsRepository(tx).countBatch(batchId)
      return { batchId, count: done > 0 ? done : await work(tx, term, record) }
    },
    { long: true },
  )
}

/** @throws AppError `permission_denied` */
export function mustHaveComponent({ components }: Access, component: string): void {
  if (components === 'all' || components.some((own) => own === component)) return
  throw new AppError(
    'permission_denied',
    `Your account can only change sections and enrollments of ${components.join(' and ')}.`,
  )
}

export function createTermsService(options: ChangeContext) {
  const { database, clock, publish } = options

  const change = changesOf(options, 'terms', async (tx) => {
    const terms = createTermsRepository(tx)
    await terms.lockAll()
    return terms
  })

  return {
    list: async (): Promise<Term[]> => (await createTermsRepository(database.db).list()).map(presentTerm),

    add: async ({ copyFrom, ...term }: NewTerm, actor: Staff): Promise<Term> =>
      change(async (terms, _tx, record) => {
        const all = await terms.list()
        const isTaken = all.some(
          ({ academicYear, semester }) => academicYear === term.academicYear && semester === term.semester,
        )
        if (isTaken) throw invalid('semester', termMessages.taken(termLabel(term)))
        if (term.state === 'open') mustBeNoneOpen(all)
        const row = await terms.insert({ ...term, id: createId(), createdAt: clock() })
        if (copyFrom !== null && !(await terms.find(copyFrom)))
          throw invalid('copyFrom', termMessages.copyFrom)
        const sections = copyFrom === null ? 0 : await terms.copySections(copyFrom, row.id)
        await record({
          action: 'term-changed',
          actor,
          subject: termLabel(row),
          detail: { step: 'added', sections },
        })
        return presentTerm(row)
      }),

    async edit(id: string, version: number, edit: TermEdit, actor: Staff): Promise<Term> {
      const { row, facilitators } = await change(async (terms, tx, record) => {
        const current = mustBeCurrent(await terms.find(id), termMessages.missing, version)
        const { fields, after } = changesBetween(current, edit)
        if (fields.length === 0) return { row: current, facilitators: 0 }
        if (after.state !== undefined) await mustBecome(after.state, current, terms)
        const row = await terms.update(id, after)
        const endsEarlier = row.state === 'open' && row.endsOn < current.endsOn
        const facilitators = endsEarlier ? await endFacilitators(tx, row.endsOn) : 0
        const values = { before: pick(current, fields), after: pick(row, fields) }
        await record({
          ...{ action: 'term-changed', actor, subject: termLabel(row), fields, values },
          ...(facilitators > 0 && { detail: { facilitators } }),
        })
        return { row, facilitators }
      })
      // Facilitators have rolls of the open term alone, and are told of attendance alone.
      if (row.version !== version) publish('attendance')
      if (facilitators > 0) {
        publish('people')
        publish('session')
      }
      return presentTerm(row)
    },

    async delete(id: string, version: number | undefined, actor: Staff): Promise<void> {
      const facilitators = await change(async (terms, _tx, record) => {
        const current = mustBeCurrent(await terms.lock(id), termMessages.missing, version)
        const label = termLabel(current)
        await terms.lockDays(id)
        const students = await terms.countStudents(id)
        if (students > 0) throw new AppError('conflict', termMessages.hasStudents(label, students))
        const held = await terms.countFacilitators(id)
        await terms.delete(id)
        await record({ action: 'term-changed', actor, subject: label, detail: deletedWith(held) })
        return held
      })
      if (facilitators > 0) publishLostSections(publish)
    },
  }
}

/** The detail in the trail of a deleted section or term. @param facilitators how many lost a section by it */
const deletedWith = (facilitators: number) => ({ step: 'deleted', ...(facilitators > 0 && { facilitators }) })

/** The office sees who has which sections, and facilitators are told of attendance alone. */
function publishLostSections(publish: ChangeContext['publish']): void {
  publish('people')
  publish('attendance')
}

export function createSectionsService(options: ChangeContext) {
  const { database, publish } = options

  /** The section with its term, which stays as it is until the transaction ends. */
  async function lockSection(tx: Queryable, id: string, version: number | undefined, access: Access) {
    const sections = createSectionsRepository(tx, access)
    const { termId } = mustExist(await sections.find(id), sectionMessages.missing)
    const term = await lockTerm(tx, termId)
    // Race: the section may have changed, or gone, while another had locked the term.
    const current = mustBeCurrent(await sections.find(id), sectionMessages.missing, version)
    return { sections, term, current }
  }

  return {
    async list(termId: string, access: Access): Promise<Section[]> {
      await findTerm(database.db, termId)
      return (await createSectionsRepository(database.db, access).list(termId)).map(presentSection)
    },

    async add(
      termId: string,
      { component, level, sections: added }: NewSections,
      actor: Staff,
    ): Promise<Section[]> {
      mustHaveComponent(actor.access, component)
      return await commitChange(options, 'terms', async (tx, record) => {
        const term = await lockTerm(tx, termId)
        const sections = createSectionsRepository(tx, actor.access)
        const held = (await sections.list(termId)).filter(
          (one) => one.component === component && one.level === level,
        )
        mustBeNew(added, held)
        const last = Math.max(-1, ...held.map(({ position }) => position))
        const rows = added.map((section, index) => ({
          ...section,
          id: createId(),
          termId,
          component,
          level,
          position: last + 1 + index,
        }))
        await sections.insert(rows)
        const detail = { step: 'added', component, level }
        await record({
          action: 'sections-changed',
          actor,
          subject: termLabel(term),
          affected: rows.length,
          detail,
        })
        return (await sections.list(termId)).map(presentSection)
      })
    },

    edit: async (id: string, version: number, edit: SectionEdit, actor: Staff): Promise<Section> =>
      commitChange(options, 'terms', async (tx, record) => {
        const { sections, term, current } = await lockSection(tx, id, version, actor.access)
        const held = await sections.countHeld(id)
        const { fields, after } = changesBetween<SectionRow>(current, edit)
        if (fields.length === 0) return presentSection({ ...current, ...held })
        const others = (await sections.list(term.id)).filter(
          (one) => one.id !== id && one.component === current.component && one.level === current.level,
        )
        if (others.some((other) => nameKey(other) === nameKey(edit))) {
          throw invalid('name', sectionMessages.taken(sectionLabel(edit)))
        }
        if (edit.capacity < held.students) throw invalid('capacity', sectionMessages.tooSmall(held.students))
        const row = await sections.update(id, after)
        await record({
          action: 'sections-changed',
          actor,
          subject: subjectOf(term, current),
          affected: 1,
          fields,
          values: { before: pick(current, fields), after: pick(row, fields) },
        })
        return presentSection({ ...row, ...held })
      }),

    async delete(id: string, version: number | undefined, actor: Staff): Promise<void> {
      const facilitators = await commitChange(options, 'terms', async (tx, record) => {
        const { sections, term, current } = await lockSection(tx, id, version, actor.access)
        const { students } = await sections.countHeld(id)
        if (students > 0) throw new AppError('conflict', sectionMessages.notEmpty(students))
        const held = await sections.countFacilitators(id)
        await sections.delete(id)
        await record({
          action: 'sections-changed',
          actor,
          subject: subjectOf(term, current),
          affected: 1,
          detail: deletedWith(held),
        })
        return held
      })
      if (facilitators > 0) publishLostSections(publish)
    },
  }
}

function mustBeNoneOpen(terms: readonly TermRow[]): void {
  const open = terms.find(({ state }) => state === 'open')
  if (open) throw invalid('state', termMessages.stillOpen(termLabel(open)))
}

async function mustBecome(state: TermState, current: TermRow, terms: TermsRepository): Promise<void> {
  if (state === 'planned') throw invalid('state', termMessages.notPlanned)
  if (state === 'closed' && current.state !== 'open') throw invalid('state', termMessages.notOpen)
  if (state === 'open') mustBeNoneOpen(await terms.list())
}

const nameKey = ({ unit, name }: Pick<SectionEdit, 'unit' | 'name'>) =>
  JSON.stringify([unit.toLowerCase(), name.toLowerCase()])

function mustBeNew(added: readonly SectionEdit[], held: readonly ListedSection[]): void {
  const known = new Set(held.map(nameKey))
  for (const [index, section] of added.entries()) {
    const key = nameKey(section)
    if (known.has(key)) throw invalid(`sections.${index}.name`, sectionMessages.taken(sectionLabel(section)))
    known.add(key)
  }
}

const subjectOf = (term: TermRow, section: SectionRow) => `${termLabel(term)}: ${sectionLabel(section)}`

function presentTerm({ createdAt: _createdAt, ...term }: TermRow): Term {
  return term
}

export function presentSection({ termId: _termId, position: _position, ...section }: ListedSection): Section {
  return section
}
