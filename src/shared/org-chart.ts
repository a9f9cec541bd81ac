import type { Picture } from './picture.ts'

/** '' for none. */
export const departments = ['Administration', 'Faculty', 'Staff'] as const
export type Department = (typeof departments)[number] | ''

/** The levels of the legend, by depth from 0; deeper nodes are of the last (spec §2). */
export const orgLevels = [
  'Executive',
  'Senior Management',
  'Middle Management',
  'Junior Management',
  'Staff',
] as const

/** Longest texts of a node. */
export const orgLimits = { name: 120, title: 120 } as const

/** A position of the organizational chart. The API gives a flat list: parents before their children, siblings in order. */
export interface OrgNode {
  id: string
  version: number
  name: string
  /** '' when it has none. */
  title: string
  department: Department
  /** Null for a root. */
  parentId: string | null
  /** Among its siblings, from 0. */
  order: number
  /** Milliseconds since 1970. */
  createdAt: number
  imageUrl: string | null
  image: Picture | null
}

export const orgSentences = {
  nameRequired: 'Name is required',
  hasChildren: 'Cannot delete a node with children. Please remove or reassign the children first.',
  missing: 'Organization chart node not found',
  onlyAdmins: 'Only admins can modify the organizational chart',
} as const
