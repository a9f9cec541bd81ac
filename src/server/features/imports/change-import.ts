import { validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import type { Topic } from '#shared/topics.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'

type State = StoredImport['state']

/** What an import is told that isn't in a state for what is asked. */
export const stateSentences: Record<State, string> = {
  uploaded: 'Please choose the columns of this file first.',
  checking: 'The rows of this file are still being checked.',
  checked: 'This file has not been imported yet.',
  importing: 'This file is being imported at the moment.',
  imported: 'This file has been imported already.',
  undone: 'This import was undone. Please check its rows again first.',
}

export function importNotFound(): AppError {
  return new AppError('not_found', { detail: 'Import not found' })
}

/** @throws AppError `conflict` when the rows of the file are gone */
export function refuseWithoutRows({ rowsDeletedAt }: StoredImport): void {
  if (rowsDeletedAt === null) return
  throw new AppError('conflict', {
    detail: 'The rows of this file have been deleted. Please upload it again.',
  })
}

/**
 * Runs a change of one import in a transaction in which nobody else changes it, if it is in a state for that.
 *
 * @throws AppError `not_found`, or `conflict` with what has to come first
 */
export type ChangeImport = <T>(
  id: string,
  states: readonly State[],
  run: (tx: Queryable, found: StoredImport) => Promise<T>,
  options?: { long?: boolean },
) => Promise<T>

/** Makes the way to change imports; everybody is told when a change is done. */
export function createChangeImport({
  database,
  publish,
}: {
  database: AppDatabase
  publish: (topic: Topic) => void
}): ChangeImport {
  return async (id, states, run, { long = false } = {}) => {
    if (!isUuid(id)) throw importNotFound()
    const result = await database.transact(
      async (tx) => {
        const found = await createImportsRepository(tx).findForChange(id)
        if (!found) throw importNotFound()
        if (!states.includes(found.state)) {
          throw new AppError('conflict', { detail: stateSentences[found.state] })
        }
        return run(tx, found)
      },
      { long },
    )
    publish('imports')
    return result
  }
}
