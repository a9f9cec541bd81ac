// Spec §2.
export const missing = 'N/A'

export function orMissing(text: string): string {
  return text === '' ? missing : text
}

/** 'Dela Cruz, Juan Miguel Peña': last, first middle (spec §2). */
export function listName(name: { lastName: string; firstName: string; middleName: string }): string {
  const given = `${name.firstName} ${name.middleName}`.trim()
  return [name.lastName, given].filter(Boolean).join(', ') || missing
}
