import { type Insertable, sql } from 'kysely'
import type { Queryable, StudentsTable } from '#server/database/schema.ts'

const records = [
  { table: 'students', name: 'students' },
  { table: 'terms', name: 'terms' },
  { table: 'announcements', name: 'announcements' },
  { table: 'slides', name: 'slides' },
  { table: 'org_nodes', name: 'an organizational chart' },
] as const

// No other transaction can add records before this one ends.
export async function findRecords(tx: Queryable): Promise<string | undefined> {
  for (const { table, name } of records) {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(tx)
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx)
    if (rows.length > 0) return name
  }
  return undefined
}

export async function addStudents(tx: Queryable, students: Insertable<StudentsTable>[]): Promise<void> {
  await tx.insertInto('students').values(students).execute()
}
