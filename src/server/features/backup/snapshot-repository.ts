import { sql } from 'kysely'
import pg from 'pg'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { openSnapshot, type SnapshotReader } from '#server/database/snapshot.ts'
import type { BackupHeader } from './format.ts'

/** Runs in the transaction of the backup's entry in the audit trail. */
export async function noteBackup(tx: Queryable, backup: { at: Date; isSealed: boolean }): Promise<void> {
  await tx
    .insertInto('lastBackup')
    .values(backup)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(backup))
    .execute()
}

// Advisory lock: one backup at a time over all processes.
const lockKey = 7_191_630_002
const rowsAtATime = 500

export interface SnapshotTable {
  columns: string[]
  batches: AsyncGenerator<string[]>
}

export interface Snapshot {
  migrations: BackupHeader['migrations']
  openTable: (table: string) => Promise<SnapshotTable>
  close: () => Promise<void>
}

export function createSnapshotRepository({ db, longDb }: Pick<AppDatabase, 'db' | 'longDb'>) {
  return {
    findLast: () => db.selectFrom('lastBackup').select(['at', 'isSealed']).executeTakeFirst(),

    async open(): Promise<Snapshot | undefined> {
      const snapshot = await openSnapshot(longDb, async (reader) => {
        const { tx } = reader
        const lock = await sql<{ isOurs: boolean }>`
          select pg_try_advisory_xact_lock(${lockKey}::bigint) as is_ours`.execute(tx)
        await sql`set local time zone 'UTC'`.execute(tx)
        // FETCH keeps its rows in memory up to this size, and larger ones, such as an attachment of 10 MB in hexadecimal, in
        // a file: a full disk would break the backup off.
        await sql`set local work_mem = '64MB'`.execute(tx)
        const migrations = await sql<BackupHeader['migrations'][number]>`
          select name, checksum from schema_migrations order by name`.execute(tx)
        return {
          isOurs: lock.rows[0]?.isOurs ?? false,
          migrations: migrations.rows,
          openTable: (table: string) => openTable(reader, table),
        }
      })
      if (snapshot.isOurs) return snapshot
      await snapshot.close()
      return undefined
    },
  }
}

async function openTable({ tx, fetchRows }: SnapshotReader, table: string): Promise<SnapshotTable> {
  const { rows: columns } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(tx)
  if (columns.length === 0) throw new Error(`there is no table ${table} to back up`)
  const names = columns.map(({ name }) => name)
  // A file's bytes can be many megabytes: such rows are taken one by one.
  const atATime = columns.some(({ type }) => type === 'bytea') ? 1 : rowsAtATime
  const rows = sql<{ line: string }>`
    select row_to_json(line)::text as line
    from (select ${sql.raw(names.map(pg.escapeIdentifier).join(', '))}
      from ${sql.raw(pg.escapeIdentifier(table))}) line`
  return { columns: names, batches: linesOf(fetchRows(rows, atATime)) }
}

async function* linesOf(batches: AsyncIterable<{ line: string }[]>): AsyncGenerator<string[]> {
  for await (const batch of batches) yield batch.map(({ line }) => line)
}

// A test compares these lists with the migrated database.

export const backedUpTables: readonly string[] = [
  'admins',
  'second_factors',
  'recovery_codes',
  'settings',
  'files',
  'announcements',
  'slides',
  'org_nodes',
  'terms',
  'layout_bases',
  'papers',
  'imports',
  'import_rows',
  'students',
  'rejected_students',
  'mail_account',
  'mail_batches',
  'mail_messages',
  'mail_bounces',
  'mail_opt_outs',
  'erasures',
  'privacy_requests',
  'privacy_breaches',
  'last_backup',
  'nightly_backup',
  'different_students',
  'sections',
  'enrolments',
  'enrolment_changes',
  'training_days',
  'attendance',
  'attendance_calls',
  'attendance_rules',
  'mark_schemes',
  'admin_sections',
  'credits',
  'paper_rows',
  'paper_answers',
  'former_references',
  'student_requests',
  'certificate_numbers',
  'certificates',
  'audit_events',
  'audit_students',
  'audit_values',
  'audit_chain',
]

// Each table has the reason why backups leave it out.
export const leftOutTables: Readonly<Record<string, string>> = {
  schema_migrations: 'the header names the migrations, and restoring applies them',
  import_files: 'only to read a file another way: it is uploaded again',
  sessions: 'who was signed in then is not signed in now',
  student_sessions: 'a student enters again',
  student_keys: 'codes of a time that has passed: slips are made again',
  reference_misses: 'of a time that has passed',
  undoable_changes: 'by the time of a restore it can no longer be undone',
  kept_keys: 'sealed for this installation; the end of a sealed backup has the keys',
  clean_ups: 'it tells of this installation’s clock',
  known_devices: 'a device shows again that it knows the password',
  sign_in_failures: 'pauses of a time that has passed',
  mail_mailbox: 'how far the mailbox was read: it is read anew, and what is known is not taken in twice',
  api_tokens: 'what opened doors then opens none now: new tokens are made',
  student_search: 'derived from the students: restoring fills it',
  student_counts: 'derived from the students: restoring counts them',
  student_count_changes: 'what the counts lack; they are counted anew',
  student_count_state: 'of the counts',
  topics: 'versions of live updates: restoring raises those of the database that it replaces',
}

export const ownTables: readonly string[] = [...backedUpTables, ...Object.keys(leftOutTables)]

export const ownFunctions: readonly string[] = [
  'refuse_audit_change',
  'audit_digest',
  'audit_digest_without_students',
  'refuse_audit_exception',
  'audit_link_hash',
  'append_audit_link',
  'chain_audit_entry',
  'expire_audit_events',
  'note_students_added',
  'note_students_removed',
  'note_students_changed',
  'forget_student_counts',
  'mailbox_of',
  'may_welcome',
  'spelled_out',
  'person_name_part',
  'person_name_key',
  'searchable',
  'searched',
  'keep_student_search',
  'add_search_words',
  'clear_rows_of_deleted_students',
  'end_student_sessions',
  'refuse_paper_change',
]
