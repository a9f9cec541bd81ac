import type { Insertable } from 'kysely'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { SectionsTable, TermsTable } from '#server/database/schema.ts'

type NewTerm = Insertable<TermsTable>
type NewSection = Insertable<SectionsTable>

/** The open first semester of 2026-2027. */
export async function storeTerm(
  { db }: Pick<AppDatabase, 'db'>,
  overrides: Partial<NewTerm> = {},
): Promise<NewTerm> {
  const row: NewTerm = {
    id: createId(),
    academicYear: '2026-2027',
    semester: 1,
    startsOn: '2026-08-03',
    endsOn: '2026-12-19',
    state: 'open',
    createdAt: new Date('2026-07-20T02:00:00Z'),
    ...overrides,
  }
  await db.insertInto('terms').values(row).execute()
  return row
}

/** Of CWTS, NSTP 1. */
export async function storeSection(
  { db }: Pick<AppDatabase, 'db'>,
  overrides: Partial<NewSection> & Pick<NewSection, 'termId'>,
): Promise<NewSection> {
  const row: NewSection = {
    id: createId(),
    component: 'CWTS',
    level: 1,
    name: 'A',
    capacity: 40,
    position: 0,
    ...overrides,
  }
  await db.insertInto('sections').values(row).execute()
  return row
}
