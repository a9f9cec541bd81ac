import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { mailLimits, type StudentAudience } from '#shared/mail.ts'
import type { AudiencePreview } from '#shared/mail-history.ts'
import { recipientMessages } from '#shared/mail-recipients.ts'
import {
  type Addressee,
  type Addressees,
  addresseeOfStudent,
  type MailedStudent,
  sortOut,
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
  optedOutOf: OptedOutOf
}

export type Audiences = ReturnType<typeof createAudiences>

/** Works out whom a bulk e-mail goes to. */
export function createAudiences({ db, addressed, optedOutOf }: AudiencesOptions) {
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

  return {
    ofList,

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
