export const auditActions = {
  'signed-in': 'Signed in',
  'sign-in-refused': 'Failed sign-in',
  'signed-out': 'Signed out',
  'access-refused': 'Access denied',
  'device-signed-out': 'Signed a device out',
  'password-changed': 'Changed the password',
  'two-factor-on': 'Turned two-factor sign-in on',
  'two-factor-off': 'Turned two-factor sign-in off',
  'recovery-code-used': 'Used a recovery code',
  'recovery-codes-renewed': 'Created new recovery codes',
  'student-viewed': 'Viewed a student',
  'student-edited': 'Edited a student',
  'student-archived': 'Archived students',
  'student-unarchived': 'Unarchived students',
  'student-deleted': 'Deleted students',
  'students-merged': 'Merged two records',
  'duplicate-dismissed': 'Marked two records as not duplicates',
  'students-exported': 'Exported students',
  'students-printed': 'Printed students',
  'import-uploaded': 'Uploaded an import file',
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
  'org-node-edited': 'Edited a position in the organizational chart',
  'org-node-deleted': 'Deleted a position from the organizational chart',
  'org-chart-arranged': 'Rearranged the organizational chart',
  'mail-account-changed': 'Changed the e-mail configuration',
  'mail-sent': 'Sent an e-mail',
  'mail-batch-started': 'Started a bulk e-mail',
  'mail-batch-paused': 'Paused a bulk e-mail',
  'mail-batch-resumed': 'Resumed a bulk e-mail',
  'mail-batch-cancelled': 'Cancelled a bulk e-mail',
  'mail-decided': 'Resolved an e-mail with unknown delivery',
  'mail-exported': 'Exported the results of a bulk e-mail',
  'mail-opt-out-changed': 'Changed a student’s announcement e-mails',
  'bounce-resolved': 'Marked a bounced address as resolved',
  'api-token-made': 'Created an API token',
  'api-token-revoked': 'Revoked an API token',
  'settings-changed': 'Changed settings',
  'backup-made': 'Created a backup',
  'backup-restored': 'Restored a backup',
  'audit-values-viewed': 'Viewed old and new values',
  'audit-expired': 'Deleted old entries',
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

export function actorText({ actor }: { actor: string }): string {
  switch (actor) {
    case '':
      return 'Not signed in'
    case 'command line':
      return 'Command line'
    case 'system':
      return 'System'
    default:
      return actor
  }
}

/** What the number `affected` counts, in the singular. */
export function affectedNoun(action: AuditAction): string {
  if (action === 'sign-in-refused' || action === 'access-refused') return 'attempt'
  if (action === 'device-signed-out') return 'device'
  if (action === 'slides-reordered') return 'slide'
  if (action === 'org-chart-arranged') return 'position'
  return action.startsWith('mail-') ? 'e-mail' : 'record'
}

export const maxAuditSearch = 100
export const auditPageSize = 50
