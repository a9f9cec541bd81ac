import type { Queryable } from '#server/database/schema.ts'
import { countFollowed } from '#server/features/terms/enrolment-service.ts'
import type { Access } from '#server/lib/access.ts'
import { type Staff, storedActor } from '#server/lib/actor.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import type {
  ImportDetails,
  ImportMapping,
  ImportSummary,
  ReadingChoices,
} from '#shared/imports/import-response.ts'
import {
  importRetentionDays,
  importSentences,
  missingColumn,
  type UpdateKey,
} from '#shared/imports/imports.ts'
import { undoList } from './apply-rows.ts'
import { choicesOf } from './check-rows.ts'
import { createChangeImport, mustBeShown, refuseWithoutRows, undoImport } from './import-rows.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createListRowsRepository } from './list-rows-repository.ts'
import { listOf, type OpenList } from './match-rows.ts'
import { createRecordsRepository, tidyStudents } from './records-repository.ts'
import { createRowsRepository } from './rows-repository.ts'
import { presentDetails, presentSummary } from './schemas.ts'
import { createUpload, type UploadedFile } from './upload-file.ts'
import { createImportWork, type WorkOptions } from './work.ts'

const sampleRows = 50
const dayMs = 24 * 60 * 60 * 1000

type WantedMapping = ImportMapping & { updateBy?: UpdateKey | null; consent?: true | undefined }

export type ImportsService = ReturnType<typeof createImportsService>

