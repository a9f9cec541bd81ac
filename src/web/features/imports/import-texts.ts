import type { ImportColumn, ImportMatch, ImportRow, ImportState, ImportSummary } from '#shared/imports.ts'
import type { BadgeTone } from '#web/components/badge.tsx'

const stateTexts: Record<ImportState, { label: string; tone: BadgeTone }> = {
  uploaded: { label: 'Waiting for columns', tone: 'neutral' },
  checking: { label: 'Being checked', tone: 'info' },
  checked: { label: 'Checked', tone: 'info' },
  importing: { label: 'Being imported', tone: 'info' },
  imported: { label: 'Imported', tone: 'success' },
  undone: { label: 'Undone', tone: 'warning' },
}

/** What the state of an import is called in the history. */
export function stateText({ state, updateBy }: Pick<ImportSummary, 'state' | 'updateBy'>) {
  const text = stateTexts[state]
  if (!updateBy) return text
  if (state === 'imported') return { ...text, label: 'Updated' }
  return state === 'importing' ? { ...text, label: 'Being updated' } : text
}

/** What an import makes of the ready rows: 'student', or of an update 'record'. */
export function resultText({ updateBy }: Pick<ImportSummary, 'updateBy'>) {
  return updateBy
    ? ({ noun: 'record', verb: 'Update', done: 'updated' } as const)
    : ({ noun: 'student', verb: 'Import', done: 'imported' } as const)
}

const waysInWords = {
  name: 'name and date of birth',
  studentId: 'student ID',
  email: 'email',
  record: 'record',
} as const

/** 'The same email and student ID as'; who it is, stands behind. */
export function matchText({ by }: Pick<ImportMatch, 'by'>): string {
  return `The same ${by.map((way) => waysInWords[way]).join(' and ')} as`
}

/** 'Dela Cruz, Juan'; of a row without a name, that it has none. */
export function rowName(
  { values, record }: Pick<ImportRow, 'values' | 'record'>,
  { updateBy }: Pick<ImportSummary, 'updateBy'>,
): string {
  const { lastName, firstName } = record ?? values
  const parts = [lastName, firstName].filter((part) => part)
  return parts.length > 0 ? parts.join(', ') : updateBy ? 'No record' : 'No name'
}

/** A column's heading; one without a heading is called by its place. */
export function columnName({ header }: Pick<ImportColumn, 'header'>, index: number): string {
  return header || `Column ${index + 1}`
}
