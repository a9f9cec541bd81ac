import type { AuditAction } from './audit.ts'

/** What was done with a record, as far as it is noted for each student. */
export const readingKinds = ['opened', 'printed', 'downloaded', 'slip', 'phone'] as const

/** The entries of the trail that are a reading of records and no change of them. */
export const readingActions: Partial<Record<AuditAction, (typeof readingKinds)[number]>> = {
  'student-viewed': 'opened',
  'audit-values-viewed': 'opened',
  'phone-numbers-viewed': 'phone',
  'students-printed': 'printed',
  'certificates-printed': 'printed',
  'students-exported': 'downloaded',
  'student-file-downloaded': 'downloaded',
  'own-file-downloaded': 'downloaded',
  'slips-made': 'slip',
}
