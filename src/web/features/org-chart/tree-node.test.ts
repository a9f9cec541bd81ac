import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { flattenBranches, nestNodes } from '#shared/org-chart/org-tree.ts'
import { forests } from '#tests/factories/org-forest.ts'
import {
  allExpanded,
  columnsOf,
  excerptOf,
  firstExpanded,
  isFramed,
  shownBranches,
  type TreeNode,
  withToggled,
} from './tree-node.ts'

describe('children are laid out in a frame', () => {
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

function chartOf(places: readonly { id: string; parentId: string | null }[]): OrgNode[] {
  return places.map((place, order) => ({
    ...place,
    order,
    version: 1,
    name: place.id,
    title: 'Officer',
    department: '',
    createdAt: 0,
    imageUrl: null,
    image: null,
  }))
}

describe('the excerpt of a chart in a page', () => {
  test('is no more than the limit beyond the roots, and every parent of what is there', () => {
    fc.assert(
      fc.property(forests, fc.integer({ min: 1, max: 40 }), (places, limit) => {
        const chart = chartOf(places)
        const { nodes, total } = excerptOf(chart, limit)
        expect(total).toBe(chart.length)
        const roots = chart.filter(({ parentId }) => parentId === null)
        expect(nodes.length).toBeLessThanOrEqual(Math.max(limit, roots.length))
        const ids = new Set(nodes.map(({ id }) => id))
        expect(nodes.every(({ parentId }) => parentId === null || ids.has(parentId))).toBe(true)
        if (chart.length <= limit) expect(nodes).toHaveLength(chart.length)
      }),
    )
  })

  test('says how many are under those whose children are missing, and nothing that no box shows', () => {
    const chart = chartOf([
      { id: 'dean', parentId: null },
      { id: 'rotc', parentId: 'dean' },
      { id: 'cwts', parentId: 'dean' },
    ])
    const dean = { id: 'dean', parentId: null, name: 'dean', title: 'Officer', department: '', image: null }
    expect(excerptOf(chart, 2)).toEqual({ nodes: [{ ...dean, childCount: 2 }], total: 3 })
    expect(excerptOf(chart, 3).nodes[0]).toEqual(dean)
  })
})

function treeExpansionChartOf(places: readonly { id: string; parentId: string | null }[]) {
  return nestNodes(
    places.map((place) => ({ ...place, name: place.id, title: '', department: '' as const, image: null })),
  )
}

describe('what is open at first', () => {
  test('never shows more than the limit beyond the roots, and never half a level', () => {
    fc.assert(
      fc.property(forests, fc.integer({ min: 1, max: 40 }), (places, limit) => {
        const roots = treeExpansionChartOf(places)
        const shown = shownBranches(roots, firstExpanded(roots, limit))
        expect(shown.length).toBeLessThanOrEqual(Math.max(limit, roots.length))
        const deepest = Math.max(-1, ...shown.map(({ depth }) => depth))
        expect(shown).toHaveLength(flattenBranches(roots).filter(({ depth }) => depth <= deepest).length)
      }),
    )
  })

  test('is everything where the chart is small', () => {
    const roots = treeExpansionChartOf([
      { id: 'dean', parentId: null },
      { id: 'rotc', parentId: 'dean' },
      { id: 'sergeant', parentId: 'rotc' },
    ])
    expect(firstExpanded(roots, 3)).toEqual(allExpanded(roots))
    expect(firstExpanded(roots, 2)).toEqual(new Set(['dean']))
  })
})

test('with everything open, every node is visible', () => {
  fc.assert(
    fc.property(forests, (places) => {
      const roots = treeExpansionChartOf(places)
      expect(shownBranches(roots, allExpanded(roots))).toEqual(flattenBranches(roots))
    }),
  )
})

test('a branch whose children are elsewhere can be opened', () => {
  const [dean] = treeExpansionChartOf([{ id: 'dean', parentId: null }])
  if (!dean) throw new Error('no root')
  expect(allExpanded([{ ...dean, node: { ...dean.node, childCount: 3 } }])).toEqual(new Set(['dean']))
})

test('toggling changes the named ones only, and not the set that was given', () => {
  const before = new Set(['a', 'b'])
  expect(withToggled(before, ['b', 'c'], true)).toEqual(new Set(['a', 'b', 'c']))
  expect(withToggled(before, ['b', 'c'], false)).toEqual(new Set(['a']))
  expect(before).toEqual(new Set(['a', 'b']))
})
