import pg from 'pg'

const definitions = `
  select string_agg(line, E'\\n' order by line) as text from (
    select table_name || '.' || column_name || ' ' || data_type || ' ' || coalesce(column_default, '') as line
      from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select pg_get_functiondef(oid) from pg_proc
      where pronamespace = 'public'::regnamespace and prokind = 'f' and prolang <> 13
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
  ) lines`

/** Tables, indexes, functions and triggers of a database, as text. */
export async function definitionsOf(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<{ text: string }>(definitions)).rows[0]?.text ?? ''
  } finally {
    await client.end()
  }
}
