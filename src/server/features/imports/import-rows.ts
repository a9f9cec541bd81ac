import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { deleteRecords } from '#server/features/privacy/erasure-repository.ts'
import { lockSerials, mustBeFreeSerials } from '#server/features/students/serial-number-service.ts'
import { type EnrolmentCause, followBack, followComponent } from '#server/features/terms/enrolment-service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Actor, Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { Audit, AuditEntry } from '#server/lib/audit.ts'
import { isOwn, mustExist } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { batchesOf } from '#server/lib/paging.ts'
import type { ImportChange } from '#shared/imports/import-response.ts'
import { purposePermissions } from '#shared/imports/imports.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { storedYearLevelLabels } from '#shared/students/student-choices.ts'
import { checkSerials } from './check-serials.ts'
import { createImportsRepository, type StoredImport, type WorkOrder } from './imports-repository.ts'
import { createRecordsRepository, tidyStudents } from './records-repository.ts'
import { ownComponentsSentence } from './row-fields.ts'
import { createRowsRepository } from './rows-repository.ts'

const batchSize = 500

export interface ImportingOptions
  extends Pick<AppContext, 'database' | 'audit' | 'clock' | 'timeZone' | 'publish'> {
  createReference: () => string
  region: () => string
}

/** Imports all rows in one transaction, or none. Progress is written outside of it, so that others see it. */
export async function runImport(order: WorkOrder, options: ImportingOptions): Promise<void> {
  const { job, finish } = order
  const { database, audit, clock, timeZone, publish } = options
  const cause = { at: clock(), timeZone, adminId: job.actor?.adminId ?? null, batchId: job.id }
  const count = await database.transact(
    async (tx) => {
      if ((await createRowsRepository(tx).listSerials(job.id)).length > 0) await lockSerials(tx)
      const ids = job.updateBy ? [] : await insertRecords(tx, order, options)
      const importedCount = job.updateBy
        ? await updateRecords(tx, order, { audit, cause, region: options.region })
        : await countInserted(tx, order, ids)
      if (importedCount === null) return 0
      if (job.actor) {
        await audit.record(tx, {
          action: job.updateBy ? 'students-updated' : 'students-imported',
          actor: job.actor,
          subject: job.fileName,
          studentIds: ids,
          affected: importedCount,
          detail: { rows: job.rowCount, import: job.id },
        })
      }
      await finish({ state: 'imported', importedCount, importedAt: cause.at, undoneAt: null }, tx)
      return importedCount
    },
    { long: true },
  )
  if (count === 0) return
  publish('students')
  if (job.updateBy) publish('terms')
  await tidyStudents(database, count)
}

/** @returns how many; null when all were recorded in another way since the check */
async function countInserted(tx: Queryable, { finish }: WorkOrder, ids: readonly string[]) {
  if (ids.length > 0) return ids.length
  const failure =
    'Nothing was imported: since the check, all these students have been recorded in another way. Please look at the rows.'
  await finish({ state: 'checked', failure }, tx)
  return null
}

async function insertRecords(
  tx: Queryable,
  { job, access, advance }: WorkOrder,
  { clock, createReference, region }: ImportingOptions,
): Promise<string[]> {
  const rows = createRowsRepository(tx)
  const records = createRecordsRepository(tx, access)
  const now = clock()
  await createImportsRepository(tx).lockNewStudents()
  // Students may have enlisted, or come with another file, since the rows were checked.
  await rows.markDuplicates(job.id, null, access)
  await checkSerials(tx, job.id, { access, region: region() })
  // The account may have other components than it had then.
  await rows.report(job.id, await records.outdated(job.id), 'nstpComponent', ownComponentsSentence(access))
  const ids: string[] = []
  for await (const batch of batchesOf((after) => rows.ready(job.id, after, batchSize))) {
    let wanted = batch.map(({ number }) => ({ number, id: createId(), reference: createReference() }))
    ids.push(...wanted.map(({ id }) => id))
    while (wanted.length > 0) {
      const made = new Set(await records.insert(wanted, job, now))
      // Once in millions a reference is in use: those records get another one.
      wanted = wanted
        .filter(({ id }) => !made.has(id))
        .map((record) => ({ ...record, reference: createReference() }))
    }
    await advance({ progress: ids.length })
  }
  await rows.count(job.id)
  return ids
}

