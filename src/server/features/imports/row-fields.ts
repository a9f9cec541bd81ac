import { type ImportField, type ImportMapping, importFields } from '#shared/imports.ts'
import type { RowFields } from './check-row.ts'
import { type ReadingRules, readValue } from './read-values.ts'

/** A row as the file and the person have it. */
interface RowTexts {
  cells: readonly string[]
  edits: Readonly<Record<string, string>>
}

/** Which column each field is read from. */
export function columnsByField({ columns }: ImportMapping): Map<ImportField, number> {
  const byField = new Map<ImportField, number>()
  for (const [index, field] of Object.entries(columns)) if (field) byField.set(field, Number(index))
  return byField
}

/**
 * The texts of a row's fields: what somebody corrected, else the cell, else the value for all rows. An empty cell
 * takes the value for all rows too.
 */
export function rowFields(
  { cells, edits }: RowTexts,
  mapping: ImportMapping,
  columns: ReadonlyMap<ImportField, number>,
  rules: ReadingRules,
): RowFields {
  const fields: RowFields = {}
  for (const field of importFields) {
    const column = columns.get(field)
    const cell = column === undefined ? '' : (cells[column] ?? '')
    const text = edits[field] ?? (cell.trim() === '' ? (mapping.defaults[field] ?? '') : cell)
    const value = readValue(field, text, rules)
    if (value !== '') fields[field] = value
  }
  return fields
}
