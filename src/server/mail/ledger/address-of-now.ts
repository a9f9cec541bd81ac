import { isMailAddress, trimAddress } from '#shared/mail-address.ts'

interface Addressed {
  recipient: string
  /** As the record has it; null for somebody without one. */
  studentEmail: string | null
}

/** Where a message goes that is sent again: what kept it from arriving may have been mended in the student's record. */
export function addressOfNow({ recipient, studentEmail }: Addressed): string {
  const email = trimAddress(studentEmail ?? '')
  return isMailAddress(email) ? email : recipient
}
