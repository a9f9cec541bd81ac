import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { v7 as createId, validate as isUuid } from 'uuid'
import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { AppError } from '#server/errors.ts'
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
  importSentences,
  maxImportBytes,
} from '#shared/imports.ts'
import type { Topic } from '#shared/topics.ts'
import { type Choices, checkRows, choicesOf, createRowReader } from './check-rows.ts'
import { importRows } from './import-rows.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createMatchesRepository } from './matches-repository.ts'
import { presentDetails, presentRow, presentSummary } from './present.ts'
import { createRecordsRepository, tidyStudents } from './records-repository.ts'
import { refusedColumns } from './refused-file.ts'
import { createRowsRepository, type StoredRow } from './rows-repository.ts'
import { stageFile } from './stage-file.ts'
import { createImportWork, type WorkOrder } from './work.ts'

/** Files read at the same time: each keeps a connection for long work, and up to 20 MB. */
const mostUploads = 2
/** Rows that tell what the columns hold. */
const sampleRows = 50
const longestName = 200
/** From so many records on the table is tidied up afterwards. */
const manyRecords = 1_000
const refusedBatch = 500
const dayMs = 24 * 60 * 60 * 1000

interface ImportsServiceOptions {
  database: AppDatabase
  audit: Audit
  clock: Clock
  publish: (topic: Topic) => void
  log: Logger
  closing: AbortSignal
  timeZone: string
  /** What is on offer at registration now. */
  offer: () => Choices
  createReference: () => string
}

/** What somebody changes about one row. */
export interface RowChange {
  values?: Record<string, string> | undefined
  skip?: boolean | undefined
  take?: boolean | undefined
}

export type ImportsService = ReturnType<typeof createImportsService>

