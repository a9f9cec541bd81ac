import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import { AppError } from '#server/errors.ts'
import { type ChangeImport, refuseWithoutRows } from './change-import.ts'
import { createImportsRepository } from './imports-repository.ts'
import { createRecordsRepository } from './records-repository.ts'
import { restoreRecords } from './update-records.ts'

interface UndoOptions {
  change: ChangeImport
  audit: Audit
  clock: () => Date
}

/**
 * Makes the function that takes out exactly the records of an import, all or none, and gives their number. It
 * throws `conflict` with the number of those that were changed since, unless these are to go too. An update gets the
 * old values back.
 */
export function createUndo({ change, audit, clock }: UndoOptions) {
  return (id: string, evenChanged: boolean, actor: Actor): Promise<number> =>
    change(
      id,
      ['imported'],
      async (tx, found) => {
        if (found.updateBy) {
          refuseWithoutRows(found)
          const affected = await restoreRecords(tx, found, { audit, actor })
          await audit.record(tx, {
            action: 'import-undone',
            actor,
            subject: found.fileName,
            affected,
            detail: { import: id },
          })
          await createImportsRepository(tx).markUndone(id, clock())
          return affected
        }
        const records = createRecordsRepository(tx)
        await records.lock(id)
        const changed = await records.countChanged(id)
        if (changed > 0 && !evenChanged) throw new AppError('conflict', { detail: changedSentence(changed) })
        const ids = await records.remove(id)
        await audit.record(tx, {
          action: 'import-undone',
          actor,
          subject: found.fileName,
          studentIds: ids,
          affected: ids.length,
          detail: { changed, import: id },
        })
        await createImportsRepository(tx).markUndone(id, clock())
        return ids.length
      },
      { long: true },
    )
}

function changedSentence(count: number): string {
  const records = count === 1 ? '1 of these records was' : `${count} of these records were`
  return `${records} edited or archived since the import. Undoing it deletes them as well.`
}
