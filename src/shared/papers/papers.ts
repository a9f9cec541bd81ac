import type { Restriction } from '#shared/privacy/privacy.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import type { EnrolmentEntry, Level, Outcome, Semester } from '#shared/terms/terms.ts'

export const layoutCodes = [
  'ched-workbook',
  'osds-2b',
  'rotc-grades',
  'rotc-roster',
  'registrar-grades',
] as const
export type LayoutCode = (typeof layoutCodes)[number]

/** Why somebody is in a paper. A paper of graduates lists nobody whom another one of its layout has. */
export const paperPurposes = ['enrolment', 'graduates', 'roster', 'grades'] as const
export type PaperPurpose = (typeof paperPurposes)[number]

export const paperStates = ['draft', 'frozen', 'sent', 'returned', 'accepted'] as const
export type PaperState = (typeof paperStates)[number]

/** Of the lists of a paper; `unlisted`: only counted. */
export const paperLists = ['enrolment', 'graduates', 'unlisted'] as const
export type PaperList = (typeof paperLists)[number]

export interface PaperOptions {
  // Also lists ROTC, which is always counted.
  listsRotc: boolean
  // 2-B: who graduated instead of who is enrolled.
  ofGraduates: boolean
  // Of 2-B.
  level: Level
}

export const defaultOptions: PaperOptions = { listsRotc: false, ofGraduates: false, level: 1 }

export const paperAnswers = ['meant', 'left out'] as const
export type PaperAnswer = (typeof paperAnswers)[number]

/** Whom an answer is about: one student, or a pair in any order. */
export function subjectOf(ids: readonly string[]): string {
  return [...ids].sort().join(' ')
}

/** Of a record, what papers, their checks and certificates read. */
export const paperFields = [
  'lastName',
  'firstName',
  'middleName',
  'extensionName',
  'address',
  'barangay',
  'municipalCity',
  'province',
  'dateOfBirth',
  'sex',
  'contactNumber',
  'email',
  'citizenship',
  'studentId',
  'course',
  'program',
  'yearLevel',
  'academicYear',
  'serialNumber',
  'nstpComponent',
] as const satisfies readonly StudentField[]
export type PaperField = (typeof paperFields)[number]

/** Somebody of a paper as of now: what checks read, and what cells are made of when it is frozen. */
export interface PaperPerson {
  // Of the two, whether or not the paper lists it.
  list: 'enrolment' | 'graduates'
  isListed: boolean
  studentId: string
  version: number
  fields: Readonly<Record<PaperField, string>>
  component: NstpComponent
  level: Level
  // Of the enrolment of this level; empty or null where a credit stands for it.
  academicYear: string
  semester: Semester | null
  startsOn: string
  unit: string
  section: string
  entry: EnrolmentEntry | ''
  // The home school of who is cross-enrolled.
  school: string
  isOfficial: boolean
  mark: string
  outcome: Outcome
  // Whether NSTP 1 is passed or credited, and in which component; '' where a credit names none.
  hasNstp1: boolean
  nstp1Component: NstpComponent | ''
  isTransferee: boolean
  isExempt: boolean
  restriction: Restriction | null
}