/** Import of students from a spreadsheet, step by step: file, columns, check, records, and back. */
export function createImportsService(options: ImportsServiceOptions) {
  const { database, audit, clock, publish, log, closing } = options
  const imports = createImportsRepository(database.db)
  const rows = createRowsRepository(database.db)
  let uploads = 0

  const work = createImportWork({
    imports,
    publish,
    log,
    closing,
    run: (order: WorkOrder) =>
      order.job.state === 'checking' ? checkRows(order, options) : importRows(order, options),
  })

  async function find(id: string): Promise<StoredImport> {
    const found = isUuid(id) ? await imports.find(id) : undefined
    if (!found) throw notFound()
    return found
  }

  async function details(id: string): Promise<ImportDetails> {
    const found = await find(id)
    const isOfRecords = found.state === 'imported'
    const [cells, changed] = await Promise.all([
      rows.firstCells(id, sampleRows),
      isOfRecords ? createRecordsRepository(database.db).countChanged(id) : 0,
    ])
    // Whoever looks at work that nobody does sets it going again.
    if (found.state === 'checking' || found.state === 'importing') work.start(id)
    return presentDetails(found, cells, changed, choicesOf(found.held, options.offer()))
  }

  /** Runs a change of one import in a transaction, if the import is in a state for it. */
  async function change<T>(
    id: string,
    states: readonly StoredImport['state'][],
    run: (tx: Parameters<Parameters<AppDatabase['transact']>[0]>[0], found: StoredImport) => Promise<T>,
    { long = false } = {},
  ): Promise<T> {
    if (!isUuid(id)) throw notFound()
    const result = await database.transact(
      async (tx) => {
        const found = await createImportsRepository(tx).findForChange(id)
        if (!found) throw notFound()
        if (!states.includes(found.state))
          throw new AppError('conflict', { detail: stateSentences[found.state] })
        return run(tx, found)
      },
      { long },
    )
    publish('imports')
    return result
  }

  return {
    /**
     * Takes a file: keeps its rows, and guesses what its columns are.
     *
     * @throws AppError `invalid` or `too_big` with what to do about the file
     */
    async upload(file: Buffer, fileName: string, actor: Actor): Promise<ImportDetails> {
      if (file.length > maxImportBytes) throw new AppError('too_big', { detail: importSentences.tooBig })
      if (uploads >= mostUploads) {
        const detail = 'Other files are being read at the moment. Please try again in a few seconds.'
        throw new AppError('too_many_requests', { detail, retryAfter: 5 })
      }
      uploads += 1
      const id = createId()
      const name = cleanName(fileName)
      try {
        await database.transact(
          async (tx) => {
            const repository = createImportsRepository(tx)
            const unread = { rowCount: 0, headers: [], guessedDateOrder: 'month-first' as const }
            await repository.insert({
              id,
              fileName: name,
              createdAt: clock(),
              createdBy: actor.name,
              ...unread,
            })
            const staged = await stageFile(file, (batch) => createRowsRepository(tx).stage(id, batch))
            await repository.describe(id, staged)
            await audit.record(tx, {
              action: 'import-uploaded',
              actor,
              subject: name,
              affected: staged.rowCount,
              detail: { import: id },
            })
          },
          { long: true },
        )
      } finally {
        uploads -= 1
      }
      publish('imports')
      return details(id)
    },

    /** Newest first. */
    async list(): Promise<{ items: ImportSummary[] }> {
      return { items: (await imports.list()).map(presentSummary) }
    },

    details,

    /** Takes the columns and begins the dry run. While one is under way, it begins anew. */
    async map(id: string, mapping: ImportMapping, actor: Actor): Promise<ImportDetails> {
      const held = await createRecordsRepository(database.longDb).held()
      await change(id, ['uploaded', 'checking', 'checked', 'undone'], async (tx, found) => {
        refuseWithoutRows(found)
        const outside = Object.keys(mapping.columns).find((index) => Number(index) >= found.headers.length)
        if (outside !== undefined) {
          throw new AppError('invalid', { detail: `The file has no column ${Number(outside) + 1}.` })
        }
        await createRowsRepository(tx).forgetTaken(id)
        await createImportsRepository(tx).orderCheck(id, { mapping, held, consentedAt: clock(), actor })
      })
      work.start(id)
      return details(id)
    },

    async rows(id: string, state: ImportRowState | null, page: number): Promise<ImportRowPage> {
      const found = await find(id)
      const { counts, rowCount } = presentSummary(found)
      const isKnown = found.state === 'checked' || found.state === 'imported' || found.state === 'undone'
      const offset = (page - 1) * importRowPageSize
      const items = isKnown ? await rows.page(id, state, { limit: importRowPageSize, offset }) : []
      const total = isKnown && found.rowsDeletedAt === null ? (state ? counts[state] : rowCount) : 0
      return { items: items.map(presentRow), total, page, pageSize: importRowPageSize }
    },

    /** Corrects, skips or takes a row, and checks it at once, with the rows that may be the same person. */
    async changeRow(id: string, number: number, { values, skip, take }: RowChange): Promise<ImportRow> {
      return await change(id, ['checked'], async (tx, found) => {
        const repository = createRowsRepository(tx)
        const matches = createMatchesRepository(tx)
        const row = await repository.find(id, number)
        if (!row) throw new AppError('not_found', { detail: 'This row is not part of the file.' })
        const before = await matches.alike(id, number)
        const edits = { ...row.edits, ...values }
        await repository.saveEdits(id, number, { edits, decision: decisionOf(row, skip, take) })
        await repository.saveResults(id, [createRowReader(found, options)({ ...row, edits })])
        const after = await matches.alike(id, number)
        await matches.mark(id, [...new Set([...before, ...after])])
        await repository.count(id)
        const changed = await repository.find(id, number)
        if (!changed) throw new AppError('not_found')
        return presentRow(changed)
      })
    },

    /** Skips or takes all rows that are in a state. */
    async decideAll(id: string, state: ImportRowState, decision: 'skip' | 'take'): Promise<ImportDetails> {
      await change(
        id,
        ['checked'],
        async (tx) => {
          const repository = createRowsRepository(tx)
          await repository.decideAll(id, state, decision)
          await repository.settleStates(id)
          // Rows that were duplicates of skipped ones aren't any more.
          await createMatchesRepository(tx).mark(id, null)
          await repository.count(id)
        },
        { long: true },
      )
      return details(id)
    },

    /** Begins to import the ready rows. */
    async run(id: string, actor: Actor): Promise<ImportDetails> {
      await change(id, ['checked'], async (tx, found) => {
        if (found.readyCount === 0) {
          throw new AppError('invalid', {
            detail: 'No row is ready to be imported. Please correct or take some.',
          })
        }
        await createImportsRepository(tx).orderImport(id, actor)
      })
      work.start(id)
      return details(id)
    },

    /**
     * Takes out exactly the records that the import made, all or none.
     *
     * @throws AppError `conflict` with their number when some were changed since, unless that is wanted
     */
    async undo(id: string, { evenChanged }: { evenChanged: boolean }, actor: Actor): Promise<ImportDetails> {
      const removed = await change(
        id,
        ['imported'],
        async (tx, found) => {
          const records = createRecordsRepository(tx)
          await records.lock(id)
          const changed = await records.countChanged(id)
          if (changed > 0 && !evenChanged)
            throw new AppError('conflict', { detail: changedSentence(changed) })
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
      publish('students')
      if (removed >= manyRecords) {
        tidyStudents(database).catch((error: unknown) => log.warn({ err: error }, 'students not tidied up'))
      }
      return details(id)
    },

    /** A workbook of the rows that aren't imported, in the file's own columns, with what is wrong. */
    async refused(id: string, actor: Actor): Promise<{ fileName: string; workbook: Readable }> {
      const found = await find(id)
      refuseWithoutRows(found)
      const isChecked = found.state === 'checked' || found.state === 'imported' || found.state === 'undone'
      if (!isChecked) throw new AppError('conflict', { detail: stateSentences[found.state] })
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
        rows: refusedRows(id),
      })
      return { fileName: `${withoutEnding(found.fileName)} - not imported.xlsx`, workbook }
    },

    /** Deletes the rows of the file. Of an import that made records the figures stay. */
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

    /** Deletes rows whose time is over. */
    async expire(): Promise<void> {
      const before = new Date(clock().getTime() - importKeptDays * dayMs)
      for (const { id, state } of await imports.keptSince(before)) {
        if (state === 'checking' || state === 'importing') continue
        const found = await imports.find(id)
        if (found?.importedCount) await imports.removeRows(id, clock())
        else await imports.remove(id)
      }
    },

    /** Takes up work that an ended process left behind. */
    resume: work.resume,
  }

  async function* refusedRows(id: string): AsyncGenerator<StoredRow> {
    for (let last = 0; ; ) {
      const batch = await rows.refusedAfter(id, last, refusedBatch)
      if (batch.length === 0) return
      yield* batch
      last = batch.at(-1)?.number ?? last
    }
  }
}

