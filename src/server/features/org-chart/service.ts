import { isDeepStrictEqual } from 'node:util'
import { v7 as createId, validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { FilesService, Upload } from '#server/features/files/service.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'
import { imageLimits } from '#shared/files/images.ts'
import { type OrgChartContent, type OrgNode, orgLimits, orgSentences } from '#shared/org-chart/org-chart.ts'
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
import type { Topic } from '#shared/topics.ts'
import {
  createOrgChartRepository,
  type OrderedNode,
  type OrgChartRepository,
  type OrgNodeChange,
  type OrgNodeRow,
} from './repository.ts'

export type OrgChartService = ReturnType<typeof createOrgChartService>

export function createOrgChartService(options: OrgChartOptions) {
  const change = createTreeChanges(options)
  return {
    async read(): Promise<OrgChartContent> {
      return presentChart(await createOrgChartRepository(options.database.db).list())
    },
    ...createNodeChanges(options, change),
    ...createArranging(options, change),
  }
}

function createArranging({ clock, audit }: OrgChartOptions, change: ChangeTree) {
  return {
    /**
     * All or none.
     * @throws AppError `conflict` when nodes were added, removed or moved since; `invalid` unless it is a tree of exactly these nodes
     */
    async arrange({ version, items }: OrgOrder, actor: Actor): Promise<OrgChartContent> {
      const { rows } = await change(async (repository, tx) => {
        const nodes = await repository.arrangement()
        if (arrangementVersion(nodes) !== version) {
          throw new AppError('conflict', { detail: orgSentences.arrangement.stale })
        }
        checkArrangement(items, nodes)
        const moved = movedNodes(items, nodes)
        if (moved.length > 0) {
          await repository.move(moved, clock())
          await audit.record(tx, { action: 'org-chart-arranged', actor, affected: moved.length })
        }
        return { rows: await repository.list(), changed: moved.length > 0 }
      })
      return presentChart(rows)
    },
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

const photo = { maxBytes: imageLimits.orgPhoto, widths: [96, 192, 384], jpegWidth: 384 }

function createNodeChanges({ clock, audit, files }: OrgChartOptions, change: ChangeTree) {
  const prepare = async (image: Upload | undefined) => image && (await files.preparePicture(image, photo))

  return {
    /** @throws AppError `invalid`, `too_big` */
    async add(node: NewOrgNode, image: Upload | undefined, actor: Actor): Promise<OrgNode> {
      const prepared = await prepare(image)
      const { row } = await change(async (repository, tx) => {
        const nodes = await repository.arrangement()
        if (nodes.length >= orgLimits.nodes) throw new AppError('invalid', { detail: orgSentences.tooMany })
        checkParent(nodes, null, node.parentId)
        if (prepared) await files.store(tx, prepared.files)
        const row = await repository.insert({
          id: createId(),
          ...node,
          position: nextSiblingOrder(nodes, node.parentId),
          image: prepared?.value ?? null,
          createdAt: clock(),
        })
        await audit.record(tx, { action: 'org-node-added', actor, subject: row.name })
        return { row, changed: true }
      })
      return presentNode(row)
    },

    /**
     * @param version the version that the edit was based on
     * @throws AppError `not_found`; `conflict` when the node was changed since; `invalid`, `too_big`
     */
    async edit(
      id: string,
      version: number,
      { edit, image }: { edit: OrgNodeEdit; image: Upload | undefined },
      actor: Actor,
    ): Promise<OrgNode> {
      const prepared = await prepare(image)
      const { row } = await change(async (repository, tx) => {
        const current = await findIn(repository, id, version)
        const changes = changesOf(current, edit, prepared?.value)
        const fields = Object.keys(changes)
        if (fields.length === 0) return { row: current, changed: false }
        if (changes.parentId !== undefined) {
          const nodes = await repository.arrangement()
          checkParent(nodes, id, changes.parentId)
          changes.position = nextSiblingOrder(nodes, changes.parentId)
        }
        if (prepared) await files.store(tx, prepared.files)
        const row = await repository.update(id, changes, clock())
        if (changes.image !== undefined) await files.release(tx, [current.image])
        await audit.record(tx, { action: 'org-node-edited', actor, subject: row.name, fields })
        return { row, changed: true }
      })
      return presentNode(row)
    },

    /**
     * @param version undefined for any
     * @throws AppError `not_found`; `conflict` when it was changed since; `invalid` while it has children
     */
    async delete(id: string, version: number | undefined, actor: Actor): Promise<void> {
      await change(async (repository, tx) => {
        const current = await findIn(repository, id, version)
        if (await repository.hasChildren(id)) {
          throw new AppError('invalid', { detail: orgSentences.hasChildren })
        }
        await repository.remove(id)
        await files.release(tx, [current.image])
        await audit.record(tx, { action: 'org-node-deleted', actor, subject: current.name })
        return { changed: true }
      })
    },
  }
}

async function findIn(
  repository: OrgChartRepository,
  id: string,
  version: number | undefined,
): Promise<OrgNodeRow> {
  const row = isUuid(id) ? await repository.find(id) : undefined
  if (!row) throw new AppError('not_found', { detail: orgSentences.missing })
  if (version !== undefined && row.version !== version) throw new AppError('conflict')
  return row
}

function changesOf(
  current: OrgNodeRow,
  { keepExistingImage, ...fields }: OrgNodeEdit,
  newImage: OrgNodeRow['image'] | undefined,
): OrgNodeChange {
  const image = newImage ?? (keepExistingImage ? current.image : null)
  const wanted = { ...fields, image }
  // The names are those of an edit's fields, which are all fields of a node.
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  return Object.fromEntries(
    names
      .filter((name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], current[name]))
      .map((name) => [name, wanted[name]]),
  )
}

function presentNode(row: OrgNodeRow): OrgNode {
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

function presentChart(rows: readonly OrgNodeRow[]): OrgChartContent {
  return { items: inTreeOrder(rows).map(presentNode), version: arrangementVersion(rows) }
}

function arrangementVersion(nodes: readonly OrgPosition[]): string {
  const lines = inTreeOrder(nodes).map(({ id, parentId }) => `${id} ${parentId ?? ''}`)
  return sha256(lines.join('\n')).toString('base64url')
}

interface OrgChartOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
  files: Pick<FilesService, 'preparePicture' | 'store' | 'release'>
}

type ChangeTree = <T extends { changed: boolean }>(
  work: (repository: OrgChartRepository, tx: Queryable) => Promise<T>,
) => Promise<T>

// Race: changes are serialised, so that two can't make a cycle or an orphan.
function createTreeChanges({ database, publish }: Pick<OrgChartOptions, 'database' | 'publish'>): ChangeTree {
  return async (work) => {
    const result = await database.transact(async (tx) => {
      const repository = createOrgChartRepository(tx)
      await repository.lockTree()
      return await work(repository, tx)
    })
    if (result.changed) publish('org-chart')
    return result
  }
}

/**
 * Requires the tree lock.
 * @throws AppError `invalid` at `parentId`
 */
function checkParent(nodes: readonly OrgPosition[], id: string | null, parentId: string | null): void {
  const sentence = problemOfParent(nodes, id, parentId)
  if (sentence === undefined) return
  throw new AppError('invalid', { detail: sentence, errors: [{ path: 'parentId', message: sentence }] })
}

function problemOfParent(
  nodes: readonly OrgPosition[],
  id: string | null,
  parentId: string | null,
): string | undefined {
  if (parentId === null) return undefined
  if (parentId === id) return orgSentences.ownParent
  if (!nodes.some((node) => node.id === parentId)) return orgSentences.missingParent
  const under = id === null ? new Set<string>() : descendantsOf(nodes, id)
  if (under.has(parentId)) return orgSentences.descendantParent
  const levelsAbove = 1 + ancestorsOf(nodes, parentId).length
  return levelsAbove + levelsOf(nodes, id, under) > orgLimits.levels ? orgSentences.tooDeep : undefined
}

function levelsOf(nodes: readonly OrgPosition[], id: string | null, under: ReadonlySet<string>): number {
  const branch = nodes
    .filter((node) => node.id === id || under.has(node.id))
    .map((node) => (node.id === id ? { ...node, parentId: null } : node))
  return Math.max(1, depthOf(nestNodes(branch)))
}

/** @throws AppError `invalid` with the sentence */
function checkArrangement(arrangement: readonly OrgPosition[], current: readonly OrgPosition[]): void {
  const sentence = problemOf(arrangement, current)
  if (sentence === undefined) return
  throw new AppError('invalid', { detail: sentence, errors: [{ path: 'items', message: sentence }] })
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
