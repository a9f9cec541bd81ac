import { editDistance } from '#shared/edit-distance.ts'
import { areAlike, type ComparedName, comparedName, type WrittenName } from '#shared/students/person-names.ts'

/** Somebody as a list names them, or as a record does: what isn't known is ''. */
export interface ListedPerson extends WrittenName {
  /** The student number of the school. */
  studentId: string
  dateOfBirth: string
  course: string
  nstpComponent: string
}

export const matchedBys = ['number', 'name and birth date', 'name', 'hand'] as const
export type MatchedBy = (typeof matchedBys)[number]

/** Why a person has to look. */
export type Doubt = 'name differs' | 'number differs' | 'several' | 'details' | 'similar'

export type PersonMatch =
  | { found: string; by: Exclude<MatchedBy, 'hand'> }
  | { doubt: Doubt; candidates: readonly string[] }
  | null

interface Compared {
  id: string
  person: ListedPerson
  name: ComparedName
  number: string
}

const mostCandidates = 5

/**
 * Finds the people of a list among records, by their number, by name and birth date, or by a name that nobody else has.
 * Only what nothing speaks against is a match; the rest is for a person to decide. All records and all rows are added
 * first.
 */
export function createMatching() {
  const byNumber = new Map<string, Compared[]>()
  const byName = new Map<string, Compared[]>()
  // Whoever might be meant by a name with an error.
  const near = new Map<string, Compared[]>()
  const listed = new Map<string, number>()
  const taken = new Set<string>()

  function find(row: Compared): PersonMatch {
    const same = among(byName, row.name.keys)
    const numbered = row.number === '' ? [] : (byNumber.get(row.number) ?? [])
    const match =
      findByNumber(row, numbered, same) ?? findByBirthDate(row, same) ?? findByName(row, same, listed)
    if (match) return match
    const mayBe = same.filter((one) => !isOther(row, one))
    if (mayBe.length > 0) return { doubt: doubtAbout(row, mayBe), candidates: idsOf(mayBe) }
    const alike = among(near, nearKeysOf(row)).filter(
      (one) => !taken.has(one.id) && areAlike(row.name, one.name) && mayBeMeant(row, one),
    )
    return alike.length > 0 ? { doubt: 'similar', candidates: idsOf(alike) } : null
  }

  return {
    addRecord(id: string, person: ListedPerson): void {
      const record = compared(id, person)
      if (record.number !== '') add(byNumber, record.number, record)
      for (const key of record.name.keys) add(byName, key, record)
      for (const key of nearKeysOf(record)) add(near, key, record)
    },

    addRow(person: ListedPerson): void {
      for (const key of comparedName(person).keys) listed.set(key, (listed.get(key) ?? 0) + 1)
    },

    /** A record found for a row is no longer a candidate for a similar name. So look up rows without a match again at the end. */
    find(person: ListedPerson): PersonMatch {
      const match = find(compared('', person))
      if (match && 'found' in match) taken.add(match.found)
      return match
    },
  }
}

function findByNumber(row: Compared, numbered: readonly Compared[], same: readonly Compared[]): PersonMatch {
  const [only, ...others] = numbered
  if (!only) return null
  const candidates = idsOf([...numbered, ...same])
  if (others.length > 0) return { doubt: 'several', candidates }
  // A list of numbers alone: only a birth date can speak against the number.
  const isUnnamed = row.name.keys.length === 0
  if (isUnnamed && hasOtherBirthDate(row, only)) return { doubt: 'details', candidates }
  const isSame = same.includes(only) || isUnnamed
  // The number is that of a brother or sister more often than a name has two errors.
  const isSure =
    isSame || (same.length === 0 && areAlike(row.name, only.name) && !hasOtherBirthDate(row, only))
  if (isSure && !hasOtherExtension(row, only)) return { found: only.id, by: 'number' }
  return { doubt: 'name differs', candidates }
}

function findByBirthDate(row: Compared, same: readonly Compared[]): PersonMatch {
  const { dateOfBirth } = row.person
  if (dateOfBirth === '') return null
  const [only, ...others] = same.filter((one) => one.person.dateOfBirth === dateOfBirth)
  if (!only || others.length > 0 || hasOtherExtension(row, only) || hasOtherMiddle(row, only)) return null
  return { found: only.id, by: 'name and birth date' }
}

