import { createHash } from 'node:crypto'
import type { OrgChartContent, OrgNode } from '#shared/org-chart.ts'
import { inTreeOrder, type OrgPlace } from '#shared/org-tree.ts'
import type { OrgNodeRow } from './repository.ts'

/** A node as the API gives it out. */
export function presentNode(row: OrgNodeRow): OrgNode {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    title: row.title,
    department: row.department,
    parentId: row.parentId,
    order: row.position,
    createdAt: row.createdAt.getTime(),
    imageUrl: row.image?.jpeg.url ?? null,
    image: row.image,
  }
}

/** The whole chart. @param rows siblings in their order */
export function presentChart(rows: readonly OrgNodeRow[]): OrgChartContent {
  return { items: inTreeOrder(rows).map(presentNode), version: arrangementVersion(rows) }
}

/** The same for the same arrangement, and for no other. @param places siblings in their order */
export function arrangementVersion(places: readonly OrgPlace[]): string {
  const told = inTreeOrder(places).map(({ id, parentId }) => `${id} ${parentId ?? ''}`)
  return createHash('sha256').update(told.join('\n')).digest('base64url')
}