const changedSince = 'This record was changed since the check. Please save the row to check it again.'

/**
 * Writes the changes of the ready rows to their records. When a record was changed since the check, none: its row becomes
 * a problem, to be checked against the current values.
 * @returns null when nothing was updated
 */
async function updateRecords(
  tx: Queryable,
  { job, access, advance, finish }: WorkOrder,
  { audit, cause, region }: Pick<Applying, 'audit' | 'cause'> & Pick<ImportingOptions, 'region'>,
) {
  const records = createRecordsRepository(tx, access)
  await records.lock(job)
  const changed = await records.outdated(job.id)
  const rows = createRowsRepository(tx)
  if (changed.length === 0) {
    const unready = await checkSerials(tx, job.id, { access, region: region() })
    if (unready.length === 0)
      return applyAll(tx, job, 'after', { audit, actor: job.actor, cause, access, advance })
    await rows.count(job.id)
    const numbers = unready.length === 1 ? '1 serial number is' : `${unready.length} serial numbers are`
    const failure = `Nothing was updated. ${numbers} to be looked at again. Please look at the rows.`
    await finish({ state: 'checked', failure }, tx)
    return null
  }
  await rows.report(job.id, changed, job.updateBy ?? 'reference', changedSince)
  await rows.count(job.id)
  const failure = `Nothing was updated. ${changedSentence(changed.length, 'the check')} Please look at the rows with problems.`
  await finish({ state: 'checked', failure }, tx)
  return null
}

/**
 * Takes out exactly the records that the import made, or puts the old values of an update back; all or none. Deleted
 * records are left out.
 * @throws AppError `conflict` when records were changed since and would be lost, or are of other components
 * @returns the number of records
 */
export async function undoImport(
  tx: Queryable,
  job: StoredImport,
  {
    audit,
    actor,
    evenChanged,
    cause,
  }: { audit: Audit; actor: Staff; evenChanged: boolean; cause: EnrolmentCause },
): Promise<number> {
  if (job.updateBy) refuseWithoutRows(job)
  const { access } = actor
  const serials = job.updateBy ? await createRowsRepository(tx).serialsBefore(job.id) : []
  if (serials.length > 0) await lockSerials(tx)
  const records = createRecordsRepository(tx, access)
  await records.lock(job)
  if (await records.reachesOutside(job)) {
    const detail =
      'Only an office-wide account can undo this import, because some of its students are of other components.'
    throw new AppError('conflict', detail)
  }
  const { changed, deleted } = await records.countChanged(job)
  if (changed > 0 && (job.updateBy || !evenChanged)) {
    const detail = job.updateBy
      ? `${changedSentence(changed, 'the import')} So nothing was undone: newer values would be lost. ` +
        'The audit trail has the old values of each record.'
      : `${changed === 1 ? '1 of these records was' : `${changed} of these records were`} edited or archived since the import. Undoing it deletes them as well.`
    throw new AppError('conflict', detail)
  }
  await mustBeFreeSerials(
    tx,
    serials.map(({ serialNumber }) => serialNumber),
    { own: serials.map(({ recordId }) => recordId), access },
  )
  const studentIds = job.updateBy ? [] : await deleteAdded(tx, job, { audit, actor, cause })
  const affected = job.updateBy
    ? await applyAll(tx, job, 'before', { audit, actor, cause, access })
    : studentIds.length
  await audit.record(tx, {
    action: 'import-undone',
    actor,
    subject: job.fileName,
    studentIds,
    affected,
    detail: { ...(job.updateBy ? { deleted } : { changed }), import: job.id },
  })
  await createImportsRepository(tx).update(job.id, { state: 'undone', undoneAt: cause.at })
  return affected
}

