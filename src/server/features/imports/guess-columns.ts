import type { TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import { type ImportField, importFieldLabel, importFields } from '#shared/imports/imports.ts'
import columnNames from './column-names.json' with { type: 'json' }

// By field, without case, accents and punctuation.
const otherNames: Partial<Record<ImportField, readonly string[]>> = columnNames

const fieldsByName = new Map<string, ImportField>()
for (const field of importFields) {
  for (const name of [importFieldLabel(field), field, ...(otherNames[field] ?? [])]) {
    const words = wordsOf(name)
    if (!fieldsByName.has(words)) fieldsByName.set(words, field)
  }
}

export function guessField(header: string): ImportField | null {
  const words = wordsOf(header)
  const withoutNote = wordsOf(header.replace(/\([^)]*\)|\*/g, ' '))
  return fieldsByName.get(words) ?? fieldsByName.get(withoutNote) ?? null
}

export function guessColumns(headers: readonly string[]): (ImportField | null)[] {
  const taken = new Set<ImportField>()
  return headers.map((header) => {
    const field = guessField(header)
    if (field === null || taken.has(field)) return null
    taken.add(field)
    return field
  })
}

function wordsOf(header: string): string {
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
const minRecognized = 2

export function findHeader(rows: readonly TableRow[]): number {
  const recognized = rows.map(({ cells }) => cells.filter((cell) => guessField(cell) !== null).length)
  const most = Math.max(0, ...recognized)
  return most >= minRecognized ? recognized.indexOf(most) : 0
}

export function headersOf(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index]?.replace(/\s+/g, ' ').trim() ?? '')
}
