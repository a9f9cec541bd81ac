import { type Insertable, sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { isConflictBetweenTransactions } from '#server/database/errors.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { StudentsTable } from '#server/database/schema.ts'
import { createReference } from '#server/features/registration/repository.ts'
import { buildRegistration } from './registration.ts'

type NewRow = Insertable<StudentsTable>

export async function storeStudent(
  { db }: Pick<AppDatabase, 'db'>,
  overrides: Partial<NewRow> = {},
): Promise<NewRow> {
  const row = buildStoredStudent(overrides)
  await db.insertInto('students').values(row).execute()
  return row
}

/** In a database of an older version: with the columns that it has. */
export async function storeStudentOfThen(
  { db }: Pick<AppDatabase, 'db'>,
  overrides: Partial<NewRow> = {},
): Promise<NewRow> {
  const row = buildStoredStudent(overrides)
  const columns = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = 'students'`.execute(db)
  const known = columns.rows.map(({ name }) => name.replaceAll('_', ''))
  const values = Object.entries(row).filter(([member]) => known.includes(member.toLowerCase()))
  await sql`
    insert into students (${sql.join(values.map(([member]) => sql.ref(member)))})
    values (${sql.join(values.map(([, value]) => value))})`.execute(db)
  return row
}

export function buildStoredStudent(overrides: Partial<NewRow> = {}): NewRow {
  const { consent: _consent, yearLevel: _yearLevel, ...fields } = buildRegistration()
  return {
    ...fields,
    id: createId(),
    reference: createReference(),
    registrationDate: new Date('2026-11-20T02:15:30Z'),
    consentVersion: '2026-11',
    consentedAt: new Date('2026-11-20T02:15:30Z'),
    yearLevel: 1,
    ...overrides,
  }
}

/**
 * All at once, with the values of edits: a trigger otherwise refuses to empty those. It takes all tables that name a
 * student, in another order than the product's workers do, so PostgreSQL may end either transaction: it begins again.
 */
export async function emptyStudents({ db }: Pick<AppDatabase, 'db'>, tries = 5): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`select set_config('nstp.retention', 'on', true)`.execute(tx)
      await sql`truncate students cascade`.execute(tx)
    })
  } catch (error) {
    if (tries <= 1 || !isConflictBetweenTransactions(error)) throw error
    await emptyStudents({ db }, tries - 1)
  }
}
