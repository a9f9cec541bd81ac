import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { flattenBranches, nestNodes } from '#shared/org-tree.ts'
import { forests } from '#tests/factories/org-forest.ts'
import { allExpanded, firstExpanded, shownBranches, withToggled } from './tree-expansion.ts'

function chartOf(places: readonly { id: string; parentId: string | null }[]) {
  return nestNodes(
    places.map((place) => ({ ...place, name: place.id, title: '', department: '' as const, image: null })),
  )
}

describe('what is open at first', () => {
  test('never shows more than the limit beyond the roots, and never half a level', () => {
    fc.assert(
      fc.property(forests, fc.integer({ min: 1, max: 40 }), (places, limit) => {
        const roots = chartOf(places)
        const shown = shownBranches(roots, firstExpanded(roots, limit))
        expect(shown.length).toBeLessThanOrEqual(Math.max(limit, roots.length))
        const deepest = Math.max(-1, ...shown.map(({ depth }) => depth))
        expect(shown).toHaveLength(flattenBranches(roots).filter(({ depth }) => depth <= deepest).length)
      }),
    )
  })

  test('is everything where the chart is small', () => {
    const roots = chartOf([
      { id: 'dean', parentId: null },
      { id: 'rotc', parentId: 'dean' },
      { id: 'sergeant', parentId: 'rotc' },
    ])
    expect(firstExpanded(roots, 3)).toEqual(allExpanded(roots))
    expect(firstExpanded(roots, 2)).toEqual(new Set(['dean']))
  })
})

test('with everything open, everything is in sight', () => {
  fc.assert(
    fc.property(forests, (places) => {
      const roots = chartOf(places)
      expect(shownBranches(roots, allExpanded(roots))).toEqual(flattenBranches(roots))
    }),
  )
})

test('a branch whose children are elsewhere can be opened', () => {
  const [dean] = chartOf([{ id: 'dean', parentId: null }])
  if (!dean) throw new Error('no root')
  expect(allExpanded([{ ...dean, node: { ...dean.node, childCount: 3 } }])).toEqual(new Set(['dean']))
})

test('toggling changes the named ones only, and not the set that was given', () => {
  const before = new Set(['a', 'b'])
  expect(withToggled(before, ['b', 'c'], true)).toEqual(new Set(['a', 'b', 'c']))
  expect(withToggled(before, ['b', 'c'], false)).toEqual(new Set(['a']))
  expect(before).toEqual(new Set(['a', 'b']))
})
