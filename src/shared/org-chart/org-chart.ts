import type { Picture } from '#shared/files/picture.ts'

export const departments = ['Administration', 'Faculty', 'Staff'] as const
export type Department = (typeof departments)[number] | ''

// By depth from 0; deeper nodes use the last (spec §2).
export const orgLevels = [
  'Executive',
  'Senior Management',
  'Middle Management',
  'Junior Management',
  'Staff',
] as const

export const orgLimits = { name: 120, title: 120, nodes: 2_000, levels: 50 } as const

export interface OrgNode {
  id: string
  version: number
  name: string
  title: string
  department: Department
  parentId: string | null
  order: number
  // ms since 1970.
  createdAt: number
  imageUrl: string | null
  image: Picture | null
}

export interface OrgChartContent {
  items: OrgNode[]
  version: string
}

export const orgSentences = {
  nameRequired: 'Name is required',
  department: `Please choose one of the departments: ${departments.join(', ')}, or none.`,
  ownParent: 'A position cannot be its own parent. Please choose another one.',
  descendantParent:
    'A position cannot be placed under one of its own descendants. Please choose another parent.',
  missingParent: 'This parent is no longer in the chart. Please choose another one.',
  tooDeep: `The chart can have at most ${orgLimits.levels} levels. Please choose a parent further up.`,
  tooMany: `The chart can have at most ${orgLimits.nodes.toLocaleString('en')} positions.`,
  arrangement: {
    twice: 'A position stands in this arrangement more than once.',
    orphan: 'A parent of this arrangement is not in it.',
    cycle: 'In this arrangement a position stands under itself.',
    incomplete: 'This arrangement leaves out positions of the chart.',
    unknown: 'This arrangement has positions that are not in the chart.',
    tooDeep: `The chart can have at most ${orgLimits.levels} levels.`,
    stale:
      'Positions were added, removed or moved in the meantime. Please look at the chart as it is now and arrange it again.',
  },
  hasChildren: 'Cannot delete a node with children. Please remove or reassign the children first.',
  missing: 'Organization chart node not found',
  onlyAdmins: 'Only admins can modify the organizational chart',
} as const
