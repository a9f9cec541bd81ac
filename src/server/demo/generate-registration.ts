import { loadPostalCodes, type PostalCode } from '#server/features/registration/postal-codes.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { courses } from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import type { Random } from './random.ts'
import words from './words.json' with { type: 'json' }

export type GeneratedRegistration = Record<StudentField, string> & { consent: true }

interface Circumstances {
  day: CalendarDate
  academicYear: string
  towns: Towns
}

/** A registration that is valid on its day. The index makes the e-mail address and the student number unique. */
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
    municipalCity: writeMunicipality(random, home),
    zipCode: random.maybe(0.85, () => home.zipCode),
    socialSecurityNumber: random.maybe(0.08, () => `34-${random.digits(7)}-${random.digits(1)}`),
    dateOfBirth,
    placeOfBirth: writeMunicipality(random, birthplace),
    sex,
    civilStatus: write(random, templates.civilStatus),
    contactNumber: generatePhone(random),
    email: generateEmail(random, index, names),
    citizenship: random.weigh(Object.entries(words.citizenships)),
    religion: random.weigh(Object.entries(words.religions)),
    height: generateHeight(random, sex),
    weight: generateWeight(random, sex),
    bloodType: random.weigh(Object.entries(words.bloodTypeShares)),
    studentId: random.maybe(0.92, () => `${academicYear.slice(0, 4)}-${String(index + 1).padStart(5, '0')}`),
    course: random.pickCommon(courses),
    yearLevel: write(random, templates.yearLevel),
    academicYear,
    serialNumber: '',
    fatherName,
    fatherOccupation: given(fatherName, random.pick(words.occupations)),
    motherName,
    motherOccupation: given(motherName, random.pick(words.motherOccupations)),
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
    workExperience: random.pick(random.chance(0.3) ? words.workExperiences : ['', '', 'None', 'N/A']),
    skills: random.maybe(0.85, () => severalOf(random, words.skillChoices)),
    hobbies: random.maybe(0.88, () => severalOf(random, words.hobbyChoices)),
    emergencyContactName: contactName,
    emergencyContactNumber: generatePhone(random),
    emergencyContactAddress: write(random, templates.emergencyAddress, {
      ...{ address, other: generateAddress(random), municipality: home.municipality },
    }),
    nstpComponent,
    consent: true,
  }
}

const { templates } = words

/** One of weighted templates, with its names replaced. */
function write(
  random: Random,
  choices: Record<string, number>,
  values: Record<string, string | number> = {},
): string {
  return random.weigh(Object.entries(choices)).replace(/\{(\w+)\}/g, (_whole, name) => String(values[name]))
}

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

function generateGuardian(random: Random, familyName: string, home: PostalCode) {
  if (random.chance(0.55)) return { name: '', relationship: '', address: '', contactNumber: '' }
  return {
    name: fullName(random, familyName),
    relationship: random.pick(words.relationships),
    address: `${generateAddress(random)}, ${home.municipality}, ${home.province}`,
    contactNumber: generatePhone(random),
  }
}

function generateSchools(
  random: Random,
  { dateOfBirth, day }: { dateOfBirth: CalendarDate; day: CalendarDate },
  town: PostalCode,
) {
  const birthYear = Number(dateOfBirth.slice(0, 4))
  const thisYear = Number(day.slice(0, 4))
  const finishedSchool = Math.min(birthYear + 18, thisYear)
  const name = town.municipality.replace(/ City$/, '')
  const isTransferee = random.chance(0.1)
  return {
    elementary: write(random, templates.elementarySchool, { town: name, saint: random.pick(words.saints) }),
    elementaryYear: random.chance(0.9) ? String(birthYear + 12) : '',
    high: write(random, templates.highSchool, {
      ...{ town: name, saint: random.pick(words.saints), capitals: name.toUpperCase() },
    }),
    highYear: write(random, templates.highSchoolYear, { year: finishedSchool, before: finishedSchool - 1 }),
    college: isTransferee ? random.pick(words.colleges) : '',
    collegeYear: isTransferee && birthYear + 22 < thisYear ? String(birthYear + 22) : '',
  }
}

function given(main: string, detail: string): string {
  return main === '' ? '' : detail
}

function severalOf(random: Random, choices: readonly string[]): string {
  const chosen = new Set<string>()
  for (let count = random.integer(1, 4); count > 0; count--) chosen.add(random.pick(choices))
  return [...chosen].join(random.chance(0.12) ? '\n' : ', ')
}

function generateHeight(random: Random, sex: string): string {
  const cm = Math.round((sex === 'Male' ? 165 : 153) + spread(random) * 14)
  const total = Math.round(cm / 2.54)
  const values = { cm, m: (cm / 100).toFixed(2), feet: Math.floor(total / 12), inches: total % 12 }
  // Feet with a decimal point: tenths and inches are indistinguishable.
  return write(random, templates.height, values)
}

function generateWeight(random: Random, sex: string): string {
  const kg = Math.round((sex === 'Male' ? 61 : 51) + spread(random) * 20)
  // Without a unit, pounds or kilograms: the reader has to guess.
  return write(random, templates.weight, { kg, lbs: Math.round(kg / 0.45359237) })
}

function spread(random: Random): number {
  return (random.next() + random.next() + random.next()) / 1.5 - 1
}

