import { type Insertable, sql } from 'kysely'
import { v7 as createId } from 'uuid'
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

/** All at once, with the values of edits: a trigger otherwise refuses to empty those. */
export async function emptyStudents({ db }: Pick<AppDatabase, 'db'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select set_config('nstp.retention', 'on', true)`.execute(tx)
    await sql`truncate students cascade`.execute(tx)
  })
}