export function createImportsService(options: WorkOptions) {
  const { database, audit, clock, timeZone, publish, log } = options
  const imports = createImportsRepository(database.db)
  const rows = createRowsRepository(database.db)
  const change = createChangeImport(options)
  const files = createUpload(options)
  const work = createImportWork(options)

  async function details(id: string, actor: Staff): Promise<ImportDetails> {
    const found = mustBeShown(await imports.find(id), actor)
    const records = createRecordsRepository(database.db, actor.access)
    const list = listOf(found, options.lists)
    const [first, changed, others] = await Promise.all([
      rows.list(id, { limit: sampleRows }),
      !list && (found.state === 'imported' || found.state === 'undone')
        ? records.countChanged(found)
        : { changed: 0, deleted: 0, kept: 0 },
      list && isCompared(found) ? countOthers(database.db, list, actor.access) : null,
    ])
    const notes = list && isCompared(found) ? await notesOn(database.db, list, actor.access) : []
    // After the undo of an update the old values are meant to differ.
    if (found.updateBy && found.state === 'undone') changed.changed = 0
    // Reading an import whose work has stopped resumes it.
    if (isWorking(found)) work.start(id)
    const cells = first.map((row) => row.cells)
    return presentDetails(found, cells, changed, {
      choices: choicesOf(found.held, options.offer()),
      moved: await countMoved(database.db, found),
      others,
      notes,
    })
  }

  async function map(
    id: string,
    { updateBy = null, consent, ...mapping }: WantedMapping,
    actor: Staff,
  ): Promise<ImportDetails> {
    const held = await createRecordsRepository(database.longDb, actor.access).storedChoices()
    await change({ id, actor }, ['uploaded', 'checking', 'checked', 'undone'], async (tx, found) => {
      refuseWithoutRows(found)
      mustHaveColumns(found, mapping)
      // Other columns may mean other people.
      await createRowsRepository(tx).change(id, { decision: 'take' }, { decision: null })
      await createListRowsRepository(tx).forgetChoices(id)
      const list = listOf(found, options.lists)
      const order = list
        ? {
            mapping: await mappingOfList(tx, list, { mapping, access: actor.access }),
            updateBy: null,
            consentedAt: null,
          }
        : { mapping, updateBy, consentedAt: consentOf({ updateBy, consent }, clock()) }
      await createImportsRepository(tx).order(id, {
        state: 'checking',
        ...order,
        held,
        actor: storedActor(actor),
      })
    })
    work.start(id)
    return details(id, actor)
  }

  return {
    /** A list that the product itself wrote, with the names of our columns: it is checked at once. */
    async addList(file: UploadedFile, actor: Staff): Promise<ImportDetails> {
      const id = await files.take(file, actor)
      const columns = Object.fromEntries(
        (await details(id, actor)).columns.map(({ guess }, index) => [String(index), guess]),
      )
      return await map(id, { columns, defaults: {}, dateOrder: 'month-first' }, actor)
    },

    /** @throws AppError `invalid` or `too_big` with what to do about the file */
    async upload(file: UploadedFile, actor: Staff): Promise<ImportDetails> {
      const aboutId = file.termId ?? file.paperId
      if (file.purpose !== 'students' && aboutId !== null)
        await options.lists[file.purpose].open(database.db, { aboutId, access: actor.access })
      const id = await files.take(file, actor)
      publish('imports')
      return details(id, actor)
    },

    async list(
      wanted: Pick<UploadedFile, 'purpose' | 'termId' | 'paperId'>,
      { access, adminId }: Staff,
    ): Promise<{ items: ImportSummary[] }> {
      const found = await imports.list(access.components === 'all' ? null : adminId, wanted)
      return { items: found.map(presentSummary) }
    },

    details,

    map,

    /** Another choice of what is left out; the columns are to be matched again. */
    async readAgain(id: string, choices: ReadingChoices, actor: Staff): Promise<ImportDetails> {
      await files.readAgain(choices, (read) =>
        change(
          { id, actor },
          ['uploaded', 'checked', 'undone'],
          async (tx, found) => {
            refuseWithoutRows(found)
            await read(tx, found)
          },
          { long: true },
        ),
      )
      return details(id, actor)
    },

    async run(id: string, { reason }: { reason: string }, actor: Staff): Promise<ImportDetails> {
      await change({ id, actor }, ['checked'], async (tx, found) => {
        if (found.readyCount === 0) {
          throw new AppError('invalid', nothingReady(found))
        }
        const list = listOf(found, options.lists)
        await list?.purpose.mayApply?.(tx, { aboutId: list.aboutId, access: actor.access, reason })
        await createImportsRepository(tx).order(id, { state: 'importing', actor: storedActor(actor), reason })
      })
      work.start(id)
      return details(id, actor)
    },

    async undo(
      id: string,
      { evenChanged }: { evenChanged: boolean },
      { actor, admit }: { actor: Staff; admit: (removed: number) => Promise<void> },
    ): Promise<{ removed: number; undone: ImportDetails }> {
      const { count, removed } = await change(
        { id, actor },
        ['imported'],
        async (tx, found) => {
          const list = listOf(found, options.lists)
          if (list) {
            refuseWithoutRows(found)
            await undoList(tx, found, list, { audit, actor, at: clock() })
            return { count: 0, removed: 0 }
          }
          if (!found.updateBy) await admit(found.importedCount)
          const cause = { at: clock(), timeZone, adminId: actor.adminId }
          const count = await undoImport(tx, found, { audit, actor, evenChanged, cause })
          return { count, removed: found.updateBy ? 0 : count }
        },
        { long: true },
      )
      publish('students')
      publish('terms')
      publish('papers')
      tidyStudents(database, count).catch((error: unknown) => {
        log.warn({ err: error }, 'students not tidied up')
      })
      return { removed, undone: await details(id, actor) }
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

function isCompared({ state, rowsDeletedAt }: StoredImport): boolean {
  return rowsDeletedAt === null && (state === 'checked' || state === 'imported' || state === 'undone')
}

async function countMoved(db: Queryable, { id, updateBy, importedAt }: StoredImport): Promise<number> {
  return updateBy && importedAt ? await countFollowed(db, id, importedAt) : 0
}

async function countOthers(db: Queryable, { id, aboutId, purpose }: OpenList, access: Access) {
  const enrolmentIds = await createListRowsRepository(db).enrolmentIds(id)
  return (await purpose.countOthers?.(db, { aboutId, access, enrolmentIds })) ?? null
}

async function notesOn(db: Queryable, { id, aboutId, purpose }: OpenList, access: Access): Promise<string[]> {
  if (!purpose.notes) return []
  return await purpose.notes(db, { aboutId, access, rows: await createListRowsRepository(db).meant(id) })
}

/** @throws AppError `invalid` */
function mustHaveColumns({ headers }: StoredImport, { columns }: ImportMapping): void {
  const outside = Object.keys(columns).find((index) => Number(index) >= headers.length)
  if (outside !== undefined) throw new AppError('invalid', `The file has no column ${Number(outside) + 1}.`)
}

/** @throws AppError `invalid`, or as `open` of the purpose */
async function mappingOfList(
  tx: Queryable,
  { name, aboutId, purpose }: OpenList,
  { mapping, access }: { mapping: ImportMapping; access: Access },
) {
  const missing = missingColumn(name, new Set(Object.values(mapping.columns)))
  if (missing !== null) throw invalid('columns', missing)
  return { ...mapping, defaults: await purpose.open(tx, { aboutId, access }) }
}

/** @throws AppError `invalid` */
function consentOf({ updateBy, consent }: Pick<WantedMapping, 'updateBy' | 'consent'>, now: Date) {
  if (updateBy) return null
  if (!consent) throw invalid('consent', importSentences.consent)
  return now
}

function nothingReady({ purpose, updateBy }: StoredImport): string {
  if (purpose === 'serials') return 'No row has a serial number to give. Please look at the rows.'
  if (purpose === 'marks') return 'No row has a mark to enter. Please look at the rows.'
  if (purpose !== 'students') return 'No row agrees with a student. Please look at the rows.'
  return updateBy ? 'No changes to import.' : 'No rows are ready to import. Please correct or include some.'
}
