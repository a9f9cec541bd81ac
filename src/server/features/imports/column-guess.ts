import type { TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import { type ImportField, importFieldLabel, importFields } from '#shared/imports/imports.ts'
import columnNames from './column-names.json'

export const minRecognized = 2

// What offices call the fields.
const otherNames: Partial<Record<ImportField, readonly string[]>> = columnNames

const studentFields = importFields.filter((field) => field !== 'mark')

const fieldsByName = new Map<string, ImportField>()
for (const field of importFields) {
  for (const name of [importFieldLabel(field), field, ...(otherNames[field] ?? [])]) {
    const words = wordsOf(name)
    if (!fieldsByName.has(words)) fieldsByName.set(words, field)
  }
}

export function guessField(header: string): ImportField | null {
  const words = wordsOf(header)
  const withoutNote = wordsOf(header.replace(/\([^()]*\)|\*/g, ' '))
  return fieldsByName.get(words) ?? fieldsByName.get(withoutNote) ?? null
}

/** @param fields those that the file may have; without them, all of a file of students */
export function guessColumns(
  headers: readonly string[],
  fields: readonly ImportField[] = studentFields,
): (ImportField | null)[] {
  const taken = new Set<ImportField>()
  const hasCourse = headers.some((header) => guessField(header) === 'course' && !namesProgram(header))
  const hasAddress = headers.some((header) => guessField(header) === 'address' && !isAddressPart(header))
  return headers.map((header) => {
    if (isAddressPart(header) && !hasAddress) return fields.includes('address') ? 'address' : null
    const field = hasCourse && namesProgram(header) ? 'program' : guessField(header)
    if (field === null || !fields.includes(field) || taken.has(field)) return null
    taken.add(field)
    return field
  })
}

// Columns of one address, where none has all of it.
const addressParts = [
  ...['house number', 'house', 'unit number', 'block', 'lot', 'block lot', 'street', 'street name'],
  ...['purok', 'sitio', 'zone', 'subdivision', 'building'],
]

function isAddressPart(header: string): boolean {
  return addressParts.includes(wordsOf(header))
}

// They name the course where a file has no other column of courses: many schools have no other word for it.
const programNames = ['program', 'degree', 'degree program', 'program course']

function namesProgram(header: string): boolean {
  return programNames.includes(wordsOf(header))
}

export function wordsOf(header: string): string {
  return header
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/#/g, ' number ')
    .replace(/[^a-z\d]+/g, ' ')
    .replace(/\b(no|num|nos|numbers)\b/g, 'number')
    .replace(/\b(of|the|your|students)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export const headerSearchRows = 15

export function findHeader(rows: readonly TableRow[]): number {
  const recognized = rows.map(({ cells }) => cells.filter((cell) => guessField(cell) !== null).length)
  const most = Math.max(0, ...recognized)
  return most >= minRecognized ? recognized.indexOf(most) : 0
}

export function headersOf(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index]?.replace(/\s+/g, ' ').trim() ?? '')
}
