import { type Staff, storedActor } from '#server/lib/actor.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ImportDetails, ImportMapping, ImportSummary } from '#shared/imports/import-response.ts'
import { importRetentionDays, type UpdateKey } from '#shared/imports/imports.ts'
import { choicesOf } from './check-rows.ts'
import { createChangeImport, mustBeShown, refuseWithoutRows, undoImport } from './import-rows.ts'
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
  const { database, audit, clock, timeZone, publish, log } = options
  const imports = createImportsRepository(database.db)
  const rows = createRowsRepository(database.db)
  const change = createChangeImport(options)
  const takeFile = createUpload(options)
  const work = createImportWork(options)

  async function details(id: string, actor: Staff): Promise<ImportDetails> {
    const found = mustBeShown(await imports.find(id), actor)
    const records = createRecordsRepository(database.db, actor.access)
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
    async upload(file: Buffer, fileName: string, actor: Staff): Promise<ImportDetails> {
      const id = await takeFile(file, fileName, actor)
      publish('imports')
      return details(id, actor)
    },

    async list({ access, adminId }: Staff): Promise<{ items: ImportSummary[] }> {
      const found = await imports.list(access.components === 'all' ? null : adminId)
      return { items: found.map(presentSummary) }
    },

    details,

    async map(
      id: string,
      { updateBy = null, ...mapping }: ImportMapping & { updateBy?: UpdateKey | null },
      actor: Staff,
    ): Promise<ImportDetails> {
      const held = await createRecordsRepository(database.longDb, actor.access).storedChoices()
      await change({ id, actor }, ['uploaded', 'checking', 'checked', 'undone'], async (tx, found) => {
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
          actor: storedActor(actor),
        })
      })
      work.start(id)
      return details(id, actor)
    },

    async run(id: string, actor: Staff): Promise<ImportDetails> {
      await change({ id, actor }, ['checked'], async (tx, found) => {
        if (found.readyCount === 0) {
          const detail = found.updateBy
            ? 'No changes to import.'
            : 'No rows are ready to import. Please correct or include some.'
          throw new AppError('invalid', detail)
        }
        await createImportsRepository(tx).order(id, { state: 'importing', actor: storedActor(actor) })
      })
      work.start(id)
      return details(id, actor)
    },

    async undo(
      id: string,
      { evenChanged }: { evenChanged: boolean },
      { actor, admit }: { actor: Staff; admit: (removed: number) => Promise<void> },
    ): Promise<ImportDetails> {
      const undone = await change(
        { id, actor },
        ['imported'],
        async (tx, found) => {
          if (!found.updateBy) await admit(found.importedCount)
          const cause = { at: clock(), timeZone, adminId: actor.adminId }
          return await undoImport(tx, found, { audit, actor, evenChanged, cause })
        },
        { long: true },
      )
      publish('students')
      publish('terms')
      tidyStudents(database, undone).catch((error: unknown) => {
        log.warn({ err: error }, 'students not tidied up')
      })
      return details(id, actor)
    },

    async discard(id: string, actor: Staff): Promise<void> {
      await change(
        { id, actor },
        ['uploaded', 'checking', 'checked', 'imported', 'undone'],
        async (tx, found) => {
          await createImportsRepository(tx).remove(found, clock())
          await audit.record(tx, {
            action: 'import-deleted',
            actor,
            subject: found.fileName,
            affected: found.rowCount,
            detail: { import: id },
          })
        },
      )
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
