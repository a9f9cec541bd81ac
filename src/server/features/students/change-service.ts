import * as z from 'zod/mini'
import type { Queryable } from '#server/database/schema.ts'
import { closeErasureRequests, erase } from '#server/features/privacy/erasure-repository.ts'
import { followComponent } from '#server/features/terms/enrolment-service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import {
  type ChangeContext,
  commitChange,
  mustBeCurrent,
  mustExist,
  mustInclude,
  pick,
  type RecordChange,
} from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { missingSentence, studentMissing } from '#server/lib/missing-students.ts'
import { isVisible, type Visible, visible } from '#server/lib/visible.ts'
import { regionDigits, writtenSerial } from '#shared/papers/serial-checks.ts'
import type { CorrectionReason, Restriction } from '#shared/privacy/privacy.ts'
import { fieldErrors } from '#shared/problem.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { isComponent } from '#shared/students/student-choices.ts'
import {
  changedFields,
  changersFields,
  createStudentEditSchema,
  type EditBasis,
  editableFields,
  type StudentEdit,
  type ValidStudentEdit,
} from '#shared/students/student-edit.ts'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import type { NamedStudent } from '#shared/students/student-name.ts'
import { createStudentChangesRepository, lockRecord } from './change-repository.ts'
import { createChoicesRepository, type StudentRow } from './repository.ts'
import { checkTypedSerial, lockSerials } from './serial-number-service.ts'
import { createUndoRepository } from './undo-repository.ts'

const actionOf = (archived: boolean) => (archived ? 'student-archived' : 'student-unarchived')

export async function lockStudent(
  tx: Queryable,
  access: Access,
  id: string,
  version?: number,
): Promise<StudentRow> {
  return mustBeCurrent(await createStudentChangesRepository(tx, access).lock(id), studentMissing, version)
}

/** The record of a student at /my, who has no access of the office. Requests of one student are made one after another. */
export async function lockOwnRecord(tx: Queryable, id: string): Promise<OwnRecord> {
  return mustExist(await lockRecord(tx, id), studentMissing)
}

/** Locks a record that may have been deleted. */
export const lockIfThere = lockRecord

export type OwnRecord = StudentRow

export interface StudentChangesOptions extends ChangeContext, Pick<AppContext, 'keptKeys'> {
  timeZone: string
  // Read at each call, because settings may change.
  offer: () => Pick<EditBasis, 'courses' | 'academicYears'>
  /** The region of the settings, which a typed serial number is compared with. */
  region: () => string
}

type EditWithReason = StudentEdit & { reason?: CorrectionReason | undefined; serialMeant?: boolean }

// `movedIn`: the terms whose enrolment moved to the new component.
type EditedRow = Visible<StudentRow> & { movedIn?: string[] }

export type StudentChanges = ReturnType<typeof createStudentChanges>

/** The values on offer are those of the settings and those that records have. */
export async function readChoices(
  db: Queryable,
  access: Access,
  { courses, academicYears }: ReturnType<StudentChangesOptions['offer']>,
) {
  const records = createChoicesRepository(db, access)
  return {
    courses: [...courses, ...(await records.courses())],
    academicYears: [...academicYears, ...(await records.academicYears())],
  }
}

