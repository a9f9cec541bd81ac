import * as z from 'zod/mini'
import { ageOn, type CalendarDate, isCalendarDate } from './program-calendar.ts'
import {
  bloodTypes,
  civilStatuses,
  registrationComponents,
  sexes,
  yearLevelLabels,
} from './student-choices.ts'
import { fieldDefinition, fieldWords, type StudentField } from './student-fields.ts'

/** Youngest age at registration, in whole years (spec §5). */
export const minimumAge = 16
/** Ages beyond this are typing errors, in whole years. */
const greatestAge = 120

/** The sentences of spec §5, and those of the same kind for what it leaves open. */
export const registrationMessages = {
  required: (field: string) => `Please fill in the ${fieldWords(field)} field.`,
  /** Only programs meet this one: a form sends nothing but texts. */
  notText: (field: string) => `Please send the ${fieldWords(field)} as text.`,
  choice: (field: string) => `Please choose one of the listed options for ${fieldWords(field)}.`,
  tooLong: (field: string, max: number) =>
    `Please shorten the ${fieldWords(field)} to ${max} characters or fewer.`,
  characters: (field: string) => `Please remove the unusual characters from the ${fieldWords(field)} field.`,
  email: 'Please enter a valid email address.',
  contactNumber: 'Please enter a valid contact number.',
  emergencyContactNumber: 'Please enter a valid emergency contact number.',
  guardianContactNumber: 'Please enter a valid guardian contact number.',
  dateOfBirth: 'Please enter a valid date of birth.',
  tooYoung: `You must be at least ${minimumAge} years old to register.`,
  consent: 'Please tick the box to agree to the privacy notice.',
  shape: 'A registration is one object with the fields of the form.',
  unknown: (names: string[]) => `These fields are not part of the form: ${names.join(', ')}.`,
}

// Control characters other than tab and line breaks (PostgreSQL refuses NUL, the others break print-outs and
// workbooks), marks that turn the writing direction (they make a printed name read as another), and halves of
// surrogate pairs (they aren't text at all).
const oddCharacters = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u
const lineBreaks = /[\r\n\t]/
// Something to see: a zero-width space alone is as blank as a space.
const visibleCharacter = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u

/** Whether the text holds what no answer may: control characters, turned writing, broken characters. */
export function hasOddCharacters(text: string): boolean {
  return oddCharacters.test(text)
}

const emailPattern = /^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\"]+\.[^\s@,;:<>()[\]\\".]+$/
/** No part of an address may be empty: 'juan@school..ph' is a slip of the finger. */
const misplacedDot = /\.\.|^\.|\.@|@\./
/** Digits, spaces, hyphens, plus and parentheses (spec §5), and at least one digit among them. */
const phonePattern = /^[\s\-+()]*\d[\d\s\-+()]*$/

/** Whether one address of the form {email}: what every mail and form of the product accepts. */
export function isEmail(text: string): boolean {
  // The length comes first: the pattern is polynomial on long input.
  return text.length <= 254 && emailPattern.test(text) && !misplacedDot.test(text)
}

/** Whether the text may be a phone number by the rule of spec §5. */
export function isPhoneNumber(text: string): boolean {
  return phonePattern.test(text)
}

type Check = (value: string) => string | undefined

/** The first sentence that tells what is wrong with a field's text, or undefined. */
function problemOf(field: StudentField, value: string, check: Check | undefined): string | undefined {
  const { required, max, multiline } = fieldDefinition(field)
  if (required && !visibleCharacter.test(value)) return registrationMessages.required(field)
  if (value === '') return undefined
  if (hasOddCharacters(value) || (!multiline && lineBreaks.test(value))) {
    return registrationMessages.characters(field)
  }
  // A field's own rule says more than its length: of a choice or a date, "shorten it" would mislead.
  return check?.(value) ?? (value.length > max ? registrationMessages.tooLong(field, max) : undefined)
}

