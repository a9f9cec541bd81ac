import { type Selectable, sql } from 'kysely'
import type { ImportRowsTable, Queryable } from '#server/database/schema.ts'
import type { ImportChange, ImportRowState, UpdateKey } from '#shared/imports/imports.ts'
import type { CheckedRow, RowFields } from './row-fields.ts'

export type StoredRow = Pick<
  Selectable<ImportRowsTable>,
  | 'number'
  | 'cells'
  | 'edits'
  | 'fields'
  | 'problems'
  | 'matches'
  | 'decision'
  | 'state'
  | 'recordId'
  | 'changes'
>

export interface StagedRow {
  number: number
  cells: readonly string[]
}

export interface RowResult extends CheckedRow {
  number: number
  fields: RowFields
  recordId: string | null
  recordVersion: number | null
  changes: ImportChange[] | null
}

const rowColumns = [
  'number',
  'cells',
  'edits',
  'fields',
  'problems',
  'matches',
  'decision',
  'state',
  'recordId',
  'changes',
] as const

const stateOf = sql`case
  when decision = 'skip' then 'skipped'
  when problems <> '[]' then 'problem'
  when changes = '[]' then 'unchanged'
  when matches <> '[]' and decision is distinct from 'take' then 'duplicate'
  else 'ready' end`

export type RowsRepository = ReturnType<typeof createRowsRepository>

/** Index: import_rows_pkey unless noted. */
export function createRowsRepository(db: Queryable) {
  return {
    async stage(importId: string, rows: readonly StagedRow[]): Promise<void> {
      await sql`
        insert into import_rows (import_id, number, cells)
        select ${importId}::uuid, number, cells
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as staged(number int, cells jsonb)`.execute(
        db,
      )
    },

    async firstCells(importId: string, limit: number): Promise<string[][]> {
      const rows = await db
        .selectFrom('importRows')
        .select('cells')
        .where('importId', '=', importId)
        .orderBy('number')
        .limit(limit)
        .execute()
      return rows.map(({ cells }) => cells)
    },

    async after(importId: string, number: number, limit: number): Promise<StoredRow[]> {
      return await db
        .selectFrom('importRows')
        .select(rowColumns)
        .where('importId', '=', importId)
        .where('number', '>', number)
        .orderBy('number')
        .limit(limit)
        .execute()
    },

    async refusedAfter(importId: string, number: number, limit: number): Promise<StoredRow[]> {
      return await db
        .selectFrom('importRows')
        .select(rowColumns)
        .where('importId', '=', importId)
        .where('number', '>', number)
        .where('state', 'not in', ['ready', 'unchanged'])
        .orderBy('number')
        .limit(limit)
        .execute()
    },

    // Index: import_rows_state.
    async readyAfter(importId: string, number: number, limit: number): Promise<number[]> {
      const rows = await db
        .selectFrom('importRows')
        .select('number')
        .where('importId', '=', importId)
        .where('state', '=', 'ready')
        .where('number', '>', number)
        .orderBy('number')
        .limit(limit)
        .execute()
      return rows.map((row) => row.number)
    },

    // Index: import_rows_state.
    async page(
      importId: string,
      state: ImportRowState | null,
      page: { limit: number; offset: number },
    ): Promise<StoredRow[]> {
      return await db
        .selectFrom('importRows')
        .select(rowColumns)
        .where('importId', '=', importId)
        .$if(state !== null, (query) => query.where('state', '=', state ?? 'ready'))
        .orderBy('number')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
    },

    async find(importId: string, number: number): Promise<StoredRow | undefined> {
      return await db
        .selectFrom('importRows')
        .select(rowColumns)
        .where('importId', '=', importId)
        .where('number', '=', number)
        .executeTakeFirst()
    },

    async saveResults(importId: string, results: readonly RowResult[]): Promise<void> {
      await sql`
        update import_rows set fields = result.fields, registration_date = result.registered,
          archived_date = result.archived, record_id = result.record, record_version = result.record_version,
          changes = result.changes, problems = result.problems, matches = '[]',
          state = case when decision = 'skip' then 'skipped' when result.problems <> '[]' then 'problem'
            when result.changes = '[]' then 'unchanged' else 'ready' end
        from (
          select number as row_number, fields, "registrationDate" as registered, "archivedDate" as archived,
            "recordId" as record, "recordVersion" as record_version, nullif(changes, 'null') as changes, problems
          from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r(number int, fields jsonb,
            "registrationDate" timestamptz, "archivedDate" timestamptz, "recordId" uuid, "recordVersion" int,
            changes jsonb, problems jsonb)
        ) result
        where import_id = ${importId} and number = result.row_number`.execute(db)
    },

    async saveEdits(
      importId: string,
      number: number,
      { edits, decision }: Pick<StoredRow, 'edits' | 'decision'>,
    ): Promise<void> {
      await db
        .updateTable('importRows')
        .set({ edits, decision })
        .where('importId', '=', importId)
        .where('number', '=', number)
        .execute()
    },

    // Index: import_rows_state.
    async decideAll(importId: string, state: ImportRowState, decision: 'skip' | 'take'): Promise<void> {
      await db
        .updateTable('importRows')
        .set({ decision })
        .where('importId', '=', importId)
        .where('state', '=', state)
        .execute()
    },

    // Other columns may mean other people.
    async deleteImported(importId: string): Promise<void> {
      await db
        .updateTable('importRows')
        .set({ decision: null })
        .where('importId', '=', importId)
        .where('decision', '=', 'take')
        .execute()
    },

    async report(
      importId: string,
      numbers: readonly number[],
      path: UpdateKey,
      message: string,
    ): Promise<void> {
      await sql`
        update import_rows set state = 'problem', problems = ${JSON.stringify([{ path, message }])}::jsonb
        where import_id = ${importId} and number = any(${[...numbers]}::int[])`.execute(db)
    },

    async updateStates(importId: string): Promise<void> {
      await sql`
        update import_rows set state = ${stateOf}
        where import_id = ${importId} and state <> ${stateOf}`.execute(db)
    },

    // Index: import_rows_state.
    async count(importId: string): Promise<void> {
      await sql`
        update imports set ready_count = found.ready, problem_count = found.problem,
          duplicate_count = found.duplicate, skipped_count = found.skipped, unchanged_count = found.unchanged
        from (
          select count(*) filter (where state = 'ready') as ready,
            count(*) filter (where state = 'problem') as problem,
            count(*) filter (where state = 'duplicate') as duplicate,
            count(*) filter (where state = 'skipped') as skipped,
            count(*) filter (where state = 'unchanged') as unchanged
          from import_rows where import_id = ${importId}
        ) found
        where id = ${importId}`.execute(db)
    },
  }
}
