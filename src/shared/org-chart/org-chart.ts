export const departments = ['Administration', 'Faculty', 'Staff'] as const
export type Department = (typeof departments)[number] | ''

// The names by depth from 0. Deeper nodes use the last one (product 1.5).
export const orgLevels = [
  'Executive',
  'Senior Management',
  'Middle Management',
  'Junior Management',
  'Staff',
] as const

export const orgLimits = { name: 120, title: 120, nodes: 2_000, levels: 50 } as const

export const orgSentences = {
  nameRequired: 'Name is required',
  department: `Please choose one of the departments: ${departments.join(', ')}, or none.`,
  ownParent: 'A position cannot report to itself. Please choose another one.',
  descendantParent: 'A position cannot report to a position below it. Please choose another one.',
  missingParent: 'The position it reports to is no longer in the chart. Please choose another one.',
  tooDeep: `The chart can have at most ${orgLimits.levels} levels. Please choose a higher position.`,
  tooMany: `The chart can have at most ${orgLimits.nodes.toLocaleString('en')} positions.`,
  arrangement: {
    twice: 'A position appears in this arrangement more than once.',
    orphan: 'A parent in this arrangement is missing from it.',
    cycle: 'In this arrangement a position is under itself.',
    incomplete: 'This arrangement leaves out positions of the chart.',
    unknown: 'This arrangement has positions that are not in the chart.',
    tooDeep: `The chart can have at most ${orgLimits.levels} levels.`,
    stale:
      'Positions were added, removed or moved in the meantime. Please check the current chart and arrange it again.',
  },
  hasChildren: 'Cannot delete a node with children. Please remove or reassign the children first.',
  missing: 'Organization chart node not found',
  onlyAdmins: 'Only admins can modify the organizational chart',
} as const
