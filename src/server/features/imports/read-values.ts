import { type DateOrder, type ImportField, isStudentField } from '#shared/imports/imports.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import {
  bloodTypes,
  civilStatuses,
  componentNames,
  heldYearLevelLabels,
  nstpComponents,
  sexes,
} from '#shared/students/student-choices.ts'
import { fieldDefinition } from '#shared/students/student-fields.ts'
import { instantPattern, readDate } from './row-fields.ts'

export interface ReadingRules {
  dateOrder: DateOrder
  today: CalendarDate
  courses: readonly string[]
}

const blank = /^(n\/a|-{1,3}|–|—|\.)$/i
const dashes = /[‐-―−]/g

export function readValue(field: ImportField, text: string, rules: ReadingRules): string {
  const value = text.trim()
  if (value === '' || (blank.test(value) && !isRequired(field))) return ''
  switch (field) {
    case 'dateOfBirth':
      return readDate(value, rules.dateOrder, rules.today)?.date ?? value
    case 'registrationDate':
    case 'archivedDate':
      return readMoment(value, rules)
    case 'reference':
      return referenceOf(value)
    case 'archived':
      return archivedOf(value)
    case 'sex':
      return sexOf(value)
    case 'civilStatus':
      return civilStatusOf(value)
    case 'bloodType':
      return bloodTypeOf(value)
    case 'yearLevel':
      return yearLevelOf(value)
    case 'academicYear':
      return academicYearOf(value)
    case 'nstpComponent':
      return componentOf(value)
    case 'course':
      return listed(rules.courses, value) ?? value
    case 'contactNumber':
    case 'emergencyContactNumber':
    case 'guardianContactNumber':
      return phoneOf(value)
    case 'zipCode':
      // Codes have four digits; a spreadsheet takes leading zeros away.
      return /^\d{3}$/.test(value) ? `0${value}` : value
    case 'email':
      return value.replace(/^mailto:/i, '')
    default:
      // A line break within a cell is layout, but for the fields that have several lines.
      return isStudentField(field) && fieldDefinition(field).multiline
        ? value
        : value.replace(/\s*[\r\n\t]+\s*/g, ' ')
  }
}

function isRequired(field: ImportField): boolean {
  return isStudentField(field) && fieldDefinition(field).required === true
}

function readMoment(value: string, { dateOrder, today }: ReadingRules): string {
  if (instantPattern.test(value)) return value
  const read = readDate(value, dateOrder, today)
  if (!read) return value
  return read.time === null ? read.date : `${read.date} ${read.time}`
}

function referenceOf(value: string): string {
  const letters = value.toUpperCase().replace(/[^\dA-Z]/g, '')
  const [, first, second] = /^(?:NSTP)?([\dA-Z]{4})([\dA-Z]{4})$/.exec(letters) ?? []
  return first && second ? `NSTP-${first}-${second}` : value
}

function archivedOf(value: string): string {
  if (/^(yes|y|true|1|archived)$/i.test(value)) return 'Yes'
  return /^(no|n|false|0|active)$/i.test(value) ? 'No' : value
}

function listed(list: readonly string[], value: string): string | undefined {
  const wanted = value.toLowerCase()
  return list.find((choice) => choice.toLowerCase() === wanted)
}

function sexOf(value: string): string {
  if (/^(m|lalaki|boy|man)\.?$/i.test(value)) return 'Male'
  if (/^(f|babae|girl|woman)\.?$/i.test(value)) return 'Female'
  return listed(sexes, value) ?? value
}

function civilStatusOf(value: string): string {
  if (/^(widow|widower|w)$/i.test(value)) return 'Widowed'
  if (/^s$/i.test(value)) return 'Single'
  if (/^m$/i.test(value)) return 'Married'
  return listed(civilStatuses, value) ?? value
}

function bloodTypeOf(value: string): string {
  const short = value
    .toUpperCase()
    .replace(dashes, '-')
    .replace(/\(|\)|TYPE|RH/g, '')
    .replace(/POSITIVE|POS\b/, '+')
    .replace(/NEGATIVE|NEG\b/, '-')
    .replace(/\s/g, '')
    .replace(/^0/, 'O')
  return listed(bloodTypes, short) ?? value
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']
const romans = ['i', 'ii', 'iii', 'iv', 'v']

function yearLevelOf(value: string): string {
  const word = value
    .toLowerCase()
    .replace(/\b(year|yr|level)\b\.?/g, ' ')
    .replace(/[-.]/g, ' ')
    .trim()
  const digit = /^([1-5])(st|nd|rd|th)?$/.exec(word)?.[1]
  const index = digit ? Number(digit) - 1 : Math.max(ordinals.indexOf(word), romans.indexOf(word))
  return heldYearLevelLabels[index] ?? value
}

function academicYearOf(value: string): string {
  const [, first, second] =
    /^(?:[as]\.?\s*y\.?|school year|academic year)?\s*:?\s*(\d{4})\s*(?:[-/‐-―−]|to)\s*(\d{4}|\d{2})$/i.exec(
      value,
    ) ?? []
  if (first === undefined || second === undefined) return value
  return `${first}-${second.length === 2 ? `${first.slice(0, 2)}${second}` : second}`
}

function componentOf(value: string): string {
  const byName = nstpComponents.find(
    (component) => componentNames[component].toLowerCase() === value.toLowerCase().replace(/’/g, "'"),
  )
  if (byName) return byName
  const words = value.toUpperCase().split(/[^A-Z]+/)
  const named = nstpComponents.filter((component) => words.includes(component))
  const [only] = named
  return named.length === 1 && only ? only : value
}

// Spreadsheets drop the leading zero of 0917 123 4567.
function phoneOf(value: string): string {
  const dashed = value.replace(dashes, '-').replace(/(\d)\.(?=\d)/g, '$1 ')
  return /^9\d{9}$/.test(dashed) ? `0${dashed}` : dashed
}
