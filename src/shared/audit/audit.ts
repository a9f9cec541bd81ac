import auditActions from './audit-actions.json' with { type: 'json' }

export { auditActions }

export type AuditAction = keyof typeof auditActions

export const auditActionNames = Object.keys(auditActions) as AuditAction[] // keys of a literal object

export const quietActions: readonly AuditAction[] = [
  'signed-out',
  'sign-in-refused',
  'access-refused',
  'students-listed',
  'student-viewed',
  'student-updated',
  'mail-listed',
  'audit-listed',
  'audit-values-viewed',
  'phone-numbers-viewed',
]

export const auditKinds = ['all', 'changes'] as const
export type AuditKind = (typeof auditKinds)[number]

/** The actor of what a student does at /my. */
export const studentActor = 'student'

export function actorText({ actor, actorName }: { actor: string; actorName?: string }): string {
  if (actor === '') return 'Not signed in'
  if (actor === studentActor) return 'Student'
  if (actor === 'command line') return 'Command line'
  return actor === 'system' ? 'System' : actorName || actor
}

/** What the number `affected` counts, in the singular. */
export function affectedNoun(action: AuditAction): string {
  if (action === 'sign-in-refused' || action === 'access-refused') return 'attempt'
  if (action === 'device-signed-out') return 'device'
  if (action === 'slides-reordered') return 'slide'
  if (action === 'org-chart-arranged') return 'position'
  if (action === 'sections-changed') return 'section'
  if (action === 'training-days-changed') return 'training day'
  if (action === 'enrolments-changed' || action === 'enrolments-undone') return 'enrollment'
  return action.startsWith('mail-') ? 'e-mail' : 'record'
}

export const maxAuditSearch = 100
export const auditPageSize = 50
