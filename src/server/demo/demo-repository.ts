import { type Selectable, sql, type Transaction } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { StudentsTable, Tables } from '#server/database/schema.ts'
import { type StudentField, studentFieldNames } from '#shared/student-fields.ts'

/** A student as written into an empty database: what the form holds, and what the record adds to it. */
export interface DemoStudent
  extends Pick<
    Selectable<StudentsTable>,
    | 'id'
    | 'reference'
    | 'registrationDate'
    | 'archivedDate'
    | 'version'
    | 'consentVersion'
    | 'consentedAt'
    | 'yearLevel'
  > {
  texts: Record<Exclude<StudentField, 'yearLevel'>, string>
}

interface Column {
  name: keyof StudentsTable
  type: string
  read: (student: DemoStudent) => unknown
}

const textColumns = studentFieldNames
  .filter((field) => field !== 'yearLevel')
  .map((name): Column => {
    const type = name === 'dateOfBirth' ? 'date' : 'text'
    return { name, type, read: ({ texts }) => texts[name] }
  })

const columns: readonly Column[] = [
  ...textColumns,
  { name: 'yearLevel', type: 'smallint', read: ({ yearLevel }) => yearLevel },
  { name: 'id', type: 'uuid', read: ({ id }) => id },
  { name: 'reference', type: 'text', read: ({ reference }) => reference },
  { name: 'registrationDate', type: 'timestamptz', read: ({ registrationDate }) => registrationDate },
  { name: 'archived', type: 'boolean', read: ({ archivedDate }) => archivedDate !== null },
  { name: 'archivedDate', type: 'timestamptz', read: ({ archivedDate }) => archivedDate },
  { name: 'version', type: 'integer', read: ({ version }) => version },
  { name: 'consentVersion', type: 'text', read: ({ consentVersion }) => consentVersion },
  { name: 'consentedAt', type: 'timestamptz', read: ({ consentedAt }) => consentedAt },
]

/** What a database holds that a demo would mix with. */
const records = [
  { table: 'students', name: 'students' },
  { table: 'announcements', name: 'announcements' },
  { table: 'slides', name: 'slides' },
  { table: 'org_nodes', name: 'an organizational chart' },
] as const

/** The first kind of records that there are, in words. Nobody can add any before the transaction ends. */
export async function findRecords(tx: Transaction<Tables>): Promise<string | undefined> {
  for (const { table, name } of records) {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(tx)
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx)
    if (rows.length > 0) return name
  }
  return undefined
}

/** Writes many students by one statement: an array a column, whatever their number. */
export async function insertStudents(
  tx: Transaction<Tables>,
  students: readonly DemoStudent[],
): Promise<void> {
  const arrays = columns.map(({ type, read }) => sql`${students.map(read)}::${sql.raw(type)}[]`)
  await sql`
    insert into students (${sql.join(columns.map(({ name }) => sql.ref(name)))})
    select * from unnest(${sql.join(arrays)})`.execute(tx)
}

/** After a bulk load: lets the planner know the tables, and index-only scans skip them. */
export async function vacuumStudents({ longDb }: Pick<AppDatabase, 'longDb'>): Promise<void> {
  await sql`vacuum (analyze) students, student_search`.execute(longDb)
}
