import type { StudentField } from './student-fields.ts'

export type StudentRecord = Record<Exclude<StudentField, 'yearLevel'>, string> & {
  id: string
  reference: string
  yearLevel: number
  status: string
  registrationDate: string
  archived: boolean
  archivedDate: string | null
  consentVersion: string
  consentedAt: string
  version: number
}

export type StudentView = StudentRecord & {
  isDuplicate: boolean
}

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

export type StudentListItem = Pick<StudentView, (typeof studentListFields)[number] | 'isDuplicate'>
