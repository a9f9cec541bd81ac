import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { writeWorkbook } from '#server/spreadsheet/workbook.ts'
import {
  type ImportDetails,
  type ImportMapping,
  type ImportRow,
  type ImportRowPage,
  type ImportRowState,
  type ImportSummary,
  importKeptDays,
  importRowPageSize,
  type UpdateKey,
} from '#shared/imports/imports.ts'
import type { Topic } from '#shared/topics.ts'
import { createRowChanges, type RowChange } from './change-rows.ts'
import { type Choices, checkRows, choicesOf } from './check-rows.ts'
import {
  type ChangeImport,
  createChangeImport,
  importNotFound,
  importRows,
  refuseWithoutRows,
  stateSentences,
} from './import-rows.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { presentDetails, presentRow, presentSummary } from './present.ts'
import { createRecordsRepository, manyRecords, tidyStudents } from './records-repository.ts'
import { refusedColumns, refusedFileName, refusedRows } from './refused-file.ts'
import { createRowsRepository } from './rows-repository.ts'
import { restoreRecords, updateRecords } from './update-records.ts'
import { createUpdatesRepository } from './updates-repository.ts'
import { createUpload } from './upload-file.ts'
import { createImportWork } from './work.ts'

const sampleRows = 50
const dayMs = 24 * 60 * 60 * 1000

interface ImportsServiceOptions {
  database: AppDatabase
  audit: Audit
  clock: Clock
  publish: (topic: Topic) => void
  log: Logger
  closing: AbortSignal
  timeZone: string
  offer: () => Choices
  createReference: () => string
}

export type ImportsService = ReturnType<typeof createImportsService>

