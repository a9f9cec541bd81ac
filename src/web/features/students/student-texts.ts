import { countOf } from '#web/lib/number-texts.ts'

// Spec §2.
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

/** 'Dela Cruz, Juan Miguel Peña Jr.': last, first middle (spec §2). */
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
  if (blocked > 0)
    sentences.push(`${countOf(blocked, 'blocked record')} left as ${blocked === 1 ? 'it is' : 'they are'}`)
  return sentences.length > 1 ? `${sentences.join('. ')}.` : sentences.join()
}
