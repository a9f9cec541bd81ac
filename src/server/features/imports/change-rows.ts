import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ImportRow, ImportRowState } from '#shared/imports/imports.ts'
import { type CheckingOptions, createRowReader, resolveRows } from './check-rows.ts'
import type { ChangeImport } from './import-rows.ts'
import type { StoredImport } from './imports-repository.ts'
import { createMatchesRepository } from './matches-repository.ts'
import { presentRow } from './present.ts'
import { createRowsRepository, type StoredRow } from './rows-repository.ts'
import { createUpdatesRepository } from './updates-repository.ts'

export interface RowChange {
  values?: Record<string, string> | undefined
  skip?: boolean | undefined
  take?: boolean | undefined
}

export function createRowChanges(change: ChangeImport, options: Omit<CheckingOptions, 'database'>) {
  return {
    one(id: string, number: number, { values, skip, take }: RowChange): Promise<ImportRow> {
      return change(id, ['checked'], async (tx, found) => {
        if (take) refuseTaking(found)
        const rows = createRowsRepository(tx)
        const row = await rows.find(id, number)
        if (!row) throw new AppError('not_found', { detail: 'This row is not part of the file.' })
        const matches = createMatchesRepository(tx)
        const before = found.updateBy ? [] : await matches.alike(id, number)
        const edits = { ...row.edits, ...values }
        await rows.saveEdits(id, number, { edits, decision: decisionOf(row, skip, take) })
        await rows.saveResults(id, await createRowReader(found, options)(tx, [{ ...row, edits }]))
        if (found.updateBy) await resolveRows(tx, found)
        else {
          const after = await matches.alike(id, number)
          await matches.mark(id, [...new Set([...before, ...after])])
          await rows.count(id)
        }
        return presentStored(tx, (await rows.find(id, number)) ?? row)
      })
    },

    all(id: string, state: ImportRowState, decision: 'skip' | 'take'): Promise<void> {
      return change(
        id,
        ['checked'],
        async (tx, found) => {
          if (decision === 'take') refuseTaking(found)
          const rows = createRowsRepository(tx)
          await rows.decideAll(id, state, decision)
          await rows.settleStates(id)
          // What was like a row that is skipped now isn't like anybody any more.
          await resolveRows(tx, found)
        },
        { long: true },
      )
    },
  }
}

// Of two rows that change one record, the second would undo the first.
function refuseTaking({ updateBy }: StoredImport): void {
  if (!updateBy) return
  throw new AppError('invalid', {
    detail: 'Two rows of a file cannot change the same record. Please skip one of them.',
  })
}

async function presentStored(tx: Queryable, row: StoredRow): Promise<ImportRow> {
  const [record] = row.recordId ? await createUpdatesRepository(tx).names([row.recordId]) : []
  return presentRow(row, record)
}

function decisionOf(
  { decision }: StoredRow,
  skip: boolean | undefined,
  take: boolean | undefined,
): StoredRow['decision'] {
  if (skip) return 'skip'
  if (take) return 'take'
  return skip === false || take === false ? null : decision
}
