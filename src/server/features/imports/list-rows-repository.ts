import { type Selectable, sql } from 'kysely'
import { queriesOf } from '#server/database/query.ts'
import type { ImportRowsTable, Queryable } from '#server/database/schema.ts'

const rowColumns = [
  'number',
  'fields',
  'decision',
  'state',
  'problems',
  'matches',
  'recordId',
  'enrolmentId',
  'matchedBy',
] as const

type Row = Selectable<ImportRowsTable>
export type ListRow = Pick<Row, (typeof rowColumns)[number]>

/** The rows of a list of people. Index: import_rows_pkey, or import_rows_state with a state. */
export function createListRowsRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    list: (importId: string, after: number, limit: number): Promise<ListRow[]> =>
      db
        .selectFrom('importRows')
        .select(rowColumns)
        .where('importId', '=', importId)
        .where('number', '>', after)
        .orderBy('number')
        .limit(limit)
        .execute(),

    async saveMatches(importId: string, rows: readonly Omit<ListRow, 'fields' | 'decision'>[]) {
      await sql`
        update import_rows set state = own.state, problems = own.problems, matches = own.matches,
          record_id = own."recordId", enrolment_id = own."enrolmentId", matched_by = own."matchedBy"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as own(number int, state text, problems jsonb,
          matches jsonb, "recordId" uuid, "enrolmentId" uuid, "matchedBy" text)
        where import_id = ${importId} and import_rows.number = own.number`.execute(db)
    },

    async choose(importId: string, number: number, recordId: string | null): Promise<void> {
      await db
        .updateTable('importRows')
        .set({ recordId, matchedBy: recordId === null ? null : 'hand' })
        .where((eb) => eb.and({ importId, number }))
        .execute()
    },

    async forgetChoices(importId: string): Promise<void> {
      await db
        .updateTable('importRows')
        .set({ recordId: null, matchedBy: null })
        .where((eb) => eb.and({ importId, matchedBy: 'hand' }))
        .execute()
    },

    ready: (importId: string, after: number, limit: number) => all<{
      number: number
      enrolmentId: string
      recordId: string
      fields: Row['fields']
    }>`
        select number, enrolment_id, record_id, fields from import_rows
        where import_id = ${importId} and state = 'ready' and number > ${after}
        order by number limit ${limit}`,

    /** Lists the rows that are or were applied, and those that say nothing new, in their order. */
    meant: (importId: string) => all<{ enrolmentId: string; fields: Row['fields'] }>`
        select enrolment_id, fields from import_rows
        where import_id = ${importId} and enrolment_id is not null and state in ('ready', 'unchanged')
        order by number`,

    async enrolmentIds(importId: string): Promise<string[]> {
      const rows = await all<{ enrolmentId: string }>`
        select distinct enrolment_id from import_rows
        where import_id = ${importId} and enrolment_id is not null and state <> 'skipped'`
      return rows.map(({ enrolmentId }) => enrolmentId)
    },
  }
}
