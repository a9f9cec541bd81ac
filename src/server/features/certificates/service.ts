import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { CountedReader, Staff } from '#server/lib/actor.ts'
import type { AuditEntry } from '#server/lib/audit.ts'
import { type ChangeContext, commitChange, mustExist } from '#server/lib/change.ts'
import { createCode } from '#server/lib/code.ts'
import { AppError } from '#server/lib/errors.ts'
import { idOfKey } from '#server/lib/idempotency.ts'
import { studentMissing } from '#server/lib/missing-students.ts'
import {
  type CertificateKind,
  type CertificatePrint,
  certificateLimits,
  certificateMessages,
  codeLength,
  type Hindrance,
  hindrances,
  leftOutSentence,
  maskedName,
  type NewCertificates,
  readCode,
  type Signatory,
} from '#shared/certificates/certificates.ts'
import type {
  CertificatePage,
  CertificatesOfStudent,
  GraduatesToCertify,
  IssuedCertificates,
  PrintedCertificates,
  VerifiedCertificate,
} from '#shared/certificates/certificates-response.ts'
import { isComponent, type NstpComponent } from '#shared/students/student-choices.ts'
import {
  type CertificateFilter,
  type CertifiedStudent,
  createCertificatesRepository,
  findByCode,
  type Graduation,
  haveSameCertificate,
  type WaitingFilter,
} from './repository.ts'

interface CertificatesNeeds {
  /** The address has no path; '' where none is known. */
  publicAddress: () => string
  /** Returns the signatories of certificates that the settings name. */
  signatories: () => readonly Signatory[]
}

interface Certified extends CertifiedStudent {
  component: NstpComponent
  // The year of the graduation.
  academicYear: string
}

const collator = new Intl.Collator('en')

/** The order is that of the program's other lists. */
function byName(one: Certified, other: Certified): number {
  return (
    collator.compare(one.component, other.component) ||
    collator.compare(one.lastName, other.lastName) ||
    collator.compare(one.firstName, other.firstName) ||
    collator.compare(one.middleName, other.middleName) ||
    (one.id < other.id ? -1 : 1)
  )
}

const pageSize = 100

