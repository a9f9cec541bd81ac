import { loadPostalCodes, type PostalCode } from '#server/features/registration/postal-codes.ts'
import { type CalendarDate, needsGuardian } from '#shared/program-calendar.ts'
import { courses } from '#shared/students/student-choices.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import type { Random } from './random.ts'
import content from './words.json' with { type: 'json' }

export type GeneratedRegistration = Record<StudentField, string> & {
  consent: true
  guardianConsent: boolean
}

interface Circumstances {
  day: CalendarDate
  academicYear: string
  towns: Towns
}

const { fields, ...lists } = content
type Choices = readonly string[] | Record<string, number>
const words: Record<string, Choices> = lists

// A field on the left is empty where the field on the right is.
const details: Partial<Record<StudentField, StudentField>> = {
  fatherOccupation: 'fatherName',
  motherOccupation: 'motherName',
  guardianRelationship: 'guardianName',
  guardianAddress: 'guardianName',
  guardianContactNumber: 'guardianName',
  elementaryYearGraduated: 'elementarySchool',
  collegeYearGraduated: 'college',
}

/** A registration that is valid on its day. The index makes the e-mail address and the student number unique. */
export function generateRegistration(
  random: Random,
  index: number,
  circumstances: Circumstances,
): GeneratedRegistration {
  const person = describePerson(random, index, circumstances)
  const values: Record<string, string | number> = { ...person }
  for (const field of studentFieldNames) {
    const main = details[field]
    values[field] = main && values[main] === '' ? '' : write(random, fields[field], values)
  }
  const { motherName = '', fatherName = '' } = values
  values.emergencyContactName =
    motherName || fatherName || write(random, { '{femaleNames} {family}': 1 }, values)
  const guardianConsent = needsGuardian(circumstances.day, String(values.dateOfBirth))
  if (guardianConsent) {
    values.guardianName ||= values.emergencyContactName
    values.guardianRelationship ||= 'Parent'
    values.guardianContactNumber ||= String(values.emergencyContactNumber)
  }
  const capitals = random.chance(capitalsShare) ? capitalFields : []
  const texts = studentFieldNames.map((field) => {
    const text = String(values[field])
    return [field, capitals.includes(field) ? text.toUpperCase() : text]
  })
  // fromEntries loses the type of the keys.
  return { ...(Object.fromEntries(texts) as Record<StudentField, string>), consent: true, guardianConsent }
}

const capitalsShare = 0.04
const capitalFields: readonly StudentField[] = [
  'lastName',
  'firstName',
  'middleName',
  'fatherName',
  'motherName',
]

/**
 * One of the choices, the first of a list more often. `{name}` becomes that value or a choice of that list of words,
 * `{1-90}` a number, `~` a digit.
 */
function write(random: Random, choices: Choices, values: Record<string, string | number>): string {
  const chosen = Array.isArray(choices) ? random.pickCommon(choices) : random.weigh(Object.entries(choices))
  return chosen.replace(
    /\{(\w+)\}|\{(\d+)-(\d+)\}|~/g,
    (_whole: string, name?: string, from?: string, to?: string) => {
      if (name === undefined) return String(random.integer(Number(from ?? 0), Number(to ?? 9)))
      return String(values[name] ?? write(random, words[name] ?? [], values))
    },
  )
}

// Chooses what several fields have in common.
function describePerson(random: Random, index: number, { day, academicYear, towns }: Circumstances) {
  const component = random.chance(0.36) ? 'ROTC' : 'CWTS'
  const sex = random.chance(component === 'ROTC' ? 0.68 : 0.38) ? 'Male' : 'Female'
  const home = towns.home(random)
  const birthplace = random.chance(0.7) ? home : towns.anywhere(random)
  const birthTown = birthplace.municipality.replace(/ City$/, '')
  const dateOfBirth = generateBirthday(random, day)
  const birthYear = Number(dateOfBirth.slice(0, 4))
  const highYear = Math.min(birthYear + 18, Number(day.slice(0, 4)))
  const collegeYear = birthYear + 22 < Number(day.slice(0, 4)) ? birthYear + 22 : ''
  const cm = Math.round((sex === 'Male' ? 165 : 153) + spread(random) * 14)
  const kg = Math.round((sex === 'Male' ? 61 : 51) + spread(random) * 20)
  const totalInches = Math.round(cm / 2.54)
  return {
    ...generateNames(random, sex),
    component,
    sex,
    birthday: dateOfBirth,
    academicYear,
    enrolled: academicYear.slice(0, 4),
    course: random.pickCommon(courses),
    number: index + 1,
    paddedNumber: String(index + 1).padStart(5, '0'),
    town: home.municipality,
    province: home.province,
    zip: home.zipCode,
    capitals: home.municipality.toUpperCase(),
    birthTown,
    birthProvince: birthplace.province,
    birthCapitals: birthTown.toUpperCase(),
    elementaryYear: birthYear + 12,
    highYear,
    beforeHighYear: highYear - 1,
    collegeYear,
    cm,
    m: (cm / 100).toFixed(2),
    // Feet with a decimal point: tenths and inches are indistinguishable.
    feet: Math.floor(totalInches / 12),
    inches: totalInches % 12,
    kg,
    lbs: Math.round(kg / 0.45359237),
  }
}

// The middle name is the mother's maiden name, as is the custom.
function generateNames(random: Random, sex: string) {
  const choose = (name: string) => write(random, words[name] ?? [], {})
  const family = choose('surname')
  const mothersFamily = choose('surname')
  // A given name is not written twice.
  const given = [...new Set(choose(sex === 'Male' ? 'maleNames' : 'femaleNames').split(' '))].join(' ')
  const suffix = sex === 'Male' && random.chance(0.06) ? choose('suffix') : ''
  const isJunior = suffix.startsWith('Jr')
  // Some write a suffix after the first name, some after the last.
  const followsFirst = random.chance(0.5)
  return {
    family,
    mothersFamily,
    mothersInitial: mothersFamily.charAt(0).toUpperCase(),
    last: followsFirst ? family : `${family}${random.chance(0.5) ? ',' : ''} ${suffix}`.replace(/,? $/, ''),
    first: followsFirst ? `${given} ${suffix}`.trim() : given,
    fatherFirst: isJunior ? given : choose('maleNames'),
    fatherSuffix: isJunior ? ' Sr.' : '',
    plainFirst: plain(given),
    plainLast: plain(family),
    plainInitial: plain(given).slice(0, 1),
  }
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase()
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

function spread(random: Random): number {
  return (random.next() + random.next() + random.next()) / 1.5 - 1
}

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
  return {
    home(random) {
      const province = random.weigh(Object.entries(lists.homeProvince))
      const near = municipalities.filter((town) => town.province === province)
      return random.pick(near.length === 0 ? municipalities : near)
    },
    anywhere: (random) => random.pick(municipalities),
  }
}
