import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forests, forestsWithNode } from '#tests/factories/org-forest.ts'
import {
  ancestorsOf,
  depthOf,
  descendantsOf,
  flattenBranches,
  inTreeOrder,
  nestNodes,
  nextSiblingOrder,
  orgLevelOf,
  possibleParents,
} from './org-tree.ts'

const chart = [
  { id: 'dean', parentId: null, order: 0 },
  { id: 'rotc', parentId: 'dean', order: 0 },
  { id: 'cwts', parentId: 'dean', order: 4 },
  { id: 'sergeant', parentId: 'rotc', order: 0 },
  { id: 'guest', parentId: null, order: 1 },
]

describe('a nested chart', () => {
  test('contains every node once, each under its parent, one deeper than it, siblings in their order', () => {
    fc.assert(
      fc.property(forests, (nodes) => {
        const branches = flattenBranches(nestNodes(nodes))
        expect(branches.map(({ node }) => node.id).toSorted()).toEqual(nodes.map(({ id }) => id).toSorted())
        for (const { node, depth, children } of branches) {
          expect(children.map((child) => child.node)).toEqual(
            nodes.filter(({ parentId }) => parentId === node.id),
          )
          expect(children.every((child) => child.depth === depth + 1)).toBe(true)
        }
      }),
    )
  })

  test('read from top to bottom, has parents before children, and reading it again changes nothing', () => {
    fc.assert(
      fc.property(forests, (nodes) => {
        const ordered = inTreeOrder(nodes)
        const seen = new Set<string | null>([null])
        for (const { id, parentId } of ordered) {
          expect(seen).toContain(parentId)
          seen.add(id)
        }
        expect(inTreeOrder(ordered)).toEqual(ordered)
      }),
    )
  })

  test('is as deep as its longest line', () => {
    expect(depthOf(nestNodes(chart))).toBe(3)
    expect(depthOf([])).toBe(0)
  })
})

describe('what is above and under a node', () => {
  test('never meets', () => {
    fc.assert(
      fc.property(forestsWithNode, ({ nodes, id }) => {
        const under = descendantsOf(nodes, id)
        expect(under).not.toContain(id)
        for (const above of ancestorsOf(nodes, id)) {
          expect(under).not.toContain(above.id)
          expect(descendantsOf(nodes, above.id)).toContain(id)
        }
      }),
    )
  })

  test('is listed from near to far', () => {
    expect(ancestorsOf(chart, 'sergeant').map(({ id }) => id)).toEqual(['rotc', 'dean'])
    expect([...descendantsOf(chart, 'dean')].toSorted()).toEqual(['cwts', 'rotc', 'sergeant'])
    expect(ancestorsOf(chart, 'nobody')).toEqual([])
  })

  test('decides what it can be put under', () => {
    expect(possibleParents(chart, 'rotc').map(({ id }) => id)).toEqual(['dean', 'cwts', 'guest'])
  })
})

test('a new node is the last of its siblings, also with a gap among them', () => {
  expect(nextSiblingOrder(chart, 'dean')).toBe(5)
  expect(nextSiblingOrder(chart, null)).toBe(2)
  expect(nextSiblingOrder(chart, 'sergeant')).toBe(0)
})

test('levels go by depth, from the fifth on all the same', () => {
  expect([0, 1, 2, 3, 4, 5, 30].map(orgLevelOf)).toEqual([
    'Executive',
    'Senior Management',
    'Middle Management',
    'Junior Management',
    'Staff',
    'Staff',
    'Staff',
  ])
})
