import pg from 'pg'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { managingRole } from '#server/database/embedded/cluster.ts'
import { listMigrations, migrate } from '#server/database/migrate.ts'
import { definitionsOf } from '#tests/setup/definitions.ts'
import { createBareDatabase } from '#tests/setup/test-database.ts'

const log = pino({ level: 'silent' })

test('a migration killed at any statement is begun again and ends the same', async () => {
  const whole = await createBareDatabase()
  const killed = await createBareDatabase()
  const manager = new pg.Client({ ...killed.connection, user: managingRole })
  await manager.connect()
  onTestFinished(async () => {
    await manager.end()
    await Promise.all([whole.drop(), killed.drop()])
  })
  await migrate({ connection: whole.connection, log })
  const { connection } = killed
  // A sequence counts on also where the transaction ends without a commit.
  await manager.query(`
    create schema killing;
    grant usage on schema killing to public;
    create sequence killing.statements;
    create sequence killing.fatal;
    create function killing.strike() returns void language plpgsql security definer as $$
    begin
      if nextval('killing.statements') = (select last_value from killing.fatal) then
        perform pg_terminate_backend(pg_backend_pid());
        perform pg_sleep(10);
      end if;
    end
    $$;
    create function killing.at_change() returns event_trigger language plpgsql as $$
    begin
      perform killing.strike();
    end
    $$;
    create function killing.at_note() returns trigger language plpgsql as $$
    begin
      perform killing.strike();
      return new;
    end
    $$;`)
  // The last statement of each notes that it was applied.
  await migrate({ connection, log, migrations: [] })
  await manager.query(`
    create trigger kill before insert on schema_migrations for each row execute function killing.at_note();
    create event trigger kill on ddl_command_end execute function killing.at_change();`)

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
    const end = await migrate({ connection, log }).then(
      () => 'done',
      (error: unknown) => String(error),
    )
    // Not what it left behind, at which it would fail each time.
    expect(end).toMatch(/^done$|terminat/)
    if (end !== 'done') kills += 1
    const now = await countApplied()
    // From the first statement of the next migration again.
    if (now > done) statement = 0
    done = now
  }
  await manager.query('drop event trigger kill; drop schema killing cascade')
  expect(kills).toBeGreaterThan(100)
  expect(await definitionsOf(connection)).toBe(await definitionsOf(whole.connection))
})
