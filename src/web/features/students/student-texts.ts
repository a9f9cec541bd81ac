import { countOf, figureText } from '#web/lib/number-texts.ts'

export const missing = 'N/A'

export function orMissing(text: string): string {
  return text === '' ? missing : text
}

interface StudentName {
  lastName: string
  firstName: string
  middleName: string
  extensionName?: string
}

/** 'Dela Cruz, Juan Miguel Peña Jr.': last, first middle (product 9.3). */
export function listName(name: StudentName): string {
  const given = [name.firstName, name.middleName, name.extensionName].filter(Boolean).join(' ')
  return [name.lastName, given].filter(Boolean).join(', ') || missing
}

/** @param terms those whose enrollment moved with the student */
export function withMoved(message: string, terms: readonly string[], component: string): string {
  if (terms.length === 0) return message
  const enrollments = terms.length === 1 ? 'enrollment' : 'enrollments'
  return `${message}. The ${enrollments} of ${terms.join(' and ')} moved to ${component}, without a section.`
}

function blockedText(count: number): string {
  return `${countOf(count, 'blocked record')} left as ${count === 1 ? 'it is' : 'they are'}`
}

interface BulkPreview {
  total: number
  blocked: number
  changes: readonly { before: string; count: number }[]
}

/** '120 of 133 change: ROTC 80 → CWTS, LTS 40 → CWTS. 2 blocked records left as they are.' */
export function bulkPreviewText({ total, blocked, changes }: BulkPreview, value: string): string {
  const left = blocked > 0 ? [blockedText(blocked)] : []
  const count = changes.reduce((sum, { count }) => sum + count, 0)
  if (count > 0) {
    const steps = changes.map(({ before, count }) => `${orMissing(before)} ${figureText(count)} → ${value}`)
    return [`${figureText(count)} of ${figureText(total)} change: ${steps.join(', ')}`, ...left].join('. ')
  }
  const who = blocked > 0 ? 'The others' : 'All selected students'
  return `${[...left, ...(total > 0 ? [`${who} already have this value`] : [])].join('. ')}.`
}

/** What a change of many did: to students, to their enrollments, which follow the component, and not to blocked records. */
export function bulkChangeText(
  { count, moved, blocked }: Record<'count' | 'moved' | 'blocked', number>,
  { ids, value }: { ids: readonly string[]; value: string },
): string {
  const sentences: string[] = []
  if (count > 0) sentences.push(`${countOf(count, 'student')} changed successfully`)
  // Another user changed them in the meantime.
  else if (blocked < ids.length) sentences.push('The selected students have this value already')
  if (moved > 0) sentences.push(`${countOf(moved, 'enrollment')} moved to ${value}, without a section`)
  if (blocked > 0) sentences.push(blockedText(blocked))
  return sentences.length > 1 ? `${sentences.join('. ')}.` : sentences.join()
}
