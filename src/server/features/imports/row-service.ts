import type { Readable } from 'node:stream'
import type { z } from '@hono/zod-openapi'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { CountedReader } from '#server/lib/actor.ts'
import { type Staff, storedActor } from '#server/lib/actor.ts'
import { mustExist } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { batchesOf } from '#server/lib/paging.ts'
import { type Column, columnLetters, writeWorkbook } from '#server/spreadsheet/workbook.ts'
import type { ImportDetails, ImportMatch, ImportRow, ImportRowPage } from '#shared/imports/import-response.ts'
import {
  type ImportRowState,
  importFieldLabel,
  importRowPageSize,
  matchWords,
} from '#shared/imports/imports.ts'
import { createRowReader, resolveRows } from './check-rows.ts'
import { checkSerials } from './check-serials.ts'
import { createChangeImport, mustBeShown, refuseWithoutRows, stateSentences } from './import-rows.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createListRowsRepository } from './list-rows-repository.ts'
import { listOf, mustBeMember, readPeople } from './match-rows.ts'
import { createRecordsRepository } from './records-repository.ts'
import { createRowsRepository, type RowsRepository, type StoredRow } from './rows-repository.ts'
import {
  type decisionBody,
  presentRow,
  presentSummary,
  problemsOf,
  type replacementBody,
  type rowChangeBody,
} from './schemas.ts'
import type { ImportsService } from './service.ts'
import type { WorkOptions } from './work.ts'

type RowChange = z.infer<typeof rowChangeBody>

/** The rows of an import between its check and its run. */
export function createImportRowsService(
  options: WorkOptions,
  { details, startWork }: Pick<ImportsService, 'details' | 'startWork'>,
) {
  const { database, audit, clock, lists } = options
  const imports = createImportsRepository(database.db)
  const rows = createRowsRepository(database.db)
  const change = createChangeImport(options)

  const find = async (id: string, actor: Staff) => mustBeShown(await imports.find(id), actor)

  return {
    async list(
      id: string,
      { state, page }: { state: ImportRowState | null; page: number },
      { actor, admit }: { actor: Staff; admit: (numbers: number[]) => Promise<void> },
    ): Promise<ImportRowPage> {
      const found = await find(id, actor)
      const { counts, rowCount } = presentSummary(found)
      const isStored = isChecked(found) && found.rowsDeletedAt === null
      const range = { states: state ? [state] : undefined, offset: (page - 1) * importRowPageSize }
      const items = isStored ? await rows.list(id, { ...range, limit: importRowPageSize }) : []
      await admit(items.map(({ number }) => number))
      const entry = { action: 'students-listed', actor, affected: items.length } as const
      await audit.recordView(database.db, { ...entry, detail: { import: id } }, `${state} ${page}`)
      return {
        items: await presentRows(database.db, found, items, { access: actor.access, lists }),
        refused: isStored && state === 'problem' ? await rows.refusedValues(id) : [],
        total: isStored ? (state ? counts[state] : rowCount) : 0,
        page,
        pageSize: importRowPageSize,
      }
    },

    changeRow: (id: string, number: number, { values, skip, take, studentId }: RowChange, actor: Staff) =>
      change(
        { id, actor },
        ['checked'],
        async (tx, found) => {
          const { access } = actor
          const rows = createRowsRepository(tx)
          if (studentId !== undefined)
            await chooseStudent(tx, found, { number, studentId }, { access, lists })
          const row = mustExist(await rows.find(id, number), 'This row is not in the file.')
          if (take) refuseTaking(found, row.state)
          const edits = { ...row.edits, ...values }
          await rows.change(id, { number }, { edits, decision: decisionOf(row, { values, skip, take }) })
          await recheck(tx, found, { ...row, edits }, { ...options, access })
          const after = (await rows.find(id, number)) ?? row
          const [changed] = await presentRows(tx, found, [after], { access, lists })
          return changed ?? presentRow(row)
        },
        { long: true },
      ),

    async decideAll(
      id: string,
      { state, decision }: z.infer<typeof decisionBody>,
      actor: Staff,
    ): Promise<ImportDetails> {
      const decide = async (tx: Queryable, found: StoredImport) => {
        if (decision === 'take') refuseTaking(found, state)
        const rows = createRowsRepository(tx)
        await rows.change(id, { state }, { decision })
        await rows.updateStates(id)
        // Duplicates of a row that is skipped now are no longer duplicates.
        await resolveRows(tx, found, actor.access, options)
      }
      await change({ id, actor }, ['checked'], decide, { long: true })
      return details(id, actor)
    },

    /** All rows are checked again: the new value may make duplicates, and the list of courses may be another one. */
    async replaceValue(
      id: string,
      { field, from, to }: z.infer<typeof replacementBody>,
      actor: Staff,
    ): Promise<ImportDetails> {
      await change(
        { id, actor },
        ['checked'],
        async (tx, found) => {
          refuseWithoutRows(found)
          await createRowsRepository(tx).replaceValue(id, field, from, to)
          await createImportsRepository(tx).order(id, { state: 'checking', actor: storedActor(actor) })
        },
        { long: true },
      )
      startWork(id)
      return details(id, actor)
    },

    async refused(
      id: string,
      { actor, admit }: CountedReader,
    ): Promise<{ fileName: string; workbook: Readable }> {
      const found = await find(id, actor)
      refuseWithoutRows(found)
      if (!isChecked(found)) throw new AppError('conflict', stateSentences[found.state])
      const { counts } = presentSummary(found)
      const affected = refusedStates.reduce((sum, state) => sum + counts[state], 0)
      await admit(affected)
      await audit.record(database.db, {
        action: 'import-refused-downloaded',
        actor,
        subject: found.fileName,
        affected,
        detail: { import: id },
      })
      const workbook = writeWorkbook({
        title: 'Rows that were not imported',
        sheetName: 'Not imported',
        created: clock(),
        timeZone: options.timeZone,
        columns: refusedColumns(found),
        rows: refusedRows(rows, id),
      })
      return { fileName: refusedFileName(found), workbook }
    },
  }
}

