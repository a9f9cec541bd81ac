import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forests, forestsWithNode } from '#tests/factories/org-forest.ts'
import { problemOfArrangement, sameArrangement } from './org-arrangement.ts'
import { descendantsOf, inTreeOrder } from './org-tree.ts'

describe('an arrangement', () => {
  test('is any forest, in any order', () => {
    fc.assert(fc.property(forests, (places) => problemOfArrangement(places) === undefined))
  })

  test('has no cycle: whatever is put under itself or under what is under it, is told', () => {
    fc.assert(
      fc.property(forestsWithNode, ({ places, id }) => {
        for (const parentId of [id, ...descendantsOf(places, id)]) {
          const wrong = places.map((place) => (place.id === id ? { id, parentId } : place))
          expect(problemOfArrangement(wrong)).toBe('cycle')
        }
      }),
    )
  })

  test('has every node once, and every parent', () => {
    fc.assert(
      fc.property(forestsWithNode, ({ places, id }) => {
        expect(problemOfArrangement([...places, { id, parentId: null }])).toBe('twice')
        expect(problemOfArrangement([...places, { id: 'new', parentId: 'nobody' }])).toBe('orphan')
      }),
    )
  })

  test('is the same in whichever order its branches are told, and another with two siblings changed', () => {
    fc.assert(fc.property(forests, (places) => sameArrangement(places, inTreeOrder(places))))
    const [a, b] = [
      { id: 'a', parentId: null },
      { id: 'b', parentId: null },
    ]
    expect(sameArrangement([a, b], [b, a])).toBe(false)
    expect(sameArrangement([a, b], [a, { id: 'b', parentId: 'a' }])).toBe(false)
    expect(sameArrangement([a, b], [a])).toBe(false)
  })
})
