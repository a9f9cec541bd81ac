import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NightlyBackup } from '#shared/backup/backup-response.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { openBackupFile, verifyBackup } from '../backup-file.ts'
import { createSnapshotRepository } from '../snapshot-repository.ts'

const passphrase = 'correct horse battery staple'
const isRoot = process.getuid?.() === 0

let disk: TemporaryFolder
let folder: string
let server: TestServer
let admin: ReturnType<typeof createAdminClient>
const now = new Date()

beforeAll(async () => {
  server = await startTestServer({ now })
  await storeStudent(server.database)
})
afterAll(() => server.close())
beforeEach(async () => {
  disk = makeTemporaryFolder()
  folder = join(disk.path, 'portal')
  await at('2026-11-20T01:00+08:00')
  await server.database.db.transaction().execute(async (tx) => {
    await sql`set local nstp.retention = 'on'`.execute(tx)
    await tx.deleteFrom('auditEvents').execute()
    await tx.deleteFrom('lastBackup').execute()
    await tx.deleteFrom('nightlyBackup').execute()
    await sql`insert into nightly_backup default values`.execute(tx)
  })
})
afterEach(() => disk.remove())

async function signIn() {
  admin = createAdminClient(server, await server.signIn())
}

/** The clock of the server, and who signs in again then. */
async function at(time: string) {
  now.setTime(new Date(time).getTime())
  await signIn()
}

async function status(): Promise<{ last: unknown; nightly: NightlyBackup }> {
  return await (await admin.call('GET', '/backup')).json()
}
const nightly = async () => (await status()).nightly

async function setUp(change: object, version?: number) {
  const stored = version ?? (await nightly()).version
  return await admin.call('PUT', '/backup/nightly', change, { 'If-Match': `"${stored}"` })
}

async function sweepUntil(isReached: (now: NightlyBackup) => boolean) {
  await server.sweep()
  await expect.poll(async () => isReached(await nightly())).toBe(true)
}

const files = () => readdirSync(folder).sort()

async function studentsIn(name: string) {
  const { rows } = await verifyBackup(await openBackupFile(join(folder, name), async () => passphrase))
  return rows.students
}

const entries = () =>
  server.database.db
    .selectFrom('auditEvents')
    .select(['action', 'actor', 'fields', 'detail'])
    .where('action', 'in', ['backup-made', 'nightly-backup-changed'])
    .orderBy('id')
    .execute()

describe('the setting', () => {
  test('makes the folder, tests it, and says nothing of the passphrase', async () => {
    expect(await nightly()).toMatchObject({ version: 1, folder: '', hasPassphrase: false, problem: null })
    const answer = await setUp({ folder, passphrase })
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ version: 2, folder, hasPassphrase: true, problem: null })
    expect(text).not.toContain(passphrase)
    expect(files()).toEqual([])
    expect(await entries()).toMatchObject([
      { action: 'nightly-backup-changed', actor: adminEmail, fields: ['folder', 'passphrase'] },
    ])
  })

  test('keeps its passphrase where only the folder changes, and both end when it is turned off', async () => {
    await setUp({ folder, passphrase })
    expect(await (await setUp({ folder: `${folder}-2` })).json()).toMatchObject({ hasPassphrase: true })
    expect(await (await setUp({ folder: '' })).json()).toMatchObject({ folder: '', hasPassphrase: false })
    const { passphrase: sealed } = await server.database.db
      .selectFrom('nightlyBackup')
      .select('passphrase')
      .executeTakeFirstOrThrow()
    expect(sealed).toBeNull()
  })

  test('is not made again for a new passphrase: the disk may be away', async () => {
    await setUp({ folder, passphrase })
    rmSync(folder, { recursive: true })
    const answer = await setUp({ folder, passphrase: 'another correct horse battery' })
    expect([answer.status, await answer.json()]).toMatchObject([422, { errors: [{ path: 'folder' }] }])
    expect(readdirSync(disk.path)).toEqual([])
  })

  test('is refused for a version that somebody changed, before the folder is touched', async () => {
    await setUp({ folder, passphrase })
    expect((await setUp({ folder: `${folder}-2` }, 1)).status).toBe(409)
    expect(readdirSync(disk.path)).toEqual(['portal'])
  })

  const refusals: [string, () => string, string][] = [
    [
      'a path that leads back',
      () => `${folder}/../x`,
      'Please write the whole path, such as /mnt/backup/nstp.',
    ],
    ['a relative path', () => 'backups', 'Please write the whole path, such as /mnt/backup/nstp.'],
    ['a file', () => file(), 'This folder can’t be used. A part of its path is a file, not a folder.'],
    [
      'below a file',
      () => join(file(), 'x'),
      'This folder can’t be used. A part of its path is a file, not a folder.',
    ],
    ['a device', () => '/dev/full', 'This folder can’t be used. A part of its path is a file, not a folder.'],
  ]
  function file() {
    writeFileSync(join(disk.path, 'file'), '')
    return join(disk.path, 'file')
  }
  test.each(refusals)('refuses %s with the reason beside the field', async (_what, path, message) => {
    const answer = await setUp({ folder: path(), passphrase })
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { errors: [{ path: 'folder', message }] },
    ])
  })

  test.skipIf(isRoot)('refuses a folder of another', async () => {
    mkdirSync(folder)
    chmodSync(folder, 0o500)
    const answer = await setUp({ folder, passphrase })
    const message =
      'This folder can’t be used. Permission denied. NSTP Portal must be allowed to write there.'
    expect(await answer.json()).toMatchObject({ errors: [{ path: 'folder', message }] })
  })

  test.each([
    [{ passphrase: undefined }, 'Please choose a passphrase.'],
    [{ passphrase: 'too short' }, 'The passphrase must have at least 15 characters.'],
  ])('needs a passphrase: %j', async (change, message) => {
    const answer = await setUp({ folder, ...change })
    expect(await answer.json()).toMatchObject({ errors: [{ path: 'passphrase', message }] })
  })
})

