import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forests, forestsWithNode } from '#tests/factories/org-forest.ts'
import {
  moveNode,
  orgSteps,
  problemOfArrangement,
  sameArrangement,
  targetOf,
  targetOfStep,
} from './org-moves.ts'
import { descendantsOf, inTreeOrder } from './org-tree.ts'

const chart = [
  { id: 'dean', parentId: null },
  { id: 'rotc', parentId: 'dean' },
  { id: 'sergeant', parentId: 'rotc' },
  { id: 'cwts', parentId: 'dean' },
  { id: 'lts', parentId: 'dean' },
]

const linesOf = (nodes: readonly { id: string; parentId: string | null }[]) =>
  nodes.map(({ id, parentId }) => `${parentId ?? ''}/${id}`)

describe('moving a node', () => {
  test('leaves a forest of the same nodes, with the node at its target', () => {
    fc.assert(
      fc.property(forestsWithNode, fc.nat(), fc.nat(8), ({ nodes, id }, choice, index) => {
        const parents = [null, ...nodes.map((node) => node.id)]
        const parentId = parents[choice % parents.length] ?? null
        const moved = moveNode(nodes, id, { parentId, index })
        expect(problemOfArrangement(moved)).toBeUndefined()
        expect(moved.map((node) => node.id).toSorted()).toEqual(nodes.map((node) => node.id).toSorted())
        const impossible = parentId !== null && (parentId === id || descendantsOf(nodes, id).has(parentId))
        if (impossible) {
          expect(moved).toBe(nodes)
          return
        }
        const siblings = moved.filter((node) => node.parentId === parentId)
        expect(targetOf(moved, id)).toEqual({ parentId, index: Math.min(index, siblings.length - 1) })
        expect(descendantsOf(moved, id)).toEqual(descendantsOf(nodes, id))
      }),
    )
  })

  test('moves the descendants along', () => {
    expect(linesOf(moveNode(chart, 'rotc', { parentId: 'cwts', index: 0 }))).toEqual([
      '/dean',
      'dean/cwts',
      'cwts/rotc',
      'rotc/sergeant',
      'dean/lts',
    ])
  })

  test('under itself, a descendant or an unknown node changes nothing', () => {
    expect(moveNode(chart, 'rotc', { parentId: 'rotc', index: 0 })).toBe(chart)
    expect(moveNode(chart, 'rotc', { parentId: 'sergeant', index: 0 })).toBe(chart)
    expect(moveNode(chart, 'rotc', { parentId: 'nobody', index: 0 })).toBe(chart)
    expect(moveNode(chart, 'nobody', { parentId: null, index: 0 })).toBe(chart)
  })
})

describe('a step', () => {
  test.each([
    ['cwts', 'up', ['/dean', 'dean/cwts', 'dean/rotc', 'rotc/sergeant', 'dean/lts']],
    ['rotc', 'down', ['/dean', 'dean/cwts', 'dean/rotc', 'rotc/sergeant', 'dean/lts']],
    ['cwts', 'in', ['/dean', 'dean/rotc', 'rotc/sergeant', 'rotc/cwts', 'dean/lts']],
    ['sergeant', 'out', ['/dean', 'dean/rotc', 'dean/sergeant', 'dean/cwts', 'dean/lts']],
    ['rotc', 'out', ['/dean', 'dean/cwts', 'dean/lts', '/rotc', 'rotc/sergeant']],
  ] as const)('%s %s', (id, step, result) => {
    const target = targetOfStep(chart, id, step)
    expect(target && linesOf(moveNode(chart, id, target))).toEqual(result)
  })

  test('leads nowhere at the ends', () => {
    expect(targetOfStep(chart, 'rotc', 'up')).toBeUndefined()
    expect(targetOfStep(chart, 'lts', 'down')).toBeUndefined()
    expect(targetOfStep(chart, 'rotc', 'in')).toBeUndefined()
    expect(targetOfStep(chart, 'dean', 'out')).toBeUndefined()
    expect(targetOfStep(chart, 'nobody', 'up')).toBeUndefined()
  })

  test('up and down, or in and out from the last position, are inverse', () => {
    const undo = { up: 'down', down: 'up', in: 'out' } as const
    fc.assert(
      fc.property(forestsWithNode, fc.constantFrom(...orgSteps), ({ nodes, id }, step) => {
        const there = targetOfStep(nodes, id, step)
        if (there === undefined || step === 'out') return
        const moved = moveNode(nodes, id, there)
        const back = targetOfStep(moved, id, undo[step])
        expect(back && sameArrangement(moveNode(moved, id, back), nodes)).toBe(true)
      }),
    )
  })
})

describe('an arrangement', () => {
  test('is any forest, in any order', () => {
    fc.assert(fc.property(forests, (nodes) => problemOfArrangement(nodes) === undefined))
  })

  test('with a node under itself or a descendant is a cycle', () => {
    fc.assert(
      fc.property(forestsWithNode, ({ nodes, id }) => {
        for (const parentId of [id, ...descendantsOf(nodes, id)]) {
          const wrong = nodes.map((node) => (node.id === id ? { id, parentId } : node))
          expect(problemOfArrangement(wrong)).toBe('cycle')
        }
      }),
    )
  })

  test('has every node once, and every parent', () => {
    fc.assert(
      fc.property(forestsWithNode, ({ nodes, id }) => {
        expect(problemOfArrangement([...nodes, { id, parentId: null }])).toBe('twice')
        expect(problemOfArrangement([...nodes, { id: 'new', parentId: 'nobody' }])).toBe('orphan')
      }),
    )
  })

  test('is equal in any order of its branches, and differs with two siblings swapped', () => {
    fc.assert(fc.property(forests, (nodes) => sameArrangement(nodes, inTreeOrder(nodes))))
    const [a, b] = [
      { id: 'a', parentId: null },
      { id: 'b', parentId: null },
    ]
    expect(sameArrangement([a, b], [b, a])).toBe(false)
    expect(sameArrangement([a, b], [a, { id: 'b', parentId: 'a' }])).toBe(false)
    expect(sameArrangement([a, b], [a])).toBe(false)
  })
})