/** Issues and lists certificates that somebody completed the program. */
export function createCertificates(
  context: ChangeContext,
  { publicAddress, signatories: signing }: CertificatesNeeds,
) {
  const { database, audit, clock } = context
  const { db } = database

  /** Gives numbers in the order of the students. The transaction must have locked the students. */
  async function give(
    tx: Queryable,
    students: readonly Certified[],
    how: {
      kind: CertificateKind
      issuedOn: string
      signatories: readonly Signatory[]
      batchId: string
      actor: Staff
    },
  ): Promise<{ id: string; number: string }[]> {
    const { kind, issuedOn, signatories, batchId, actor } = how
    const repository = createCertificatesRepository(tx, actor.access)
    const year = Number(issuedOn.slice(0, 4))
    const last = await repository.lockNumbers(year)
    const now = clock()
    const rows = students.map((student, index) => {
      const { lastName, firstName, middleName, extensionName, serialNumber } = student
      const content = { lastName, firstName, middleName, extensionName, serialNumber, signatories }
      return {
        id: createId(),
        number: `NSTP-${year}-${String(last + index + 1).padStart(6, '0')}`,
        code: createCode(codeLength),
        kind,
        component: student.component,
        academicYear: student.academicYear,
        studentId: student.id,
        content: JSON.stringify(content),
        issuedOn,
        issuedById: actor.adminId,
        issuedAt: now,
        batchId,
      }
    })
    await repository.insert(rows)
    await repository.setLastNumber(year, last + rows.length)
    return rows
  }

  /** Says what each student may get, or why nothing: every way to a certificate asks the records here, as they are now. */
  async function judge(
    tx: Queryable,
    students: readonly CertifiedStudent[],
    wanted: Pick<NewCertificates, 'kind' | 'academicYear' | 'withoutSerial'>,
    access: Access,
  ): Promise<(Certified | Hindrance)[]> {
    const repository = createCertificatesRepository(tx, access)
    const graduations = await repository.graduations(students.map(({ id }) => id))
    return students.map((student) => judged(student, graduations.get(student.id), wanted, access))
  }

  /** @throws AppError `conflict` who may have none by now */
  async function certifiedAnew(
    tx: Queryable,
    {
      studentId,
      kind,
      academicYear,
    }: { studentId: string | null; kind: CertificateKind; academicYear: string },
    access: Access,
  ): Promise<Certified> {
    const ids = studentId === null ? [] : [studentId]
    const students = await createCertificatesRepository(tx, access).lockStudents(ids)
    const [may] = await judge(tx, students, { kind, academicYear, withoutSerial: true }, access)
    if (may === undefined) throw new AppError('conflict', certificateMessages.withoutRecord)
    if (typeof may === 'string') throw new AppError('conflict', certificateMessages[may])
    return may
  }

  async function noteReading(
    list: string,
    { detail, ...entry }: Pick<AuditEntry, 'affected' | 'actor' | 'detail'>,
    page?: string,
  ): Promise<void> {
    await audit.recordView(db, { action: 'students-listed', ...entry, detail: { ...detail, list } }, page)
  }

  /** @throws AppError where the code on the paper would lead nowhere */
  function mustBeVerifiable(): void {
    if (publicAddress() === '') throw new AppError('conflict', certificateMessages.noPublicAddress)
  }

  return {
    async list(
      { page, ...filter }: CertificateFilter & { page: number },
      actor: Staff,
    ): Promise<CertificatePage> {
      const found = await createCertificatesRepository(db, actor.access).list(filter, {
        limit: pageSize,
        offset: (page - 1) * pageSize,
      })
      // Privacy: the search may be a name.
      const { search: _words, ...detail } = filter
      await noteReading('certificates', { affected: found.items.length, detail, actor }, String(page))
      return { ...found, page, pageSize }
    },

    async ofStudent(studentId: string, actor: Staff): Promise<CertificatesOfStudent> {
      const repository = createCertificatesRepository(db, actor.access)
      if (!(await repository.hasStudent(studentId))) throw new AppError('not_found', studentMissing)
      const graduation = (await repository.graduations([studentId])).get(studentId)
      return { items: await repository.ofStudent(studentId), isGraduate: hasYear(graduation) }
    },

    /** Graduates of a year without a valid certificate, the next ones in order. */
    async graduates(filter: WaitingFilter, actor: Staff): Promise<GraduatesToCertify> {
      const repository = createCertificatesRepository(db, actor.access)
      const found = await repository.waiting(filter, certificateLimits.printedAtOnce)
      const { withoutSerial: _option, ...detail } = filter
      await noteReading('graduates', { affected: found.items.length, detail, actor })
      return found
    },

    /** @param key a repeated request issues nothing again */
    async issue(wanted: NewCertificates, key: string | undefined, actor: Staff): Promise<IssuedCertificates> {
      mustBeVerifiable()
      const batchId = idOfKey(actor.adminId ?? '', 'certificates', key)
      const { kind, issuedOn, signatories } = wanted
      return await commitChange(
        context,
        'certificates',
        async (tx, record) => {
          const repository = createCertificatesRepository(tx, actor.access)
          const students = await repository.lockStudents(wanted.students)
          const done = await repository.countBatch(batchId)
          if (done > 0) return { batchId, count: done, leftOut: [] }
          const certified = await repository.certified(wanted.students, kind)
          const others = students.filter(({ id }) => !certified.has(id))
          const judgements = await judge(tx, others, wanted, actor.access)
          const chosen = judgements.filter((one) => typeof one !== 'string').sort(byName)
          const leftOut = countHindrances(judgements)
          if (chosen.length === 0) {
            const [first] = leftOut
            if (first) throw new AppError('conflict', leftOutSentence(leftOut, others.length))
            return { batchId, count: 0, leftOut }
          }
          const given = await give(tx, chosen, { kind, issuedOn, signatories, batchId, actor })
          await record({
            action: 'certificates-issued',
            actor,
            subject: rangeOf(given),
            studentIds: chosen.map(({ id }) => id),
            detail: { kind },
          })
          return { batchId, count: given.length, leftOut }
        },
        { long: true },
      )
    },

    /** Each print is counted. */
    async print(wanted: CertificatePrint, { actor, admit }: CountedReader): Promise<PrintedCertificates> {
      mustBeVerifiable()
      const { ids, batchId, after } = wanted
      const named = { ids, batchId, after }
      return await commitChange(
        context,
        'certificates',
        async (tx, record) => {
          const repository = createCertificatesRepository(tx, actor.access)
          const printed = await repository.print(named, certificateLimits.printedAtOnce)
          const { printable, heldBack: leftOut } = await repository.countNamed(named)
          if (ids && printed.length + leftOut < new Set(ids).size) {
            throw new AppError('conflict', certificateMessages.gone)
          }
          await admit(printed.map(({ studentId }) => studentId))
          if (printed.length > 0) {
            await record({
              action: 'certificates-printed',
              actor,
              subject: rangeOf(printed),
              studentIds: printed.map(({ studentId }) => studentId),
            })
          }
          return {
            items: printed.map(({ studentId: _of, ...certificate }) => certificate),
            leftOut,
            rest: printable - printed.length,
            verifyAt: `${publicAddress()}/verify/`,
          }
        },
        // Deadlock: the count of the session needs a connection of the other pool meanwhile.
        { long: true },
      )
    },

    async revoke(id: string, reason: string, actor: Staff): Promise<void> {
      await commitChange(context, 'certificates', async (tx, record) => {
        const repository = createCertificatesRepository(tx, actor.access)
        const { isRevoked, number, studentId } = mustExist(
          await repository.find(id),
          certificateMessages.missing,
        )
        if (isRevoked) throw new AppError('conflict', certificateMessages.revoked)
        await repository.revoke(id, { at: clock(), byId: actor.adminId, reason })
        await record({
          action: 'certificate-revoked',
          actor,
          subject: number,
          ...(studentId !== null && { studentId }),
        })
      })
    },

    /** Issues a certificate with the name and serial number that the record has today, and revokes the old one. */
    async reissue(id: string, issuedOn: string, actor: Staff): Promise<{ id: string; number: string }> {
      mustBeVerifiable()
      return await commitChange(context, 'certificates', async (tx, record) => {
        const repository = createCertificatesRepository(tx, actor.access)
        const old = mustExist(await repository.find(id), certificateMessages.missing)
        if (old.isRevoked) throw new AppError('conflict', certificateMessages.revoked)
        const may = await certifiedAnew(tx, old, actor.access)
        const { kind, content } = old
        await repository.revoke(id, { at: clock(), byId: actor.adminId, reason: 'Issued anew' })
        const own = signing()
        const signatories = own.length > 0 ? own : (content.signatories ?? [])
        const how = { kind, issuedOn, signatories, batchId: createId(), actor }
        const [given] = await give(tx, [may], how)
        const { id: newId, number } = mustExist(given)
        const studentId = may.id
        await record({ action: 'certificate-revoked', actor, studentId, subject: old.number })
        const detail = { kind, insteadOf: old.number }
        await record({ action: 'certificates-issued', actor, studentId, subject: number, detail })
        return { id: newId, number }
      })
    },
  }
}

