import { v7 as createId } from 'uuid'
import type { PictureFiles } from '#server/features/files/service.ts'
import type { UploadedFile } from '#server/http/read-body.ts'
import type { Actor } from '#server/lib/actor.ts'
import { type ChangeContext, changesBetween, changesOf, mustBeCurrent } from '#server/lib/change.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { imageLimits } from '#shared/files/images.ts'
import { orgLimits, orgSentences } from '#shared/org-chart/org-chart.ts'
import type { OrgChartContent, OrgNode } from '#shared/org-chart/org-chart-response.ts'
import type { NewOrgNode, OrgNodeEdit, OrgOrder } from '#shared/org-chart/org-chart-schema.ts'
import { problemOfArrangement } from '#shared/org-chart/org-moves.ts'
import {
  ancestorsOf,
  childrenByParent,
  depthOf,
  descendantsOf,
  inTreeOrder,
  nestNodes,
  nextSiblingOrder,
  type OrgPosition,
} from '#shared/org-chart/org-tree.ts'
import {
  createOrgChartRepository,
  type OrderedNode,
  type OrgChartRepository,
  type OrgNodeRow,
} from './repository.ts'

const photo = { maxBytes: imageLimits.orgPhoto, widths: [96, 192, 384], jpegWidth: 384 }

export function createOrgChartService(options: ChangeContext & { files: PictureFiles }) {
  const { database, clock, files } = options
  const prepare = async (image: UploadedFile | undefined) =>
    image && (await files.preparePicture(image, photo))

  // Race: changes are serialised, so that two can't make a cycle or an orphan.
  const change = changesOf(options, 'org-chart', async (tx) => {
    const nodes = createOrgChartRepository(tx)
    await nodes.lockTree()
    return nodes
  })

  return {
    read: async (): Promise<OrgChartContent> =>
      presentChart(await createOrgChartRepository(database.db).list()),

    async add(node: NewOrgNode, image: UploadedFile | undefined, actor: Actor): Promise<OrgNode> {
      const prepared = await prepare(image)
      return await change(async (repository, tx, record) => {
        const position = await positionUnder(repository, null, node.parentId)
        await files.store(tx, prepared?.files)
        const now = clock()
        const row = await repository.insert({
          ...node,
          id: createId(),
          position,
          image: prepared?.value ?? null,
          createdAt: now,
          updatedAt: now,
        })
        await record({ action: 'org-node-added', actor, subject: row.name })
        return presentNode(row)
      })
    },

    async edit(
      id: string,
      version: number,
      { edit, image: upload }: { edit: OrgNodeEdit; image: UploadedFile | undefined },
      actor: Actor,
    ): Promise<OrgNode> {
      const prepared = await prepare(upload)
      return await change(async (repository, tx, record) => {
        const current = await findIn(repository, id, version)
        const { keepExistingImage, ...wanted } = edit
        const image = prepared?.value ?? (keepExistingImage ? current.image : null)
        const { fields, after } = changesBetween(current, { ...wanted, image })
        if (fields.length === 0) return presentNode(current)
        if (after.parentId !== undefined) after.position = await positionUnder(repository, id, after.parentId)
        await files.store(tx, prepared?.files)
        const row = await repository.update(id, { ...after, updatedAt: clock() })
        await files.release(tx, [current.image])
        await record({ action: 'org-node-edited', actor, subject: row.name, fields })
        return presentNode(row)
      })
    },

    async delete(id: string, version: number | undefined, actor: Actor): Promise<void> {
      await change(async (repository, tx, record) => {
        const current = await findIn(repository, id, version)
        if (await repository.hasChildren(id)) throw new AppError('invalid', orgSentences.hasChildren)
        await repository.remove(id)
        await files.release(tx, [current.image])
        await record({ action: 'org-node-deleted', actor, subject: current.name })
      })
    },

    // Changes all places or none.
    arrange: async ({ version, items }: OrgOrder, actor: Actor): Promise<OrgChartContent> =>
      change(async (repository, _tx, record) => {
        const nodes = await repository.arrangement()
        if (arrangementVersion(nodes) !== version) {
          throw new AppError('conflict', orgSentences.arrangement.stale)
        }
        const problem = problemOf(items, nodes)
        if (problem !== undefined) throw invalid('items', problem)
        const moved = movedNodes(items, nodes)
        if (moved.length > 0) {
          await repository.move(moved, clock())
          await record({ action: 'org-chart-arranged', actor, affected: moved.length })
        }
        return presentChart(await repository.list())
      }),
  }
}

function movedNodes(arrangement: OrgOrder['items'], current: readonly OrderedNode[]): OrderedNode[] {
  const before = new Map(current.map((node) => [node.id, node]))
  return [...childrenByParent(arrangement).values()]
    .flatMap((siblings) => siblings.map(({ id, parentId }, order) => ({ id, parentId, order })))
    .filter(({ id, parentId, order }) => {
      const node = before.get(id)
      return node?.parentId !== parentId || node.order !== order
    })
}

async function findIn(repository: OrgChartRepository, id: string, version: number | undefined) {
  return mustBeCurrent(await repository.find(id), orgSentences.missing, version)
}

function presentNode({ position, createdAt, updatedAt, ...node }: OrgNodeRow): OrgNode {
  const imageUrl = node.image?.jpeg.url ?? null
  return { ...node, order: position, createdAt: createdAt.getTime(), imageUrl }
}

function presentChart(rows: readonly OrgNodeRow[]): OrgChartContent {
  return { items: inTreeOrder(rows).map(presentNode), version: arrangementVersion(rows) }
}

function arrangementVersion(nodes: readonly OrgPosition[]): string {
  const lines = inTreeOrder(nodes).map(({ id, parentId }) => `${id} ${parentId ?? ''}`)
  return sha256(lines.join('\n')).toString('base64url')
}

/**
 * The last place among the parent's children. Requires the tree lock.
 * @param id null for a new node
 */
async function positionUnder(repository: OrgChartRepository, id: string | null, parentId: string | null) {
  const nodes = await repository.arrangement()
  if (id === null && nodes.length >= orgLimits.nodes) throw new AppError('invalid', orgSentences.tooMany)
  const sentence = problemOfParent(nodes, id, parentId)
  if (sentence !== undefined) throw invalid('parentId', sentence)
  return nextSiblingOrder(nodes, parentId)
}

function problemOfParent(nodes: readonly OrgPosition[], id: string | null, parentId: string | null) {
  if (parentId === null) return undefined
  if (parentId === id) return orgSentences.ownParent
  if (!nodes.some((node) => node.id === parentId)) return orgSentences.missingParent
  const under = id === null ? new Set<string>() : descendantsOf(nodes, id)
  if (under.has(parentId)) return orgSentences.descendantParent
  const branch = nodes
    .filter((node) => node.id === id || under.has(node.id))
    .map((node) => (node.id === id ? { ...node, parentId: null } : node))
  const levels = 1 + ancestorsOf(nodes, parentId).length + Math.max(1, depthOf(nestNodes(branch)))
  return levels > orgLimits.levels ? orgSentences.tooDeep : undefined
}

function problemOf(arrangement: readonly OrgPosition[], current: readonly OrgPosition[]): string | undefined {
  const sentences = orgSentences.arrangement
  const problem = problemOfArrangement(arrangement)
  if (problem) return sentences[problem]
  const ids = new Set(current.map(({ id }) => id))
  if (arrangement.some(({ id }) => !ids.has(id))) return sentences.unknown
  if (arrangement.length < current.length) return sentences.incomplete
  return depthOf(nestNodes(arrangement)) > orgLimits.levels ? sentences.tooDeep : undefined
}
