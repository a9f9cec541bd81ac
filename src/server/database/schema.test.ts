import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

// Their SQL names their columns itself.
const writtenBySql = [
  'schema_migrations',
  'student_search',
  'student_counts',
  'student_count_changes',
  'student_count_state',
]

const toColumn = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** 'column' or 'column?', which may be null, of each table in schema.ts and the files of tables beside it. */
function declaredColumns(): Map<string, string[]> {
  const tables = ['./schema.ts', './paper-tables.ts', './attendance-tables.ts', './own-page-tables.ts']
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .map((source) => source.slice(source.search(/^export interface \w*Tables/m)))
    .join('\n')
  const declared = new Map<string, string[]>()
  for (const [, table = '', texts, body = ''] of tables.matchAll(
    /^ {2}(\w+): (\w+ & )?\{\n(.*?)^ {2}\}/gms,
  )) {
    const columns = [...body.matchAll(/^ {4}(\w+): (.*)$/gm)].map(
      ([, name = '', type = '']) =>
        toColumn(name) + (/\| null|Optional</.test(type.replace(/^Record<.*>$/, '')) ? '?' : ''),
    )
    const fields = texts ? studentFieldNames.filter((field) => field !== 'yearLevel').map(toColumn) : []
    declared.set(toColumn(table), [...columns, ...fields].sort())
  }
  return declared
}

test('schema.ts has the columns of the migrated database, and which may be null', async () => {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as table,
      array_agg(column_name || case is_nullable when 'YES' then '?' else '' end) as columns
    from information_schema.columns where table_schema = 'public' group by 1`.execute(database.db)
  const stored = new Map(rows.map(({ table, columns }) => [table, columns.sort()]))
  for (const table of writtenBySql) expect(stored.delete(table)).toBe(true)
  expect(Object.fromEntries(declaredColumns())).toEqual(Object.fromEntries(stored))
})
