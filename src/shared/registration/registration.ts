import * as z from 'zod/mini'
import { type FieldCheck, fieldText, oneOf } from '#shared/field-rules.ts'
import { ageOn, type CalendarDate, isCalendarDate } from '#shared/program-calendar.ts'
import {
  registrationComponents,
  storedYearLevelLabels,
  yearLevelLabels,
} from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'

// Whole years (spec §5).
export const minimumAge = 16
const greatestAge = 120

// Spec §5.
export const registrationMessages = {
  dateOfBirth: 'Please enter a valid date of birth.',
  tooYoung: `You must be at least ${minimumAge} years old to register.`,
  consent: 'Please tick the box to agree to the privacy notice.',
  shape: 'A registration is one object with the fields of the form.',
  unknown: (names: string[]) => `These fields are not part of the form: ${names.join(', ')}.`,
}

export interface RegistrationOffer {
  today: CalendarDate
  courses: readonly string[]
  academicYears: readonly string[]
  components?: readonly string[]
  yearLevels?: readonly string[]
}

export interface RegistrationContext extends RegistrationOffer {
  currentAcademicYear: string
  closed: string | null
}

function text(field: StudentField, check?: FieldCheck) {
  return z.prefault(fieldText(field, check ? { check } : {}), '')
}

const choice = (field: StudentField, choices: () => readonly string[]) => text(field, oneOf(field, choices))

export function birthDateProblem(value: string, today: CalendarDate): string | undefined {
  if (!isCalendarDate(value) || value > today) return registrationMessages.dateOfBirth
  const age = ageOn(today, value)
  if (age > greatestAge) return registrationMessages.dateOfBirth
  return age < minimumAge ? registrationMessages.tooYoung : undefined
}

function yearLevel(offer: () => RegistrationOffer) {
  return z.pipe(
    choice('yearLevel', () => offer().yearLevels ?? yearLevelLabels),
    z.transform((label: string) => storedYearLevelLabels.indexOf(label) + 1),
  )
}

/**
 * Spec §3, §5. Unknown members are refused; issues come in form order.
 * @param offer read at each validation, because the date and settings change
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
export type RegistrationBody = z.input<RegistrationSchema>
export type Registration = z.output<RegistrationSchema>
/** The cookie that shows a browser its own registration; over https its name has the prefix '__Host-'. */
export const receiptCookieName = 'nstp-receipt'

/** The answer to an accepted registration. */
export interface RegistrationReceipt {
  id: string
  reference: string
  registrationDate: string
  emailSent: boolean
  emailError: string | null
}
