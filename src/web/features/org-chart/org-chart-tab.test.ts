import { expect, test } from 'vitest'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { nodesOfDepartment } from './org-chart-tab.tsx'

function node(id: string, parentId: string | null, department: OrgNode['department']): OrgNode {
  return {
    id,
    parentId,
    department,
    version: 1,
    name: id,
    title: '',
    order: 0,
    createdAt: 0,
    imageUrl: null,
    image: null,
  }
}

const nodes = [
  node('dean', null, 'Administration'),
  node('rotc', 'dean', ''),
  node('teacher', 'rotc', 'Faculty'),
  node('cwts', 'dean', 'Faculty'),
  node('clerk', 'dean', 'Staff'),
]

test('all departments are the whole chart', () => {
  expect(nodesOfDepartment(nodes, null)).toBe(nodes)
})

test('a department comes with those above its positions, drawn back', () => {
  const shown = nodesOfDepartment(nodes, 'Faculty').map(({ id, isContext = false }) => [id, isContext])
  expect(shown).toEqual([
    ['dean', true],
    ['rotc', true],
    ['teacher', false],
    ['cwts', false],
  ])
  expect(nodesOfDepartment(nodes, 'Administration').map(({ id }) => id)).toEqual(['dean'])
  expect(nodesOfDepartment(nodes.slice(0, 2), 'Staff')).toEqual([])
})
