import type { Doubt, ListedPerson, MatchedBy } from '#shared/imports/match-people.ts'

/** Made-up students as records have them, and the lines of a list that are about them, with what a person would decide. */
interface ListedCase {
  kind: string
  records: { id: string; person: ListedPerson }[]
  row: ListedPerson
  /** The record that the row means, and whether that is certain. */
  right: { id: string; by: MatchedBy } | { doubt: readonly Doubt[] } | 'nobody'
}

const casesOfKind = 18

const lastNames = (
  'Abad Bautista Castañeda Domingo Evangelista Fernandez Gonzales Hernandez Ibañez Javier Katigbak Lacson ' +
  'Magbanua Natividad Ocampo Panganiban Quiambao Resurreccion'
).split(' ')
const firstNames = (
  'Adrian Bernadette Christopher Dolores Emmanuel Florencia Gregorio Herminia Ignacio Josefina Kristoffer ' +
  'Lourdes Maximino Nathaniel Octavio Patricia Quirino Rosalinda Sebastian Teodora Urbano Victorina Wilfredo'
).split(' ')
const secondNames = 'Alonzo Benigno Catalino Dionisio Eusebio Fortunato Gaspar'.split(' ')
const middleNames = 'Yabut Zamora Villareal Tolentino Salonga'.split(' ')

const at = (list: readonly string[], index: number) => list[index % list.length] ?? ''

const nobody: ListedPerson = {
  lastName: '',
  firstName: '',
  middleName: '',
  extensionName: '',
  fullName: '',
  studentId: '',
  dateOfBirth: '',
  course: '',
  nstpComponent: '',
}

/** Each has a name of its own: the last names are made of two, by the kind of case and the case. */
function personOf(kind: number, index: number): ListedPerson {
  const number = kind * casesOfKind + index
  return {
    lastName: `${at(lastNames, index)}${at(['', 'son', 'ez', 'ino', 'ar', 'illo', 'ona', 'udo'], kind)}`,
    firstName: `${at(firstNames, kind * 5 + index)}${kind < 8 ? '' : ` ${at(secondNames, kind)}`}`,
    middleName: at(middleNames, number),
    extensionName: '',
    fullName: '',
    studentId: `20${24 + (index % 3)}-${String(10_007 + number * 137).padStart(6, '0')}`,
    dateOfBirth: `200${6 + (kind % 3)}-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + ((number * 5) % 28)).padStart(2, '0')}`,
    course: at(['BSIT', 'BSED', 'BSN', 'AB Psychology'], number),
    nstpComponent: at(['ROTC', 'CWTS', 'LTS'], number),
  }
}

const named = ({ lastName, firstName, middleName }: ListedPerson): ListedPerson => ({
  ...nobody,
  lastName,
  firstName,
  middleName,
})
const initial = (name: string) => `${name.slice(0, 1)}.`
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')
/** The fourth and fifth letter in the wrong order. */
const mistyped = (text: string) => `${text.slice(0, 3)}${text.slice(4, 5)}${text.slice(3, 4)}${text.slice(5)}`
const otherNumber = (number: string) => number.replace(/\d{6}$/, (digits) => String(999_999 - Number(digits)))
const otherDate = (date: string) => date.replace(/^\d{4}/, '2003')

type Decision = 'number' | 'name and birth date' | 'name' | 'nobody' | readonly Doubt[]
interface Kind {
  /** What the records say instead of what `personOf` makes. */
  record?: (person: ListedPerson) => ListedPerson
  /** Another record, before the own one. */
  other?: (person: ListedPerson) => ListedPerson
  row: (person: ListedPerson) => ListedPerson
  right: Decision
  isNotOurs?: true
}