describe('a night', () => {
  beforeEach(async () => {
    await setUp({ folder, passphrase })
  })

  test('leaves one whole file with the day of the school, which only its owner reads', async () => {
    await at('2026-11-20T02:10+08:00')
    await sweepUntil(({ madeAt }) => madeAt !== null)
    expect(files()).toEqual(['nstp-portal-2026-11-20.nstp'])
    const { size, mode } = statSync(join(folder, 'nstp-portal-2026-11-20.nstp'))
    expect(mode & 0o777).toBe(0o600)
    expect(await studentsIn('nstp-portal-2026-11-20.nstp')).toBe(1)
    expect(await status()).toMatchObject({
      last: { at: '2026-11-19T18:10:00.000Z', isSealed: true },
      nightly: { madeAt: '2026-11-19T18:10:00.000Z', bytes: size, kept: 1, problem: null },
    })
    expect((await entries()).slice(1)).toMatchObject([
      { actor: 'system', detail: { begun: true, sealed: true, nightly: true } },
      { actor: 'system', detail: { finished: true, sealed: true, nightly: true, students: 1 } },
    ])

    await at('2026-11-20T03:10+08:00')
    await server.sweep()
    await at('2026-11-21T02:10+08:00')
    await sweepUntil(({ kept }) => kept === 2)
    expect(files()).toEqual(['nstp-portal-2026-11-20.nstp', 'nstp-portal-2026-11-21.nstp'])
  })

  test('is that of one process of several', async () => {
    await at('2026-11-20T02:10+08:00')
    const other = await startTestServer({ now, database: server.database })
    await Promise.all([server.sweep(), other.sweep()])
    await expect.poll(async () => (await nightly()).madeAt).not.toBeNull()
    await other.close()
    expect(files()).toHaveLength(1)
    expect((await entries()).filter(({ detail }) => detail?.begun)).toHaveLength(1)
  })

  test('keeps 30 days, and every file that isn’t the product’s own', async () => {
    const theirs = ['nstp-portal-2020-01-01.nstp.txt', 'nstp-2020-01-01.nstp', 'notes.part']
    const days = Array.from({ length: 30 }, (_, index) => `2026-09-${String(index + 1).padStart(2, '0')}`)
    const own = days.map((day) => `nstp-portal-${day}.nstp`)
    // Several of a day count once.
    const second = 'nstp-portal-2026-09-30-101500.nstp'
    const killed = 'nstp-portal-2026-09-30.nstp.0123abcd.part'
    const underWay = 'nstp-portal-2026-11-20.nstp.0123abcd.part'
    for (const name of [...theirs, ...own, second, killed, underWay]) writeFileSync(join(folder, name), '')
    mkdirSync(join(folder, 'nstp-portal-2019-01-01.nstp'))
    await at('2026-11-20T02:10+08:00')
    const longAgo = new Date('2026-11-18T02:10+08:00')
    utimesSync(join(folder, killed), longAgo, longAgo)
    utimesSync(join(folder, underWay), now, now)

    await sweepUntil(({ madeAt }) => madeAt !== null)
    const made = 'nstp-portal-2026-11-20.nstp'
    const others = [...theirs, 'nstp-portal-2019-01-01.nstp', underWay]
    expect(files()).toEqual([...others, ...own.slice(1), second, made].sort())
    expect(await nightly()).toMatchObject({ kept: 31, problem: null })
  })

  test('by a clock that went back is kept, though it looks the oldest', async () => {
    for (let day = 1; day <= 30; day++) {
      writeFileSync(join(folder, `nstp-portal-2031-01-${String(day).padStart(2, '0')}.nstp`), '')
    }
    await at('2026-11-20T02:10+08:00')
    await sweepUntil(({ madeAt }) => madeAt !== null)
    expect(files()).toContain('nstp-portal-2026-11-20.nstp')
  })

  test('that fails says why until one succeeds, is tried again in an hour, and deletes nothing', async () => {
    rmSync(folder, { recursive: true })
    await at('2026-11-20T02:10+08:00')
    await sweepUntil(({ problem }) => problem === `${folder}: There is no such file or folder.`)
    expect(await status()).toMatchObject({ last: null, nightly: { madeAt: null } })
    // Not a word in the trail: nothing was read.
    expect(await entries()).toHaveLength(1)

    mkdirSync(folder)
    await at('2026-11-20T03:10+08:00')
    await sweepUntil(({ problem }) => problem === null)
    expect(files()).toEqual(['nstp-portal-2026-11-20.nstp'])
  })

  test('is missed after two days', async () => {
    await at('2026-11-22T01:10+08:00')
    expect(await nightly()).toMatchObject({
      problem: 'There was no nightly backup for more than two days.',
    })
  })
})

