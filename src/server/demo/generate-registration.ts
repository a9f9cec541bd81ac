import type { Place } from '#server/features/places/postal-codes.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { courses, yearLevelLabels } from '#shared/student-choices.ts'
import type { StudentField } from '#shared/student-fields.ts'
import { generateAddress, generateEmail, generatePhone, writePlace } from './generate-contact.ts'
import { generateHeight, generateWeight } from './generate-measures.ts'
import { fullName, generateNames } from './generate-names.ts'
import {
  bloodTypeShares,
  citizenships,
  colleges,
  hobbyChoices,
  motherOccupations,
  occupations,
  relationships,
  religions,
  saints,
  skillChoices,
  workExperiences,
} from './life-data.ts'
import type { Random } from './random.ts'
import type { Towns } from './towns.ts'

/** A registration as the form sends it, every field present. */
export type GeneratedRegistration = Record<StudentField, string> & { consent: true }

interface Circumstances {
  /** The day of the registration, by which the student is old enough. */
  day: CalendarDate
  academicYear: string
  towns: Towns
}

/**
 * A realistic enlistment, valid under the registration's rules on its day. The index makes what has to be
 * its own: e-mail address and student number.
 */
export function generateRegistration(
  random: Random,
  index: number,
  { day, academicYear, towns }: Circumstances,
): GeneratedRegistration {
  const nstpComponent = random.chance(0.36) ? 'ROTC' : 'CWTS'
  const sex = random.chance(nstpComponent === 'ROTC' ? 0.68 : 0.38) ? 'Male' : 'Female'
  const names = generateNames(random, sex)
  const { lastName, firstName, middleName, fatherName, motherName, familyName } = names
  const home = towns.home(random)
  const birthplace = random.chance(0.7) ? home : towns.anywhere(random)
  const address = generateAddress(random)
  const dateOfBirth = generateBirthday(random, day)
  const guardian = generateGuardian(random, familyName, home)
  const schools = generateSchools(random, { dateOfBirth, day }, birthplace)
  const contactName = motherName || fatherName || fullName(random, familyName)
  // Every field by name: spreading parts into an object of this size takes longer than all the rest.
  return {
    lastName,
    firstName,
    middleName,
    address,
    municipalCity: writePlace(random, home),
    zipCode: random.maybe(0.85, () => home.zipCode),
    socialSecurityNumber: random.maybe(0.08, () => `34-${random.digits(7)}-${random.digits(1)}`),
    dateOfBirth,
    placeOfBirth: writePlace(random, birthplace),
    sex,
    civilStatus: random.weigh([
      ['Single', 970],
      ['Married', 24],
      ['Widowed', 3],
      ['Divorced', 3],
    ]),
    contactNumber: generatePhone(random),
    email: generateEmail(random, index, names),
    citizenship: random.weigh(citizenships),
    religion: random.weigh(religions),
    height: generateHeight(random, sex),
    weight: generateWeight(random, sex),
    bloodType: random.weigh(bloodTypeShares),
    studentId: random.maybe(0.92, () => `${academicYear.slice(0, 4)}-${String(index + 1).padStart(5, '0')}`),
    course: random.pickCommon(courses),
    yearLevel: generateYearLevel(random),
    academicYear,
    serialNumber: '',
    fatherName,
    fatherOccupation: given(fatherName, random.pick(occupations)),
    motherName,
    motherOccupation: given(motherName, random.pick(motherOccupations)),
    guardianName: guardian.name,
    guardianRelationship: guardian.relationship,
    guardianAddress: guardian.address,
    guardianContactNumber: guardian.contactNumber,
    elementarySchool: schools.elementary,
    elementaryYearGraduated: given(schools.elementary, schools.elementaryYear),
    highSchool: schools.high,
    highSchoolYearGraduated: schools.highYear,
    college: schools.college,
    collegeYearGraduated: schools.collegeYear,
    workExperience: random.pick(random.chance(0.3) ? workExperiences : ['', '', 'None', 'N/A']),
    skills: random.maybe(0.85, () => severalOf(random, skillChoices)),
    hobbies: random.maybe(0.88, () => severalOf(random, hobbyChoices)),
    emergencyContactName: contactName,
    emergencyContactNumber: generatePhone(random),
    emergencyContactAddress: random.weigh([
      [address, 5],
      ['Same as above', 2],
      [`${generateAddress(random)}, ${home.municipality}`, 2],
      ['', 1],
    ]),
    nstpComponent,
    consent: true,
  }
}

function generateYearLevel(random: Random): string {
  const [first, second, third, fourth] = yearLevelLabels
  return random.weigh([
    [first, 86],
    [second, 9],
    [third, 3],
    [fourth, 2],
  ])
}

/** Most are 18 or 19 when they enlist, some only just old enough, a few return to school later in life. */
function generateBirthday(random: Random, day: CalendarDate): CalendarDate {
  const age = random.weigh([
    [16, 1],
    [17, 8],
    [18, 42],
    [19, 28],
    [20, 12],
    [21, 4],
    [random.integer(22, 29), 4],
    [random.integer(30, 52), 1],
  ])
  // The day after their birthday of that age at the earliest, so that 29 February makes no difference.
  const birthday = new Date(`${day}T00:00:00Z`)
  birthday.setUTCFullYear(birthday.getUTCFullYear() - age)
  birthday.setUTCDate(birthday.getUTCDate() - random.integer(1, 363))
  return birthday.toISOString().slice(0, 10)
}

function generateGuardian(random: Random, familyName: string, home: Place) {
  if (random.chance(0.55)) return { name: '', relationship: '', address: '', contactNumber: '' }
  return {
    name: fullName(random, familyName),
    relationship: random.pick(relationships),
    address: `${generateAddress(random)}, ${home.municipality}, ${home.province}`,
    contactNumber: generatePhone(random),
  }
}

function generateSchools(
  random: Random,
  { dateOfBirth, day }: { dateOfBirth: CalendarDate; day: CalendarDate },
  town: Place,
) {
  const birthYear = Number(dateOfBirth.slice(0, 4))
  const thisYear = Number(day.slice(0, 4))
  const finishedSchool = Math.min(birthYear + 18, thisYear)
  const name = town.municipality.replace(/ City$/, '')
  const isTransferee = random.chance(0.1)
  return {
    elementary: random.weigh([
      [`${name} Central School`, 3],
      [`${name} Elementary School`, 4],
      [`${random.pick(saints)} Parochial School`, 2],
      ['', 1],
    ]),
    elementaryYear: random.chance(0.9) ? String(birthYear + 12) : '',
    high: random.weigh([
      [`${name} National High School`, 5],
      [`${random.pick(saints)} Academy of ${name}`, 2],
      [`${name} Integrated Senior High School`, 3],
      [`${name.toUpperCase()} NHS`, 1],
    ]),
    highYear: random.weigh([
      [String(finishedSchool), 8],
      [`${finishedSchool - 1}-${finishedSchool}`, 1],
      ['', 1],
    ]),
    college: isTransferee ? random.pick(colleges) : '',
    collegeYear: isTransferee && birthYear + 22 < thisYear ? String(birthYear + 22) : '',
  }
}

/** What is written beside a name or a school; nothing where that was left out. */
function given(main: string, detail: string): string {
  return main === '' ? '' : detail
}

/** One to four of them, as a list in one line or one under the other. */
function severalOf(random: Random, choices: readonly string[]): string {
  const chosen = new Set<string>()
  for (let count = random.integer(1, 4); count > 0; count--) chosen.add(random.pick(choices))
  return [...chosen].join(random.chance(0.12) ? '\n' : ', ')
}
