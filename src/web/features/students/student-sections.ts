import type { StudentRecord } from '#shared/student.ts'
import { yearLevelLabel } from '#shared/student-choices.ts'
import { fieldDefinition, type StudentField } from '#shared/student-fields.ts'
import { dateOf } from '#web/lib/calendar-texts.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { orMissing } from './student-texts.ts'

/** One line of the details. */
export interface Detail {
  label: string
  value: string
}

/** The record's own members that people read; `id` and `version` mean something to programs only. */
type RecordMember =
  | 'reference'
  | 'status'
  | 'registrationDate'
  | 'archived'
  | 'archivedDate'
  | 'consentVersion'
  | 'consentedAt'

const memberLabels: Record<RecordMember, string> = {
  reference: 'Reference',
  status: 'Status',
  registrationDate: 'Registration Date',
  archived: 'Archived',
  archivedDate: 'Archived Date',
  consentVersion: 'Privacy Notice Version',
  consentedAt: 'Privacy Consent Given',
}

/** The nine sections of 'Student Details' (spec §2); every member of a record is in exactly one. */
export const studentSections: readonly {
  title: string
  members: readonly (StudentField | RecordMember)[]
}[] = [
  {
    title: 'Basic Information',
    members: [
      'lastName',
      'firstName',
      'middleName',
      'sex',
      'dateOfBirth',
      'placeOfBirth',
      'civilStatus',
      'citizenship',
      'religion',
    ],
  },
  {
    title: 'Contact Information',
    members: ['contactNumber', 'email', 'address', 'municipalCity', 'zipCode'],
  },
  { title: 'Physical Information', members: ['height', 'weight', 'bloodType'] },
  { title: 'Educational Information', members: ['studentId', 'course', 'yearLevel', 'academicYear'] },
  {
    title: 'NSTP Information',
    members: [
      'nstpComponent',
      'serialNumber',
      'reference',
      'status',
      'registrationDate',
      'archived',
      'archivedDate',
    ],
  },
  {
    title: 'Emergency Contact',
    members: ['emergencyContactName', 'emergencyContactNumber', 'emergencyContactAddress'],
  },
  {
    title: 'Parent/Guardian Information',
    members: [
      'fatherName',
      'fatherOccupation',
      'motherName',
      'motherOccupation',
      'guardianName',
      'guardianRelationship',
      'guardianAddress',
      'guardianContactNumber',
    ],
  },
  {
    title: 'Educational Background',
    members: [
      'elementarySchool',
      'elementaryYearGraduated',
      'highSchool',
      'highSchoolYearGraduated',
      'college',
      'collegeYearGraduated',
    ],
  },
  {
    title: 'Additional Information',
    members: ['workExperience', 'skills', 'hobbies', 'socialSecurityNumber', 'consentedAt', 'consentVersion'],
  },
]

/** One member of a record as it is shown. */
export function detailOf(
  student: StudentRecord,
  member: StudentField | RecordMember,
  texts: InstantTexts,
): Detail {
  return { label: labelOf(member), value: orMissing(textOf(student, member, texts)) }
}

function labelOf(member: StudentField | RecordMember): string {
  return isRecordMember(member) ? memberLabels[member] : fieldDefinition(member).label
}

function isRecordMember(member: StudentField | RecordMember): member is RecordMember {
  return member in memberLabels
}

function textOf(
  student: StudentRecord,
  member: StudentField | RecordMember,
  { momentOf }: InstantTexts,
): string {
  switch (member) {
    case 'yearLevel':
      return yearLevelLabel(student.yearLevel)
    case 'dateOfBirth':
      return dateOf(student.dateOfBirth)
    case 'registrationDate':
    case 'consentedAt':
      return momentOf(student[member])
    case 'archivedDate':
      return student.archivedDate === null ? '' : momentOf(student.archivedDate)
    case 'archived':
      return student.archived ? 'Yes' : 'No'
    default:
      return student[member]
  }
}
