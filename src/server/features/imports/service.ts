import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { type Column, columnLetters } from '#server/spreadsheet/column.ts'
import { writeWorkbook } from '#server/spreadsheet/workbook.ts'
import {
  type ImportDetails,
  type ImportMapping,
  type ImportMatch,
  type ImportRow,
  type ImportRowPage,
  type ImportRowState,
  type ImportSummary,
  importFieldLabel,
  importRetentionDays,
  importRowPageSize,
  type UpdateKey,
} from '#shared/imports/imports.ts'
import type { Topic } from '#shared/topics.ts'
import {
  type CheckingOptions,
  type Choices,
  checkRows,
  choicesOf,
  createRowReader,
  resolveRows,
} from './check-rows.ts'
import {
  type ChangeImport,
  createChangeImport,
  importNotFound,
  importRows,
  refuseWithoutRows,
  restoreRecords,
  stateSentences,
  updateRecords,
} from './import-rows.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createMatchesRepository } from './matches-repository.ts'
import { createRecordsRepository, manyRecords, tidyStudents } from './records-repository.ts'
import { columnsByField } from './row-fields.ts'
import { createRowsRepository, type RowsRepository, type StoredRow } from './rows-repository.ts'
import { presentDetails, presentRow, presentSummary } from './schemas.ts'
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
    // Reading an import whose work has stopped resumes it.
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
      const held = await createRecordsRepository(database.longDb).storedChoices()
      await change(id, ['uploaded', 'checking', 'checked', 'undone'], async (tx, found) => {
        refuseWithoutRows(found)
        const outside = Object.keys(mapping.columns).find((index) => Number(index) >= found.headers.length)
        if (outside !== undefined) {
          throw new AppError('invalid', { detail: `The file has no column ${Number(outside) + 1}.` })
        }
        await createRowsRepository(tx).deleteImported(id)
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
      const isStored = isChecked(found) && found.rowsDeletedAt === null
      const offset = (page - 1) * importRowPageSize
      const items = isStored ? await rows.page(id, state, { limit: importRowPageSize, offset }) : []
      const total = isStored ? (state ? counts[state] : rowCount) : 0
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
            : 'No rows are ready to import. Please correct or include some.'
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
      const before = new Date(clock().getTime() - importRetentionDays * dayMs)
      for (const { id, state } of await imports.listExpired(before)) {
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

export interface RowChange {
  values?: Record<string, string> | undefined
  skip?: boolean | undefined
  take?: boolean | undefined
}

function createRowChanges(change: ChangeImport, options: Omit<CheckingOptions, 'database'>) {
  return {
    one(id: string, number: number, { values, skip, take }: RowChange): Promise<ImportRow> {
      return change(id, ['checked'], async (tx, found) => {
        if (take) refuseTaking(found)
        const rows = createRowsRepository(tx)
        const row = await rows.find(id, number)
        if (!row) throw new AppError('not_found', { detail: 'This row is not in the file.' })
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
          await rows.updateStates(id)
          // Duplicates of a row that is skipped now are no longer duplicates.
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
    detail: 'Two rows cannot update the same record. Please skip one of them.',
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

// The heading names no field, so a corrected file can be imported as it is.
const problemHeader = 'Problem'
const batchSize = 500
const waysInWords = {
  name: 'name and date of birth',
  studentId: 'student ID',
  email: 'email',
  record: 'record',
} as const

function refusedColumns({ headers, mapping }: StoredImport): Column<StoredRow>[] {
  const columns = mapping ? columnsByField(mapping) : new Map()
  const fieldOf = new Map([...columns].map(([field, index]) => [index, field]))
  const own = headers.map((header, index): Column<StoredRow> => {
    const field = fieldOf.get(index)
    return {
      header: header || `Column ${columnLetters(index)}`,
      width: 20,
      kind: 'text',
      value: ({ cells, edits }) => (field && edits[field]) ?? cells[index] ?? '',
    }
  })
  // A file uploaded again has the problem column of the earlier download.
  const others = own.filter(({ header }) => header !== problemHeader)
  return [...others, { header: problemHeader, width: 60, kind: 'text', value: problemText }]
}

function problemText({ state, problems, matches }: StoredRow): string {
  const sentences = problems.map(({ path, message }) => `${importFieldLabel(path)}: ${message}`)
  if (state === 'skipped') sentences.unshift('Skipped.')
  sentences.push(...matches.map(matchSentence))
  return sentences.join(' ')
}

function matchSentence({ by, reference, row }: ImportMatch): string {
  const same = by.map((way) => waysInWords[way]).join(' and ')
  return `The same ${same} as ${reference ?? `row ${row}`}.`
}

async function* refusedRows(rows: RowsRepository, id: string): AsyncGenerator<StoredRow> {
  for (let last = 0; ; ) {
    const batch = await rows.refusedAfter(id, last, batchSize)
    if (batch.length === 0) return
    yield* batch
    last = batch.at(-1)?.number ?? last
  }
}

function refusedFileName({ fileName }: Pick<StoredImport, 'fileName'>): string {
  const name = fileName.replace(/\.(xlsx|csv|txt|tsv|json)$/i, '').replace(/( - not imported)+$/, '')
  return `${name} - not imported.xlsx`
}
