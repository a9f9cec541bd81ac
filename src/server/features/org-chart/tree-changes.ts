import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { FilesService } from '#server/features/files/service.ts'
import type { Topic } from '#shared/topics.ts'
import { createOrgChartRepository, type OrgChartRepository } from './repository.ts'

/** What changes of the chart are made with. */
export interface OrgChartOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
  files: Pick<FilesService, 'preparePicture' | 'keep' | 'release'>
}

/** Works on the tree while nobody else changes it, and tells the open pages if it was changed. */
export type ChangeTree = <T extends { changed: boolean }>(
  work: (repository: OrgChartRepository, tx: Queryable) => Promise<T>,
) => Promise<T>

/**
 * Changes take turns and look at the tree in their turn, so that no two of them together make a cycle or an
 * orphan.
 */
export function createTreeChanges({
  database,
  publish,
}: Pick<OrgChartOptions, 'database' | 'publish'>): ChangeTree {
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
