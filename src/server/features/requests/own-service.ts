import { v7 as createId } from 'uuid'
import * as z from 'zod/mini'
import { createOwnAttendance, lockOwnDay } from '#server/features/attendance/own-attendance-service.ts'
import { createOwnPage } from '#server/features/my/own-page-service.ts'
import { addPrivacyRequest } from '#server/features/privacy/service.ts'
import { lockOwnRecord, type OwnRecord } from '#server/features/students/change-service.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { commitChange, mustExist } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { studentMissing } from '#server/lib/missing-students.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { requestLimits } from '#shared/requests/request-kinds.ts'
import type { OwnRequests } from '#shared/requests/requests-response.ts'
import {
  isOfArchived,
  isPrivacyKind,
  type NewStudentRequest,
  needsGuardianFor,
  privacyKinds,
  type RequestedChanges,
  requestMessages,
  textOfValue,
} from '#shared/requests/student-requests.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { Language } from '#shared/site/language.ts'
import { changedFields, createStudentEditSchema } from '#shared/students/student-edit.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { createStudentRequestsRepository, type RequestRow } from './repository.ts'

const dayMs = 86_400_000

/** The fields of a request, in the order of the form. */
export function fieldsOf(changes: RequestedChanges): StudentField[] {
  return studentFieldNames.filter((field) => changes[field] !== undefined)
}

export function changesOf({ changes, state, granted }: Pick<RequestRow, 'changes' | 'state' | 'granted'>) {
  return fieldsOf(changes).map((field) => ({
    field,
    label: fieldDefinition(field).label,
    from: changes[field]?.from ?? '',
    to: changes[field]?.to ?? '',
    granted: state === 'open' ? null : granted.includes(field),
  }))
}

/** What both sides read of a request. */
export function shownOf(row: RequestRow, waitsForGuardian: boolean) {
  const { id, kind, state, askedAt, decidedAt, dayId, heldOn, startsAt, title, ground } = row
  const instants = { askedAt: askedAt.toISOString(), decidedAt: decidedAt?.toISOString() ?? null }
  const isPart = state === 'granted' && fieldsOf(row.changes).some((field) => !row.granted.includes(field))
  const absence =
    dayId !== null && heldOn !== null && ground !== ''
      ? {
          ...{ dayId, heldOn, startsAt: startsAt ?? '', title: title ?? '', ground, called: row.called },
          isCancelled: row.isCancelled,
        }
      : null
  return { id, kind, state, ...instants, isPart, absence, waitsForGuardian }
}