function generateAddress(random: Random): string {
  return write(random, templates.address, {
    barangay: random.pick(words.barangays),
    street: random.pick(words.streets),
    corner: random.pick(words.streets),
    subdivision: random.pick(words.subdivisions),
    letter: random.pick(['A', 'B', 'C']),
    house: random.integer(1, 480),
    number: random.integer(1, 300),
    block: random.integer(1, 90),
    lot: random.integer(1, 60),
    purok: random.integer(1, 8),
    unit: random.integer(101, 940),
    building: random.integer(1, 12),
  })
}

function writeMunicipality(random: Random, { municipality, province }: PostalCode): string {
  const capitals = municipality.toUpperCase()
  return write(random, templates.municipality, { municipality, province, capitals })
}

function generatePhone(random: Random): string {
  const local = random.pick(words.mobilePrefixes).slice(1)
  return write(random, templates.phone, { local, line: random.digits(4) })
}

function generateEmail(
  random: Random,
  index: number,
  { firstName, lastName }: { firstName: string; lastName: string },
): string {
  const first = plain(firstName)
  const last = plain(lastName)
  const local = write(random, templates.emailName, { first, last, initial: first.slice(0, 1) })
  return `${local}${index + 1}@${random.pick(words.mailDomains)}`
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase()
}

interface GeneratedNames {
  familyName: string
  lastName: string
  firstName: string
  middleName: string
  fatherName: string
  motherName: string
}

const capitalsShare = 0.04

// The middle name is the mother's maiden name, as is the custom.
function generateNames(random: Random, sex: string): GeneratedNames {
  const familyName = random.pickCommon(words.surnames)
  const mothersFamily = random.pickCommon(words.surnames)
  const suffix = sex === 'Male' && random.chance(0.06) ? random.pick(words.suffixes) : ''
  const firstName = givenName(random, sex)
  const fatherFirst = suffix.startsWith('Jr') ? firstName : givenName(random, 'Male')
  const fatherSuffix = suffix.startsWith('Jr') ? ' Sr.' : ''
  const names = {
    familyName,
    // Some write a suffix after the first name, some after the last.
    ...withSuffix(random, { lastName: familyName, firstName }, suffix),
    middleName: random.chance(0.05) ? '' : mothersFamily,
    fatherName: random.chance(0.07)
      ? ''
      : `${fatherFirst} ${initialOf(random.pickCommon(words.surnames))}. ${familyName}${fatherSuffix}`,
    motherName: random.chance(0.05) ? '' : motherName(random, mothersFamily, familyName),
  }
  if (!random.chance(capitalsShare)) return names
  return {
    familyName: familyName.toUpperCase(),
    lastName: names.lastName.toUpperCase(),
    firstName: names.firstName.toUpperCase(),
    middleName: names.middleName.toUpperCase(),
    fatherName: names.fatherName.toUpperCase(),
    motherName: names.motherName.toUpperCase(),
  }
}

function fullName(random: Random, familyName: string): string {
  return `${givenName(random, random.chance(0.6) ? 'Female' : 'Male')} ${familyName}`
}

function givenName(random: Random, sex: string): string {
  const first = random.pickCommon(sex === 'Male' ? words.maleNames : words.femaleNames)
  const seconds = sex === 'Male' ? words.secondMaleNames : words.secondNames
  const other = random.pick(seconds)
  if (first.includes(other) || random.chance(0.55)) return first
  const second = `${first} ${other}`
  // Three given names and more are common enough for lists to need the room.
  return random.chance(0.06)
    ? `${second} ${random.pickCommon(sex === 'Male' ? words.maleNames : words.femaleNames)}`
    : second
}

function withSuffix(random: Random, names: { lastName: string; firstName: string }, suffix: string) {
  if (suffix === '') return names
  return random.chance(0.5)
    ? { ...names, firstName: `${names.firstName} ${suffix}` }
    : { ...names, lastName: `${names.lastName}${random.chance(0.5) ? ',' : ''} ${suffix}` }
}

function motherName(random: Random, maidenName: string, marriedName: string): string {
  return write(random, templates.motherName, {
    first: givenName(random, 'Female'),
    maiden: maidenName,
    married: marriedName,
    initial: initialOf(maidenName),
  })
}

function initialOf(name: string): string {
  return name.charAt(0).toUpperCase()
}

// Reserved domains (RFC 2606): a demo mails no real person.

// The first four digits; 555 after them marks a demo number.
export interface Towns {
  home: (random: Random) => PostalCode
  anywhere: (random: Random) => PostalCode
}

// Long or composed names are postal districts, not towns.
const districtName = /[,(\d]|.{30}/

export async function loadTowns(): Promise<Towns> {
  const municipalities = (await loadPostalCodes()).filter(
    ({ municipality }) => !districtName.test(municipality),
  )
  const byProvince = new Map<string, PostalCode[]>([['', municipalities]])
  for (const town of municipalities) {
    byProvince.set(town.province, [...(byProvince.get(town.province) ?? []), town])
  }
  return {
    home: (random) =>
      random.pick(byProvince.get(random.weigh(Object.entries(words.nearbyProvinces))) ?? municipalities),
    anywhere: (random) => random.pick(municipalities),
  }
}
