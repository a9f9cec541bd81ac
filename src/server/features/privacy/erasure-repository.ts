import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AuditEntry } from '#server/lib/audit.ts'
import { signatureOf } from '#server/lib/digest.ts'
import type { KeptKeys } from '#server/lib/kept-keys.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'

/** The hash needs the key, so a copy of the table alone confirms no record. */
function hasherOf({ erasures: key }: KeptKeys): (id: string) => Buffer {
  return (id) => signatureOf(key, id)
}

export interface Erasure {
  recordHash: Buffer
  erasedAt: Date
}

/**
 * The rows of files that made the record, and rows with the same name and birth date in other files. A changed record no
 * longer has its row's key: then the others tell, unless the row is that of another record.
 */
export const isRowOfStudent = sql<SqlBool>`import_rows.record_id is null and (
  import_rows.name_key = students.name_key
  or import_rows.import_id = students.import_id
    and (import_rows.email_key = students.email_key or import_rows.student_id_key = students.student_id_key)
    and not exists (
      select from students other where other.name_key = import_rows.name_key and other.id <> students.id))`

/** Mail to an uploaded list names no record; of a shared address it may be that of the other record. */
export const isMailToStudent = sql<SqlBool>`own.student_id is null and lower(own.recipient) = lower(students.email)
  and not exists (
    select from students other where lower(other.email) = lower(students.email) and other.id <> students.id)`

/**
 * Deletes a record with all that is held on the person, in the caller's transaction. Foreign keys delete the mail of a
 * record, the values of the trail and of an undo; a trigger clears the rows of updates. No index finds the rest: erasures
 * are rare.
 */
async function deleteOne(tx: Queryable, id: string): Promise<void> {
  const isErased = sql<SqlBool>`students.id = ${id}`
  await sql`
    update import_rows set cells = '[]', edits = '{}', fields = '{}', problems = '[]', matches = '[]', changes = null,
      decision = 'skip', state = 'skipped'
    from students where ${isErased} and ${isRowOfStudent}`.execute(tx)
  for (const table of ['mail_bounces', 'mail_messages']) {
    await sql`
      delete from ${sql.table(table)} own using students where ${isErased} and ${isMailToStudent}`.execute(tx)
  }
  // A file, and what is said of how it was read, may name the person where no row does: on a hidden row, on another sheet, as
  // an example. Nothing is lost but another reading of it.
  await tx.deleteFrom('importFiles').execute()
  await tx.updateTable('imports').set({ reading: null }).where('reading', 'is not', null).execute()
  await tx.deleteFrom('students').where('id', '=', id).execute()
}

interface Deleting {
  tx: Queryable
  record: (entry: AuditEntry) => Promise<unknown>
}

interface Closing {
  actor: Actor
  closedOn: CalendarDate
}

/**
 * The deletion of records answers the requests for their erasure, also those that nobody has decided: the office deletes
 * on its own ground. To be called before it. Indexes: privacy_requests_open, students_reference_key, former_references_pkey.
 */
export async function closeErasureRequests(
  { tx, record }: Deleting,
  ids: readonly string[],
  { actor, closedOn }: Closing,
): Promise<void> {
  const { rows } = await sql<{ reference: string }>`
    update privacy_requests request set outcome = 'granted', closed_on = ${closedOn}
    where kind = 'erasure' and closed_on is null and (
      exists (select from students where students.reference = request.reference and id = any(${ids}))
      or exists (
        select from former_references former
        where former.reference = request.reference and student_id = any(${ids})))
    returning reference`.execute(tx)
  for (const { reference: subject } of rows) {
    await record({ action: 'privacy-request-closed', actor, subject, detail: { outcome: 'granted' } })
  }
}

/** Deletes records, and answers the requests for their erasure. Index: students_pkey. */
export async function deleteRecords(change: Deleting, ids: readonly string[], by: Closing): Promise<void> {
  await closeErasureRequests(change, ids, by)
  await sql`delete from students where id = any(${ids})`.execute(change.tx)
}

/** Deletes a record, and remembers it, so that a restore of an older backup doesn't bring the person back. */
export async function erase(tx: Queryable, id: string, keys: KeptKeys, erasedAt: Date): Promise<void> {
  const { mergedIds } = await tx
    .selectFrom('students')
    .select('mergedIds')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await deleteOne(tx, id)
  const hashOf = hasherOf(keys)
  await tx
    .insertInto('erasures')
    // Records merged into it are erased with it: an older backup has them.
    .values([id, ...mergedIds].map((own) => ({ recordHash: hashOf(own), erasedAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const rowsAtOnce = 1_000

/**
 * Repeats erasures after a restore.
 * @param known the erasures of the replaced database, by its keys; the backup's own happened before it
 * @param next the keys of the database from now on
 */
export async function eraseAgain(
  tx: Queryable,
  known: readonly Erasure[],
  { keys, next }: { keys: KeptKeys; next: KeptKeys },
): Promise<number> {
  if (known.length === 0) return 0
  for (let first = 0; first < known.length; first += rowsAtOnce) {
    await tx
      .insertInto('erasures')
      .values(known.slice(first, first + rowsAtOnce))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const erasures = new Map(known.map((erasure) => [erasure.recordHash.toString('hex'), erasure]))
  const [hashOf, nextHashOf] = [hasherOf(keys), hasherOf(next)]
  let erased = 0
  for (const table of ['students', 'rejectedStudents'] as const) {
    for (const { id } of await tx.selectFrom(table).select('id').execute()) {
      const erasure = erasures.get(hashOf(id).toString('hex'))
      if (!erasure) continue
      // Records are deleted singly: of two with one address, the last takes its mail along.
      await deleteOne(tx, id)
      await tx.deleteFrom('rejectedStudents').where('id', '=', id).execute()
      await tx
        .insertInto('erasures')
        .values({ ...erasure, recordHash: nextHashOf(id) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      erased += 1
    }
  }
  return erased
}
