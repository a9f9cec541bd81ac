import { AppError } from '#server/errors.ts'
import { problemOfArrangement } from '#shared/org-arrangement.ts'
import { orgLimits, orgSentences } from '#shared/org-chart.ts'
import { ancestorsOf, depthOf, descendantsOf, nestNodes, type OrgPlace } from '#shared/org-tree.ts'

/**
 * Whether a node may be put under another one. Ask it of places that can't change meanwhile.
 *
 * @param id null for a node that isn't there yet
 * @throws AppError `invalid` with the sentence beside `parentId`
 */
export function checkParent(places: readonly OrgPlace[], id: string | null, parentId: string | null): void {
  const sentence = problemOfParent(places, id, parentId)
  if (sentence === undefined) return
  throw new AppError('invalid', { detail: sentence, errors: [{ path: 'parentId', message: sentence }] })
}

function problemOfParent(
  places: readonly OrgPlace[],
  id: string | null,
  parentId: string | null,
): string | undefined {
  if (parentId === null) return undefined
  if (parentId === id) return orgSentences.ownParent
  if (!places.some((place) => place.id === parentId)) return orgSentences.missingParent
  const under = id === null ? new Set<string>() : descendantsOf(places, id)
  if (under.has(parentId)) return orgSentences.descendantParent
  const levelsAbove = 1 + ancestorsOf(places, parentId).length
  return levelsAbove + levelsOf(places, id, under) > orgLimits.levels ? orgSentences.tooDeep : undefined
}

/** How many levels a node has with what is under it. */
function levelsOf(places: readonly OrgPlace[], id: string | null, under: ReadonlySet<string>): number {
  const branch = places
    .filter((place) => place.id === id || under.has(place.id))
    .map((place) => (place.id === id ? { ...place, parentId: null } : place))
  return Math.max(1, depthOf(nestNodes(branch)))
}

/**
 * Whether an arrangement is one of exactly these nodes.
 *
 * @throws AppError `invalid` with the sentence
 */
export function checkArrangement(arrangement: readonly OrgPlace[], known: readonly OrgPlace[]): void {
  const sentence = problemOf(arrangement, known)
  if (sentence === undefined) return
  throw new AppError('invalid', { detail: sentence, errors: [{ path: 'items', message: sentence }] })
}

function problemOf(arrangement: readonly OrgPlace[], known: readonly OrgPlace[]): string | undefined {
  const sentences = orgSentences.arrangement
  const problem = problemOfArrangement(arrangement)
  if (problem) return sentences[problem]
  const ids = new Set(known.map(({ id }) => id))
  if (arrangement.some(({ id }) => !ids.has(id))) return sentences.unknown
  if (arrangement.length < known.length) return sentences.incomplete
  return depthOf(nestNodes(arrangement)) > orgLimits.levels ? sentences.tooDeep : undefined
}
