import { describe, expect, test } from 'vitest'
import { nestNodes } from '#shared/org-tree.ts'
import { columnsOf, initialsOf, isFramed, type TreeNode } from './tree-node.ts'

test.each([
  ['Maria Santos', 'MS'],
  ['Dr. Maria Clara Peña', 'MP'],
  ['ñico', 'Ñ'],
  ['Dr.', 'D'],
  ['  Lt. Col.  Ramon  (Ret.) ', 'R'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

describe('children stand in a frame', () => {
  function dean(children: number, ...others: TreeNode[]) {
    const node = (id: string, parentId: string | null): TreeNode => ({
      id,
      parentId,
      name: id,
      title: '',
      department: '',
      image: null,
    })
    const [root] = nestNodes([
      node('dean', null),
      ...Array.from({ length: children }, (_, index) => node(`child ${index}`, 'dean')),
      ...others,
    ])
    if (!root) throw new Error('no root')
    return root
  }
  const child = { name: 'x', title: '', department: '', image: null } as const

  test('when they are several and have no children themselves', () => {
    expect(isFramed(dean(4))).toBe(true)
    expect(isFramed(dean(3))).toBe(false)
    expect(isFramed(dean(4, { ...child, id: 'x', parentId: 'child 1' }))).toBe(false)
    expect(isFramed(dean(4, { ...child, id: 'x', parentId: 'dean', childCount: 2 }))).toBe(false)
  })

  test('that is about as wide as high', () => {
    expect([4, 5, 8, 9, 12, 20, 200].map(columnsOf)).toEqual([2, 2, 2, 3, 3, 4, 4])
  })
})
