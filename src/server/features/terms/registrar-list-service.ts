import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ListPurpose, RowFields, RowVerdict } from '#server/lib/list-purpose.ts'
import { createEnrolmentsRepository } from './enrolment-repository.ts'
import { createListRepository, type TermMember } from './list-repository.ts'
import { findTerm, lockTerm, mustBeChangeable } from './service.ts'

/** The registrar's list of a term: who is on it becomes official. Nobody loses that by a later list. */
export const registrarList: ListPurpose<TermMember> = {
  topics: ['terms'],

  async open(db, { aboutId }) {
    const term = await findTerm(db, aboutId)
    mustBeChangeable(term)
    return { academicYear: term.academicYear }
  },

  lock: (tx, { aboutId }) => lockTerm(tx, aboutId),

  members: (db, { aboutId, access, recordIds }) =>
    createListRepository(db, access).members(aboutId, recordIds),

  judging: async () => ({
    judge: ({ fields }, member) => ofComponent(fields, member, member.isOfficial ? 'unchanged' : 'ready'),
  }),

  countOthers: (db, { aboutId, access, enrolmentIds }) =>
    createListRepository(db, access).countOthers(aboutId, enrolmentIds),

  async apply(tx, rows, { importId, at, actor, access }) {
    const byId = actor?.adminId ?? null
    const changed = await createListRepository(tx, access).makeOfficial(
      rows.map(({ enrolmentId }) => enrolmentId),
      at,
    )
    const changes = changed.map(({ id, version }) => ({
      enrolmentId: id,
      what: 'official' as const,
      before: { officialAt: null },
      after: { officialAt: at },
      version,
    }))
    await createEnrolmentsRepository(tx).note(changes, { at, byId, batchId: importId })
  },

  async undo(tx, { importId, at, actor, access }) {
    const byId = actor?.adminId ?? null
    await mustReach(tx, importId, access)
    const undone = await createListRepository(tx, access).takeBack(importId)
    const changes = undone.map(({ id, version, officialAt }) => ({
      enrolmentId: id,
      what: 'undone' as const,
      before: { officialAt },
      after: { officialAt: null },
      version,
    }))
    await createEnrolmentsRepository(tx).note(changes, { at, byId, batchId: null })
    return undone.map(({ studentId }) => studentId)
  },
}

/** A row that names another component than the student's is for a person to decide. */
export function ofComponent(
  { nstpComponent = '' }: RowFields,
  { nstpComponent: own }: TermMember,
  state: 'ready' | 'unchanged',
): RowVerdict {
  if (nstpComponent === '' || nstpComponent === own) return { state }
  const message = `The list says ${nstpComponent}, but the student is enrolled in ${own}.`
  return { state: 'differs', field: 'nstpComponent', message, otherwise: state }
}

/** @throws AppError `conflict` for a list that changed students of other components */
export async function mustReach(tx: Queryable, importId: string, access: Access): Promise<void> {
  if (!(await createListRepository(tx, access).reachesOutside(importId))) return
  const detail =
    'Only an office-wide account can undo this list, because some of its students are of other components.'
  throw new AppError('conflict', detail)
}
