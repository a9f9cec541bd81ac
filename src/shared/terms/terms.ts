import * as z from 'zod/mini'
import { dayOf, shapeError, someOf } from '#shared/field-rules.ts'
import { line } from '#shared/form-text.ts'
import { nstpComponents, sexes } from '#shared/students/student-choices.ts'
import { isAcademicYear } from '#shared/students/students.ts'

/** The third is the summer. */
export const semesters = [1, 2, 3] as const
export type Semester = (typeof semesters)[number]

export const semesterNames: Readonly<Record<Semester, string>> = {
  1: 'First semester',
  2: 'Second semester',
  3: 'Summer',
}

export const termStates = ['planned', 'open', 'closed'] as const
export type TermState = (typeof termStates)[number]

/** NSTP 1 and NSTP 2; the settings have their names. */
export const levels = [1, 2] as const
export type Level = (typeof levels)[number]

export const sectionTakes = ['all', ...sexes] as const
export type SectionTakes = (typeof sectionTakes)[number]

export type EnrolmentStatus = 'enrolled' | 'dropped' | 'moved'
export type EnrolmentEntry = 'new' | 'continuing' | 'repeating' | 'transferee' | 'cross-enrolled'

export const enrolmentChanges = [
  'enrolled',
  'section',
  'moved',
  'dropped',
  'official',
  'mark',
  'undone',
] as const
export type EnrolmentChange = (typeof enrolmentChanges)[number]

/** The outcome of a mark. */
export const outcomes = ['none', 'passed', 'failed', 'incomplete', 'dropped'] as const
export type Outcome = (typeof outcomes)[number]

export const termLimits = {
  unit: 60,
  name: 60,
  adviser: 100,
  meets: 100,
  course: 120,
  courses: 50,
  capacity: 1_000,
  sectionsAtOnce: 200,
} as const

export function termLabel({ semester, academicYear }: { semester: Semester; academicYear: string }): string {
  return `${semesterNames[semester]} ${academicYear}`
}

/** More than the freshmen of one component: about 200 sheets of paper. */
export const mostListed = 6_000

export const classListMessages = {
  tooMany: `These lists have more than ${mostListed.toLocaleString('en-US')} students, too many to print at once. Please print the sections one by one, or download them.`,
  none: 'There are no sections to list.',
} as const

export function sectionLabel({ unit, name }: { unit: string; name: string }): string {
  return unit === '' ? name : `${unit}, ${name}`
}

const students = (count: number) => (count === 1 ? '1 student' : `${count.toLocaleString('en-US')} students`)

export const termMessages = {
  academicYear: 'Please enter the academic year as two consecutive years, such as 2026-2027.',
  semester: 'Please choose the semester.',
  startsOn: 'Please enter the first day as a date.',
  endsOn: 'Please enter the last day as a date.',
  endsBefore: 'Please choose a last day after the first one.',
  state: 'Please choose one of the listed states.',
  copyFrom: 'Please choose the term whose sections are copied.',
  missing: 'This term could not be found.',
  taken: (label: string) => `${label} is already in the list of terms.`,
  stillOpen: (label: string) => `${label} is still open. Please close it first.`,
  isClosed: (label: string) => `${label} is closed.`,
  notPlanned: 'Only a new term is planned.',
  notOpen: 'Only an open term can be closed.',
  hasStudents: (label: string, count: number) =>
    `${label} has ${students(count)}. Only a term without students can be deleted.`,
} as const

export const sectionMessages = {
  component: 'Please choose a component.',
  level: 'Please choose a level.',
  capacity: `Please enter the capacity as a whole number from 1 to ${termLimits.capacity.toLocaleString('en-US')}.`,
  takes: 'Please choose whom the section takes.',
  courses: 'Please send the courses as a list.',
  none: 'Please send at least one section.',
  tooMany: `Please add ${termLimits.sectionsAtOnce} sections or fewer at once.`,
  taken: (label: string) => `${label} is already one of the sections.`,
  tooSmall: (count: number) => `The section has ${students(count)}.`,
  notEmpty: (count: number) => `Please move the ${students(count)} first.`,
  missing: 'This section could not be found.',
} as const

const shape = shapeError('Please send one term.')

export const academicYearSchema = z
  .string(termMessages.academicYear)
  .check(z.trim(), z.refine(isAcademicYear, termMessages.academicYear))

interface Days {
  startsOn: string
  endsOn: string
}

const days = { startsOn: dayOf(termMessages.startsOn), endsOn: dayOf(termMessages.endsOn) }
const endsLater = z.refine<Days>(({ startsOn, endsOn }) => startsOn < endsOn, {
  path: ['endsOn'],
  error: termMessages.endsBefore,
})

export const newTermSchema = z
  .strictObject(
    {
      academicYear: academicYearSchema,
      semester: z.literal(semesters, termMessages.semester),
      ...days,
      state: z.enum(['planned', 'open'], termMessages.state),
      // The term whose sections it gets too.
      copyFrom: z._default(z.nullable(z.uuid(termMessages.copyFrom)), null),
    },
    shape,
  )
  .check(endsLater)

export type NewTerm = z.output<typeof newTermSchema>

export const termEditSchema = z
  .strictObject({ ...days, state: z.enum(termStates, termMessages.state) }, shape)
  .check(endsLater)

export type TermEdit = z.output<typeof termEditSchema>

const section = {
  unit: line('unit', termLimits.unit, { required: false }),
  name: line('name of the section', termLimits.name),
  capacity: z
    .int(sectionMessages.capacity)
    .check(z.minimum(1, sectionMessages.capacity), z.maximum(termLimits.capacity, sectionMessages.capacity)),
  takes: z.enum(sectionTakes, sectionMessages.takes),
  // An empty list means all courses.
  courses: z
    .array(line('course', termLimits.course), sectionMessages.courses)
    .check(z.maxLength(termLimits.courses, sectionMessages.courses)),
  adviser: line('adviser', termLimits.adviser, { required: false }),
  meets: line('day and place', termLimits.meets, { required: false }),
}

export const sectionEditSchema = z.strictObject(section, shapeError('Please send one section.'))

export type SectionEdit = z.output<typeof sectionEditSchema>

export const newSectionsSchema = z.strictObject(
  {
    component: z.enum(nstpComponents, sectionMessages.component),
    level: z.literal(levels, sectionMessages.level),
    sections: someOf(
      sectionEditSchema,
      termLimits.sectionsAtOnce,
      sectionMessages.none,
      sectionMessages.tooMany,
    ),
  },
  shapeError('Please send the sections of one component.'),
)

export type NewSections = z.output<typeof newSectionsSchema>
