/**
 * What a student asks the office for at /my. A copy, blocking and erasure are rights of RA 10173. Apart from the rules of
 * requests, which public pages would load with it.
 */
export const studentRequestKinds = [
  'correction',
  'component',
  'absence',
  'copy',
  'blocking',
  'erasure',
] as const
export type StudentRequestKind = (typeof studentRequestKinds)[number]

export const studentRequestNames: Readonly<Record<StudentRequestKind, string>> = {
  correction: 'Correction',
  component: 'Change of component',
  absence: 'Excused absence',
  copy: 'Copy of the data',
  blocking: 'Blocking of the record',
  erasure: 'Erasure of the record',
}

export const studentRequestStates = ['open', 'granted', 'refused', 'withdrawn'] as const
export type StudentRequestState = (typeof studentRequestStates)[number]

/**
 * One student may have `open` corrections, changes of component and excused absences, and make `aDay` requests in 24 hours.
 * `reason` and `answer` are in characters.
 */
export const requestLimits = { open: 3, aDay: 10, reason: 500, answer: 500 } as const
