import { v7 as createId } from 'uuid'
import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { AppError } from '#server/errors.ts'
import { importSentences, maxImportBytes } from '#shared/imports.ts'
import { createImportsRepository } from './imports-repository.ts'
import { createRowsRepository } from './rows-repository.ts'
import { stageFile } from './stage-file.ts'

/** Files read at the same time: each keeps a connection for long work, and up to 20 MB. */
const mostUploads = 2
const longestName = 200

interface UploadOptions {
  database: AppDatabase
  audit: Audit
  clock: () => Date
}

/** Makes the function that takes a file: it keeps the file's rows, all or none, and gives the import's id. */
export function createUpload({ database, audit, clock }: UploadOptions) {
  let running = 0

  async function store(id: string, file: Buffer, fileName: string, actor: Actor): Promise<void> {
    await database.transact(
      async (tx) => {
        const imports = createImportsRepository(tx)
        const unread = { rowCount: 0, headers: [], guessedDateOrder: 'month-first' as const }
        await imports.insert({ id, fileName, createdAt: clock(), createdBy: actor.name, ...unread })
        const staged = await stageFile(file, (batch) => createRowsRepository(tx).stage(id, batch))
        await imports.describe(id, staged)
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

  return async (file: Buffer, fileName: string, actor: Actor): Promise<string> => {
    if (file.length > maxImportBytes) throw new AppError('too_big', { detail: importSentences.tooBig })
    if (running >= mostUploads) {
      const detail = 'Other files are being read at the moment. Please try again in a few seconds.'
      throw new AppError('too_many_requests', { detail, retryAfter: 5 })
    }
    running += 1
    try {
      const id = createId()
      await store(id, file, cleanName(fileName), actor)
      return id
    } finally {
      running -= 1
    }
  }
}

/**
 * The last part of a path, without what no file name should hold: control characters, and marks that would turn
 * the writing direction of the line that shows it.
 */
function cleanName(name: string): string {
  const last =
    name
      .replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu, '')
      .split(/[/\\]/)
      .at(-1)
      ?.trim() ?? ''
  return last.slice(0, longestName) || 'students'
}
