import { inTreeOrder, type OrgPlace } from './org-tree.ts'

/** What is wrong with an arrangement that isn't a forest. */
export type ArrangementProblem = 'twice' | 'orphan' | 'cycle'

/**
 * Whether a list of places is a forest.
 *
 * @returns 'twice' when a node stands in it more than once, 'orphan' when a parent is not in it, 'cycle' when
 *   a node is above itself; undefined when it is as it must be
 */
export function problemOfArrangement(places: readonly OrgPlace[]): ArrangementProblem | undefined {
  const ids = new Set(places.map(({ id }) => id))
  if (ids.size !== places.length) return 'twice'
  if (places.some(({ parentId }) => parentId !== null && !ids.has(parentId))) return 'orphan'
  // With every parent in the list, only what goes round in circles hangs from no root.
  return inTreeOrder(places).length === places.length ? undefined : 'cycle'
}

/** Whether two arrangements put every node at the same place. */
export function sameArrangement(left: readonly OrgPlace[], right: readonly OrgPlace[]): boolean {
  if (left.length !== right.length) return false
  const others = inTreeOrder(right)
  return inTreeOrder(left).every(
    ({ id, parentId }, at) => others[at]?.id === id && others[at].parentId === parentId,
  )
}
