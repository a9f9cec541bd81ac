import * as fc from 'fast-check'
import type { OrgPlace } from '#shared/org-chart/org-tree.ts'

// Up to 40 nodes, each under an earlier one or none; then shuffled.
export const forests = fc
  .array(fc.nat(), { maxLength: 40 })
  .map((choices) =>
    choices.map((choice, at): OrgPlace => {
      const parent = choice % (at + 1)
      return { id: `n${at}`, parentId: parent === at ? null : `n${parent}` }
    }),
  )
  .chain((places) => fc.shuffledSubarray(places, { minLength: places.length }))

export const forestsWithNode: fc.Arbitrary<{ places: OrgPlace[]; id: string }> = forests
  .filter((places) => places.length > 0)
  .chain((places) => fc.constantFrom(...places).map(({ id }) => ({ places, id })))