/** A text field by its definition: trimmed, '' when absent, checked for length and characters. */
function text(field: StudentField, check?: Check) {
  const { required, notText } = registrationMessages
  const isRequired = fieldDefinition(field).required
  return z.prefault(
    z.string({ error: ({ input }) => (isRequired && input === null ? required : notText)(field) }).check(
      z.trim(),
      z.check((context) => {
        const problem = problemOf(field, context.value, check)
        if (problem) context.issues.push({ code: 'custom', message: problem, input: context.value })
      }),
    ),
    '',
  )
}

/** A field that takes one of a list's values, and '' too when it isn't required. */
function choice(field: StudentField, choices: readonly string[]) {
  return text(field, (value) => (choices.includes(value) ? undefined : registrationMessages.choice(field)))
}

function phone(field: 'contactNumber' | 'emergencyContactNumber' | 'guardianContactNumber') {
  return text(field, (value) => (isPhoneNumber(value) ? undefined : registrationMessages[field]))
}

/** What a registration may choose from, and the day that ages are counted on. */
export interface RegistrationOffer {
  today: CalendarDate
  courses: readonly string[]
  academicYears: readonly string[]
}

/** What somebody who enlists finds at the office's counter today. */
export interface RegistrationDesk extends RegistrationOffer {
  /** Stands in the form from the start; '' for none. */
  currentAcademicYear: string
  /** Why registration is closed; null while it is open. */
  closed: string | null
}

function dateOfBirth(offer: () => RegistrationOffer) {
  return text('dateOfBirth', (value) => {
    const { today } = offer()
    if (!isCalendarDate(value) || value > today) return registrationMessages.dateOfBirth
    const age = ageOn(today, value)
    if (age > greatestAge) return registrationMessages.dateOfBirth
    return age < minimumAge ? registrationMessages.tooYoung : undefined
  })
}

/** The form's label on the way in ('1st Year'), the stored number on the way out (1). */
function yearLevel() {
  const labels: readonly string[] = yearLevelLabels
  return z.pipe(
    choice('yearLevel', labels),
    z.transform((label: string) => labels.indexOf(label) + 1),
  )
}

/**
 * The registration as sent by the form or by another program (spec §3 and §5): every field a text, optional
 * ones '' or absent, `consent` true. Unknown members are refused. Issues come in form order.
 *
 * @param offer read at each validation, so that one schema stays right over midnight and changed settings
 */
export function createRegistrationSchema(offer: () => RegistrationOffer) {
  const offered = (field: 'course' | 'academicYear', list: 'courses' | 'academicYears') =>
    text(field, (value) => (offer()[list].includes(value) ? undefined : registrationMessages.choice(field)))
  return z.strictObject(
    {
      lastName: text('lastName'),
      firstName: text('firstName'),
      middleName: text('middleName'),
      address: text('address'),
      municipalCity: text('municipalCity'),
      zipCode: text('zipCode'),
      socialSecurityNumber: text('socialSecurityNumber'),
      dateOfBirth: dateOfBirth(offer),
      placeOfBirth: text('placeOfBirth'),
      sex: choice('sex', sexes),
      civilStatus: choice('civilStatus', civilStatuses),
      contactNumber: phone('contactNumber'),
      email: text('email', (value) => (isEmail(value) ? undefined : registrationMessages.email)),
      citizenship: text('citizenship'),
      religion: text('religion'),
      height: text('height'),
      weight: text('weight'),
      bloodType: choice('bloodType', bloodTypes),
      studentId: text('studentId'),
      course: offered('course', 'courses'),
      yearLevel: yearLevel(),
      academicYear: offered('academicYear', 'academicYears'),
      serialNumber: text('serialNumber'),
      fatherName: text('fatherName'),
      fatherOccupation: text('fatherOccupation'),
      motherName: text('motherName'),
      motherOccupation: text('motherOccupation'),
      guardianName: text('guardianName'),
      guardianRelationship: text('guardianRelationship'),
      guardianAddress: text('guardianAddress'),
      guardianContactNumber: phone('guardianContactNumber'),
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
      emergencyContactNumber: phone('emergencyContactNumber'),
      emergencyContactAddress: text('emergencyContactAddress'),
      nstpComponent: choice('nstpComponent', registrationComponents),
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