/** Requests as the student makes them at /my. */
export function createOwnRequests(context: AppContext, settings: () => Settings) {
  const ownPage = createOwnPage(context, { settings })
  const readAttendance = createOwnAttendance(context)
  const { database, clock, timeZone, publish } = context
  const today = () => calendarDateOf(clock(), timeZone)

  function leftOf(rows: readonly RequestRow[]): OwnRequests['left'] {
    const since = clock().getTime() - dayMs
    // Rights of RA 10173 are never used up: of each of them one can be open.
    const open = rows.filter(({ state, kind }) => state === 'open' && !isPrivacyKind(kind)).length
    const made = rows.filter(({ askedAt }) => askedAt.getTime() > since).length
    return { open: Math.max(0, requestLimits.open - open), today: Math.max(0, requestLimits.aDay - made) }
  }

  /** @throws AppError `invalid` with the rules of an edit by field, and where nothing would change */
  function wantedChanges(changes: NewStudentRequest['changes'], stored: OwnRecord): RequestedChanges {
    const basis = { ...settings(), registered: calendarDateOf(stored.registrationDate, timeZone), stored }
    const { data, error } = z.safeParse(createStudentEditSchema(basis), changes)
    const errors = (error?.issues ?? []).map(({ path, message }) => ({
      path: `changes.${path.join('.')}`,
      message,
    }))
    if (!data) throw new AppError('invalid', { errors })
    const changed = changedFields(data, stored)
    for (const field of studentFieldNames) {
      if (data[field] !== undefined && !changed.includes(field)) {
        throw invalid(`changes.${field}`, requestMessages.unchanged)
      }
    }
    return Object.fromEntries(
      changed.map((field) => [
        field,
        { from: textOfValue(stored[field]), to: textOfValue(data[field] ?? '') },
      ]),
    )
  }

  /** @throws AppError with a sentence for the student */
  function mustBeAllowed(
    { kind, dayId }: Pick<NewStudentRequest, 'kind' | 'dayId'>,
    student: OwnRecord,
    earlier: readonly RequestRow[],
  ) {
    if (student.archived && !isOfArchived(kind)) throw invalid('kind', requestMessages.archived)
    const left = leftOf(earlier)
    if (left.open === 0 && !isPrivacyKind(kind)) throw new AppError('too_many_requests', requestMessages.open)
    if (left.today === 0) throw new AppError('too_many_requests', requestMessages.aDay)
    // A granted erasure waits for the deletion, which takes this page along.
    const isSame = (row: RequestRow) =>
      row.kind === kind &&
      row.dayId === dayId &&
      (row.state === 'open' || (kind === 'erasure' && row.state === 'granted'))
    if (kind !== 'correction' && earlier.some(isSame)) {
      throw invalid(dayId === null ? 'kind' : 'dayId', requestMessages.same)
    }
  }

  return {
    async list(studentId: string): Promise<OwnRequests> {
      const requests = createStudentRequestsRepository(database.db)
      const { dateOfBirth } = mustExist(await requests.birthDateOf(studentId), studentMissing)
      const rows = await requests.ofStudent(studentId)
      return {
        items: rows.map((row) => ({
          ...shownOf(row, row.state === 'open' && needsGuardianFor(row.kind, today(), dateOfBirth)),
          ...{ changes: changesOf(row), reason: row.reason, answer: row.answer },
        })),
        left: leftOf(rows),
      }
    },

    async add(
      studentId: string,
      { kind, changes, dayId, ground, reason }: NewStudentRequest,
      { actor, language }: { actor: Actor; language: Language },
    ): Promise<string> {
      const id = createId()
      if (kind === 'component' && !(await ownPage.page(studentId)).student.mayChangeComponent) {
        throw invalid('kind', requestMessages.done)
      }
      await commitChange(context, 'requests', async (tx, record) => {
        const requests = createStudentRequestsRepository(tx)
        const student = await lockOwnRecord(tx, studentId)
        const earlier = await requests.ofStudent(studentId)
        mustBeAllowed({ kind, dayId }, student, earlier)
        if (dayId !== null) {
          // Race: the office may delete or cancel the day at this moment.
          await lockOwnDay(tx, dayId)
          const days = (await readAttendance(tx, studentId))?.excusable ?? []
          if (!days.some((day) => day.id === dayId)) throw invalid('dayId', requestMessages.day)
        }
        const wanted = wantedChanges(changes, student)
        const fields = fieldsOf(wanted)
        const asked = fields.find((field) =>
          earlier.some((row) => row.state === 'open' && row.changes[field]),
        )
        if (asked) throw invalid(`changes.${asked}`, requestMessages.same)
        const { reference } = student
        const ofPrivacy = isPrivacyKind(kind) && { kind: privacyKinds[kind], reference, receivedOn: today() }
        const privacyRequestId = ofPrivacy && (await addPrivacyRequest(tx, ofPrivacy))
        const askedAt = clock()
        await requests.add({
          id,
          studentId,
          kind,
          askedAt,
          changes: wanted,
          ...{ dayId, ground, reason },
          language,
          privacyRequestId: privacyRequestId || null,
        })
        const subject = { studentId, subject: reference }
        await record({ action: 'request-made', actor, ...subject, fields, detail: { kind } })
      })
      // The screen Privacy lists it too.
      if (isPrivacyKind(kind)) publish('students')
      return id
    },

    async withdraw(studentId: string, id: string, actor: Actor): Promise<void> {
      const withdrawn = await commitChange(context, 'requests', async (tx, record) => {
        const requests = createStudentRequestsRepository(tx)
        const { reference } = await lockOwnRecord(tx, studentId)
        const found = await requests.lock(id)
        const { kind, state, privacyRequestId } = mustExist(
          found?.studentId === studentId ? found : undefined,
          requestMessages.missing,
        )
        // Pressed twice.
        if (state === 'withdrawn') return null
        if (state !== 'open') throw new AppError('conflict', requestMessages.decided)
        const end = { decidedAt: clock(), decidedById: null, granted: [], answer: '' }
        await requests.close(id, { state: 'withdrawn', ...end })
        if (privacyRequestId) await requests.closePrivacy(privacyRequestId, 'withdrawn', today())
        await record({ action: 'request-withdrawn', actor, studentId, subject: reference, detail: { kind } })
        return kind
      })
      if (withdrawn && isPrivacyKind(withdrawn)) publish('students')
    },
  }
}