async function deleteAdded(
  tx: Queryable,
  { id }: StoredImport,
  { audit, actor, cause }: { audit: Audit; actor: Staff; cause: EnrolmentCause },
): Promise<string[]> {
  const ids = await createRecordsRepository(tx, actor.access).lockRemovable(id)
  const closedOn = calendarDateOf(cause.at, cause.timeZone)
  const record = (entry: AuditEntry) => audit.record(tx, entry)
  await deleteRecords({ tx, record }, ids, { actor, closedOn })
  return ids
}

interface Applying {
  audit: Audit
  actor: Actor | null
  cause: EnrolmentCause
  access: Access
  advance?: WorkOrder['advance']
}

async function applyAll(
  tx: Queryable,
  { id }: StoredImport,
  which: 'before' | 'after',
  { audit, actor, cause, access, advance }: Applying,
): Promise<number> {
  const records = createRecordsRepository(tx, access)
  let progress = 0
  for await (const batch of batchesOf((after) => records.updates(id, after, batchSize))) {
    const numbers = batch.map(({ number }) => number)
    await records.apply(id, numbers, which)
    const moved = batch.filter(({ changes }) => changes.some(({ path }) => path === 'nstpComponent'))
    await (which === 'after' ? followComponent : followBack)(
      tx,
      moved.map(({ recordId }) => recordId),
      cause,
    )
    if (actor) {
      const other = which === 'after' ? 'before' : 'after'
      await audit.recordEach(
        tx,
        batch.map(({ recordId, reference, changes }) => ({
          action: 'student-updated',
          actor,
          studentId: recordId,
          subject: reference,
          fields: changes.map(({ path }) => path),
          values: { before: valuesOf(changes, other), after: valuesOf(changes, which) },
          detail: { import: id },
        })),
      )
    }
    progress += batch.length
    await advance?.({ progress })
  }
  return progress
}

function valuesOf(changes: readonly ImportChange[], which: 'before' | 'after'): Record<string, unknown> {
  return Object.fromEntries(
    changes.map((change) => [
      change.path,
      change.path === 'yearLevel' ? storedYearLevelLabels.indexOf(change[which]) + 1 : change[which],
    ]),
  )
}

function changedSentence(count: number, since: string): string {
  const records = count === 1 ? '1 record was' : `${count} records were`
  return `${records} changed since ${since}.`
}

type State = StoredImport['state']

export const stateSentences: Record<State, string> = {
  uploaded: 'Please match the columns of this file first.',
  checking: 'The rows of this file are still being checked.',
  checked: 'This file has not been imported yet.',
  importing: 'This file is being imported.',
  imported: 'This file was already imported.',
  undone: 'This import was undone. Please check its rows again first.',
}

const importMissing = 'Import not found'

export function refuseWithoutRows({ rowsDeletedAt }: StoredImport): void {
  if (rowsDeletedAt === null) return
  throw new AppError('conflict', 'The rows of this file have been deleted. Please upload it again.')
}

/** Accounts that aren't office-wide see only their own imports. @throws AppError `not_found` */
export function mustBeShown<Found extends StoredImport>(found: Found | undefined, actor: Staff): Found {
  const isShown =
    isOwn(found?.createdById, actor) && found && actor.access.can(purposePermissions[found.purpose])
  return mustExist(isShown ? found : undefined, importMissing)
}

/** Locks the import. @throws AppError `not_found`, or `conflict` with the step that has to come first */
export function createChangeImport({ database, publish }: Pick<AppContext, 'database' | 'publish'>) {
  return async <T>(
    { id, actor }: { id: string; actor: Staff },
    states: readonly State[],
    run: (tx: Queryable, found: StoredImport) => Promise<T>,
    options?: { long: boolean },
  ): Promise<T> => {
    const result = await database.transact(async (tx) => {
      const found = mustBeShown(await createImportsRepository(tx).findForChange(id), actor)
      if (!states.includes(found.state)) throw new AppError('conflict', stateSentences[found.state])
      return run(tx, found)
    }, options)
    publish('imports')
    return result
  }
}
