import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import { tooBig } from '#server/lib/errors.ts'
import { mailLimits } from '#shared/mail/mail.ts'
import { addressKey, isMailAddress, trimAddress } from '#shared/mail/mail-address.ts'
import type { StudentAudience } from '#shared/mail/mail-batch.ts'
import { recipientMessages } from '#shared/mail/mail-recipients.ts'
import type { AudiencePreview, RecipientList, RecipientRecord } from '#shared/mail/mail-response.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import type { MailContext, StudentMailing } from './mail-context.ts'
import type { PlaceholderValues } from './mailer.ts'

const sampleSize = 5

type MailedStudent = Awaited<ReturnType<StudentMailing['withAddresses']>>[number]

interface Reading {
  access: Access
  // Whether the students stay locked until the transaction ends.
  lock: boolean
}

export type Audiences = ReturnType<typeof createAudiences>

export function createAudiences({ db, audit, students, optOuts }: MailContext) {
  // Each address once; the first entry wins.
  async function splitCandidates(on: Queryable, candidates: readonly Addressee[]) {
    const valid = candidates.filter(({ email }) => isMailAddress(email))
    const first = new Map<string, Addressee>()
    for (const candidate of valid) {
      const key = addressKey(candidate.email)
      if (!first.has(key)) first.set(key, candidate)
    }
    const optedOutKeys = await optOuts.optedOutAmong(on, [...first.keys()])
    const addressees: Addressee[] = []
    const optedOut: Addressee[] = []
    for (const [key, addressee] of first) {
      const isLeftOut = addressee.isRestricted || optedOutKeys.has(key)
      ;(isLeftOut ? optedOut : addressees).push(addressee)
    }
    return {
      addressees,
      optedOut,
      duplicateCount: valid.length - first.size,
      invalidCount: candidates.length - valid.length,
    }
  }

  async function ofStudents(on: Queryable, audience: StudentAudience, limits: Reading) {
    // A recipient beyond the limit shows that there are too many.
    const found = await students.addressed(on, audience, { limit: mailLimits.recipients + 1, ...limits })
    if (found.length > mailLimits.recipients) throw tooBig('audience', recipientMessages.tooManyStudents)
    const candidates = found.map(
      (student): Addressee => ({
        email: trimAddress(student.email),
        studentId: student.id,
        isRestricted: student.restriction !== null,
        values: valuesOf(student),
      }),
    )
    return await splitCandidates(on, candidates)
  }

  async function recordsOf(on: Queryable, addresses: readonly string[], reading: Reading) {
    const records = new Map<string, MailedStudent>()
    for (const student of await students.withAddresses(on, addresses.map(addressKey), reading)) {
      const key = addressKey(trimAddress(student.email))
      if (!records.has(key) || student.restriction !== null) records.set(key, student)
    }
    return records
  }

  async function noteRead(list: string, affected: number, page: string, actor: Staff): Promise<void> {
    await audit.recordView(db, { action: 'students-listed', actor, affected, detail: { list } }, page)
  }

  return {
    /**
     * @param tx the transaction that writes the messages
     * @param options.isFilled whether student records fill the placeholders that the list lacks
     */
    async ofRecipients(
      tx: Queryable,
      list: RecipientList | undefined,
      { access, isFilled }: { access: Access; isFilled: boolean },
    ) {
      const { recipients, duplicates, invalid } = list ?? { recipients: [], duplicates: [], invalid: [] }
      const addresses = recipients.map(({ email }) => email)
      const records = await recordsOf(tx, addresses, { access, lock: true })
      const candidates = recipients.map(({ email, firstName }): Addressee => {
        const found = records.get(addressKey(email))
        const isRestricted = found !== undefined && found.restriction !== null
        const student = found && access.includes(found.nstpComponent) ? found : undefined
        const fields = student && isFilled ? valuesOf(student) : {}
        return { email, studentId: student?.id ?? null, isRestricted, values: { ...fields, firstName } }
      })
      const split = await splitCandidates(tx, candidates)
      return { ...split, duplicateCount: duplicates.length, invalidCount: invalid.length }
    },

    async recordOf(address: string, actor: Staff): Promise<RecipientRecord> {
      const { access } = actor
      const found = (await recordsOf(db, [address], { access, lock: false })).get(addressKey(address))
      const student = found && access.includes(found.nstpComponent) ? found : undefined
      await noteRead('recipients', student ? 1 : 0, address, actor)
      return { values: student ? valuesOf(student) : null }
    },

    /** @throws AppError `too_big` above the limit of one bulk e-mail */
    ofStudents: (tx: Queryable, audience: StudentAudience, access: Access) =>
      ofStudents(tx, audience, { access, lock: true }),

    async preview(audience: StudentAudience, actor: Staff): Promise<AudiencePreview> {
      const found = await ofStudents(db, audience, { access: actor.access, lock: false })
      const { addressees, optedOut, duplicateCount, invalidCount } = found
      const sample = addressees.slice(0, sampleSize)
      await noteRead('audience', sample.length, JSON.stringify(audience), actor)
      return {
        count: addressees.length,
        optedOut: optedOut.length,
        duplicates: duplicateCount,
        invalid: invalidCount,
        sample: sample.map(({ studentId, email, values }) => ({ id: studentId ?? '', email, ...values })),
      }
    },
  }
}

export interface Addressee {
  email: string
  studentId: string | null
  // Blocked, or without consent: left out like an opt-out.
  isRestricted: boolean
  values: PlaceholderValues
}

function valuesOf({ nstpComponent, place, ...student }: MailedStudent): PlaceholderValues {
  const { firstName, lastName, course, academicYear, reference, serialNumber } = student
  return {
    ...{ firstName, lastName, component: nstpComponent, course, academicYear, reference, serialNumber },
    section: place ? sectionLabel(place) : '',
    adviser: place?.adviser ?? '',
    meets: place?.meets ?? '',
  }
}
