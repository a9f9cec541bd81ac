import type { AuditItem } from '#shared/audit/audit.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import { fieldWords, studentFields } from '#shared/students/student-fields.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'

export function subjectOf({ studentName, subject, affected }: AuditItem): string {
  const parts = [studentName ?? '', subject].filter((part) => part !== '')
  if (affected > 1) parts.push(`${figureText(affected)} in all`)
  return parts.join(' · ')
}

/** 'contactNumber' → 'Contact Number' */
export function fieldLabel(field: string): string {
  const known = Object.entries(studentFields).find(([name]) => name === field)
  if (known) return known[1].label
  const words = fieldWords(field)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (field === 'yearLevel' && typeof value === 'number') return yearLevelLabel(value)
  if (field === 'dateOfBirth' && typeof value === 'string') return dateOf(value)
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value)
}
