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