export function createImportsService(options: ImportsServiceOptions) {
  const { database, audit, clock, publish, log, closing } = options
  const imports = createImportsRepository(database.db)
  const rows = createRowsRepository(database.db)
  const change = createChangeImport(options)
  const takeFile = createUpload(options)
  const rowChanges = createRowChanges(change, options)
  const takeOut = createUndo({ change, audit, clock })
  const work = createImportWork({
    imports,
    publish,
    log,
    closing,
    run: (order) => {
      if (order.job.state === 'checking') return checkRows(order, options)
      return order.job.updateBy ? updateRecords(order, options) : importRows(order, options)
    },
  })

  async function find(id: string): Promise<StoredImport> {
    const found = isUuid(id) ? await imports.find(id) : undefined
    if (!found) throw importNotFound()
    return found
  }

  async function details(id: string): Promise<ImportDetails> {
    const found = await find(id)
    const [cells, changed] = await Promise.all([
      rows.firstCells(id, sampleRows),
      found.state === 'imported' || found.state === 'undone'
        ? countChanged(found)
        : { changed: 0, deleted: 0 },
    ])
    // Whoever looks at work that nobody does sets it going again.
    if (isWorking(found)) work.start(id)
    return presentDetails(found, cells, changed, choicesOf(found.held, options.offer()))
  }

  async function countChanged({ id, updateBy, state }: StoredImport) {
    if (!updateBy) return { changed: await createRecordsRepository(database.db).countChanged(id), deleted: 0 }
    const { changed, deleted } = await createUpdatesRepository(database.db).countChanged(id)
    // After an undo the old values are meant to differ.
    return { changed: state === 'imported' ? changed : 0, deleted }
  }

  return {
    /** @throws AppError `invalid` or `too_big` with what to do about the file */
    async upload(file: Buffer, fileName: string, actor: Actor): Promise<ImportDetails> {
      const id = await takeFile(file, fileName, actor)
      publish('imports')
      return details(id)
    },

    async list(): Promise<{ items: ImportSummary[] }> {
      return { items: (await imports.list()).map(presentSummary) }
    },

    details,

    async map(
      id: string,
      { updateBy = null, ...mapping }: ImportMapping & { updateBy?: UpdateKey | null },
      actor: Actor,
    ): Promise<ImportDetails> {
      const held = await createRecordsRepository(database.longDb).held()
      await change(id, ['uploaded', 'checking', 'checked', 'undone'], async (tx, found) => {
        refuseWithoutRows(found)
        const outside = Object.keys(mapping.columns).find((index) => Number(index) >= found.headers.length)
        if (outside !== undefined) {
          throw new AppError('invalid', { detail: `The file has no column ${Number(outside) + 1}.` })
        }
        await createRowsRepository(tx).forgetTaken(id)
        await createImportsRepository(tx).orderCheck(id, {
          mapping,
          updateBy,
          held,
          consentedAt: updateBy ? null : clock(),
          actor,
        })
      })
      work.start(id)
      return details(id)
    },

    async rows(id: string, state: ImportRowState | null, page: number): Promise<ImportRowPage> {
      const found = await find(id)
      const { counts, rowCount } = presentSummary(found)
      const isKnown = isChecked(found) && found.rowsDeletedAt === null
      const offset = (page - 1) * importRowPageSize
      const items = isKnown ? await rows.page(id, state, { limit: importRowPageSize, offset }) : []
      const total = isKnown ? (state ? counts[state] : rowCount) : 0
      const ids = items.flatMap(({ recordId }) => recordId ?? [])
      const records = await createUpdatesRepository(database.db).names(ids)
      return {
        items: items.map((row) =>
          presentRow(
            row,
            records.find((record) => record.id === row.recordId),
          ),
        ),
        total,
        page,
        pageSize: importRowPageSize,
      }
    },

    changeRow: (id: string, number: number, wanted: RowChange): Promise<ImportRow> =>
      rowChanges.one(id, number, wanted),

    async decideAll(id: string, state: ImportRowState, decision: 'skip' | 'take'): Promise<ImportDetails> {
      await rowChanges.all(id, state, decision)
      return details(id)
    },

    async run(id: string, actor: Actor): Promise<ImportDetails> {
      await change(id, ['checked'], async (tx, found) => {
        if (found.readyCount === 0) {
          const detail = found.updateBy
            ? 'No changes to import.'
            : 'No row is ready to be imported. Please correct or take some.'
          throw new AppError('invalid', { detail })
        }
        await createImportsRepository(tx).orderImport(id, actor)
      })
      work.start(id)
      return details(id)
    },

    /**
     * Takes out exactly the records that the import made, or puts the old values of an update back; all or none.
     *
     * @throws AppError `conflict` with their number when some were changed since; `evenChanged` allows it for an import
     *   that added records
     */
    async undo(id: string, { evenChanged }: { evenChanged: boolean }, actor: Actor): Promise<ImportDetails> {
      const removed = await takeOut(id, evenChanged, actor)
      publish('students')
      if (removed >= manyRecords) {
        tidyStudents(database).catch((error: unknown) => log.warn({ err: error }, 'students not tidied up'))
      }
      return details(id)
    },

    async refused(id: string, actor: Actor): Promise<{ fileName: string; workbook: Readable }> {
      const found = await find(id)
      refuseWithoutRows(found)
      if (!isChecked(found)) throw new AppError('conflict', { detail: stateSentences[found.state] })
      await audit.record(database.db, {
        action: 'import-refused-downloaded',
        actor,
        subject: found.fileName,
        affected: found.problemCount + found.duplicateCount + found.skippedCount,
        detail: { import: id },
      })
      const workbook = writeWorkbook({
        title: 'Rows that were not imported',
        sheetName: 'Not imported',
        creator: 'NSTP Portal',
        created: clock(),
        timeZone: options.timeZone,
        columns: refusedColumns(found),
        rows: refusedRows(rows, id),
      })
      return { fileName: refusedFileName(found), workbook }
    },

    // The figures of an import that made records stay.
    async discard(id: string, actor: Actor): Promise<void> {
      await change(id, ['uploaded', 'checking', 'checked', 'imported', 'undone'], async (tx, found) => {
        const repository = createImportsRepository(tx)
        if (found.importedCount > 0) await repository.removeRows(id, clock())
        else await repository.remove(id)
        await audit.record(tx, {
          action: 'import-deleted',
          actor,
          subject: found.fileName,
          affected: found.rowCount,
          detail: { import: id },
        })
      })
    },

    async expire(): Promise<void> {
      const before = new Date(clock().getTime() - importKeptDays * dayMs)
      for (const { id, state } of await imports.keptSince(before)) {
        if (isWorking({ state })) continue
        const found = await imports.find(id)
        if (found?.importedCount) await imports.removeRows(id, clock())
        else await imports.remove(id)
      }
    },

    resume: work.resume,
  }
}

function isWorking({ state }: Pick<StoredImport, 'state'>): boolean {
  return state === 'checking' || state === 'importing'
}

function isChecked({ state }: Pick<StoredImport, 'state'>): boolean {
  return state === 'checked' || state === 'imported' || state === 'undone'
}

interface UndoOptions {
  change: ChangeImport
  audit: Audit
  clock: () => Date
}

function createUndo({ change, audit, clock }: UndoOptions) {
  return (id: string, evenChanged: boolean, actor: Actor): Promise<number> =>
    change(
      id,
      ['imported'],
      async (tx, found) => {
        if (found.updateBy) {
          refuseWithoutRows(found)
          const { restored, deleted } = await restoreRecords(tx, found, { audit, actor })
          await audit.record(tx, {
            action: 'import-undone',
            actor,
            subject: found.fileName,
            affected: restored,
            detail: { deleted, import: id },
          })
          await createImportsRepository(tx).markUndone(id, clock())
          return restored
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
