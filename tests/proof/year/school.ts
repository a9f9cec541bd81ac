import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import type { EnrolmentEntry, EnrolmentStatus, Level, Outcome } from '#shared/terms/terms.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import type { Random } from './random.ts'

export const academicYear = '2026-2027'

/** What a student types wrong; `surname` is corrected at once, the others when the paper is checked. */
type Flaw = 'surname' | 'phone' | 'extension' | 'middle' | 'province' | 'email'

/** An enrolment as the portal should have it. */
export interface Enrolment {
  /** Of the portal, once it was read. */
  id: string
  term: 1 | 2
  level: Level
  component: NstpComponent
  sectionId: string | null
  status: EnrolmentStatus
  entry: EnrolmentEntry
  isOfficial: boolean
  mark: string
}

/** A student as the portal should have them. */
export interface Student {
  number: string
  /** As typed first. */
  form: ReturnType<typeof buildRegistration>
  /** As the record should be now. */
  fields: Record<StudentField, string>
  /** What the check of a paper proposes. */
  proposals: Partial<Record<StudentField, string>>
  /** What the office corrects in the first days. */
  correction: Partial<Record<StudentField, string>> | null
  /** Sent the form a second time, with this. */
  again: Partial<Record<StudentField, string>> | null
  isLate: boolean
  isCredited: boolean
  isBlocked: boolean
  isDeleted: boolean
  id: string
  reference: string
  /** In which the student ever was: whoever has these may have seen the record. */
  components: Set<NstpComponent>
  enrolments: Enrolment[]
  serial: string
}

const lastNames = (
  'Abad Bautista Castañeda Domingo Evangelista Fernandez Gonzales Hernandez Ibañez Javier Katigbak Lacson ' +
  'Magbanua Natividad Ocampo Panganiban Quiambao Resurreccion'
).split(' ')
const endings = ['', 'son', 'ez', 'ino', 'ar', 'illo', 'ona', 'udo']
const firstNames = (
  'Adrian Bernadette Christopher Dolores Emmanuel Florencia Gregorio Herminia Ignacio Josefina Kristoffer ' +
  'Lourdes Maximino Nathaniel Octavio Patricia Quirino Rosalinda Sebastian Teodora Urbano Victorina Wilfredo'
).split(' ')
const secondNames = ['', ...'Alonzo Benigno Catalino Dionisio Eusebio Fortunato Gaspar'.split(' ')]
const middleNames = 'Yabut Zamora Villareal Tolentino Salonga'.split(' ')
const courses = ['SOICT', 'SOBM', 'SOHM', 'SOCJ', 'SOTE']

/** With one official name each, by which the CHED workbook is ordered. */
export const programs = [
  { course: 'SOICT', name: 'BS Information Technology' },
  { course: 'SOBM', name: 'BS Business Administration' },
  { course: 'SOHM', name: 'BS Hospitality Management' },
  { course: 'SOCJ', name: 'BS Criminology' },
  { course: 'SOTE', name: 'Bachelor of Secondary Education' },
]

const at = (list: readonly string[], index: number) => list[index % list.length] ?? ''

/** Each index has a name that nobody else has. */
function nameOf(index: number) {
  // Without a common factor with the number of names, so that neighbours have nothing in common.
  const place = (index * 7_919) % (lastNames.length * endings.length * firstNames.length * secondNames.length)
  const ofLast = place % (lastNames.length * endings.length)
  const ofFirst = Math.floor(place / (lastNames.length * endings.length))
  return {
    lastName: at(lastNames, ofLast) + at(endings, Math.floor(ofLast / lastNames.length)),
    firstName: [at(firstNames, ofFirst), at(secondNames, Math.floor(ofFirst / firstNames.length))]
      .filter(Boolean)
      .join(' '),
    middleName: at(middleNames, index),
  }
}

const mistyped = (text: string) => `${text.slice(0, 2)}${text.slice(1)}`

interface Typed {
  typed: Partial<Record<StudentField, string>>
  right: Partial<Record<StudentField, string>>
}

const flawsOf: Record<Flaw, (fields: Record<'lastName' | 'email' | 'contactNumber', string>) => Typed> = {
  surname: ({ lastName }) => ({ typed: { lastName: mistyped(lastName) }, right: { lastName } }),
  phone: () => ({ typed: { contactNumber: '9171234567' }, right: { contactNumber: '09171234567' } }),
  extension: ({ lastName }) => ({
    typed: { lastName: `${lastName} Jr.` },
    right: { lastName, extensionName: 'Jr.' },
  }),
  middle: () => ({ typed: { middleName: 'N/A' }, right: { middleName: '' } }),
  province: () => ({
    typed: { municipalCity: 'Dasmariñas, Cavite', province: '' },
    right: { province: 'Cavite' },
  }),
  email: ({ email }) => ({
    typed: { email: email.replace('@student.example', '@gmial.com') },
    right: { email: email.replace('@student.example', '@gmail.com') },
  }),
}

