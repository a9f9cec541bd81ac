import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveNode } from '#shared/org-chart/org-moves.ts'
import { descendantsOf } from '#shared/org-chart/org-tree.ts'
import { forestsWithNode } from '#tests/factories/org-forest.ts'
import { targetOfDrop } from './chart-manager.tsx'

const chart = [
  { id: 'dean', parentId: null },
  { id: 'rotc', parentId: 'dean' },
  { id: 'cwts', parentId: 'dean' },
  { id: 'lts', parentId: 'dean' },
]
const order = (id: string, overId: string, side: 'before' | 'behind' | 'under') => {
  const target = targetOfDrop(chart, { id, overId, side })
  return target && moveNode(chart, id, target).map((node) => `${node.parentId ?? ''}/${node.id}`)
}

test.each([
  ['lts', 'rotc', 'before', ['/dean', 'dean/lts', 'dean/rotc', 'dean/cwts']],
  ['rotc', 'cwts', 'behind', ['/dean', 'dean/cwts', 'dean/rotc', 'dean/lts']],
  ['rotc', 'lts', 'under', ['/dean', 'dean/cwts', 'dean/lts', 'lts/rotc']],
  ['cwts', 'dean', 'before', ['/cwts', '/dean', 'dean/rotc', 'dean/lts']],
  ['rotc', 'dean', 'under', ['/dean', 'dean/cwts', 'dean/lts', 'dean/rotc']],
] as const)('%s dropped at %s, %s', (id, overId, side, result) => {
  expect(order(id, overId, side)).toEqual(result)
})

test('a node can be dropped anywhere but on itself and on what is under it', () => {
  fc.assert(
    fc.property(forestsWithNode, fc.nat(), ({ nodes: places, id }, choice) => {
      const over = places[choice % places.length]
      if (!over) return
      const isImpossible = over.id === id || descendantsOf(places, id).has(over.id)
      for (const side of ['before', 'behind', 'under'] as const) {
        expect(targetOfDrop(places, { id, overId: over.id, side }) === undefined).toBe(isImpossible)
      }
    }),
  )
})