export function createStudentChanges(options: StudentChangesOptions) {
  const { clock, timeZone, offer, region, publish } = options

  /** Within the transaction of another change. Its caller publishes `students`, and `terms` where somebody moved. */
  async function editWithin(
    { tx, record }: { tx: Queryable; record: RecordChange },
    { id, version, reason, serialMeant = false, ...edit }: EditWithReason & { id: string; version: number },
    actor: Staff,
  ): Promise<EditedRow> {
    const { access } = actor
    mustMayEdit(edit, access)
    if (edit.serialNumber) await lockSerials(tx)
    const current = await lockStudent(tx, access, id, version)
    const typed = validEdit(edit, {
      ...(await readChoices(tx, access, offer())),
      registered: calendarDateOf(current.registrationDate, timeZone),
      stored: current,
    })
    const valid = withWrittenSerial(typed, current)
    const fields = changedFields(valid, current)
    if (fields.length === 0) return visible(current, access)
    await mustBePossible(tx, { valid, current, fields }, { region: region(), isMeant: serialMeant, access })
    const values = {
      before: pick(current, fields),
      after: Object.fromEntries(fields.map((field) => [field, valid[field]])),
    }
    await record({
      action: 'student-edited',
      actor,
      studentId: current.id,
      subject: current.reference,
      fields,
      values,
      detail: reason ? { reason } : {},
    })
    const changed = await createStudentChangesRepository(tx, access).update(current.id, values.after)
    const cause = { at: clock(), timeZone, adminId: actor.adminId }
    const followed = fields.includes('nstpComponent') ? await followComponent(tx, [id], cause) : []
    const movedIn = [...new Set(followed.map(({ term }) => term))]
    return { ...visible(changed, access), ...(movedIn.length > 0 && { movedIn }) }
  }

  return {
    editWithin,

    async edit(id: string, version: number, change: EditWithReason, actor: Staff): Promise<EditedRow> {
      const edited = await commitChange(options, 'students', (tx, record) =>
        editWithin({ tx, record }, { id, version, ...change }, actor),
      )
      if (edited.movedIn) publish('terms')
      return edited
    },

    async setArchived(id: string, archived: boolean, actor: Staff): Promise<Visible<StudentRow>> {
      return await commitChange(options, 'students', async (tx, record) => {
        const current = await lockStudent(tx, actor.access, id)
        if (current.archived === archived) return visible(current, actor.access)
        await record({ action: actionOf(archived), actor, studentId: id, subject: current.reference })
        const archivedDate = archived ? clock() : null
        const changed = await createStudentChangesRepository(tx, actor.access).update(id, {
          archived,
          archivedDate,
        })
        return visible(changed, actor.access)
      })
    },

    /** RA 10173, section 16 (b), (e). Queued bulk mail is cancelled before it would be sent. */
    async restrict(id: string, restriction: Restriction | null, actor: Staff): Promise<Visible<StudentRow>> {
      return await commitChange(options, 'students', async (tx, record) => {
        const current = await lockStudent(tx, actor.access, id)
        if (current.restriction === restriction) return visible(current, actor.access)
        const detail = { restriction }
        await record({
          action: 'student-restricted',
          actor,
          studentId: id,
          subject: current.reference,
          detail,
        })
        const changed = await createStudentChangesRepository(tx, actor.access).update(id, { restriction })
        return visible(changed, actor.access)
      })
    },

    // Changes all records or none.
    async setArchivedOfMany(ids: readonly string[], archived: boolean, actor: Staff) {
      const uniqueIds = [...new Set(ids)]
      const changed = await commitChange(
        options,
        'students',
        async (tx, record) => {
          const students = createStudentChangesRepository(tx, actor.access)
          const changed = await students.setArchived(uniqueIds, archived ? clock() : null)
          // Counted after the change has locked them: none can be deleted in between.
          const missing = uniqueIds.length - (await students.count(uniqueIds))
          if (missing > 0)
            throw new AppError('conflict', missingSentence(missing, archived ? 'archived' : 'unarchived'))
          if (changed.length > 0) await record({ action: actionOf(archived), actor, studentIds: changed })
          return changed
        },
        // Twenty thousand records take longer than a request's statement may.
        { long: true },
      )
      return { count: changed.length, ids: changed }
    },

    /** Deletes a student with all data that is held on the person: RA 10173, section 16 (e). */
    async delete(id: string, actor: Staff): Promise<void> {
      await commitChange(options, 'students', async (tx, record) => {
        const { reference } = await lockStudent(tx, actor.access, id)
        const closedOn = calendarDateOf(clock(), timeZone)
        await closeErasureRequests({ tx, record }, [id], { actor, closedOn })
        await erase(tx, id, options.keptKeys, clock())
        await record({ action: 'student-deleted', actor, studentId: id, subject: reference })
      })
    },

    /** Deletes the states kept to undo changes of one record, of many, and merges, once they can no longer be undone. */
    forgetUndo: () => createUndoRepository(options.database.db).expire(clock()),
  }
}

/** The check comes before any validation, whose problems could reveal a stored value. */
function mustMayEdit(edit: StudentEdit, access: Access): void {
  const refused = editableFields.find(
    (field) =>
      edit[field] !== undefined &&
      (!isVisible(field, access) || (changersFields.includes(field) && !access.can('students.change'))),
  )
  if (!refused) return
  throw new AppError('permission_denied', `Your account can't change ${fieldDefinition(refused).label}.`)
}

function validEdit(edit: StudentEdit, basis: EditBasis): ValidStudentEdit {
  const { data, error } = z.safeParse(createStudentEditSchema(basis), edit)
  if (data) return data
  const errors = fieldErrors(error)
  throw new AppError('invalid', { errors })
}

/** Writes a new serial number as the pattern does. One that the record already has stays as it is. */
function withWrittenSerial(edit: ValidStudentEdit, { serialNumber: stored }: StudentRow): ValidStudentEdit {
  const { serialNumber } = edit
  if (serialNumber === undefined || serialNumber === stored) return edit
  return { ...edit, serialNumber: writtenSerial(serialNumber) }
}

/** The component is the account's, and a typed serial number no other student's. */
async function mustBePossible(
  tx: Queryable,
  { valid, current, fields }: { valid: ValidStudentEdit; current: StudentRow; fields: StudentField[] },
  how: { region: string; isMeant: boolean; access: Access },
): Promise<void> {
  if (valid.nstpComponent !== undefined) mustInclude(how.access, valid.nstpComponent)
  const { serialNumber } = valid
  if (!serialNumber || !fields.includes('serialNumber')) return
  const textOf = (field: keyof NamedStudent) => valid[field] ?? current[field]
  const component = valid.nstpComponent ?? current.nstpComponent
  const typed = {
    id: current.id,
    serialNumber,
    lastName: textOf('lastName'),
    firstName: textOf('firstName'),
    middleName: textOf('middleName'),
    extensionName: textOf('extensionName'),
    component: isComponent(component) ? component : ('' as const),
  }
  await checkTypedSerial(tx, typed, { ...how, region: regionDigits(how.region) })
}
