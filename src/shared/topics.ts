import type { Permission } from './people/permissions.ts'

// Security: a change sends the topic's name, never data.
export const publicTopics = ['announcements', 'slides', 'org-chart', 'settings'] as const
/** Security: sent only to who may read what changed, by any of these permissions. */
export const topicPermissions = {
  students: 'students.read',
  requests: 'students.edit',
  imports: 'imports',
  mail: 'mail',
  'mail-account': 'mail.account',
  people: 'people',
  terms: 'terms.read',
  attendance: ['enrolments', 'roll'],
  papers: 'papers',
  certificates: 'papers',
  session: 'signed-in',
} as const satisfies Record<string, Permission | readonly Permission[]>

export type StaffTopic = keyof typeof topicPermissions

export type Topic = (typeof publicTopics)[number] | StaffTopic

export const staffTopics = Object.keys(topicPermissions) as StaffTopic[] // keys of a literal object