/**
 * Everybody who has the code sees as little as shows that the certificate is genuine. It takes one statement,
 * whatever it finds.
 */
export function createVerification(database: Pick<AppDatabase, 'queryPrepared'>, schoolName: () => string) {
  return async (text: string): Promise<VerifiedCertificate> => {
    const nothing = { number: '', name: '', component: '', academicYear: '', school: '', issuedOn: '' }
    const found = await findByCode(database, readCode(text))
    if (!found) return { state: 'unknown', ...nothing }
    if (found.isRevoked) return { state: 'revoked', ...nothing }
    const { number, component, academicYear, issuedOn, content } = found
    const school = schoolName()
    if (!found.isErased && !found.isConfirmed) return { state: 'unconfirmed', ...nothing }
    if (found.isErased) return { state: 'erased', ...nothing, school, issuedOn }
    const { firstName = '', middleName = '', lastName = '', extensionName = '' } = content
    const name = maskedName({ firstName, middleName, lastName, extensionName })
    return { state: 'genuine', number, name, component, academicYear, school, issuedOn }
  }
}

/** A credit need not say its year; a certificate says one. */
function hasYear(graduation: Graduation | undefined): graduation is Graduation {
  return graduation !== undefined && graduation.academicYear !== ''
}

function judged(
  student: CertifiedStudent,
  graduation: Graduation | undefined,
  { kind, academicYear, withoutSerial }: Pick<NewCertificates, 'kind' | 'academicYear' | 'withoutSerial'>,
  access: Access,
): Certified | Hindrance {
  const { restriction, isShared, serialNumber, nstpComponent } = student
  if (restriction !== null) return 'blocked'
  if (!hasYear(graduation)) return 'notGraduate'
  const isOfYear = kind === 'certification' || graduation.academicYear === academicYear
  const component = graduation.component ?? nstpComponent
  if (!isOfYear || !isComponent(component)) return 'notGraduate'
  if (!access.includes(component)) return 'elsewhere'
  if (isShared) return 'shared'
  if (serialNumber === '' && (kind === 'certification' || !withoutSerial)) return 'noSerial'
  return { ...student, component, academicYear: graduation.academicYear }
}

function countHindrances(judgements: readonly (Certified | Hindrance)[]): IssuedCertificates['leftOut'] {
  return hindrances.flatMap((why) => {
    const count = judgements.filter((one) => one === why).length
    return count === 0 ? [] : [{ why, count }]
  })
}

/** 'NSTP-2026-000001 to NSTP-2026-000500' */
function rangeOf(given: readonly { number: string }[]): string {
  const [first = '', last = ''] = [given[0]?.number, given.at(-1)?.number]
  return first === last ? first : `${first} to ${last}`
}

/**
 * Call it before a record is merged into another and deleted.
 * @throws AppError `conflict` where both have a valid certificate of the same kind
 */
export async function mustBeWithoutSameCertificate(
  tx: Queryable,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (await haveSameCertificate(tx, from, to)) throw new AppError('conflict', certificateMessages.ofBoth)
}
