import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { moveNode, problemOfArrangement, sameArrangement } from '#shared/org-chart/org-moves.ts'
import { forests, forestsWithNode } from '#tests/factories/org-forest.ts'
import { makeMoves, type OrgMove, withMove } from './use-arrangement.ts'

const chart = [
  { id: 'dean', parentId: null },
  { id: 'rotc', parentId: 'dean' },
  { id: 'cwts', parentId: 'dean' },
  { id: 'aide', parentId: 'cwts' },
]
const ordered = (nodes: readonly { id: string; parentId: string | null }[]) =>
  nodes.map(({ id, parentId }) => `${parentId ?? ''}/${id}`)

test('a recorded move puts the node at its target', () => {
  fc.assert(
    fc.property(forestsWithNode, fc.nat(), fc.nat(6), ({ nodes: places, id }, choice, index) => {
      const parents = [null, ...places.map((place) => place.id)]
      const target = { parentId: parents[choice % parents.length] ?? null, index }
      const moves = withMove([], places, id, target)
      expect(sameArrangement(makeMoves(places, moves).nodes, moveNode(places, id, target))).toBe(true)
    }),
  )
})

test('moves made on any other chart leave a chart of its own nodes', () => {
  const moves: fc.Arbitrary<OrgMove[]> = fc.array(
    fc.record({
      id: fc.nat(50).map((n) => `n${n}`),
      parentId: fc.option(fc.nat(50).map((n) => `n${n}`)),
      behind: fc.option(fc.nat(50).map((n) => `n${n}`)),
    }),
  )
  fc.assert(
    fc.property(forests, moves, (places, made) => {
      const { nodes } = makeMoves(places, made)
      expect(problemOfArrangement(nodes)).toBeUndefined()
      expect(nodes.map(({ id }) => id).toSorted()).toEqual(places.map(({ id }) => id).toSorted())
    }),
  )
})

describe('on a chart that was changed in the meantime', () => {
  const [first] = withMove([], chart, 'aide', { parentId: 'dean', index: 1 })
  const moves = first ? [first] : []

  test('a move goes behind the same neighbour', () => {
    const now = [{ id: 'new', parentId: 'dean' }, ...chart]
    expect(ordered(makeMoves(now, moves).nodes)).toEqual([
      '/dean',
      'dean/new',
      'dean/rotc',
      'dean/aide',
      'dean/cwts',
    ])
  })

  test('a move goes to the end where the neighbour is gone', () => {
    const now = chart.filter(({ id }) => id !== 'rotc')
    expect(ordered(makeMoves(now, moves).nodes)).toEqual(['/dean', 'dean/cwts', 'dean/aide'])
  })

  test('a move is lost with its node, with its parent, or where it would make a circle', () => {
    expect(makeMoves(chart.slice(0, 3), moves).lost).toEqual(moves)
    const circle = [
      { id: 'aide', parentId: null },
      { id: 'dean', parentId: 'aide' },
    ]
    expect(makeMoves(circle, moves)).toEqual({ nodes: circle, lost: moves })
  })
})

test('of several moves of one node the last one is recorded', () => {
  const once = withMove([], chart, 'cwts', { parentId: 'dean', index: 0 })
  const twice = withMove(once, makeMoves(chart, once).nodes, 'cwts', { parentId: null, index: 0 })
  expect(twice).toEqual([{ id: 'cwts', parentId: null, behind: null }])
  expect(withMove(twice, chart, 'rotc', { parentId: null, index: 9 })).toHaveLength(2)
})
