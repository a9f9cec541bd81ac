import { type RawBuilder, type Selectable, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { ImportRowsTable, Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type ImportField, type ImportRowState, importRowStates } from '#shared/imports/imports.ts'

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
  'enrolmentId',
  'matchedBy',
  'serialStop',
  'serialQuestion',
] as const

type Row = Selectable<ImportRowsTable>
export type StoredRow = Pick<Row, (typeof rowColumns)[number]>
export type StagedRow = Pick<StoredRow, 'number' | 'cells'>
export type RowFields = StoredRow['fields']
export type RowResult = Pick<StoredRow, 'number' | 'fields' | 'problems' | 'recordId' | 'changes'> &
  Pick<Row, 'registrationDate' | 'archivedDate' | 'recordVersion'>

interface RowRange {
  states?: readonly ImportRowState[] | undefined
  // The number of the row before the first.
  after?: number
  offset?: number
  limit: number
}

const maxMatches = 5
const mostRefused = 20

export type SerialRow = Pick<
  StoredRow,
  'number' | 'recordId' | 'state' | 'decision' | 'serialStop' | 'serialQuestion'
> &
  Record<'serialNumber' | 'lastName' | 'firstName' | 'middleName' | 'extensionName' | 'nstpComponent', string>

export interface RefusedValue {
  field: ImportField
  value: string
  count: number
}

// How two rows can mean the same person.
const ways = [
  { kind: 'name', key: sql.ref('nameKey') },
  { kind: 'studentId', key: sql.ref('studentIdKey') },
  { kind: 'email', key: sql.ref('emailKey') },
] as const

function stateOf(problems = sql`problems`, changes = sql`changes`, matches = sql`matches`) {
  return sql`case
    when decision = 'skip' then 'skipped'
    when ${problems} <> '[]' or serial_stop <> '' then 'problem'
    when ${changes} = '[]' then 'unchanged'
    -- Of two rows that update one record none is taken, though the serial number of one is meant so.
    when ${matches} <> '[]' and (decision is distinct from 'take' or ${matches} @> '[{"by": ["record"]}]') then 'duplicate'
    when serial_question <> '' and decision is distinct from 'take' then 'differs'
    else 'ready' end`
}

export type RowsRepository = ReturnType<typeof createRowsRepository>

