import type { Queryable } from '#server/database/schema.ts'
import { createAttendance } from '#server/features/attendance/service.ts'
import { ownMessage, startMail } from '#server/features/mail/start-service.ts'
import type { PapersService } from '#server/features/papers/service.ts'
import {
  lockIfThere,
  lockOwnRecord,
  type OwnRecord,
  type StudentChanges,
} from '#server/features/students/change-service.ts'
import type { StudentsService } from '#server/features/students/service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Actor, CountedReader, Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { commitChange, mustExist, type RecordChange } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { decodeCursor, pageOf } from '#server/lib/paging.ts'
import { isVisible } from '#server/lib/visible.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { ListedRequest, OfficeRequest } from '#shared/requests/requests-response.ts'
import {
  type Decision,
  isOfWholeRecord,
  isPrivacyKind,
  needsGuardianFor,
  requestMessages,
  textOfValue,
} from '#shared/requests/student-requests.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { studentName } from '#shared/students/student-name.ts'
import { changesOf, fieldsOf, shownOf } from './own-service.ts'
import {
  createOfficeRequestsRepository,
  createStudentRequestsRepository,
  type FoundRequest,
  type OpenRequests,
  type RequestFilter,
  type RequestOfStudent,
  type RequestRow,
  type StoredRequest,
} from './repository.ts'

const pageSize = 50
/** The fields that stand on a certificate. */
const certified: readonly StudentField[] = ['lastName', 'firstName', 'middleName', 'extensionName']

export interface OfficeNeeds {
  editWithin: StudentChanges['editWithin']
  readStudent: StudentsService['read']
  papersWith: PapersService['withStudent']
  mail: {
    isConfigured: () => boolean
    wake: () => void
  }
}

const labelsOf = (fields: readonly StudentField[]) => fields.map((field) => fieldDefinition(field).label)

/** Why somebody can't decide a request; '' when they can. */
function hindranceOf(
  { kind, fields, dayComponent }: Pick<OpenRequests, 'kind' | 'fields' | 'dayComponent'>,
  access: Access,
): string {
  // Who grants an excuse may excuse at the desk.
  const mayExcuse = access.can('enrolments') && access.includes(dayComponent ?? '')
  if (kind === 'absence' && !mayExcuse) return requestMessages.excuse
  if (isPrivacyKind(kind) && !access.can('privacy')) return requestMessages.privacy
  if (kind === 'component' && !access.can('students.change')) return requestMessages.change
  return fields.every((field) => isVisible(field, access)) ? '' : requestMessages.hidden
}

const hindranceOfRow = (row: RequestRow, access: Access) =>
  hindranceOf({ ...row, fields: fieldsOf(row.changes) }, access)

interface Decided {
  isGranted: boolean
  accepted: StudentField[]
  answer: string
}

/**
 * What an accepted list means. The value that the student wants changed may be of another person: a merge moves requests to
 * the kept record. So `all` accepts no field whose value is another one by now. @throws AppError `invalid`
 */
function outcomeOf({ changes }: StoredRequest, student: OwnRecord, { accept, answer }: Decision): Decided {
  const fields = fieldsOf(changes)
  const hasMovedOn = fields.some((field) => textOfValue(student[field]) !== changes[field]?.from)
  if (accept === 'all' && hasMovedOn) throw invalid('accept', requestMessages.movedOn)
  const accepted = fields.filter((field) => accept === 'all' || accept.includes(field))
  if (accept !== 'all' && accepted.length < new Set(accept).size) {
    throw invalid('accept', 'Please accept only fields that the request has.')
  }
  const isWhole = accept === 'all' || (fields.length > 0 && accepted.length === fields.length)
  if (!isWhole && answer === '') throw invalid('answer', requestMessages.answer)
  return { isGranted: isWhole || accepted.length > 0, accepted, answer }
}

