import { loadPostalCodes, type PostalCode } from '#server/features/registration/postal-codes.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { courses, yearLevelLabels } from '#shared/students/student-choices.ts'
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
    elementary: random.weigh([
      [`${name} Central School`, 3],
      [`${name} Elementary School`, 4],
      [`${random.pick(words.saints)} Parochial School`, 2],
      ['', 1],
    ]),
    elementaryYear: random.chance(0.9) ? String(birthYear + 12) : '',
    high: random.weigh([
      [`${name} National High School`, 5],
      [`${random.pick(words.saints)} Academy of ${name}`, 2],
      [`${name} Integrated Senior High School`, 3],
      [`${name.toUpperCase()} NHS`, 1],
    ]),
    highYear: random.weigh([
      [String(finishedSchool), 8],
      [`${finishedSchool - 1}-${finishedSchool}`, 1],
      ['', 1],
    ]),
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
  const mean = sex === 'Male' ? 165 : 153
  const centimetres = Math.round(mean + spread(random) * 14)
  const totalInches = Math.round(centimetres / 2.54)
  const feet = Math.floor(totalInches / 12)
  const inches = totalInches % 12
  return random.weigh([
    [`${feet}'${inches}"`, 34],
    [`${feet}'${inches}`, 18],
    [`${feet}’${inches}”`, 4],
    [`${feet} ft ${inches} in`, 4],
    [`${feet}ft ${inches}in`, 3],
    [`${centimetres}cm`, 9],
    [`${centimetres} cm`, 10],
    [`${(centimetres / 100).toFixed(2)} m`, 3],
    [String(centimetres), 5],
    // Feet with a decimal point: tenths and inches are indistinguishable.
    [`${feet}.${inches}`, 3],
    ['', 7],
  ])
}

function generateWeight(random: Random, sex: string): string {
  const mean = sex === 'Male' ? 61 : 51
  const kilograms = Math.round(mean + spread(random) * 20)
  const pounds = Math.round(kilograms / 0.45359237)
  return random.weigh([
    [`${pounds} lbs`, 26],
    [`${pounds}lbs`, 10],
    [`${kilograms}kg`, 14],
    [`${kilograms} kg`, 14],
    [`${kilograms} kgs`, 5],
    [`${kilograms} kilos`, 3],
    [`${kilograms}.5 kg`, 2],
    [String(kilograms), 12],
    // Pounds or kilograms: the reader has to guess.
    [String(pounds), 4],
    ['', 10],
  ])
}

function spread(random: Random): number {
  return (random.next() + random.next() + random.next()) / 1.5 - 1
}

function generateAddress(random: Random): string {
  const barangay = random.pick(words.barangays)
  const street = random.pick(words.streets)
  return random.weigh([
    [`${random.integer(1, 480)} ${street} St., Brgy. ${barangay}`, 4],
    [
      `Blk ${random.integer(1, 90)} Lot ${random.integer(1, 60)}, ${random.pick(words.subdivisions)}, Brgy. ${barangay}`,
      4,
    ],
    [`Purok ${random.integer(1, 8)}, Brgy. ${barangay}`, 2],
    [`#${random.integer(1, 300)}-${random.pick(['A', 'B', 'C'])} ${street} Street, ${barangay}`, 2],
    [
      `Unit ${random.integer(101, 940)}, ${random.pick(words.subdivisions)} Bldg. ${random.integer(1, 12)}, ${street} Ave. cor. ${random.pick(words.streets)} St., Brgy. ${barangay} (near the covered court)`,
      1,
    ],
  ])
}

function writeMunicipality(random: Random, { municipality, province }: PostalCode): string {
  return random.weigh([
    [municipality, 5],
    [`${municipality}, ${province}`, 4],
    [municipality.toUpperCase(), 1],
  ])
}

function generatePhone(random: Random): string {
  const prefix = random.pick(words.mobilePrefixes)
  const line = random.digits(4)
  const local = prefix.slice(1)
  return random.weigh([
    [`${prefix}555${line}`, 10],
    [`${prefix} 555 ${line}`, 5],
    [`${prefix}-555-${line}`, 3],
    [`+63${local}555${line}`, 3],
    [`+63 ${local} 555 ${line}`, 2],
    [`(${prefix}) 555-${line}`, 1],
    [`+63 (${local}) 555-${line}`, 1],
    [`(02) 8555-${line}`, 0.5],
  ])
}

function generateEmail(
  random: Random,
  index: number,
  { firstName, lastName }: { firstName: string; lastName: string },
): string {
  const first = plain(firstName)
  const last = plain(lastName)
  const local = random.weigh([
    [`${first}.${last}`, 4],
    [`${first}${last}`, 3],
    [`${last}.${first}`, 2],
    [`${first.slice(0, 1)}${last}`, 1],
    [`${first}_${last}`, 1],
  ])
  return `${local}${index + 1}@${random.pick(mailDomains)}`
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
  const suffix = sex === 'Male' && random.chance(0.06) ? random.pick(suffixes) : ''
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
  const first = givenName(random, 'Female')
  return random.weigh([
    [`${first} ${maidenName}`, 4],
    [`${first} ${maidenName} ${marriedName}`, 3],
    [`${first} ${maidenName}-${marriedName}`, 1],
    [`${first} ${initialOf(maidenName)}. ${marriedName}`, 3],
  ])
}

function initialOf(name: string): string {
  return name.charAt(0).toUpperCase()
}

const suffixes = ['Jr.', 'Jr', 'II', 'III', 'IV'] as const

const religions = [
  ['Roman Catholic', 70],
  ['Catholic', 6],
  ['Iglesia ni Cristo', 5],
  ['Islam', 4],
  ['Born Again Christian', 5],
  ['Born-again', 1],
  ['Seventh-day Adventist', 2],
  ['Aglipayan', 1],
  ["Jehovah's Witness", 1],
  ['Baptist', 1],
  ['Church of Jesus Christ of Latter-day Saints', 1],
  ['United Church of Christ in the Philippines', 1],
  ['None', 1],
  ['', 3],
] as const

const citizenships = [
  ['Filipino', 955],
  ['FILIPINO', 20],
  ['Filipina', 10],
  ['Dual (Filipino and American)', 5],
  ['Korean', 3],
  ['Indian', 3],
  ['Chinese', 2],
  ['Nigerian', 2],
] as const

const bloodTypeShares = [
  ['', 30],
  ['O+', 31],
  ['A+', 15],
  ['B+', 16],
  ['AB+', 5],
  ['O-', 1],
  ['A-', 1],
  ['B-', 0.7],
  ['AB-', 0.3],
] as const

// Reserved domains (RFC 2606): a demo mails no real person.
const mailDomains = ['example.com', 'example.net', 'example.org', 'student.example', 'mail.example'] as const

// The first four digits; 555 after them marks a demo number.
export interface Towns {
  home: (random: Random) => PostalCode
  anywhere: (random: Random) => PostalCode
}

const nearbyProvinces = [
  ['Cavite', 52],
  ['Laguna', 14],
  ['Metro Manila', 12],
  ['Batangas', 8],
  ['Rizal', 4],
  ['', 10],
] as const

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
    home: (random) => random.pick(byProvince.get(random.weigh(nearbyProvinces)) ?? municipalities),
    anywhere: (random) => random.pick(municipalities),
  }
}
