import type { StudentField } from './student-fields.ts'

/** A student's record as the API gives it out: the form's fields as they were typed, and the record's own. */
export type StudentRecord = Record<Exclude<StudentField, 'yearLevel'>, string> & {
  id: string
  /** What the student keeps: NSTP-XXXX-XXXX. */
  reference: string
  /** 1 to 5; 5 occurs only in older records. */
  yearLevel: number
  status: string
  /** ISO instant. */
  registrationDate: string
  archived: boolean
  /** ISO instant, null while not archived. */
  archivedDate: string | null
  consentVersion: string
  /** ISO instant of the consent. */
  consentedAt: string
  /** Counts the record's changes, from 1; an edit names the version it saw. */
  version: number
}

/** A record as it is read, with what the others tell about it. */
export type StudentReading = StudentRecord & {
  /** Whether another record may be the same person. */
  isDuplicate: boolean
}

/** The columns of the students list and nothing more: a field is sent only to a screen that shows it. */
export const studentListFields = [
  'id',
  'lastName',
  'firstName',
  'middleName',
  'sex',
  'course',
  'academicYear',
  'contactNumber',
  'email',
  'nstpComponent',
  'archived',
  'archivedDate',
  'emergencyContactName',
  'emergencyContactNumber',
  'registrationDate',
] as const satisfies readonly (keyof StudentRecord)[]

export type StudentListItem = Pick<StudentReading, (typeof studentListFields)[number] | 'isDuplicate'>