function isChecked({ state }: Pick<StoredImport, 'state'>): boolean {
  return state === 'checked' || state === 'imported' || state === 'undone'
}

interface Seeing extends Pick<WorkOptions, 'lists'> {
  access: Access
}

async function presentRows(
  db: Queryable,
  found: StoredImport,
  rows: readonly StoredRow[],
  { access, lists }: Seeing,
): Promise<ImportRow[]> {
  const list = listOf(found, lists)
  if (list) {
    const peopleOf = await readPeople(db, list, rows, access)
    return rows.map((row) => presentRow(row, null, peopleOf(row)))
  }
  const named = await createRecordsRepository(db, access).names(
    rows.flatMap(({ recordId }) => recordId ?? []),
  )
  const recordOf = ({ recordId }: StoredRow) => named.find(({ id }) => id === recordId)
  return rows.map((row) => presentRow(row, recordOf(row)))
}

/** @throws AppError `invalid` for an import that isn't a list, or somebody who isn't in its term */
async function chooseStudent(
  tx: Queryable,
  found: StoredImport,
  { number, studentId }: { number: number; studentId: string | null },
  { access, lists }: Seeing,
): Promise<void> {
  const list = listOf(found, lists)
  if (!list) throw invalid('studentId', 'Only a row of a list means a student.')
  if (studentId !== null) await mustBeMember(tx, list, studentId, access)
  await createListRowsRepository(tx).choose(found.id, number, studentId)
}

// Checks the row again, and looks at the rows that it was or is alike.
async function recheck(
  tx: Queryable,
  found: StoredImport,
  row: StoredRow,
  { access, ...options }: WorkOptions & { access: Access },
) {
  const rows = createRowsRepository(tx)
  const results = await createRowReader(found, access, options)(tx, [row])
  const isCompared = found.updateBy !== null || found.purpose !== 'students'
  const before = isCompared ? [] : await rows.alike(found.id, row.number)
  await rows.saveResults(found.id, results)
  if (isCompared) return resolveRows(tx, found, access, options)
  const after = await rows.alike(found.id, row.number)
  await rows.markDuplicates(found.id, [...new Set([...before, ...after])], access)
  await checkSerials(tx, found.id, { access, region: options.region() })
  await rows.count(found.id)
}

// Two rows can't change one record: the second would undo the first.
function refuseTaking({ updateBy }: StoredImport, state: StoredRow['state']): void {
  if (!updateBy || state === 'differs') return
  throw new AppError('invalid', 'Two rows cannot update the same record. Please skip one of them.')
}

function decisionOf(
  { decision, fields }: StoredRow,
  { values, skip, take }: Pick<RowChange, 'values' | 'skip' | 'take'>,
): StoredRow['decision'] {
  if (skip) return 'skip'
  if (take) return 'take'
  // An unusual serial number is meant so, not the next one.
  const isOther = values?.serialNumber !== undefined && values.serialNumber !== fields.serialNumber
  const isAskedAgain = decision === 'take' && isOther
  return skip === false || take === false || isAskedAgain ? null : decision
}

// The heading names no field, so a corrected file can be imported as it is.
const problemHeader = 'Problem'
const batchSize = 500
const refusedStates = ['problem', 'duplicate', 'skipped', 'unmatched', 'differs'] as const
function refusedColumns({ headers, mapping }: StoredImport): Column<StoredRow>[] {
  const own = headers.map((header, index): Column<StoredRow> => {
    const field = mapping?.columns[index]
    const isFirst = headers.findIndex((_name, at) => mapping?.columns[at] === field) === index
    return {
      header: header || `Column ${columnLetters(index)}`,
      width: 20,
      kind: 'text',
      // What was corrected stands for all columns that are joined.
      value: ({ cells, edits }) =>
        field && edits[field] !== undefined ? (isFirst ? edits[field] : '') : (cells[index] ?? ''),
    }
  })
  // A file uploaded again has the problem column of the earlier download.
  const others = own.filter(({ header }) => header !== problemHeader)
  return [...others, { header: problemHeader, width: 60, kind: 'text', value: problemText }]
}

function problemText(row: StoredRow): string {
  const { state, matches } = row
  const sentences = problemsOf(row).map(({ path, message }) => `${importFieldLabel(path)}: ${message}`)
  if (state === 'skipped') sentences.unshift('Skipped.')
  if (state === 'unmatched') sentences.push('Nobody of the term has this name or number.')
  sentences.push(...matches.filter(({ by }) => by.length > 0).map(matchSentence))
  return sentences.join(' ')
}

function matchSentence({ by, reference, row }: ImportMatch): string {
  const same = by.map((way) => matchWords[way]).join(' and ')
  return `The same ${same} as ${reference ?? `row ${row}`}.`
}

function refusedRows(rows: RowsRepository, id: string): AsyncIterable<StoredRow[]> {
  return batchesOf((after) => rows.list(id, { states: refusedStates, limit: batchSize, after }))
}

function refusedFileName({ fileName }: Pick<StoredImport, 'fileName'>): string {
  const name = fileName.replace(/\.(xlsx|csv|txt|tsv|json)$/i, '').replace(/( - not imported)+$/, '')
  return `${name} - not imported.xlsx`
}
