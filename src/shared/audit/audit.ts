export const auditActions = {
  'signed-in': 'Signed in',
  'sign-in-refused': 'Sign-in refused',
  'signed-out': 'Signed out',
  'access-refused': 'Access refused',
  'device-signed-out': 'Signed a device out',
  'password-changed': 'Changed the password',
  'two-factor-on': 'Turned two-factor sign-in on',
  'two-factor-off': 'Turned two-factor sign-in off',
  'recovery-code-used': 'Used a recovery code',
  'recovery-codes-renewed': 'Made new recovery codes',
  'student-viewed': 'Viewed a student',
  'student-edited': 'Edited a student',
  'student-archived': 'Archived students',
  'student-unarchived': 'Unarchived students',
  'student-deleted': 'Deleted students',
  'students-merged': 'Merged two records',
  'duplicate-dismissed': 'Marked two records as different people',
  'students-exported': 'Exported students',
  'students-printed': 'Printed students',
  'import-uploaded': 'Uploaded a file to import',
  'import-refused-downloaded': 'Downloaded rows that were not imported',
  'import-deleted': 'Deleted the rows of an import',
  'students-imported': 'Imported students',
  'students-updated': 'Updated students from a file',
  'student-updated': 'Updated a student from a file',
  'import-undone': 'Undid an import',
  'statistics-exported': 'Exported statistics',
  'statistics-printed': 'Printed statistics',
  'announcement-added': 'Added an announcement',
  'announcement-edited': 'Edited an announcement',
  'announcement-deleted': 'Deleted an announcement',
  'slide-added': 'Added a slide',
  'slide-edited': 'Edited a slide',
  'slide-deleted': 'Deleted a slide',
  'slides-reordered': 'Reordered the slides',
  'org-node-added': 'Added a position to the organizational chart',
  'org-node-edited': 'Edited a position of the organizational chart',
  'org-node-deleted': 'Deleted a position of the organizational chart',
  'org-chart-arranged': 'Rearranged the organizational chart',
  'mail-account-changed': 'Changed the e-mail configuration',
  'mail-sent': 'Sent an e-mail',
  'mail-batch-started': 'Started a bulk e-mail',
  'mail-batch-paused': 'Paused a bulk e-mail',
  'mail-batch-resumed': 'Resumed a bulk e-mail',
  'mail-batch-cancelled': 'Cancelled a bulk e-mail',
  'mail-decided': 'Decided about an e-mail of unknown end',
  'mail-exported': 'Exported the results of a bulk e-mail',
  'mail-opt-out-changed': 'Changed whether a student gets announcements by e-mail',
  'bounce-resolved': 'Marked a returned e-mail as seen to',
  'api-token-made': 'Made an API token',
  'api-token-revoked': 'Revoked an API token',
  'settings-changed': 'Changed settings',
  'backup-made': 'Made a backup',
  'backup-restored': 'Restored a backup',
  'audit-values-viewed': 'Viewed old and new values',
  'audit-expired': 'Removed old entries',
} as const

export type AuditAction = keyof typeof auditActions

export const auditActionNames = Object.keys(auditActions) as AuditAction[] // keys of a literal object

export const quietActions: readonly AuditAction[] = [
  'signed-out',
  'sign-in-refused',
  'access-refused',
  'student-viewed',
  'student-updated',
  'audit-values-viewed',
]

export const auditKinds = ['all', 'changes'] as const
export type AuditKind = (typeof auditKinds)[number]

export interface AuditItem {
  id: string
  at: string
  action: AuditAction
  actor: string
  clientAddress: string
  userAgent: string
  requestId: string
  studentId: string | null
  studentName: string | null
  subject: string
  fields: string[]
  affected: number
  detail: Record<string, string | number | boolean | null>
  hasValues: boolean
}

export function actorText({ actor }: Pick<AuditItem, 'actor'>): string {
  return actor === '' ? 'Somebody not signed in' : actor
}

export interface AuditPage {
  items: AuditItem[]
  nextCursor: string | null
}

export const maxAuditSearch = 100
export const auditPageSize = 50
