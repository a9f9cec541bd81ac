import * as fc from 'fast-check'
import type { OrgPosition } from '#shared/org-chart/org-tree.ts'

// Up to 40 nodes, each under an earlier one or none; then shuffled.
export const forests = fc
  .array(fc.nat(), { maxLength: 40 })
  .map((choices) =>
    choices.map((choice, at): OrgPosition => {
      const parent = choice % (at + 1)
      return { id: `n${at}`, parentId: parent === at ? null : `n${parent}` }
    }),
  )
  .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length }))

export const forestsWithNode: fc.Arbitrary<{ nodes: OrgPosition[]; id: string }> = forests
  .filter((nodes) => nodes.length > 0)
  .chain((nodes) => fc.constantFrom(...nodes).map(({ id }) => ({ nodes, id })))
