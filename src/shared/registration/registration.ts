import * as z from 'zod/mini'
import {
  type FieldCheck,
  fieldMessages,
  fieldText,
  hasName,
  isBlank,
  oneOf,
  shapeError,
} from '#shared/field-rules.ts'
import {
  ageOn,
  type CalendarDate,
  isCalendarDate,
  minimumAge,
  needsGuardian,
} from '#shared/program-calendar.ts'
import {
  registrationComponents,
  storedYearLevelLabels,
  yearLevelLabels,
} from '#shared/students/student-choices.ts'
import { everyField, requiredOfMinors, type StudentField } from '#shared/students/student-fields.ts'

// Whole years.
const greatestAge = 120

// Product 2.4 and 28.3.
const registrationMessages = {
  dateOfBirth: 'Please enter a valid date of birth.',
  tooYoung: `You must be at least ${minimumAge} years old to register.`,
  consent: 'Please tick the box to agree to the privacy notice.',
  guardianName: 'You are under 18: please fill in the name of your parent or guardian.',
  guardianRelationship: 'You are under 18: please fill in how your parent or guardian is related to you.',
  guardianContactNumber: 'You are under 18: please fill in the contact number of your parent or guardian.',
  program: 'Please choose a degree program of your course, or leave it empty.',
  dayCode: 'Enter today’s code. Ask the NSTP office for it.',
  guardianConsent: 'You are under 18: your parent or guardian must tick this box too.',
}

export interface RegistrationOffer {
  today: CalendarDate
  courses: readonly string[]
  /** Any text where the office isn't asked, as in an import. */
  programs?: readonly DegreeProgram[]
  academicYears: readonly string[]
  components?: readonly string[]
  yearLevels?: readonly string[]
  /** Components without a place. */
  full?: readonly { component: string; academicYear: string }[]
  /** The office has the consents on paper. */
  onPaper?: boolean
  asksCode?: boolean
  /** The portal names its school and whom to ask about personal data. */
  isOfficeNamed?: boolean
}

interface DegreeProgram {
  course: string
  name: string
}

export const wrongDayCode = 'This is not today’s code. Please ask the NSTP office for it.'

/** The sentence shown at a component that has no place left. */
export function fullSentence({
  nstpComponent,
  academicYear,
}: Record<'nstpComponent' | 'academicYear', string>) {
  return `${nstpComponent} is full for ${academicYear}. Please choose the other component, or ask the NSTP office.`
}

export interface RegistrationContext extends RegistrationOffer {
  programs: readonly DegreeProgram[]
  currentAcademicYear: string
  closed: string | null
  asksCode: boolean
  isOfficeNamed: boolean
  changesAt: string | null
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
 * Product 2.3 to 2.6. Unknown members are refused; issues come in form order.
 * @param offer read at each validation, because the date and settings change
 */
export function createRegistrationSchema(offer: () => RegistrationOffer) {
  // The rules for minors are checked even if other fields have problems.
  const when = ({ value }: { value: unknown }) =>
    typeof value === 'object' && value !== null && 'dateOfBirth' in value
  const areTexts = ({ value }: { value: unknown }) =>
    z.safeParse(z.object({ lastName: z.string(), firstName: z.string() }), value).success
  type OfMinor = (typeof requiredOfMinors)[number] | 'guardianConsent'
  const ofMinor = (path: OfMinor, isGiven: (value: unknown) => boolean) =>
    z.refine<{ dateOfBirth: string } & { [Path in OfMinor]?: string | boolean | undefined }>(
      (values) => {
        const { onPaper = false, today } = offer()
        return onPaper || !needsGuardian(today, values.dateOfBirth) || isGiven(values[path])
      },
      { path: [path], error: registrationMessages[path], when },
    )
  return z
    .strictObject(
      {
        ...everyField((field) => text(field)),
        dateOfBirth: text('dateOfBirth', (value) => birthDateProblem(value, offer().today)),
        course: choice('course', () => offer().courses),
        yearLevel: yearLevel(offer),
        academicYear: choice('academicYear', () => offer().academicYears),
        nstpComponent: choice('nstpComponent', () => offer().components ?? registrationComponents),
        consent: z.prefault(
          z.literal(true, { error: registrationMessages.consent }),
          // Absent means not ticked. The type allows only `true`, the check below the type doesn't pass it.
          false as true,
        ),
        guardianConsent: z.optional(z.boolean(registrationMessages.guardianConsent)),
        dayCode: z.optional(z.string(registrationMessages.dayCode).check(z.maxLength(64, wrongDayCode))),
      },
      shapeError(
        'A registration is one object with the fields of the form.',
        (names) => `These fields are not part of the form: ${names}.`,
      ),
    )
    .check(
      z.refine<{ lastName: string; firstName: string }>(
        ({ lastName, firstName }) => isBlank(lastName) || isBlank(firstName) || hasName(lastName, firstName),
        { path: ['lastName'], error: fieldMessages.required('lastName'), when: areTexts },
      ),
      ...requiredOfMinors.map((path) => ofMinor(path, (text) => typeof text === 'string' && !isBlank(text))),
      ofMinor('guardianConsent', (isTicked) => isTicked === true),
      z.refine<{ course: string; program: string }>(
        ({ course, program }) =>
          program === '' ||
          (offer().programs?.some((each) => each.course === course && each.name === program) ?? true),
        { path: ['program'], error: registrationMessages.program, when },
      ),
      z.refine<{ dayCode?: string | undefined }>(
        ({ dayCode = '' }) => !offer().asksCode || !isBlank(dayCode),
        { path: ['dayCode'], error: registrationMessages.dayCode, when },
      ),
    )
}

type RegistrationSchema = ReturnType<typeof createRegistrationSchema>
export type RegistrationBody = z.input<RegistrationSchema>
export type Registration = z.output<RegistrationSchema>

/** The answer to an accepted registration. */
export interface RegistrationReceipt {
  id: string
  reference: string
  registrationDate: string
  emailSent: boolean
  emailError: string | null
}
