import { isDeepStrictEqual } from 'node:util'
import { v7 as createId, validate as isUuid } from 'uuid'
import type { Actor } from '#server/actor.ts'
import { AppError } from '#server/errors.ts'
import type { Upload } from '#server/features/files/service.ts'
import { imageLimits } from '#shared/images.ts'
import { type OrgNode, orgLimits, orgSentences } from '#shared/org-chart.ts'
import type { NewOrgNode, OrgNodeEdit } from '#shared/org-chart-schema.ts'
import { nextSiblingOrder } from '#shared/org-tree.ts'
import { presentNode } from './present.ts'
import type { OrgChartRepository, OrgNodeChange, OrgNodeRow } from './repository.ts'
import type { ChangeTree, OrgChartOptions } from './tree-changes.ts'
import { checkParent } from './tree-rules.ts'

/** Shown beside a name, on sharp screens and in print. */
const photo = { maxBytes: imageLimits.orgPhoto, widths: [96, 192, 384], jpegWidth: 384 }

/** The changes of single nodes. */
export function createNodeChanges({ clock, audit, files }: OrgChartOptions, change: ChangeTree) {
  const prepare = async (image: Upload | undefined) => image && (await files.preparePicture(image, photo))

  return {
    /**
     * Adds a node as the last one of its siblings.
     *
     * @throws AppError `invalid`, `too_big`
     */
    async add(node: NewOrgNode, image: Upload | undefined, actor: Actor): Promise<OrgNode> {
      const prepared = await prepare(image)
      const { row } = await change(async (repository, tx) => {
        const places = await repository.places()
        if (places.length >= orgLimits.nodes) throw new AppError('invalid', { detail: orgSentences.tooMany })
        checkParent(places, null, node.parentId)
        if (prepared) await files.keep(tx, prepared.files)
        const row = await repository.insert({
          id: createId(),
          ...node,
          position: nextSiblingOrder(places, node.parentId),
          image: prepared?.value ?? null,
          createdAt: clock(),
        })
        await audit.record(tx, { action: 'org-node-added', actor, subject: row.name })
        return { row, changed: true }
      })
      return presentNode(row)
    },

    /**
     * Changes a node. Under another parent it becomes the last one there. What it holds already changes nothing.
     *
     * @param version of the node that the edit was made on
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
        const held = await findIn(repository, id, version)
        const changes = changesOf(held, edit, prepared?.value)
        const fields = Object.keys(changes)
        if (fields.length === 0) return { row: held, changed: false }
        if (changes.parentId !== undefined) {
          const places = await repository.places()
          checkParent(places, id, changes.parentId)
          changes.position = nextSiblingOrder(places, changes.parentId)
        }
        if (prepared) await files.keep(tx, prepared.files)
        const row = await repository.update(id, changes, clock())
        if (changes.image !== undefined) await files.release(tx, [held.image])
        await audit.record(tx, { action: 'org-node-edited', actor, subject: row.name, fields })
        return { row, changed: true }
      })
      return presentNode(row)
    },

    /**
     * Deletes a node that has nobody under it.
     *
     * @param version of the node that was seen; undefined for whatever there is
     * @throws AppError `not_found`; `conflict` when it was changed since; `invalid` while it has children
     */
    async delete(id: string, version: number | undefined, actor: Actor): Promise<void> {
      await change(async (repository, tx) => {
        const held = await findIn(repository, id, version)
        if (await repository.hasChildren(id)) {
          throw new AppError('invalid', { detail: orgSentences.hasChildren })
        }
        await repository.remove(id)
        await files.release(tx, [held.image])
        await audit.record(tx, { action: 'org-node-deleted', actor, subject: held.name })
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

/** What of an edit is another value than the one held. */
function changesOf(
  held: OrgNodeRow,
  { keepExistingImage, ...fields }: OrgNodeEdit,
  newImage: OrgNodeRow['image'] | undefined,
): OrgNodeChange {
  const image = newImage ?? (keepExistingImage ? held.image : null)
  const wanted = { ...fields, image }
  // The names are those of an edit's fields, which are all fields of a node.
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  return Object.fromEntries(
    names
      .filter((name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], held[name]))
      .map((name) => [name, wanted[name]]),
  )
}