const kinds: Readonly<Record<string, Kind>> = {
  'as in the record': {
    row: (person) => ({ ...named(person), studentId: person.studentId }),
    right: 'number',
  },
  'capitals, LAST, FIRST M., and the number': {
    row: ({ lastName, firstName, middleName, studentId }) => ({
      ...nobody,
      fullName: `${lastName}, ${firstName} ${initial(middleName)}`.toUpperCase(),
      studentId,
    }),
    right: 'number',
  },
  'LAST, FIRST MIDDLE and the birth date': {
    row: ({ lastName, firstName, middleName, dateOfBirth }) => ({
      ...nobody,
      fullName: `${lastName}, ${firstName} ${middleName}`,
      dateOfBirth,
    }),
    right: 'name and birth date',
  },
  'ñ as n': {
    record: (person) => ({ ...person, lastName: `Peña${person.lastName.toLowerCase()}` }),
    row: (person) => ({
      ...named(person),
      lastName: plain(person.lastName),
      dateOfBirth: person.dateOfBirth,
    }),
    right: 'name and birth date',
  },
  'accents, course and component': {
    record: (person) => ({ ...person, firstName: `${person.firstName} José` }),
    row: (person) => ({
      ...person,
      firstName: plain(person.firstName),
      studentId: '',
      dateOfBirth: '',
    }),
    right: 'name',
  },
  'Jr. behind the first name': {
    record: (person) => ({ ...person, extensionName: 'Jr.' }),
    row: (person) => ({
      ...named(person),
      firstName: `${person.firstName} JR`,
      dateOfBirth: person.dateOfBirth,
    }),
    right: 'name and birth date',
  },
  'LAST III, FIRST M.': {
    record: (person) => ({ ...person, extensionName: 'III' }),
    row: ({ lastName, firstName, middleName, studentId }) => ({
      ...nobody,
      fullName: `${lastName} III, ${firstName} ${initial(middleName)}`,
      studentId,
    }),
    right: 'number',
  },
  'another extension': {
    record: (person) => ({ ...person, extensionName: 'Jr.' }),
    row: (person) => ({ ...named(person), extensionName: 'III', nstpComponent: person.nstpComponent }),
    right: ['details'],
  },
  'given names in the other order': {
    row: (person) => ({
      ...named(person),
      firstName: person.firstName.split(' ').reverse().join(' '),
      dateOfBirth: person.dateOfBirth,
    }),
    right: 'name and birth date',
  },
  'first and last name in the wrong columns': {
    row: (person) => ({
      ...nobody,
      lastName: person.firstName,
      firstName: person.lastName,
      dateOfBirth: person.dateOfBirth,
    }),
    right: 'name and birth date',
  },
  'a typing error in the last name, and the number': {
    row: (person) => ({
      ...named(person),
      lastName: mistyped(person.lastName),
      studentId: person.studentId,
    }),
    right: 'number',
  },
  'a typing error, and the birth date': {
    row: (person) => ({
      ...named(person),
      lastName: mistyped(person.lastName),
      dateOfBirth: person.dateOfBirth,
    }),
    right: ['similar'],
  },
  'a wrong number, and the birth date': {
    row: (person) => ({
      ...named(person),
      studentId: otherNumber(person.studentId),
      dateOfBirth: person.dateOfBirth,
    }),
    right: 'name and birth date',
  },
  'a wrong number and a name': {
    row: (person) => ({ ...named(person), studentId: otherNumber(person.studentId) }),
    right: ['number differs'],
  },
  'twins, each by the own number': {
    other: (person) => ({
      ...person,
      firstName: `${person.firstName} Rey`,
      studentId: `${person.studentId}1`,
    }),
    row: (person) => ({ ...named(person), studentId: person.studentId }),
    right: 'number',
  },
  'twins, with the number of the other': {
    other: (person) => ({
      ...person,
      firstName: `${person.firstName} Rey`,
      studentId: `${person.studentId}1`,
    }),
    row: (person) => ({
      ...named(person),
      studentId: `${person.studentId}1`,
      dateOfBirth: person.dateOfBirth,
    }),
    right: ['name differs'],
  },
  'the number of a brother': {
    row: (person) => ({ ...named(person), firstName: 'Zosimo', studentId: person.studentId }),
    right: ['name differs'],
  },
  'two students of one name': {
    other: (person) => ({
      ...person,
      studentId: otherNumber(person.studentId),
      dateOfBirth: otherDate(person.dateOfBirth),
    }),
    row: (person) => ({ ...named(person), nstpComponent: person.nstpComponent }),
    right: ['several'],
  },
  'two students of one name, and the birth date': {
    other: (person) => ({
      ...person,
      studentId: otherNumber(person.studentId),
      dateOfBirth: otherDate(person.dateOfBirth),
    }),
    row: (person) => ({ ...named(person), dateOfBirth: person.dateOfBirth }),
    right: 'name and birth date',
  },
  'somebody else of that name': {
    row: (person) => ({
      ...named(person),
      studentId: otherNumber(person.studentId),
      dateOfBirth: otherDate(person.dateOfBirth),
    }),
    right: 'nobody',
  },
  'not in the records': {
    row: (person) => ({ ...person }),
    right: 'nobody',
    isNotOurs: true,
  },
  'a married name': {
    row: (person) => ({ ...named(person), lastName: 'Vergara', studentId: person.studentId }),
    right: ['name differs'],
  },
  'FIRST M. LAST without a comma, and the birth date': {
    row: ({ firstName, middleName, lastName, dateOfBirth }) => ({
      ...nobody,
      fullName: `${firstName} ${initial(middleName)} ${lastName}`,
      dateOfBirth,
    }),
    right: 'name and birth date',
  },
  'Dela Cruz in other words': {
    record: (person) => ({ ...person, lastName: `Dela ${person.lastName}` }),
    row: (person) => ({
      ...person,
      lastName: person.lastName.replace('Dela ', 'DE LA '),
      studentId: '',
      dateOfBirth: '',
    }),
    right: 'name',
  },
  'Ma. for Maria, and the course in words': {
    record: (person) => ({ ...person, firstName: `Maria ${person.firstName}`, course: 'BSIT' }),
    row: (person) => ({
      ...person,
      firstName: person.firstName.replace('Maria', 'Ma.'),
      course: 'BS Information Technology',
      studentId: '',
      dateOfBirth: '',
    }),
    right: 'name',
  },
  'a name and nothing else': {
    row: (person) => ({ ...named(person), middleName: '' }),
    right: ['details'],
  },
  'another course': {
    row: (person) => ({ ...named(person), course: 'BS Forestry' }),
    right: ['details'],
  },
  'another middle name': {
    row: (person) => ({ ...named(person), middleName: 'Quintos', nstpComponent: person.nstpComponent }),
    right: ['details'],
  },
  'a number without its dash and zeros': {
    record: (person) => ({ ...person, studentId: `00${person.studentId}` }),
    row: (person) => ({
      ...named(person),
      studentId: person.studentId.replace(/^00/, '').replace('-', ''),
    }),
    right: 'number',
  },
}

export function listedCases(): ListedCase[] {
  return Object.entries(kinds).flatMap(([name, kind], place) =>
    Array.from({ length: casesOfKind }, (_, index) =>
      caseOf(kind, personOf(place, index), `${name} ${index + 1}`),
    ),
  )
}

function caseOf({ record, other, row, right, isNotOurs }: Kind, made: ListedPerson, id: string): ListedCase {
  const person = record ? record(made) : made
  const records = isNotOurs ? [] : [{ id, person }]
  if (other) records.unshift({ id: `${id}, the other`, person: other(person) })
  return { kind: id, records, row: row(person), right: rightOf(right, id) }
}

function rightOf(decision: Decision, id: string): ListedCase['right'] {
  if (decision === 'nobody') return decision
  return typeof decision === 'string' ? { id, by: decision } : { doubt: decision }
}
