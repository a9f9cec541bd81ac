import pg from 'pg'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { managingRole } from '#server/database/embedded/cluster.ts'
import { listMigrations, migrate } from '#server/database/migrate.ts'
import { createBareDatabase } from '#tests/setup/test-database.ts'

const log = pino({ level: 'silent' })

/** Tables, indexes, functions and triggers, as text. */
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

test('a migration killed at any statement is begun again and ends the same', async () => {
  const whole = await createBareDatabase()
  const killed = await createBareDatabase()
  const managerOf = async (database: typeof whole) => {
    const client = new pg.Client({ ...database.connection, user: managingRole })
    await client.connect()
    return client
  }
  const manager = await managerOf(killed)
  const other = await managerOf(whole)
  onTestFinished(async () => {
    await Promise.all([manager.end(), other.end()])
    await Promise.all([whole.drop(), killed.drop()])
  })
  await migrate({ connection: whole.connection, log })
  const { connection } = killed
  // A sequence counts on also where the transaction ends without a commit.
  await manager.query(`
    create schema killing;
    grant usage on schema killing to public;
    create sequence killing.statements;
    create function killing.kill() returns event_trigger language plpgsql security definer as $$
    begin
      if nextval('killing.statements') = (select last_value from killing.fatal) then
        perform pg_terminate_backend(pg_backend_pid());
        perform pg_sleep(10);
      end if;
    end
    $$;
    create sequence killing.fatal;`)
  await manager.query('create event trigger kill on ddl_command_end execute function killing.kill()')

  async function countApplied(): Promise<number> {
    const { rows } = await manager.query(
      "select to_regclass('public.schema_migrations') is not null as exists",
    )
    if (!rows[0]?.exists) return 0
    return (await manager.query('select count(*)::int as count from schema_migrations')).rows[0]?.count
  }
  let kills = 0
  let statement = 0
  let done = await countApplied()
  while (done < listMigrations().length) {
    statement += 1
    await manager.query(
      `select setval('killing.fatal', ${statement}), setval('killing.statements', 1, false)`,
    )
    const isKilled = await migrate({ connection, log }).then(
      () => false,
      () => true,
    )
    if (isKilled) kills += 1
    const now = await countApplied()
    // From the first statement of the next migration again.
    if (now > done) statement = 0
    done = now
  }
  await manager.query('drop event trigger kill; drop schema killing cascade')
  expect(kills).toBeGreaterThan(100)
  const [expected, found] = await Promise.all([other, manager].map((client) => client.query(definitions)))
  expect(found?.rows[0]?.text).toBe(expected?.rows[0]?.text)
})
