import type { NstpComponent } from '#shared/students/student-choices.ts'
import { type FieldClass, fieldClasses } from '#shared/students/student-fields.ts'

export const roles = [
  'administrator',
  'coordinator',
  'assistant',
  'registrar',
  'privacy officer',
  'facilitator',
] as const

export type Role = (typeof roles)[number]

export const roleNames: Readonly<Record<Role, string>> = {
  administrator: 'Administrator',
  coordinator: 'Coordinator',
  assistant: 'Assistant',
  registrar: 'Registrar',
  'privacy officer': 'Privacy officer',
  facilitator: 'Facilitator',
}

/**
 * Every route names one of these permissions, so that a new route is open to nobody by accident. Every grant names its
 * roles, so that a new role opens nothing.
 */
export const grants = {
  // The own account: password, devices, two-factor sign-in; and the names of the school and its lists.
  'signed-in': roles,
  'students.read': ['administrator', 'coordinator', 'assistant', 'registrar', 'privacy officer'],
  'students.edit': ['administrator', 'coordinator', 'assistant'],
  'students.change': ['administrator', 'coordinator'],
  // Many records in one file or print.
  'students.take-out': ['administrator', 'coordinator'],
  'students.delete': ['administrator', 'privacy officer'],
  'students.reject': ['administrator'],
  imports: ['administrator', 'coordinator'],
  // The code of the day.
  code: ['administrator', 'coordinator', 'assistant'],
  statistics: ['administrator', 'coordinator', 'registrar'],
  content: ['administrator', 'coordinator'],
  mail: ['administrator', 'coordinator'],
  'mail.account': ['administrator'],
  // `history` is the history of one student; `audit` is the whole trail.
  history: ['administrator', 'coordinator', 'privacy officer'],
  audit: ['administrator', 'privacy officer'],
  retention: ['administrator', 'privacy officer'],
  privacy: ['administrator', 'privacy officer'],
  settings: ['administrator'],
  backup: ['administrator'],
  people: ['administrator'],
  // Terms, their sections, class lists, a student's program.
  'terms.read': ['administrator', 'coordinator', 'assistant', 'registrar', 'privacy officer'],
  // The permission to open, change and close terms.
  terms: ['administrator', 'coordinator'],
  // The permission to change sections, who is in which, and attendance.
  enrolments: ['administrator', 'coordinator'],
  // Marks of students, and what they mean.
  'marks.read': ['administrator', 'coordinator', 'registrar'],
  marks: ['administrator', 'coordinator'],
  // Credits that were earned elsewhere, and exemptions.
  credits: ['administrator', 'coordinator', 'registrar'],
  // Lists for agencies, serial numbers that come back, certificates.
  papers: ['administrator', 'coordinator'],
  // The form that each paper has.
  layouts: ['administrator', 'coordinator'],
  // The rolls of the sections that the account has: the office has those of all in its terms.
  roll: ['facilitator'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof grants

// The permissions for what concerns every component.
const officeWide: readonly Permission[] = ['terms', 'layouts']

export function mayDo(account: AccountScope, permission: Permission): boolean {
  const isGranted = grants[permission].some((granted) => granted === account.role)
  return isGranted && (componentsOf(account) === 'all' || !officeWide.includes(permission))
}

/** The roles that work with the students of all components, unless some are chosen for the account. */
const ofAllComponents: readonly Role[] = [
  'administrator',
  'coordinator',
  'assistant',
  'registrar',
  'privacy officer',
]

/** The students that an account works with. An account of another role without components works with nobody. */
export function componentsOf({ role, components }: AccountScope): 'all' | readonly NstpComponent[] {
  return components.length === 0 && ofAllComponents.includes(role) ? 'all' : components
}

/** The fields of a record that a role sees. */
export const classesOf: Readonly<Record<Role, readonly FieldClass[]>> = {
  administrator: fieldClasses,
  coordinator: fieldClasses,
  assistant: ['roll', 'basic', 'contact'],
  registrar: ['roll', 'basic'],
  'privacy officer': fieldClasses,
  facilitator: ['roll'],
}

/** The roles that work with one record after another, often at a desk that other people pass. */
export const deskRoles: readonly Role[] = ['assistant', 'registrar']

/** The roles for which "Keep me signed in" has an effect. */
export const keptRoles: readonly Role[] = ['administrator', 'coordinator']

export interface AccountScope {
  role: Role
  // Chosen for coordinators and assistants only: see componentsOf.
  components: readonly NstpComponent[]
}