/** Index: import_rows_pkey, or import_rows_state with a state, unless noted. */
export function createRowsRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    async stage(importId: string, rows: readonly StagedRow[]): Promise<void> {
      const staged = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as staged(number int, cells jsonb)`
      await sql`insert into import_rows (import_id, number, cells)
        select ${importId}::uuid, number, cells from ${staged}`.execute(db)
    },

    list: (importId: string, { states, after = 0, offset = 0, limit }: RowRange): Promise<StoredRow[]> =>
      db
        .selectFrom('importRows')
        .select(rowColumns)
        .where('importId', '=', importId)
        .where('number', '>', after)
        .$if(states !== undefined, (query) => query.where('state', 'in', states ?? []))
        .orderBy('number')
        .limit(limit)
        .offset(offset)
        .execute(),

    ready: (importId: string, after: number, limit: number): Promise<{ number: number }[]> =>
      db
        .selectFrom('importRows')
        .select('number')
        .where((eb) => eb.and({ importId, state: 'ready' }))
        .where('number', '>', after)
        .orderBy('number')
        .limit(limit)
        .execute(),

    async find(importId: string, number: number): Promise<StoredRow | undefined> {
      const [row] = await this.list(importId, { after: number - 1, limit: 1 })
      return row?.number === number ? row : undefined
    },

    async saveResults(importId: string, results: readonly RowResult[]): Promise<void> {
      await sql`
        update import_rows set fields = result.fields, registration_date = "registrationDate",
          archived_date = "archivedDate", record_id = "recordId", record_version = "recordVersion",
          changes = result.changes, problems = result.problems, matches = '[]',
          state = ${stateOf(sql`result.problems`, sql`result.changes`, sql`'[]'::jsonb`)}
        from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as result(number int, fields jsonb,
          "registrationDate" timestamptz, "archivedDate" timestamptz, "recordId" uuid, "recordVersion" int,
          changes jsonb, problems jsonb)
        where import_id = ${importId} and import_rows.number = result.number`.execute(db)
    },

    async change(
      importId: string,
      which: Partial<Pick<StoredRow, 'number' | 'state' | 'decision'>>,
      values: Partial<Pick<StoredRow, 'edits' | 'decision'>>,
    ): Promise<void> {
      await db
        .updateTable('importRows')
        .set(values)
        .where((eb) => eb.and({ importId, ...which }))
        .execute()
    },

    /** Values that the rules refuse in several rows, the most frequent first. */
    refusedValues: (importId: string) => all<RefusedValue>`
        select problem ->> 'path' as field, fields ->> (problem ->> 'path') as value, count(*)::int as count
        from import_rows, jsonb_array_elements(problems) as problem
        where import_id = ${importId} and state = 'problem' and fields ->> (problem ->> 'path') <> ''
        group by 1, 2 having count(*) > 1 order by 3 desc, 1, 2 limit ${mostRefused}`,

    async replaceValue(importId: string, field: ImportField, from: string, to: string): Promise<void> {
      await sql`
        update import_rows set edits = edits || jsonb_build_object(${field}::text, ${to}::text)
        where import_id = ${importId} and fields ->> ${field} = ${from}`.execute(db)
    },

    async report(importId: string, numbers: readonly number[], path: ImportField, message: string) {
      await sql`
        update import_rows set state = 'problem', problems = ${JSON.stringify([{ path, message }])}::jsonb
        where import_id = ${importId} and number = any(${[...numbers]}::int[])`.execute(db)
    },

    /** The rows of students that write a serial number, or did before. Indexes: import_rows_pkey, students_pkey. */
    async listSerials(importId: string) {
      const nowOf = (field: 'lastName' | 'firstName' | 'middleName' | 'extensionName' | 'nstpComponent') =>
        sql`coalesce(import_rows.fields ->> ${sql.lit(field)}, students.${sql.ref(field)}, '') as ${sql.ref(field)}`
      const rows = await all<SerialRow>`
        select number, record_id, state, decision, serial_stop, serial_question,
          coalesce(import_rows.fields ->> 'serialNumber', '') as serial_number,
          ${nowOf('lastName')}, ${nowOf('firstName')}, ${nowOf('middleName')}, ${nowOf('extensionName')},
          ${nowOf('nstpComponent')}
        from import_rows left join students on students.id = record_id
        where import_rows.import_id = ${importId}
          and (import_rows.fields ->> 'serialNumber' <> '' or serial_stop <> '' or serial_question <> '')
        order by number`
      return rows
    },

    async saveSerials(
      importId: string,
      results: readonly Pick<SerialRow, 'number' | 'serialStop' | 'serialQuestion'>[],
    ): Promise<void> {
      await sql`
        update import_rows set serial_stop = own."serialStop", serial_question = own."serialQuestion"
        from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as own(number int, "serialStop" text,
          "serialQuestion" text)
        where import_id = ${importId} and import_rows.number = own.number`.execute(db)
    },

    /** What the undo of an update puts back. Index: import_rows_state. */
    serialsBefore: (importId: string) => all<{ recordId: string; serialNumber: string }>`
        select record_id, change ->> 'before' as serial_number
        from import_rows, jsonb_array_elements(changes) as change
        where import_id = ${importId} and state = 'ready' and change ->> 'path' = 'serialNumber'
          and change ->> 'before' <> ''`,

    async updateStates(importId: string): Promise<void> {
      await sql`
        update import_rows set state = ${stateOf()}
        where import_id = ${importId} and state <> ${stateOf()}`.execute(db)
    },

    async count(importId: string): Promise<void> {
      const columns = importRowStates.map((state) => sql.ref(`${state}Count`))
      const counts = importRowStates.map((state) => sql`count(*) filter (where state = ${sql.lit(state)})`)
      await sql`
        update imports set (${sql.join(columns)}) =
          (select ${sql.join(counts)} from import_rows where import_id = ${importId})
        where id = ${importId}`.execute(db)
    },

    /**
     * Marks the rows that mean the same person as a record or an earlier row. Only rows without problems have keys. The
     * planner underestimates rows just written, so rows are never joined with rows: the first of a group is found by a
     * window, the rest by grouping. Index: students_name_key and its like.
     * @param numbers the rows to check; null for all
     */
    async markDuplicates(importId: string, numbers: readonly number[] | null, access: Access): Promise<void> {
      const scope = inScope(access, { column: 'students.nstp_component' })
      const isIncluded = numbers === null ? sql`true` : sql`number = any(${[...numbers]}::int[])`
      const ofRecords = ways.map(
        ({ kind, key }) => sql`
          select looked.number, ${sql.lit(kind)} as kind, students.id as student_id, students.reference,
            null::int as earlier
          from looked join students on ${allOf(sql`students.${key} = looked.${key}`, scope)}`,
      )
      const ofRows = ways.map(
        ({ kind, key }) => sql`
          select number, ${sql.lit(kind)}, null, null, earlier
          from (
            select number, min(number) over (partition by ${key}) as earlier from import_rows
            where import_id = ${importId} and ${key} is not null and decision is distinct from 'skip'
          ) grouped
          where earlier < number and ${isIncluded}`,
      )
      await sql`
        with looked as materialized (
          select number, name_key, student_id_key, email_key from import_rows
          where import_id = ${importId} and problems = '[]' and ${isIncluded}
        ), found as (
          ${sql.join([...ofRecords, ...ofRows], sql` union all `)}
        ), people as (
          select number, student_id, reference, earlier, jsonb_agg(kind) as kinds,
            row_number() over (partition by number order by earlier nulls first, reference) as place
          from found group by number, student_id, reference, earlier
        ), settled as (
          select number, coalesce(jsonb_agg(jsonb_build_object(
              'by', kinds, 'studentId', student_id, 'reference', reference, 'row', earlier
            ) order by place) filter (where kinds is not null), '[]') as matches
          from (
            select * from people where place <= ${maxMatches}
            union all select number, null, null, null, null, null from looked
          ) each_row
          group by number
        )
        update import_rows set matches = settled.matches,
          state = ${stateOf(undefined, undefined, sql`settled.matches`)}
        from settled
        where import_id = ${importId} and import_rows.number = settled.number
          and (settled.matches <> import_rows.matches or settled.matches <> '[]' or state <> 'ready')`.execute(
        db,
      )
    },

    // The rows of the import are read once.
    async markSameRecord(importId: string): Promise<void> {
      await sql`
        update import_rows set matches = case when earlier is null then '[]' else jsonb_build_array(
          jsonb_build_object('by', jsonb_build_array('record'), 'studentId', null, 'reference', null, 'row', earlier)
        ) end
        from (
          select rows.number as row_number, nullif(first.earlier, rows.number) as earlier
          from import_rows rows left join (
            select number, min(number) over (partition by record_id) as earlier from import_rows
            where import_id = ${importId} and record_id is not null and problems = '[]' and changes <> '[]'
              and decision is distinct from 'skip'
          ) first on first.number = rows.number
          where rows.import_id = ${importId}
        ) found
        where import_id = ${importId} and number = found.row_number
          and (found.earlier is not null or matches <> '[]')`.execute(db)
    },

    async alike(importId: string, number: number): Promise<number[]> {
      const isSame = ways.map(({ key }): RawBuilder<unknown> => sql`other.${key} = looked.${key}`)
      const rows = await all<{ number: number }>`
        select other.number from import_rows looked
        join import_rows other on other.import_id = looked.import_id and (${sql.join(isSame, sql` or `)})
        where looked.import_id = ${importId} and looked.number = ${number}
        union select ${number}::int`
      return rows.map((row) => row.number)
    },
  }
}
