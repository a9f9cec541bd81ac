import type { ImportField, ImportMapping } from '#shared/imports.ts'

/** A row as the file and the person have it. */
export interface RowTexts {
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
 * Makes the function that gives the text of one of a row's fields: what somebody corrected, else the cell, else the
 * value for all rows. An empty cell takes the value for all rows too.
 */
export function createTextReader(mapping: ImportMapping) {
  const columns = columnsByField(mapping)
  return ({ cells, edits }: RowTexts, field: ImportField): string => {
    const column = columns.get(field)
    const cell = column === undefined ? '' : (cells[column] ?? '')
    return edits[field] ?? (cell.trim() === '' ? (mapping.defaults[field] ?? '') : cell)
  }
}
