import type { PlaceholderValues } from '#server/mail/mail-content.ts'
import type { BulkRecipient } from '#shared/mail.ts'
import { addressKey, isMailAddress, trimAddress } from '#shared/mail-address.ts'

/** Somebody that a mail goes to. */
export interface Addressee {
  email: string
  /** Null for somebody from a list whom no record is known of. */
  studentId: string | null
  /** What stands in for the placeholders. */
  values: PlaceholderValues
}

/** Whom a mail goes to, and how many it does not go to for which reason. */
export interface Addressees {
  addressees: Addressee[]
  optedOut: Addressee[]
  duplicateCount: number
  invalidCount: number
}

/** What a student's record holds for a mail. */
export interface MailedStudent {
  id: string
  email: string
  firstName: string
  lastName: string
  nstpComponent: string
  course: string
  academicYear: string
  reference: string
}

/** What a student's record puts in place of the placeholders. */
export function valuesOf({ nstpComponent, ...student }: MailedStudent): PlaceholderValues {
  const { firstName, lastName, course, academicYear, reference } = student
  return { firstName, lastName, component: nstpComponent, course, academicYear, reference }
}

/** A student as somebody that a mail goes to. */
export function addresseeOfStudent(student: MailedStudent): Addressee {
  return { email: trimAddress(student.email), studentId: student.id, values: valuesOf(student) }
}

/**
 * The same of a recipient from a list, which decides about the first name.
 *
 * @param student whose address it is, if it is known as one's
 * @param filled whether the record fills the other placeholders
 */
export function addresseeOfRecipient(
  { email, firstName }: BulkRecipient,
  student: MailedStudent | undefined,
  filled: boolean,
): Addressee {
  const known = student && filled ? valuesOf(student) : {}
  return { email, studentId: student?.id ?? null, values: { ...known, firstName } }
}

/**
 * Sorts out who gets the mail: each address once, for whom it stands with first.
 *
 * @param optedOutOf which of some addresses want none, by `addressKey`
 */
export async function sortOut(
  candidates: readonly Addressee[],
  optedOutOf: (keys: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Addressees> {
  const valid = candidates.filter(({ email }) => isMailAddress(email))
  const first = new Map<string, Addressee>()
  for (const candidate of valid) {
    const key = addressKey(candidate.email)
    if (!first.has(key)) first.set(key, candidate)
  }
  const unwanted = await optedOutOf([...first.keys()])
  const addressees: Addressee[] = []
  const optedOut: Addressee[] = []
  for (const [key, addressee] of first) (unwanted.has(key) ? optedOut : addressees).push(addressee)
  return {
    addressees,
    optedOut,
    duplicateCount: valid.length - first.size,
    invalidCount: candidates.length - valid.length,
  }
}
