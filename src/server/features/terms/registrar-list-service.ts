import { mustExist } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ListPurpose } from '#server/lib/list-purpose.ts'
import { termMessages } from '#shared/terms/terms.ts'
import { createEnrolmentsRepository } from './enrolment-repository.ts'
import { createRegistrarListRepository, type RegisteredMember } from './registrar-list-repository.ts'
import { createTermsRepository } from './repository.ts'
import { lockTerm, mustBeChangeable } from './service.ts'

/** The registrar's list of a term: who is on it becomes official. Nobody loses that by a later list. */
export const registrarList: ListPurpose<RegisteredMember> = {
  async open(db, termId) {
    const term = mustExist(await createTermsRepository(db).find(termId), termMessages.missing)
    mustBeChangeable(term)
    return { academicYear: term.academicYear }
  },

  lock: lockTerm,

  members: (db, { termId, access, recordIds }) =>
    createRegistrarListRepository(db, access).members(termId, recordIds),

  judge({ nstpComponent = '' }, { nstpComponent: own, isOfficial }) {
    const state = isOfficial ? 'unchanged' : 'ready'
    if (nstpComponent === '' || nstpComponent === own) return { state }
    const message = `The list says ${nstpComponent}, but the student is enrolled in ${own}.`
    return { state: 'differs', field: 'nstpComponent', message, otherwise: state }
  },

  countOthers: (db, { termId, access, enrolmentIds }) =>
    createRegistrarListRepository(db, access).countOthers(termId, enrolmentIds),

  async apply(tx, rows, { importId, at, byId, access }) {
    const changed = await createRegistrarListRepository(tx, access).makeOfficial(
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

  async undo(tx, { importId, at, byId, access }) {
    const list = createRegistrarListRepository(tx, access)
    if (await list.reachesOutside(importId)) {
      const detail =
        'Only an office-wide account can undo this list, because some of its students are of other components.'
      throw new AppError('conflict', detail)
    }
    const undone = await list.takeBack(importId)
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
