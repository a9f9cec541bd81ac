import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OrgNode } from '#shared/org-chart.ts'
import { forests } from '#tests/factories/org-forest.ts'
import { excerptOf } from './chart-excerpt.ts'

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

describe('what a page carries of a chart', () => {
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
