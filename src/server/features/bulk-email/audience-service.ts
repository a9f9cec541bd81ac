import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { type BulkRecipient, mailLimits, type StudentAudience } from '#shared/mail.ts'
import { addressKey, trimAddress } from '#shared/mail-address.ts'
import type { AudiencePreview, RecipientRecord } from '#shared/mail-history.ts'
import { recipientMessages } from '#shared/mail-recipients.ts'
import {
  type Addressee,
  type Addressees,
  addresseeOfRecipient,
  addresseeOfStudent,
  type MailedStudent,
  sortOut,
  valuesOf,
} from './addressees.ts'

/** Students of an audience that are shown to preview the mail with. */
const sampleSize = 5

/** Which of some addresses, by `addressKey`, want no announcements by mail. */
export type OptedOutOf = (db: Queryable, keys: readonly string[]) => Promise<ReadonlySet<string>>

export interface AudiencesOptions {
  db: Queryable
  /** The students that the list shows by the same filters, in its order, at most so many. */
  addressed: (
    db: Queryable,
    audience: StudentAudience,
    options: { limit: number; keep: boolean },
  ) => Promise<MailedStudent[]>
  /** The active students of some addresses, by `addressKey`, the newest first. */
  withAddresses: (
    db: Queryable,
    keys: readonly string[],
    options: { keep: boolean },
  ) => Promise<MailedStudent[]>
  optedOutOf: OptedOutOf
}

export type Audiences = ReturnType<typeof createAudiences>

/** Works out whom a bulk e-mail goes to. */
export function createAudiences({ db, addressed, withAddresses, optedOutOf }: AudiencesOptions) {
  function ofList(on: Queryable, candidates: readonly Addressee[]): Promise<Addressees> {
    return sortOut(candidates, (keys) => optedOutOf(on, keys))
  }

  async function ofStudents(on: Queryable, audience: StudentAudience, keep: boolean): Promise<Addressees> {
    // One more tells that there are too many.
    const students = await addressed(on, audience, { limit: mailLimits.recipients + 1, keep })
    if (students.length > mailLimits.recipients) {
      const message = recipientMessages.tooManyStudents
      throw new AppError('too_big', { detail: message, errors: [{ path: 'audience', message }] })
    }
    return await ofList(on, students.map(addresseeOfStudent))
  }

  /** Who has which address, by `addressKey`: of several students the newest, as of an audience. */
  async function recordsOf(on: Queryable, addresses: readonly string[], keep: boolean) {
    const records = new Map<string, MailedStudent>()
    for (const student of await withAddresses(on, addresses.map(addressKey), { keep })) {
      const key = addressKey(trimAddress(student.email))
      if (!records.has(key)) records.set(key, student)
    }
    return records
  }

  return {
    /**
     * Whom a mail to a list goes to. A recipient whose address is a student's counts as that student.
     *
     * @param tx the transaction that writes to them
     * @param filled whether the records fill what the list says nothing of
     */
    async ofRecipients(
      tx: Queryable,
      recipients: readonly BulkRecipient[],
      filled: boolean,
    ): Promise<Addressees> {
      const addresses = recipients.map(({ email }) => email)
      const records = await recordsOf(tx, addresses, true)
      return await ofList(
        tx,
        recipients.map((one) => addresseeOfRecipient(one, records.get(addressKey(one.email)), filled)),
      )
    },

    /** What the record of an address fills in, to preview the mail with. */
    async recordOf(address: string): Promise<RecipientRecord> {
      const student = (await recordsOf(db, [address], false)).get(addressKey(address))
      return { values: student ? valuesOf(student) : null }
    },

    /**
     * Whom a mail to students of these filters goes to.
     *
     * @param tx the transaction that writes to them
     * @throws AppError `too_big` for more than one bulk e-mail goes to
     */
    ofStudents: (tx: Queryable, audience: StudentAudience) => ofStudents(tx, audience, true),

    /** The numbers beforehand, and the first students. */
    async preview(audience: StudentAudience): Promise<AudiencePreview> {
      const { addressees, optedOut, duplicateCount, invalidCount } = await ofStudents(db, audience, false)
      return {
        count: addressees.length,
        optedOut: optedOut.length,
        duplicates: duplicateCount,
        invalid: invalidCount,
        sample: addressees.slice(0, sampleSize).map(({ studentId, email, values }) => ({
          id: studentId ?? '',
          email,
          ...values,
        })),
      }
    },
  }
}