/** Of a hundred students, by place. */
const flawAt: Readonly<Record<number, Flaw>> = {
  ...{ 0: 'surname', 1: 'surname', 2: 'surname', 3: 'phone', 4: 'phone', 5: 'extension', 6: 'middle' },
  ...{ 7: 'middle', 8: 'province', 9: 'province', 10: 'province', 11: 'email', 12: 'email' },
}
const places = {
  again: [13],
  // The second has the last name, the birth date and the e-mail address of the first.
  twins: [15, 17],
  // The second has the whole name of the first.
  namesakes: [19],
  credited: [20, 21],
  toLts: [22, 23, 24, 25],
  changing: [26],
  late: [27],
  minors: [30, 31, 32, 33, 34, 35, 36, 37, 38, 39],
}

/** A school's enlistment of one year, in realistic proportions. */
export function createStudents(count: number, random: Random): Student[] {
  const students: Student[] = []
  for (let index = 0; index < count; index++) {
    const before = students[index - 1]?.fields
    students.push(createStudent(index, random, before))
  }
  return students
}

type Fields = Record<StudentField, string>

const isOf = (index: number, kind: keyof typeof places) => places[kind].includes(index % 100)

/** Who the student is. @param before the student before, of whom this one may be the twin or the namesake */
function identityOf(index: number, random: Random, before: Fields | undefined) {
  // Whenever the test runs, minors are 16 or 17 years old.
  const year = new Date().getFullYear() - (isOf(index, 'minors') ? 17 : random.oneOf([19, 20, 21]))
  const month = String(1 + random.int(12)).padStart(2, '0')
  const day = String(1 + random.int(28)).padStart(2, '0')
  const own = {
    ...nameOf(index),
    dateOfBirth: `${year}-${month}-${day}`,
    email: `s${index + 1}@student.example`,
    contactNumber: '0917 123 4567',
  }
  if (before && isOf(index, 'twins')) {
    const { lastName, middleName, dateOfBirth, email } = before
    return { ...own, lastName, middleName, dateOfBirth, email }
  }
  if (before && isOf(index, 'namesakes')) {
    const { lastName, firstName, middleName } = before
    return { ...own, lastName, firstName, middleName, dateOfBirth: `${year - 3}-${month}-${day}` }
  }
  return own
}

/** What the office corrects in the first days. */
function correctionOf(index: number, component: NstpComponent, { right }: Typed): Student['correction'] {
  if (flawAt[index % 100] === 'surname') return right
  if (isOf(index, 'toLts')) return { nstpComponent: 'LTS' }
  return isOf(index, 'changing') ? { nstpComponent: component === 'ROTC' ? 'CWTS' : 'ROTC' } : null
}

function createStudent(index: number, random: Random, before: Fields | undefined): Student {
  const number = `2026-${String(index + 1).padStart(6, '0')}`
  const own = identityOf(index, random, before)
  const flaw = flawAt[index % 100]
  const typing = flaw ? flawsOf[flaw](own) : { typed: {}, right: {} }
  const component = random.chance(0.25) ? 'ROTC' : 'CWTS'
  const isTwice = isOf(index, 'again')
  const form = buildRegistration({
    ...own,
    ...{ sex: random.oneOf(['Male', 'Female']), course: random.oneOf(courses), studentId: number },
    nstpComponent: component,
    ...(isOf(index, 'minors') ? { guardianConsent: true } : {}),
    ...(isTwice ? { lastName: mistyped(own.lastName) } : {}),
    ...typing.typed,
  })
  return {
    number,
    form,
    fields: { ...form },
    proposals: flaw === 'surname' ? {} : typing.right,
    correction: correctionOf(index, component, typing),
    again: isTwice ? { lastName: own.lastName } : null,
    isLate: isOf(index, 'late'),
    isCredited: isOf(index, 'credited'),
    isBlocked: false,
    isDeleted: false,
    id: '',
    reference: '',
    components: new Set([component]),
    enrolments: [],
    serial: '',
  }
}

export function componentOf({ fields: { nstpComponent } }: Student): NstpComponent {
  const found = nstpComponents.find((one) => one === nstpComponent)
  if (!found) throw new Error(`${nstpComponent} is no component`)
  return found
}

/** By the default scale. */
export function outcomeOf(mark: string): Outcome {
  if (mark === '') return 'none'
  if (mark === 'INC') return 'incomplete'
  if (mark === 'DRP') return 'dropped'
  return Number(mark) <= 3 ? 'passed' : 'failed'
}

export const enrolmentIn = ({ enrolments }: Student, term: 1 | 2) =>
  enrolments.find((one) => one.term === term && one.status === 'enrolled')

const passOf = ({ enrolments }: Student, level: Level) =>
  enrolments.find((one) => one.level === level && outcomeOf(one.mark) === 'passed')

export const hasPassed = (student: Student, level: Level) =>
  passOf(student, level) !== undefined || (level === 1 && student.isCredited)

/** The component in which a graduate finished; null for who didn't graduate. */
export function graduatedIn(student: Student): NstpComponent | null {
  if (student.isDeleted || !hasPassed(student, 1)) return null
  return passOf(student, 2)?.component ?? null
}

/** Whom the CHED workbook counts as enrolled: by the latest enrolment. */
export function latestEnrolment(student: Student): Enrolment | undefined {
  return student.isDeleted ? undefined : (enrolmentIn(student, 2) ?? enrolmentIn(student, 1))
}
