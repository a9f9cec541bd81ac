/** What the audit trail tells apart, and how the screens word it. */
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
  'students-imported': 'Imported students',
  'import-undone': 'Undid an import',
  'statistics-exported': 'Exported statistics',
  'statistics-printed': 'Printed statistics',
  'settings-changed': 'Changed settings',
  'backup-made': 'Made a backup',
  'backup-restored': 'Restored a backup',
  'audit-values-viewed': 'Viewed old and new values',
  'audit-expired': 'Removed old entries',
} as const

export type AuditAction = keyof typeof auditActions

/** Every action, in the order the filter shows them. */
export const auditActionNames = Object.keys(auditActions) as AuditAction[] // keys of a literal object
