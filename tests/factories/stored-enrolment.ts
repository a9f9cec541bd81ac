import type { Insertable } from 'kysely'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Tables } from '#server/database/schema.ts'

type NewRow = Insertable<Tables['enrolments']>

export async function storeEnrolment(
  { db }: Pick<AppDatabase, 'db'>,
  overrides: Partial<NewRow> & Pick<NewRow, 'termId' | 'studentId'>,
): Promise<NewRow> {
  const row: NewRow = {
    id: createId(),
    component: 'CWTS',
    level: 1,
    statusOn: '2026-08-03',
    entry: 'new',
    ...overrides,
  }
  await db.insertInto('enrolments').values(row).execute()
  return row
}
