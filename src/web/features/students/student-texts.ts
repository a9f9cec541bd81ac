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