function findByName(
  row: Compared,
  same: readonly Compared[],
  listed: ReadonlyMap<string, number>,
): PersonMatch {
  const [only, ...others] = same
  if (!only || others.length > 0) return null
  if (row.name.keys.some((key) => (listed.get(key) ?? 0) > 1)) return null
  if (row.name.extension !== only.name.extension || hasOtherMiddle(row, only)) return null
  if (hasOtherNumber(row, only) || hasOtherBirthDate(row, only)) return null
  const { nstpComponent, course } = row.person
  if (nstpComponent !== '' && nstpComponent !== only.person.nstpComponent) return null
  if (course !== '' && courseKey(course) !== courseKey(only.person.course)) return null
  // A name alone would also be that of somebody who isn't in the records.
  const isBacked =
    nstpComponent !== '' || course !== '' || (row.name.middle !== '' && only.name.middle !== '')
  return isBacked ? { found: only.id, by: 'name' } : null
}

function doubtAbout(row: Compared, [first, ...others]: readonly Compared[]): Doubt {
  if (!first || others.length > 0) return 'several'
  return hasOtherNumber(row, first) ? 'number differs' : 'details'
}

const hasOtherNumber = (one: Compared, other: Compared) =>
  one.number !== '' && other.number !== '' && one.number !== other.number

const hasOtherBirthDate = ({ person: one }: Compared, { person: other }: Compared) =>
  one.dateOfBirth !== '' && other.dateOfBirth !== '' && one.dateOfBirth !== other.dateOfBirth

const hasOtherExtension = ({ name: one }: Compared, { name: other }: Compared) =>
  one.extension !== '' && other.extension !== '' && one.extension !== other.extension

const hasOtherMiddle = ({ name: one }: Compared, { name: other }: Compared) =>
  one.middle !== '' && other.middle !== '' && one.middle[0] !== other.middle[0]

/** A namesake: number and birth date say so. */
const isOther = (row: Compared, one: Compared) => hasOtherNumber(row, one) && hasOtherBirthDate(row, one)

function mayBeMeant(row: Compared, one: Compared): boolean {
  const isBorn = row.person.dateOfBirth !== '' && row.person.dateOfBirth === one.person.dateOfBirth
  if (isBorn) return true
  if (hasOtherBirthDate(row, one)) return false
  return !hasOtherNumber(row, one) || isNearNumber(row.number, one.number)
}

// The lengths first: the comparison takes time by both.
const isNearNumber = (one: string, other: string) =>
  Math.abs(one.length - other.length) <= 2 && editDistance(one, other, 2) <= 2

function compared(id: string, person: ListedPerson): Compared {
  return { id, person, name: comparedName(person), number: numberKey(person.studentId) }
}

/** Spreadsheets drop leading zeros; people leave out dashes. One without a digit ("none") is none. */
export function numberKey(number: string): string {
  const key = number
    .toUpperCase()
    .replace(/[^A-Z\d]/g, '')
    .replace(/^0+/, '')
  return /\d/.test(key) ? key : ''
}

/** "BS Information Technology" is BSIT. */
function courseKey(course: string): string {
  const words = course.toUpperCase().match(/[A-Z\d]+/g) ?? []
  const meant = words.filter((word) => !['OF', 'IN', 'AND', 'THE'].includes(word))
  if (meant.length < 2) return meant.join('')
  return meant.map((word) => (/^(BS|AB|BA)[A-Z]?$/.test(word) ? word : word[0])).join('')
}

/** Two people with a key in common are compared letter by letter. */
function nearKeysOf({ name: { readings }, person: { dateOfBirth } }: Compared): string[] {
  const keys = readings.flatMap(({ last, first }) => [
    `${last.join('')} ${first[0]?.[0] ?? ''}`,
    `${first[0] ?? ''} ${last[0]?.[0] ?? ''}`,
  ])
  return [...new Set(dateOfBirth === '' ? keys : [...keys, dateOfBirth])]
}

function add(map: Map<string, Compared[]>, key: string, one: Compared): void {
  const held = map.get(key)
  if (held) held.push(one)
  else map.set(key, [one])
}

function among(map: ReadonlyMap<string, Compared[]>, keys: readonly string[]): Compared[] {
  return [...new Set(keys.flatMap((key) => map.get(key) ?? []))]
}

const idsOf = (people: readonly Compared[]) =>
  [...new Set(people.map(({ id }) => id))].slice(0, mostCandidates)
