import type { Actor } from '#server/actor.ts'
import { AppError } from '#server/errors.ts'
import { type OrgChartContent, orgSentences } from '#shared/org-chart.ts'
import type { OrgOrder } from '#shared/org-chart-schema.ts'
import { childrenByParent } from '#shared/org-tree.ts'
import { arrangementVersion, presentChart } from './present.ts'
import type { OrderedPlace } from './repository.ts'
import type { ChangeTree, OrgChartOptions } from './tree-changes.ts'
import { checkArrangement } from './tree-rules.ts'

/** The change of the whole arrangement at once. */
export function createArranging({ clock, audit }: OrgChartOptions, change: ChangeTree) {
  return {
    /**
     * Puts every node at its place, all or none.
     *
     * @throws AppError `conflict` when nodes were added, removed or moved since; `invalid` for what is no tree of
     *   exactly these nodes
     */
    async arrange({ version, items }: OrgOrder, actor: Actor): Promise<OrgChartContent> {
      const { rows } = await change(async (repository, tx) => {
        const places = await repository.places()
        if (arrangementVersion(places) !== version) {
          throw new AppError('conflict', { detail: orgSentences.arrangement.stale })
        }
        checkArrangement(items, places)
        const moved = movedPlaces(items, places)
        if (moved.length > 0) {
          await repository.place(moved, clock())
          await audit.record(tx, { action: 'org-chart-arranged', actor, affected: moved.length })
        }
        return { rows: await repository.list(), changed: moved.length > 0 }
      })
      return presentChart(rows)
    },
  }
}

/** The places of an arrangement, counted without gaps, that differ from those known. */
function movedPlaces(arrangement: OrgOrder['items'], known: readonly OrderedPlace[]): OrderedPlace[] {
  const before = new Map(known.map((place) => [place.id, place]))
  return [...childrenByParent(arrangement).values()]
    .flatMap((siblings) => siblings.map(({ id, parentId }, order) => ({ id, parentId, order })))
    .filter(({ id, parentId, order }) => {
      const place = before.get(id)
      return place?.parentId !== parentId || place.order !== order
    })
}