const stateSentences: Record<StoredImport['state'], string> = {
  uploaded: 'Please choose the columns of this file first.',
  checking: 'The rows of this file are still being checked.',
  checked: 'This file has not been imported yet.',
  importing: 'This file is being imported at the moment.',
  imported: 'This file has been imported already.',
  undone: 'This import was undone. Please check its rows again first.',
}

function changedSentence(count: number): string {
  const records = count === 1 ? '1 of these records was' : `${count} of these records were`
  return `${records} edited or archived since the import. Undoing it deletes them as well.`
}

function notFound(): AppError {
  return new AppError('not_found', { detail: 'Import not found' })
}

function refuseWithoutRows({ rowsDeletedAt }: StoredImport): void {
  if (rowsDeletedAt === null) return
  throw new AppError('conflict', {
    detail: 'The rows of this file have been deleted. Please upload it again.',
  })
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

/** The last part of a path, without what no file name should hold. */
function cleanName(name: string): string {
  const last =
    name
      .replace(/\p{Cc}/gu, '')
      .split(/[/\\]/)
      .at(-1)
      ?.trim() ?? ''
  return last.slice(0, longestName) || 'students'
}

function withoutEnding(name: string): string {
  return name.replace(/\.(xlsx|csv|txt|tsv)$/i, '')
}
