import type { Actor } from '#server/lib/actor.ts'
import { mustExist } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ImportDetails, ImportMapping, ImportSummary } from '#shared/imports/import-response.ts'
import { importRetentionDays, type UpdateKey } from '#shared/imports/imports.ts'
import { choicesOf } from './check-rows.ts'
import { createChangeImport, importMissing, refuseWithoutRows, undoImport } from './import-rows.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createRecordsRepository, tidyStudents } from './records-repository.ts'
import { createRowsRepository } from './rows-repository.ts'
import { presentDetails, presentSummary } from './schemas.ts'
import { createUpload } from './upload-file.ts'
import { createImportWork, type WorkOptions } from './work.ts'

const sampleRows = 50
const dayMs = 24 * 60 * 60 * 1000

export type ImportsService = ReturnType<typeof createImportsService>

export function createImportsService(options: WorkOptions) {
  const { database, audit, clock, publish, log } = options
  const imports = createImportsRepository(database.db)
  const rows = createRowsRepository(database.db)
  const records = createRecordsRepository(database.db)
  const change = createChangeImport(options)
  const takeFile = createUpload(options)
  const work = createImportWork(options)

  const find = async (id: string) => mustExist(await imports.find(id), importMissing)

  async function details(id: string): Promise<ImportDetails> {
    const found = await find(id)
    const [first, changed] = await Promise.all([
      rows.list(id, { limit: sampleRows }),
      found.state === 'imported' || found.state === 'undone'
        ? records.countChanged(found)
        : { changed: 0, deleted: 0 },
    ])
    // After the undo of an update the old values are meant to differ.
    if (found.updateBy && found.state === 'undone') changed.changed = 0
    // Reading an import whose work has stopped resumes it.
    if (isWorking(found)) work.start(id)
    const cells = first.map((row) => row.cells)
    return presentDetails(found, cells, changed, choicesOf(found.held, options.offer()))
  }

  return {
    /** @throws AppError `invalid` or `too_big` with what to do about the file */
    async upload(file: Buffer, fileName: string, actor: Actor): Promise<ImportDetails> {
      const id = await takeFile(file, fileName, actor)
      publish('imports')
      return details(id)
    },

    list: async (): Promise<{ items: ImportSummary[] }> => ({
      items: (await imports.list()).map(presentSummary),
    }),

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
          throw new AppError('invalid', `The file has no column ${Number(outside) + 1}.`)
        }
        // Other columns may mean other people.
        await createRowsRepository(tx).change(id, { decision: 'take' }, { decision: null })
        await createImportsRepository(tx).order(id, {
          state: 'checking',
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

    async run(id: string, actor: Actor): Promise<ImportDetails> {
      await change(id, ['checked'], async (tx, found) => {
        if (found.readyCount === 0) {
          const detail = found.updateBy
            ? 'No changes to import.'
            : 'No rows are ready to import. Please correct or include some.'
          throw new AppError('invalid', detail)
        }
        await createImportsRepository(tx).order(id, { state: 'importing', actor })
      })
      work.start(id)
      return details(id)
    },

    async undo(
      id: string,
      { evenChanged }: { evenChanged: boolean },
      { actor, admit }: { actor: Actor; admit: (removed: number) => Promise<void> },
    ): Promise<ImportDetails> {
      const undone = await change(
        id,
        ['imported'],
        async (tx, found) => {
          if (!found.updateBy) await admit(found.importedCount)
          return await undoImport(tx, found, { audit, actor, evenChanged, now: clock() })
        },
        { long: true },
      )
      publish('students')
      tidyStudents(database, undone).catch((error: unknown) => {
        log.warn({ err: error }, 'students not tidied up')
      })
      return details(id)
    },

    async discard(id: string, actor: Actor): Promise<void> {
      await change(id, ['uploaded', 'checking', 'checked', 'imported', 'undone'], async (tx, found) => {
        await createImportsRepository(tx).remove(found, clock())
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
      const now = clock()
      const before = new Date(now.getTime() - importRetentionDays * dayMs)
      for (const expired of await imports.listExpired(before)) await imports.remove(expired, now)
    },

    resume: work.resume,
    startWork: work.start,
  }
}

function isWorking({ state }: Pick<StoredImport, 'state'>): boolean {
  return state === 'checking' || state === 'importing'
}