describe('one that is made now', () => {
  test('is a file of its own, beside that of the night', async () => {
    await setUp({ folder, passphrase })
    const first = await (await admin.call('POST', '/backup/nightly')).json()
    expect(first).toMatchObject({ isRunning: false, kept: 1, problem: null })
    await at('2026-11-20T14:03:09+08:00')
    await admin.call('POST', '/backup/nightly')
    expect(files()).toEqual(['nstp-portal-2026-11-20-140309.nstp', 'nstp-portal-2026-11-20.nstp'])
    expect(await studentsIn('nstp-portal-2026-11-20-140309.nstp')).toBe(1)
    expect((await entries()).slice(1).map(({ actor }) => actor)).toEqual(Array(4).fill(adminEmail))
  })

  test('is refused while it is off, and right after another one', async () => {
    expect((await admin.call('POST', '/backup/nightly')).status).toBe(409)
    await setUp({ folder, passphrase })
    await admin.call('POST', '/backup/nightly')
    expect((await admin.call('POST', '/backup/nightly')).status).toBe(429)
  })

  test('is refused while another backup is under way, which is no failure', async () => {
    await setUp({ folder, passphrase })
    const other = await createSnapshotRepository(server.database).open()
    expect((await admin.call('POST', '/backup/nightly')).status).toBe(429)
    await other?.close()
    expect(await nightly()).toMatchObject({ madeAt: null, problem: null })
    expect(files()).toEqual([])
  })

  test('that breaks off in the middle leaves no file, and counts as none', async () => {
    await setUp({ folder, passphrase })
    const bytes = Buffer.alloc(1_000_000, crypto.getRandomValues(new Uint8Array(4096)))
    const ids = Array.from({ length: 40 }, (_, index) => index.toString(16).padStart(64, '0'))
    const { longDb } = server.database
    await longDb
      .insertInto('files')
      .values(ids.map((id) => ({ id, mediaType: 'image/webp', bytes })))
      .execute()
    const answer = admin.call('POST', '/backup/nightly')
    await expect.poll(files, { interval: 2 }).toEqual([expect.stringMatching(/\.nstp\.[0-9a-f]{8}\.part$/)])
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(
      server.database.db,
    )
    expect((await (await answer).json()).problem).toMatch(/^(The service is not available|It was broken off)/)
    expect(files()).toEqual([])
    expect(await status()).toMatchObject({ last: null, nightly: { madeAt: null } })
    expect((await entries()).slice(1)).toMatchObject([
      { detail: { begun: true } },
      { detail: { finished: false, nightly: true } },
    ])
    await longDb.deleteFrom('files').execute()
  }, 60_000)
})

test('a passphrase sealed with another secret key must be set again', async () => {
  await setUp({ folder, passphrase })
  // The state after a restore beside another key.
  await server.database.db
    .updateTable('nightlyBackup')
    .set({ passphrase: Buffer.alloc(60, 1) })
    .execute()
  const problem =
    'The passphrase of the nightly backup can’t be read, because the secret key is another one. Please set it again.'
  expect(await nightly()).toMatchObject({ folder, hasPassphrase: false, problem })
  expect(await (await setUp({ folder })).json()).toMatchObject({ errors: [{ path: 'passphrase' }] })
  expect(await (await admin.call('POST', '/backup/nightly')).json()).toMatchObject({ problem, madeAt: null })
  expect(await (await setUp({ folder, passphrase })).json()).toMatchObject({ problem: null })
})
