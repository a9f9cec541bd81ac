import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { openBackupFile, verifyBackup } from './backup-file.ts'
import { createSnapshotRepository } from './snapshot-repository.ts'

const passphrase = 'correct horse battery staple'

let server: TestServer
let cookie: string
let folder: TemporaryFolder

beforeAll(async () => {
  folder = makeTemporaryFolder()
  server = await startTestServer({ now: new Date('2026-11-20T06:30:00Z') })
  cookie = await server.signIn()
  await storeStudent(server.database)
})
afterAll(async () => {
  await server.close()
  folder.remove()
})
beforeEach(async () => {
  await server.database.db.transaction().execute(async (tx) => {
    await sql`set local nstp.retention = 'on'`.execute(tx)
    await tx.deleteFrom('auditEvents').where('action', '=', 'backup-made').execute()
    await tx.deleteFrom('lastBackup').execute()
  })
})

const post = (body: unknown, headers: Record<string, string> = { Cookie: cookie }) =>
  fetch(`${server.url}/api/backup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const readStatus = async () =>
  (await fetch(`${server.url}/api/backup`, { headers: { Cookie: cookie } })).json()

async function listEntries() {
  return server.database.db
    .selectFrom('auditEvents')
    .select(['actor', 'detail'])
    .where('action', '=', 'backup-made')
    .orderBy('id')
    .execute()
}

/** As PostgreSQL refuses to write on a full disk. */
async function fillDiskFor(entry: 'begun' | 'finished') {
  const { db } = server.database
  await sql`create function refuse_entry() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$`.execute(db)
  await sql`create trigger refuse_entry before insert on audit_events for each row
    when (new.action = 'backup-made' and new.detail ? ${sql.lit(entry)}) execute function refuse_entry()`.execute(
    db,
  )
  onTestFinished(async () => {
    await sql`drop function refuse_entry cascade`.execute(db)
  })
}

describe('POST /backup', () => {
  test('gives an encrypted file that can be restored', async () => {
    const response = await post({ passphrase })
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Disposition')).toContain(
      'filename="NSTP Portal backup 2026-11-20 1430.nstp"',
    )
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    const path = join(folder.path, 'download.nstp')
    writeFileSync(path, Buffer.from(await response.arrayBuffer()))
    const { rows } = await verifyBackup(await openBackupFile(path, async () => passphrase))
    expect(rows).toMatchObject({ students: 1, admins: 1 })
    expect(await listEntries()).toEqual([
      { actor: adminEmail, detail: { begun: true, sealed: true } },
      { actor: adminEmail, detail: { finished: true, sealed: true, students: 1 } },
    ])
    expect(await readStatus()).toMatchObject({ last: { at: '2026-11-20T06:30:00.000Z', isSealed: true } })
  })

  test.each([
    [{}, 'Please send a text.'],
    [{ passphrase: 'too short' }, 'The passphrase must have at least 15 characters.'],
    [{ passphrase: 'x'.repeat(201) }, 'The passphrase can have at most 200 characters.'],
    [{ passphrase, password: passphrase }, 'Unknown fields: password.'],
    [{ passphrase: 15 }, 'Please send a text.'],
    [[passphrase], 'Please send a JSON object.'],
  ])('refuses %j with a sentence', async (body, message) => {
    const response = await post(body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'invalid', errors: [{ message }] })
    expect(await listEntries()).toEqual([])
  })

  test('is refused without a session', async () => {
    const response = await post({}, {})
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({
      code: 'unauthenticated',
      detail: 'Authentication required. Please login as admin.',
    })
  })

  test('is refused in a sentence, before its first byte, where the disk has no room for its entry', async () => {
    await fillDiskFor('begun')
    const response = await post({ passphrase })
    expect([response.status, await response.json()]).toEqual([
      503,
      expect.objectContaining({
        code: 'unavailable',
        detail:
          "The database's disk is full, so the backup can't be recorded, and none was made. Free some space and try again.",
      }),
    ])
    // Its snapshot is closed: the next one isn't refused.
    expect((await post({ passphrase })).status).toBe(503)
  })

  test('is whole where the disk fills up on its way', async () => {
    await fillDiskFor('finished')
    const path = join(folder.path, 'full-disk.nstp')
    writeFileSync(path, Buffer.from(await (await post({ passphrase })).arrayBuffer()))
    expect((await verifyBackup(await openBackupFile(path, async () => passphrase))).rows).toMatchObject({
      admins: 1,
    })
    expect(await listEntries()).toMatchObject([{ detail: { begun: true } }])
  })

  test('is refused while another one runs in any process', async () => {
    const other = await createSnapshotRepository(server.database).open()
    const response = await post({ passphrase })
    expect(response.status).toBe(429)
    expect(await response.json()).toMatchObject({
      code: 'too_many_requests',
      detail: 'Another backup is in progress. Please try again when it has finished.',
    })
    await other?.close()
    expect((await (await post({ passphrase })).arrayBuffer()).byteLength).toBeGreaterThan(500)
  })

  // 40 MB, for which a busy machine may need more than the 2.5 s of a request's statement.
  const storeFiles = () =>
    server.database.longDb
      .insertInto('files')
      .values(
        Array.from({ length: 40 }, (_, index) => ({
          id: index.toString(16).padStart(64, '0'),
          mediaType: 'image/webp',
          bytes: Buffer.alloc(1_000_000, crypto.getRandomValues(new Uint8Array(4096))),
        })),
      )
      .execute()

  test('that loses the database is cut off, and says nothing of it', async () => {
    await storeFiles()
    const reader = (await post({ passphrase })).body?.getReader()
    const received: Uint8Array[] = []
    const readOn = async () => {
      for (let part = await reader?.read(); part?.value; part = await reader?.read())
        received.push(part.value)
    }
    received.push((await reader?.read())?.value ?? new Uint8Array())
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(
      server.database.db,
    )
    await expect(readOn()).rejects.toThrow()
    expect(Buffer.concat(received).toString('latin1')).not.toMatch(/Error|terminat/)
    await expect
      .poll(listEntries)
      .toMatchObject([{ detail: { begun: true } }, { detail: { finished: false } }])
    await server.database.db.deleteFrom('files').execute()
  }, 60_000)

  test('that is aborted releases its connection and is recorded as aborted', async () => {
    await storeFiles()
    const leaving = new AbortController()
    const response = await fetch(`${server.url}/api/backup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: '{"passphrase":"correct horse battery staple"}',
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
    await expect
      .poll(listEntries)
      .toMatchObject([{ detail: { begun: true } }, { detail: { finished: false } }])
    expect(await readStatus()).toMatchObject({ last: null })
    // Another one can be made as soon as the snapshot is given back.
    const again = async () => {
      const next = await post({ passphrase })
      await next.arrayBuffer()
      return next.status
    }
    await expect.poll(again).toBe(200)
    await server.database.db.deleteFrom('files').execute()
  }, 60_000)
})

describe('GET /backup', () => {
  test('has none at first', async () => {
    expect(await readStatus()).toMatchObject({ last: null })
  })

  test('is refused without a session', async () => {
    expect((await fetch(`${server.url}/api/backup`)).status).toBe(401)
  })
})
