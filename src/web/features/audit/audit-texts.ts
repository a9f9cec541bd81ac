import type { AuditItem } from '#shared/audit.ts'
import { fieldWords, studentFields } from '#shared/student-fields.ts'
import { figureText } from '#web/lib/count-text.ts'

/** What an entry was about: a student by name, a count, or what the entry itself calls it. */
export function subjectOf({ studentName, subject, affected }: AuditItem): string {
  const parts = [studentName ?? '', subject].filter((part) => part !== '')
  if (affected > 1) parts.push(`${figureText(affected)} in all`)
  return parts.join(' · ')
}

/** 'contactNumber' → 'Contact Number': a field as the screens call it. */
export function fieldLabel(field: string): string {
  const known = Object.entries(studentFields).find(([name]) => name === field)
  if (known) return known[1].label
  const words = fieldWords(field)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value of the protected part as people read it. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value)
}
