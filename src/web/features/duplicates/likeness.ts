import type { StudentRecord } from '#shared/student.ts'

const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()

/** Why two records may be the same person, for people to read: by the rules of the server. */
export function likenesses(one: StudentRecord, other: StudentRecord): string[] {
  const alike = (field: 'lastName' | 'firstName' | 'email' | 'studentId') =>
    plain(one[field]) === plain(other[field])
  const reasons = [
    alike('lastName') && alike('firstName') && one.dateOfBirth === other.dateOfBirth
      ? 'Same name and birth date'
      : '',
    alike('email') && one.email !== '' ? 'Same email' : '',
    alike('studentId') && /\d/.test(one.studentId) ? 'Same student ID' : '',
  ]
  return reasons.filter((reason) => reason !== '')
}
