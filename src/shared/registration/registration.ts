import * as z from 'zod/mini'
import { type FieldCheck, fieldText, oneOf } from '#shared/field-rules.ts'
import { ageOn, type CalendarDate, isCalendarDate } from '#shared/program-calendar.ts'
import {
  heldYearLevelLabels,
  registrationComponents,
  yearLevelLabels,
} from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'

/** Youngest age at registration, in whole years (spec §5). */
export const minimumAge = 16
/** Ages beyond this are typing errors, in whole years. */
const greatestAge = 120

/** The sentences that only a registration needs (spec §5). */
export const registrationMessages = {
  dateOfBirth: 'Please enter a valid date of birth.',
  tooYoung: `You must be at least ${minimumAge} years old to register.`,
  consent: 'Please tick the box to agree to the privacy notice.',
  shape: 'A registration is one object with the fields of the form.',
  unknown: (names: string[]) => `These fields are not part of the form: ${names.join(', ')}.`,
}

/** What a registration may choose from, and the day that ages are counted on. */
export interface RegistrationOffer {
  today: CalendarDate
  courses: readonly string[]
  academicYears: readonly string[]
  /** Those of the form unless given: an import also takes the one that the form doesn't offer. */
  components?: readonly string[]
  /** Those of the form unless given: older records also hold the fifth. */
  yearLevels?: readonly string[]
}

/** What somebody who enlists finds at the office's counter today. */
export interface RegistrationDesk extends RegistrationOffer {
  /** Stands in the form from the start; '' for none. */
  currentAcademicYear: string
  /** Why registration is closed; null while it is open. */
  closed: string | null
}

/** A field of the form: '' when absent. */
function text(field: StudentField, check?: FieldCheck) {
  return z.prefault(fieldText(field, check ? { check } : {}), '')
}

const choice = (field: StudentField, choices: () => readonly string[]) => text(field, oneOf(field, choices))

/** What is wrong with a date of birth, counted on the day of the registration. */
export function birthDateProblem(value: string, today: CalendarDate): string | undefined {
  if (!isCalendarDate(value) || value > today) return registrationMessages.dateOfBirth
  const age = ageOn(today, value)
  if (age > greatestAge) return registrationMessages.dateOfBirth
  return age < minimumAge ? registrationMessages.tooYoung : undefined
}

/** The form's label on the way in ('1st Year'), the stored number on the way out (1). */
function yearLevel(offer: () => RegistrationOffer) {
  return z.pipe(
    choice('yearLevel', () => offer().yearLevels ?? yearLevelLabels),
    z.transform((label: string) => heldYearLevelLabels.indexOf(label) + 1),
  )
}

/**
 * The registration as sent by the form or by another program (spec §3 and §5): every field a text, optional
 * ones '' or absent, `consent` true. Unknown members are refused. Issues come in form order.
 *
 * @param offer read at each validation, so that one schema stays right over midnight and changed settings
 */
export function createRegistrationSchema(offer: () => RegistrationOffer) {
  return z.strictObject(
    {
      lastName: text('lastName'),
      firstName: text('firstName'),
      middleName: text('middleName'),
      address: text('address'),
      municipalCity: text('municipalCity'),
      zipCode: text('zipCode'),
      socialSecurityNumber: text('socialSecurityNumber'),
      dateOfBirth: text('dateOfBirth', (value) => birthDateProblem(value, offer().today)),
      placeOfBirth: text('placeOfBirth'),
      sex: text('sex'),
      civilStatus: text('civilStatus'),
      contactNumber: text('contactNumber'),
      email: text('email'),
      citizenship: text('citizenship'),
      religion: text('religion'),
      height: text('height'),
      weight: text('weight'),
      bloodType: text('bloodType'),
      studentId: text('studentId'),
      course: choice('course', () => offer().courses),
      yearLevel: yearLevel(offer),
      academicYear: choice('academicYear', () => offer().academicYears),
      serialNumber: text('serialNumber'),
      fatherName: text('fatherName'),
      fatherOccupation: text('fatherOccupation'),
      motherName: text('motherName'),
      motherOccupation: text('motherOccupation'),
      guardianName: text('guardianName'),
      guardianRelationship: text('guardianRelationship'),
      guardianAddress: text('guardianAddress'),
      guardianContactNumber: text('guardianContactNumber'),
      elementarySchool: text('elementarySchool'),
      elementaryYearGraduated: text('elementaryYearGraduated'),
      highSchool: text('highSchool'),
      highSchoolYearGraduated: text('highSchoolYearGraduated'),
      college: text('college'),
      collegeYearGraduated: text('collegeYearGraduated'),
      workExperience: text('workExperience'),
      skills: text('skills'),
      hobbies: text('hobbies'),
      emergencyContactName: text('emergencyContactName'),
      emergencyContactNumber: text('emergencyContactNumber'),
      emergencyContactAddress: text('emergencyContactAddress'),
      nstpComponent: choice('nstpComponent', () => offer().components ?? registrationComponents),
      consent: z.prefault(
        z.literal(true, { error: registrationMessages.consent }),
        // Absent means not ticked. The type allows only `true`, the check below the type doesn't pass it.
        false as true,
      ),
    },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? registrationMessages.unknown(issue.keys)
          : registrationMessages.shape,
    },
  )
}

export type RegistrationSchema = ReturnType<typeof createRegistrationSchema>
/** A registration as sent: any field may be absent, the year level is its label. */
export type RegistrationBody = z.input<RegistrationSchema>
/** A valid registration: trimmed texts, year level as a number. */
export type Registration = z.output<RegistrationSchema>
/** The cookie that shows a browser its own registration; over https its name has the prefix '__Host-'. */
export const receiptCookieName = 'nstp-receipt'

/** The answer to an accepted registration. */
export interface RegistrationReceipt {
  id: string
  /** What the student keeps: NSTP-XXXX-XXXX. */
  reference: string
  /** ISO instant. */
  registrationDate: string
  emailSent: boolean
  /** Why no e-mail was sent; null when one was. */
  emailError: string | null
}