/** Requests as the office reads and decides them. */
export function createOfficeRequests(
  context: AppContext,
  { editWithin, readStudent, papersWith, mail }: OfficeNeeds,
) {
  const { database, clock, timeZone, publish, audit } = context
  const attendance = createAttendance(context)
  const today = () => calendarDateOf(clock(), timeZone)
  const waits = ({ kind, state }: StoredRequest, { dateOfBirth }: Pick<OwnRecord, 'dateOfBirth'>) =>
    state === 'open' && needsGuardianFor(kind, today(), dateOfBirth)

  function listed(row: RequestOfStudent, access: Access): ListedRequest {
    const { studentId, reference, dueOn } = row
    const labels = labelsOf(fieldsOf(row.changes).filter((field) => isVisible(field, access)))
    const shown = shownOf(row, waits(row, row))
    return {
      ...shown,
      // Privacy: a ground can tell of health. Reasons are for who decides.
      absence: hindranceOfRow(row, access) ? null : shown.absence,
      ...{ studentId, reference, dueOn, labels, name: studentName(row), component: row.nstpComponent },
    }
  }

  /** What of it has left the office with the values of then. Blocking and erasure concern all of the record. */
  async function touchedBy(row: FoundRequest, access: Access) {
    const { kind, studentId, changes, certificates } = row
    const isOfAll = isOfWholeRecord(kind)
    const fields = (isOfAll ? studentFieldNames : fieldsOf(changes)).filter((field) =>
      isVisible(field, access),
    )
    if (!access.can('papers') || fields.length === 0) return { papers: [], certificates: [] }
    const papers = await papersWith(studentId, fields, access)
    return {
      certificates: fields.some((field) => certified.includes(field)) ? certificates : [],
      papers: papers.map(({ fields: held, ...paper }) => ({
        ...paper,
        labels: isOfAll ? [] : labelsOf(held),
      })),
    }
  }

  /** @throws AppError before something is granted that waits for the guardian, or that the block of the record allows or forbids */
  function mustBeGrantable(row: StoredRequest, student: OwnRecord, guardianAgreed: boolean): void {
    if (waits(row, student) && !guardianAgreed) throw invalid('guardianAgreed', requestMessages.guardian)
    if (row.kind === 'blocking' && student.restriction === null) {
      throw new AppError('conflict', requestMessages.notBlocked)
    }
    if (row.kind === 'absence' && student.restriction !== null) {
      throw new AppError('conflict', requestMessages.isBlocked)
    }
  }

  /** Closes a locked request, with its request of the screen Privacy, its entry in the trail and the student's mail. */
  async function close(
    { tx, record }: { tx: Queryable; record: RecordChange },
    { row, student, guardianAgreed }: { row: StoredRequest; student: OwnRecord; guardianAgreed: boolean },
    { isGranted, accepted, answer }: Decided,
    actor: Actor,
  ): Promise<void> {
    const { id, kind, studentId, changes, privacyRequestId, language } = row
    const requests = createStudentRequestsRepository(tx)
    const outcome = isGranted ? 'granted' : 'refused'
    const end = { decidedAt: clock(), decidedById: actor.adminId, granted: accepted, answer }
    await requests.close(id, { state: outcome, ...end })
    // The deletion of the record closes a granted erasure.
    const isDone = !(isGranted && kind === 'erasure')
    if (privacyRequestId && isDone) await requests.closePrivacy(privacyRequestId, outcome, today())
    await record({
      action: 'request-decided',
      actor,
      studentId,
      subject: student.reference,
      fields: accepted,
      detail: { kind, outcome, ...(guardianAgreed && waits(row, student) && { guardianAgreed }) },
    })
    if (!mail.isConfigured()) return
    const refused = fieldsOf(changes).filter((field) => !accepted.includes(field))
    const values = { kind, isGranted, accepted, refused, answer }
    const email = (accepted.includes('email') && changes.email?.to) || student.email
    await startMail(tx, context, ownMessage({ template: 'decision', values, language }, { email, studentId }))
    if (email === student.email) return
    const former = { email: student.email, studentId }
    await startMail(tx, context, ownMessage({ template: 'address-changed', language }, former))
  }

  /** Locks the student before the request, as all that changes requests. */
  async function lockOpen(tx: Queryable, id: string, version: number, access: Access) {
    const found = mustExist(
      await createOfficeRequestsRepository(tx, access).find(id),
      requestMessages.missing,
    )
    const requests = createStudentRequestsRepository(tx)
    const student = await lockOwnRecord(tx, found.studentId)
    const row = { ...found, ...mustExist(await requests.lock(id), requestMessages.missing) }
    const isSame = row.version === version && row.studentId === student.id
    if (row.state !== 'open' || !isSame) throw new AppError('conflict', requestMessages.decidedByOther)
    const isInScope = access.includes(student.nstpComponent)
    const hindrance = isInScope ? hindranceOfRow(row, access) : requestMessages.hidden
    if (hindrance) throw new AppError('permission_denied', hindrance)
    return { row, student }
  }

  /** The edit that accepted fields are; undefined for none. */
  async function applyAccepted(
    change: { tx: Queryable; record: RecordChange },
    {
      row,
      student: { id, version },
      fields,
      recordVersion,
    }: { row: RequestRow; student: OwnRecord; fields: readonly StudentField[]; recordVersion: number },
    actor: Staff,
  ) {
    if (fields.length === 0) return undefined
    if (version !== recordVersion) throw new AppError('conflict', requestMessages.recordChanged)
    const wanted = Object.fromEntries(fields.map((field) => [field, row.changes[field]?.to]))
    return await editWithin(change, { id, version, reason: 'student', ...wanted }, actor)
  }

  /** A granted absence is a call of the desk. Its id is the request's: there is one call of it. */
  async function excuse(
    change: { tx: Queryable; record: RecordChange },
    { id, studentId, termId, dayId, ground }: RequestRow,
    actor: Staff,
  ): Promise<void> {
    if (termId === null || dayId === null) return
    const call = { id, dayId, studentId, state: 'excused', minutes: null, ground, onlyEmpty: false } as const
    const from = { source: 'desk', access: actor.access, gone: requestMessages.notOfDay } as const
    await attendance.callWithin(change, termId, [call], actor, from)
  }

  return {
    async list({ cursor, ...filter }: RequestFilter & { cursor: string }, actor: Staff) {
      const { access } = actor
      const requests = createOfficeRequestsRepository(database.db, access)
      const found = await requests.list(filter, decodeCursor(cursor), pageSize + 1)
      const { items, nextCursor } = pageOf(found, pageSize, ({ askedAt, decidedAt }) => decidedAt ?? askedAt)
      const { search, ...detail } = filter
      const entry = { action: 'students-listed', actor, affected: items.length } as const
      const searched = { ...detail, searched: search !== '', of: 'requests' }
      await audit.recordView(database.db, { ...entry, detail: searched }, `${search} ${cursor}`)
      return { items: items.map((row) => listed(row, access)), nextCursor }
    },

    /** Counts what the account can decide. */
    async countOpen({ access }: Staff) {
      const groups = await createOfficeRequestsRepository(database.db, access).countOpen()
      const decidable = groups.filter((group) => hindranceOf(group, access) === '')
      const [oldest] = decidable.map((group) => group.oldest.toISOString()).sort()
      return { open: decidable.reduce((sum, group) => sum + group.open, 0), oldest: oldest ?? null }
    },

    /** @param admit called with the student's id before the record is read */
    async read(id: string, { actor, admit }: CountedReader): Promise<OfficeRequest> {
      const { access } = actor
      const requests = createOfficeRequestsRepository(database.db, access)
      const row = mustExist(await requests.find(id), requestMessages.missing)
      await admit([row.studentId])
      const record = await readStudent(row.studentId, actor)
      const changes = changesOf(row).filter(({ field }) => isVisible(field, access))
      const hindrance = hindranceOfRow(row, access)
      // Privacy: both can tell of health, as a ground can.
      const { reason, answer } = row.kind === 'absence' && hindrance ? { reason: '', answer: '' } : row
      const { guardianName: name, guardianRelationship: relationship, guardianContactNumber } = record
      return {
        ...listed(row, access),
        version: row.version,
        recordVersion: record.version,
        reason,
        answer,
        changes: changes.map((change) => ({ ...change, now: textOfValue(record[change.field]) })),
        hindrance,
        archived: record.archived,
        restriction: record.restriction,
        formerReferences: row.formerReferences,
        guardian: waits(row, record) ? { name, relationship, contactNumber: guardianContactNumber } : null,
        ...(await touchedBy(row, access)),
      }
    },

    async decide(id: string, decision: Decision, actor: Staff): Promise<{ movedIn: string[] }> {
      const { access } = actor
      const { guardianAgreed } = decision
      const { edited, kind } = await commitChange(context, 'requests', async (tx, record) => {
        const { row, student } = await lockOpen(tx, id, decision.version, access)
        const decided = outcomeOf(row, student, decision)
        if (decided.isGranted) mustBeGrantable(row, student, guardianAgreed)
        const { recordVersion } = decision
        const accepted = { row, student, fields: decided.accepted, recordVersion }
        const edited = await applyAccepted({ tx, record }, accepted, actor)
        if (decided.isGranted) await excuse({ tx, record }, row, actor)
        await close({ tx, record }, { row, student, guardianAgreed }, decided, actor)
        return { edited, kind: row.kind }
      })
      publish('students')
      if (kind === 'absence') publish('attendance')
      if (edited?.movedIn) publish('terms')
      mail.wake()
      return { movedIn: edited?.movedIn ?? [] }
    },

    /**
     * Closes the student's request of a request of the screen Privacy, in the transaction that closes that one.
     * @returns whether a student made it; then call `noticeClosed` after the commit
     */
    async closeLinked(
      change: { tx: Queryable; record: RecordChange },
      { id, isGranted, guardianAgreed }: { id: string; isGranted: boolean; guardianAgreed: boolean },
      actor: Actor,
    ): Promise<boolean> {
      const requests = createStudentRequestsRepository(change.tx)
      const found = await requests.ofPrivacyRequest(id)
      // Race: a record that was deleted meanwhile took its request along.
      const student = found && (await lockIfThere(change.tx, found.studentId))
      const row = found && (await requests.lock(found.id))
      if (!row || !student) return false
      // A granted erasure is open on the screen Privacy until the record is deleted.
      if (row.state === 'granted' && !isGranted) throw new AppError('conflict', requestMessages.isGranted)
      if (row.state !== 'open') return false
      if (isGranted) mustBeGrantable(row, student, guardianAgreed)
      const answer = isGranted ? '' : requestMessages.askOffice
      // The caller closes that of the screen Privacy.
      const own = { row: { ...row, privacyRequestId: null }, student, guardianAgreed }
      await close(change, own, { isGranted, accepted: [], answer }, actor)
      return true
    },

    noticeClosed() {
      publish('requests')
      mail.wake()
    },
  }
}
