import { heiNameOf, officialProgram } from '#shared/papers/office.ts'
import { type PaperField, type PaperPerson, paperFields } from '#shared/papers/papers.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { levelName } from '#shared/terms/level-names.ts'
import type { Outcome } from '#shared/terms/terms.ts'
import type { CogValue, ValueName } from './layouts/layout.ts'

const remarks: Readonly<Record<Outcome, string>> = {
  none: '',
  passed: 'PASSED',
  failed: 'FAILED',
  incomplete: 'INC',
  dropped: 'DROPPED',
}

const names = ['lastName', 'firstName', 'middleName', 'extensionName'] as const

/** The columns of parts in the certificate of grades. */
const cogValues: Readonly<Record<CogValue, (person: PaperPerson) => string>> = {
  attendancePercent: ({ cog }) => cog.attendance?.percent ?? '',
  attendancePoints: ({ cog }) => cog.attendance?.points ?? '',
  attitudePercent: ({ cog }) => cog.attitude?.percent ?? '',
  attitudePoints: ({ cog }) => cog.attitude?.points ?? '',
  midtermPercent: ({ cog }) => cog.midterm?.percent ?? '',
  midtermPoints: ({ cog }) => cog.midterm?.points ?? '',
  finalPercent: ({ cog }) => cog.final?.percent ?? '',
  finalPoints: ({ cog }) => cog.final?.points ?? '',
}

const isCogValue = (name: ValueName): name is CogValue => name in cogValues

/** Whether an own workbook needs its column: per cent and parts are filled where it has their headings. */
export const isRequired = (name: ValueName) => name !== 'blank' && name !== 'percent' && !isCogValue(name)

/** The fields of the record that a value is made of. Without one it comes from the office, the term or the paper. */
const sources: Readonly<Record<Exclude<ValueName, PaperField | CogValue>, readonly PaperField[]>> = {
  list: [],
  seq: [],
  paperYear: [],
  component: [],
  region: [],
  heiName: [],
  heiType: [],
  street: ['address', 'barangay'],
  town: ['municipalCity', 'province'],
  sexLetter: ['sex'],
  officialProgram: ['course', 'program'],
  phone: ['contactNumber'],
  capitalName: names,
  section: [],
  mark: [],
  percent: [],
  remark: [],
  transferee: [],
  group: ['sex'],
  blank: [],
}

const isField = (value: ValueName): value is PaperField => paperFields.some((field) => field === value)

/** The fields of records of which a layout writes something into a cell. */
export function textFieldsOf(values: readonly ValueName[]): PaperField[] {
  const fieldsBehind = (value: ValueName) =>
    isCogValue(value) ? [] : isField(value) ? [value] : sources[value]
  return [...new Set(values.flatMap(fieldsBehind))]
}

interface Wanted {
  academicYear: string
  // `groups` of the layout's list; undefined where it has none.
  groups: string | undefined
  settings: Settings
}

/** What a paper writes of a person. Dates are YYYY-MM-DD. @param seq where the person stands in the list */
export function paperValue(
  name: ValueName,
  person: PaperPerson,
  seq: number,
  { academicYear, groups = '', settings }: Wanted,
): string {
  if (isCogValue(name)) return cogValues[name](person)
  const { fields } = person
  const { office } = settings
  switch (name) {
    case 'list':
      return person.list
    case 'seq':
      return String(seq)
    case 'paperYear':
      return academicYear
    case 'component':
      return person.component
    case 'region':
      return office.region
    case 'heiName':
      return heiNameOf(settings)
    case 'heiType':
      return office.heiType
    case 'street':
      return streetOf(fields)
    case 'town':
      return townOf(fields)
    case 'sexLetter':
      return fields.sex.slice(0, 1)
    case 'officialProgram':
      return officialProgram(fields, settings) || fields.course
    case 'phone':
      return phoneOf(fields.contactNumber, office.phonesWithZero)
    case 'capitalName':
      return capitalNameOf(fields)
    case 'section':
      return [person.unit, person.section].filter(Boolean).join(', ')
    case 'mark':
      return person.mark
    case 'percent':
      return person.percent
    case 'remark':
      return remarks[person.outcome]
    case 'transferee':
      return person.isTransferee ? 'YES' : 'NO'
    case 'group':
      return groups
        .replace('{levelName}', levelName(settings.levelNames, person.component, person.level))
        .replace('{SEX}', fields.sex.toUpperCase())
    case 'blank':
      return ''
    default:
      return fields[name]
  }
}

type Fields = PaperPerson['fields']

/** Adds the barangay where the address doesn't name it. */
export function streetOf({ address, barangay }: Pick<Fields, 'address' | 'barangay'>): string {
  const isNamed = wordsOf(address).includes(wordsOf(barangay))
  return [address, isNamed ? '' : barangay].filter(Boolean).join(', ')
}

const wordsOf = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Removes the province at the end: "Baliwag, Bulacan" becomes "Baliwag". */
function townOf({ municipalCity, province }: Fields): string {
  const end = `, ${province}`.toLowerCase()
  const hasProvince = province !== '' && municipalCity.toLowerCase().endsWith(end)
  return hasProvince ? municipalCity.slice(0, -end.length) : municipalCity
}

/** A Philippine mobile number as 09…; anything else as it was typed. */
export function phoneOf(typed: string, withZero: boolean): string {
  const [, digits] = /^(?:\+?63|0)?(9\d{9})$/.exec(typed.replaceAll(/[\s().-]/g, '')) ?? []
  if (digits === undefined) return typed
  return withZero ? `0${digits}` : digits
}

/** LAST, FIRST M. EXT */
function capitalNameOf({ lastName, firstName, middleName, extensionName }: Fields): string {
  const initial = middleName === '' ? '' : `${middleName.slice(0, 1)}.`
  return `${lastName}, ${[firstName, initial, extensionName].filter(Boolean).join(' ')}`.toUpperCase()
}
