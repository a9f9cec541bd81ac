import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { isMisnamed } from '#server/spreadsheet/reading/table-rows.ts'
import { fileSentences, unreadable } from '#server/spreadsheet/reading/zip-parts.ts'
import type { ReadingChoices } from '#shared/imports/import-response.ts'
import {
  type ImportPurpose,
  importSentences,
  maxImportBytes,
  maxImportRows,
} from '#shared/imports/imports.ts'
import { headersOf } from './column-guess.ts'
import { createDateColumns } from './date-columns.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { readTable, usualReading } from './read-table.ts'
import { createRowsRepository, type StagedRow } from './rows-repository.ts'

// Each uses a connection for long work and up to 20 MB.
const maxUploads = 2
const longestName = 200
// The workbook of serial numbers has a summary as its first sheet; this finds the list of people.
const sheetOfSerials = /graduate|serial/i

export interface UploadedFile {
  bytes: Buffer
  fileName: string
  purpose: ImportPurpose
  // A list of people has one of these.
  termId: string | null
  paperId: string | null
  // The letter with which serial numbers came, and its day.
  reference?: string
  receivedOn?: string | null
}

export function createUpload({ database, audit, clock }: Pick<AppContext, 'database' | 'audit' | 'clock'>) {
  const uploads = createWorkQueue({ atOnce: maxUploads, maxWaiting: 0, busy: fileSentences.busy })

  async function store(
    id: string,
    { bytes, fileName, purpose, termId, paperId, reference = '', receivedOn = null }: UploadedFile,
    actor: Staff,
  ) {
    await database.transact(
      async (tx) => {
        const imports = createImportsRepository(tx)
        await imports.insert({
          id,
          fileName,
          purpose,
          termId,
          paperId,
          reference,
          receivedOn,
          createdAt: clock(),
          createdBy: actor.name,
          createdById: actor.adminId,
          state: 'uploaded',
          rowCount: 0,
          headers: [],
          guessedDateOrder: 'month-first',
        })
        await imports.keepFile(id, bytes)
        const staged = await stageFile(bytes, fileName, (rows) => createRowsRepository(tx).stage(id, rows), {
          preferred: preferredSheet(purpose),
        })
        await imports.update(id, staged)
        await audit.record(tx, {
          action: 'import-uploaded',
          actor,
          subject: fileName,
          affected: staged.rowCount,
          detail: { import: id },
        })
      },
      { long: true },
    )
  }

  return {
    async take(file: UploadedFile, actor: Staff): Promise<string> {
      if (file.bytes.length > maxImportBytes) throw new AppError('too_big', importSentences.tooBig)
      const id = createId()
      await uploads.run(() => store(id, { ...file, fileName: cleanName(file.fileName) }, actor))
      return id
    },

    /**
     * Replaces the rows as they were read before.
     * @param again locks the import, and runs the rest in its transaction
     */
    readAgain: (choices: ReadingChoices, again: (read: ReadAgain) => Promise<void>): Promise<void> =>
      uploads.run(() =>
        again(async (tx, { id, fileName, purpose }) => {
          const imports = createImportsRepository(tx)
          const bytes = await imports.file(id)
          if (!bytes) throw new AppError('conflict', fileGone)
          await imports.removeRows(id)
          const stage = (rows: StagedRow[]) => createRowsRepository(tx).stage(id, rows)
          const staged = await stageFile(bytes, fileName, stage, {
            preferred: preferredSheet(purpose),
            choices,
          })
          await imports.order(id, { ...staged, ...asUploaded })
        }),
      ),
  }
}

type ReadAgain = (tx: Queryable, found: Pick<StoredImport, 'id' | 'fileName' | 'purpose'>) => Promise<void>

const fileGone = 'This file is no longer kept. Please upload it again.'

// The new rows replace the old ones, so nothing of the earlier check remains.
const asUploaded = {
  state: 'uploaded',
  mapping: null,
  updateBy: null,
  readyCount: 0,
  problemCount: 0,
  duplicateCount: 0,
  skippedCount: 0,
  unchangedCount: 0,
  unmatchedCount: 0,
  differsCount: 0,
} as const

const preferredSheet = (purpose: ImportPurpose) => (purpose === 'serials' ? sheetOfSerials : undefined)

// Security: removes paths, control characters and marks that change the writing direction.
function cleanName(name: string): string {
  const last =
    name
      .replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu, '')
      .split(/[/\\]/)
      .at(-1)
      ?.trim() ?? ''
  return last.slice(0, longestName) || 'students'
}

// Rows and characters of one statement.
const batchSize = 500
const batchCharacters = 2 * 1024 * 1024
// Security: a small workbook can repeat one long text in every cell.
const maxCharacters = 128 * 1024 * 1024
// ms: the largest valid file takes a tenth of it.
const readLimitMs = 60_000

interface Staging {
  preferred?: RegExp | undefined
  choices?: ReadingChoices
}

/** @throws AppError `invalid` or `too_big` for a file that can't be imported */
export async function stageFile(
  file: Buffer,
  fileName: string,
  stage: (rows: StagedRow[]) => Promise<void>,
  { preferred, choices = usualReading }: Staging = {},
) {
  const empty = isMisnamed(file, fileName) ? fileSentences.otherType : fileSentences.empty
  const table = await readTable(file, { preferred, choices })
  const end = Date.now() + readLimitMs
  if (!table) throw unreadable(empty)
  const dates = createDateColumns(table.headers(), { choices, hasDates: table.hasDates })
  let width = 0
  let rowCount = 0
  let lastNumber = 0
  let batch: StagedRow[] = []
  let characters = 0
  let written = 0
  for await (const { number, cells: given } of table.rows) {
    const cells = dates.read(given)
    rowCount += 1
    if (rowCount > maxImportRows) throw new AppError('too_big', importSentences.tooManyRows)
    width = Math.max(width, cells.length)
    // A file may number its rows wrongly; here each number is one row.
    lastNumber = Math.max(lastNumber + 1, Math.min(number, 2_000_000_000 - maxImportRows + rowCount))
    batch.push({ number: lastNumber, cells: cells.some(isOdd) ? cells.map(storable) : cells })
    characters += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (batch.length < batchSize && characters - written < batchCharacters) continue
    if (Date.now() > end || characters > maxCharacters) throw unreadable(fileSentences.tooLarge)
    await stage(batch)
    batch = []
    written = characters
  }
  if (rowCount === 0) throw unreadable(empty)
  if (batch.length > 0) await stage(batch)
  const headers = table.headers().map(storable)
  const notes = [...(await table.notes()), ...dates.notes()]
  return {
    headers: headersOf(headers, Math.max(headers.length, width)),
    rowCount,
    guessedDateOrder: dates.order(),
    reading: {
      choices,
      notes: notes.map((note) => ({ ...note, text: storable(note.text) })),
      asksDateOrder: dates.isOpen(),
    },
  }
}

// PostgreSQL stores no NUL and no lone surrogates.
const isOdd = (text: string) => /[\0\ud800-\udfff]/u.test(text)

function storable(text: string): string {
  return text.replace(/\0/g, '\u0001').replace(/[\ud800-\udfff]/gu, '\ufffd')
}
