import type { ImportColumn, ImportMatch, ImportRow, ImportState } from '#shared/imports.ts'
import type { BadgeTone } from '#web/components/badge.tsx'

/** What the states of an import are called in the history. */
export const stateTexts: Record<ImportState, { label: string; tone: BadgeTone }> = {
  uploaded: { label: 'Waiting for columns', tone: 'neutral' },
  checking: { label: 'Being checked', tone: 'info' },
  checked: { label: 'Checked', tone: 'info' },
  importing: { label: 'Being imported', tone: 'info' },
  imported: { label: 'Imported', tone: 'success' },
  undone: { label: 'Undone', tone: 'warning' },
}

const waysInWords = { name: 'name and date of birth', studentId: 'student ID', email: 'email' } as const

/** 'The same email and student ID as'; who it is, stands behind. */
export function matchText({ by }: Pick<ImportMatch, 'by'>): string {
  return `The same ${by.map((way) => waysInWords[way]).join(' and ')} as`
}

/** 'Dela Cruz, Juan'; of a row without a name, that it has none. */
export function rowName({ values }: Pick<ImportRow, 'values'>): string {
  const parts = [values.lastName, values.firstName].filter((part) => part)
  return parts.length > 0 ? parts.join(', ') : 'No name'
}

/** A column's heading; one without a heading is called by its place. */
export function columnName({ header }: Pick<ImportColumn, 'header'>, index: number): string {
  return header || `Column ${index + 1}`
}
