import type { Queryable } from '#server/database/schema.ts'
import { mergeAttendance, splitAttendance } from '#server/features/attendance/merge-service.ts'
import { mustBeWithoutSameCertificate } from '#server/features/certificates/service.ts'
import { mustBeWithoutSameCredit } from '#server/features/terms/credit-service.ts'
import {
  type EnrolmentCause,
  followComponent,
  mergeEnrolments,
  splitEnrolments,
} from '#server/features/terms/enrolment-service.ts'
import type { Access } from '#server/lib/access.ts'
import type { CountedReader, Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import {
  type ChangeContext,
  commitChange,
  mustBeOwn,
  mustExist,
  mustInclude,
  pick,
} from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { studentMissing } from '#server/lib/missing-students.ts'
import { type Visible, visible } from '#server/lib/visible.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import type { StudentMerge } from '#shared/students/student-response.ts'
import { createDuplicatesRepository, createStudentChangesRepository } from './change-repository.ts'
import { lockStudent } from './change-service.ts'
import type { StudentRow } from './repository.ts'
import { lockSerials, mustBeFreeSerials } from './serial-number-service.ts'
import { createUndoRepository } from './undo-repository.ts'

const mailTables = ['mailMessages', 'mailBounces'] as const
const requestTables = ['studentRequests'] as const

export function createDuplicates(context: ChangeContext & Pick<AppContext, 'timeZone'>) {
  const { clock, timeZone, publish } = context
  const causeOf = ({ adminId }: Staff): EnrolmentCause => ({ at: clock(), timeZone, adminId })

  return {
    async find(
      { id, withId }: { id: string; withId: string | null },
      { actor, admit }: CountedReader,
    ): Promise<Visible<StudentRow>[]> {
      const { database, audit } = context
      const { access } = actor
      if ((await createStudentChangesRepository(database.db, access).count([id])) === 0) {
        throw new AppError('not_found', studentMissing)
      }
      const rows = await createDuplicatesRepository(database.db, access).find(id, withId)
      await admit(rows.map((row) => row.id))
      for (const { id, reference } of rows) {
        const entry = { action: 'student-viewed', actor, studentId: id, subject: reference } as const
        await audit.recordView(database.db, entry)
      }
      return rows
    },

    async merge(merge: StudentMerge, actor: Staff): Promise<Visible<StudentRow> & { movedIn?: string[] }> {
      const { keepId, keepVersion, dropId, dropVersion, take } = merge
      const merged = await commitChange(context, 'students', async (tx, record) => {
        const [target, dropped] = await lockBoth(tx, actor.access, keepId, dropId)
        if (target.version !== keepVersion || dropped.version !== dropVersion) throw new AppError('conflict')
        const fields = studentFieldNames.filter(
          (field) => take[field] === 'drop' && target[field] !== dropped[field],
        )
        const students = createStudentChangesRepository(tx, actor.access)
        // Queued mail is still to be sent; the record's deletion would delete it.
        const merging = { from: dropId, to: keepId }
        const mail = await students.moveRows(mailTables, merging)
        const enrolments = await mergeEnrolments(tx, merging)
        const attendance = await mergeAttendance(tx, merging)
        await mustBeWithoutSameCredit(tx, merging)
        const credits = await students.moveRows(['credits'], merging)
        await mustBeWithoutSameCertificate(tx, merging)
        const certificates = await students.moveRows(['certificates'], merging)
        const papers = await students.movePaperRows(merging)
        const answers = await students.moveAnswers(merging)
        const listRows = await students.moveListRows(merging)
        const requests = await students.moveRows(requestTables, merging)
        const references = await students.moveReferences(merging)
        const whole = { ...dropped, ...(await students.remove(dropId)) }
        const mergedIds = await students.mergedIds(keepId)
        const after = await students.update(keepId, {
          ...pick(dropped, fields),
          restriction: target.restriction ?? dropped.restriction,
          mergedIds: [...mergedIds, dropId, ...whole.mergedIds],
        })
        await students.addReference(dropped.reference, keepId)
        const followed = await followComponent(tx, [keepId], causeOf(actor))
        const before = pick(target, fields)
        const kept = {
          studentId: keepId,
          version: after.version,
          before: { ...before, restriction: target.restriction, mergedIds },
          dropped: {
            record: whole,
            mail,
            enrolments,
            followed,
            attendance,
            credits,
            certificates,
            papers,
            answers,
            listRows,
            requests,
            references,
          },
        }
        await createUndoRepository(tx).keep(dropId, { at: context.clock(), actor }, [kept])
        await record({
          action: 'students-merged',
          actor,
          studentId: keepId,
          studentIds: [keepId, dropId],
          subject: target.reference,
          fields,
          detail: { dropped: dropped.reference },
          values: { before, after: pick(after, fields) },
        })
        const movedIn = [...new Set(followed.map(({ term }) => term))]
        return {
          record: { ...visible(after, actor.access), ...(movedIn.length > 0 && { movedIn }) },
          isInTerm: enrolments.length + followed.length + credits.length > 0,
        }
      })
      if (merged.isInTerm) publish('terms')
      return merged.record
    },

    async undoMerge(dropId: string, actor: Staff): Promise<void> {
      const isInTerm = await commitChange(context, 'students', async (tx, record) => {
        await lockSerials(tx)
        const [merge] = await createUndoRepository(tx).take(dropId, context.clock())
        const tooLate = 'This merge can no longer be undone.'
        const {
          record: row,
          mail,
          enrolments = [],
          followed = [],
          attendance,
          credits = [],
          certificates = [],
          papers = [],
          answers = [],
          listRows = [],
          requests = [],
          references = [],
        } = mustExist(merge?.dropped, tooLate)
        const { studentId, version, before, adminId } = mustExist(merge)
        const { access } = actor
        mustBeOwn(adminId, actor)
        if (!access.includes(row.nstpComponent)) throw new AppError('not_found', tooLate)
        if (before.nstpComponent !== undefined) mustInclude(access, before.nstpComponent)
        const { reference: subject } = await lockStudent(tx, access, studentId, version)
        const students = createStudentChangesRepository(tx, actor.access)
        const { serialNumber } = await students.update(studentId, before)
        await students.insert(row)
        await students.removeReference(row.reference)
        // The number that the merge left out may be another student's by now.
        const serials = 'serialNumber' in before ? [row.serialNumber, serialNumber] : [row.serialNumber]
        await mustBeFreeSerials(tx, serials, { own: [studentId, dropId], access })
        const splitting = { from: studentId, to: dropId }
        await students.moveRows(mailTables, { ...splitting, rows: mail })
        const split = { ...splitting, given: enrolments, followed }
        if (!(await splitEnrolments(tx, split, causeOf(actor)))) throw new AppError('conflict', tooLate)
        const isSplit = await splitAttendance(tx, { ...splitting, requests }, attendance)
        if (!isSplit) throw new AppError('conflict', tooLate)
        await students.moveRows(['credits'], { ...splitting, rows: credits })
        await students.moveRows(['certificates'], { ...splitting, rows: certificates })
        await students.movePaperRows({ ...splitting, rows: papers })
        await students.moveAnswers({ ...splitting, rows: answers })
        await students.moveListRows({ ...splitting, rows: listRows })
        await students.moveRows(requestTables, { ...splitting, rows: requests })
        await students.moveReferences({ ...splitting, rows: references })
        // What was added since is in the component that the merge gave.
        const added = await followComponent(tx, [studentId], causeOf(actor))
        const fields = studentFieldNames.filter((field) => field in before)
        const studentIds = [studentId, dropId]
        await record({ action: 'merge-undone', actor, studentId, studentIds, subject, fields })
        return enrolments.length + followed.length + credits.length + added.length > 0
      })
      if (isInTerm) publish('terms')
    },

    async dismiss(ids: readonly [string, string], actor: Staff): Promise<void> {
      await commitChange(context, 'students', async (tx, record) => {
        const records = await lockBoth(tx, actor.access, ...ids)
        if (!(await createDuplicatesRepository(tx, actor.access).markDifferent(ids, context.clock()))) return
        const subject = records.map(({ reference }) => reference).join(', ')
        await record({ action: 'duplicate-dismissed', actor, studentIds: ids, subject })
      })
    },
  }
}

// Lock order: always the same, so that two calls can't deadlock.
async function lockBoth(
  tx: Queryable,
  access: Access,
  one: string,
  other: string,
): Promise<[StudentRow, StudentRow]> {
  const isInOrder = one < other
  const first = await lockStudent(tx, access, isInOrder ? one : other)
  const second = await lockStudent(tx, access, isInOrder ? other : one)
  return isInOrder ? [first, second] : [second, first]
}
