import { validate as isUuid } from 'uuid'
import * as z from 'zod/mini'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { StudentListItem, StudentRecord } from '#shared/students/student.ts'
import {
  changedFields,
  createStudentEditSchema,
  type EditBasis,
  type StudentEdit,
  type ValidStudentEdit,
} from '#shared/students/student-edit.ts'
import type { Topic } from '#shared/topics.ts'
import { createStudentChangesRepository } from './change-repository.ts'
import type { StudentListRow } from './page-repository.ts'
import { createChoicesRepository, type StudentRow } from './repository.ts'

interface StudentChangesOptions {
  database: Pick<AppDatabase, 'transact'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
  timeZone: string
  // Read at each call, because settings may change.
  offer: () => Pick<EditBasis, 'courses' | 'academicYears'>
}

export type StudentChanges = ReturnType<typeof createStudentChanges>

export function createStudentChanges(options: StudentChangesOptions) {
  const { database, clock, publish, audit, timeZone, offer } = options

  async function change<T extends { changed: boolean }>(
    id: string,
    work: (record: StudentRow, tx: Queryable) => Promise<T>,
  ): Promise<T> {
    const result = await database.transact(async (tx) => {
      const record = isUuid(id) ? await createStudentChangesRepository(tx).lock(id) : undefined
      if (!record) throw new AppError('not_found', { detail: 'Student not found' })
      return await work(record, tx)
    })
    if (result.changed) publish('students')
    return result
  }

  async function setArchived(id: string, archived: boolean, actor: Actor): Promise<StudentRecord> {
    const { record } = await change(id, async (current, tx) => {
      if (current.archived === archived) return { record: current, changed: false }
      const record = await createStudentChangesRepository(tx).update(id, {
        archived,
        archivedDate: archived ? clock() : null,
      })
      const action = archived ? 'student-archived' : 'student-unarchived'
      await audit.record(tx, { action, actor, studentId: id, subject: current.reference })
      return { record, changed: true }
    })
    return presentRecord(record)
  }

  async function editLocked(
    tx: Queryable,
    current: StudentRow,
    edit: StudentEdit,
    actor: Actor,
  ): Promise<{ record: StudentRow; changed: boolean }> {
    const { courses, academicYears } = offer()
    const records = createChoicesRepository(tx)
    const valid = validEdit(edit, {
      courses: [...courses, ...(await records.courses())],
      academicYears: [...academicYears, ...(await records.academicYears())],
      registered: calendarDateOf(current.registrationDate, timeZone),
      stored: current,
    })
    const fields = changedFields(valid, current)
    if (fields.length === 0) return { record: current, changed: false }
    const after = Object.fromEntries(fields.map((field) => [field, valid[field]]))
    const record = await createStudentChangesRepository(tx).update(current.id, after)
    const before = Object.fromEntries(fields.map((field) => [field, current[field]]))
    await audit.record(tx, {
      action: 'student-edited',
      actor,
      studentId: current.id,
      subject: current.reference,
      fields,
      values: { before, after },
    })
    return { record, changed: true }
  }

  return {
    /**
     * @param version the version that the edit was based on
     * @throws AppError `not_found`; `conflict` when the record was changed since; `invalid`
     */
    async edit(id: string, version: number, edit: StudentEdit, actor: Actor): Promise<StudentRecord> {
      const { record } = await change(id, async (current, tx) => {
        if (current.version !== version) throw new AppError('conflict')
        return await editLocked(tx, current, edit, actor)
      })
      return presentRecord(record)
    },

    /** @throws AppError `not_found` */
    archive: (id: string, actor: Actor): Promise<StudentRecord> => setArchived(id, true, actor),

    /** @throws AppError `not_found` */
    unarchive: (id: string, actor: Actor): Promise<StudentRecord> => setArchived(id, false, actor),

    /** @throws AppError `not_found` */
    async delete(id: string, actor: Actor): Promise<void> {
      await change(id, async ({ reference }, tx) => {
        await createStudentChangesRepository(tx).remove(id)
        await audit.record(tx, { action: 'student-deleted', actor, studentId: id, subject: reference })
        return { changed: true }
      })
    },
  }
}

function validEdit(edit: StudentEdit, basis: EditBasis): ValidStudentEdit {
  const { data, error } = z.safeParse(createStudentEditSchema(basis), edit)
  if (data) return data
  const errors = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new AppError('invalid', { errors, ...(errors[0] ? { detail: errors[0].message } : {}) })
}

export function presentListItem(row: StudentListRow): StudentListItem {
  return {
    id: row.id,
    lastName: row.lastName,
    firstName: row.firstName,
    middleName: row.middleName,
    sex: row.sex,
    course: row.course,
    academicYear: row.academicYear,
    contactNumber: row.contactNumber,
    email: row.email,
    nstpComponent: row.nstpComponent,
    archived: row.archived,
    archivedDate: row.archivedDate?.toISOString() ?? null,
    emergencyContactName: row.emergencyContactName,
    emergencyContactNumber: row.emergencyContactNumber,
    registrationDate: row.registrationDate.toISOString(),
    isDuplicate: row.isDuplicate,
  }
}

export function presentRecord(row: StudentRow): StudentRecord {
  return {
    ...row,
    registrationDate: row.registrationDate.toISOString(),
    archivedDate: row.archivedDate?.toISOString() ?? null,
    consentedAt: row.consentedAt.toISOString(),
  }
}
