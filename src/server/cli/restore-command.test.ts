// @module-tag rest
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listMigrations, migrate } from '#server/database/migrate.ts'
import { createDatabase } from '#server/database/pool.ts'
import { startEmbeddedServer } from '#server/database/server.ts'
import { writeBackup } from '#server/features/backup/service.ts'
import { createSnapshotRepository } from '#server/features/backup/snapshot-repository.ts'
import { erase } from '#server/features/privacy/erasure-repository.ts'
import { createRejectionRepository } from '#server/features/students/rejection-repository.ts'
import { sha256 } from '#server/lib/digest.ts'
import { keptKeysOf } from '#server/lib/kept-keys.ts'
import { buildStoredMessage } from '#tests/factories/stored-batch.ts'
import { storeStudent, storeStudentOfThen } from '#tests/factories/stored-student.ts'
import { readAllRows } from '#tests/setup/all-rows.ts'
import { createAuthOn } from '#tests/setup/auth.ts'
import { runBackup, runRestore } from '#tests/setup/operator-commands.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createBareDatabase, createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'

const passphrase = 'correct horse battery staple'
const log = pino({ level: 'silent' })

let folder: TemporaryFolder
let plain: string
let sealed: string
let target: TestDatabase

beforeAll(async () => {
  folder = makeTemporaryFolder()
  plain = join(folder.path, 'plain.nstp')
  sealed = join(folder.path, 'sealed.nstp')
  const source = await createTestDatabase()
  await createAuthOn(source).reset()
  for (let index = 0; index < 300; index++) await storeStudent(source)
  await runBackup([plain, '--unencrypted'], { env: envOf(source) })
  await runBackup([sealed], { env: envOf(source, { BACKUP_PASSPHRASE: passphrase }) })
  await source.close()
})
afterAll(() => folder.remove())

const envOf = (database: { url: string }, more: Record<string, string> = {}) => ({
  DATABASE_URL: database.url,
  DATA_DIR: join(folder.path, 'data'),
  ...more,
})

function writeFile(content: Buffer): string {
  const path = join(folder.path, 'changed.nstp')
  writeFileSync(path, content)
  return path
}

function withLines(change: (lines: string[]) => string[]): Buffer {
  const lines = gunzipSync(readFileSync(plain)).toString().split('\n')
  return gzipSync(change(lines).join('\n'))
}

function withHeader(change: (header: Record<string, unknown>) => Record<string, unknown>): Buffer {
  return withLines(([first = '', ...rest]) => [JSON.stringify(change(JSON.parse(first))), ...rest])
}

describe('a damaged backup file', () => {
  let before: string

  beforeAll(async () => {
    target = await createTestDatabase()
    await storeStudent(target, { lastName: 'Kept' })
    before = JSON.stringify(await readAllRows(target))
  })
  afterAll(() => target.close())

  async function refuse(path: string, env: Record<string, string> = {}): Promise<string> {
    const { code, errors } = await runRestore([path, '--yes'], { env: envOf(target, env) })
    expect(code).toBe(1)
    expect(JSON.stringify(await readAllRows(target)) === before, 'nothing was touched').toBe(true)
    return errors.replace(`${path}: `, '')
  }

  test.each(['plain', 'sealed'])('is refused when it is truncated anywhere: %s', async (kind) => {
    const content = readFileSync(kind === 'plain' ? plain : sealed)
    const lengths = [
      content.length - 1,
      content.length - 17,
      ...Array.from({ length: 12 }, () => 200 + Math.floor(Math.random() * (content.length - 200))),
    ]
    for (const length of lengths) {
      const path = writeFile(content)
      truncateSync(path, length)
      expect(await refuse(path, { BACKUP_PASSPHRASE: passphrase })).toMatch(/incomplete|damaged/)
    }
  })

  test('is refused when any bit of a sealed file flipped', async () => {
    for (let attempt = 0; attempt < 15; attempt++) {
      const content = readFileSync(sealed)
      // Behind the magic and the costs, where a change makes it another kind of file.
      const at = 26 + Math.floor(Math.random() * (content.length - 26))
      content[at] = (content[at] ?? 0) ^ (1 << (attempt % 8))
      expect(await refuse(writeFile(content), { BACKUP_PASSPHRASE: passphrase })).toMatch(
        // Of the seal, not of what is in it: that is never unpacked.
        /damaged or incomplete|Wrong passphrase/,
      )
    }
  })

  test('is refused when a bit of a plain file flipped in its rows', async () => {
    for (let attempt = 0; attempt < 15; attempt++) {
      const content = readFileSync(plain)
      const at = 10 + Math.floor(Math.random() * (content.length - 18))
      content[at] = (content[at] ?? 0) ^ (1 << (attempt % 8))
      expect(await refuse(writeFile(content))).toMatch(/damaged|incomplete|not a backup/)
    }
  })

  test('is refused when a row was changed, dropped or added', async () => {
    const student = (lines: string[]) =>
      lines.findIndex((line) => line.includes('"reference"') && line.startsWith('{"id"'))
    const checksum = 'The file is damaged: wrong checksum.'
    expect(
      await refuse(
        writeFile(withLines((lines) => lines.map((line) => line.replace('Registered', 'registered')))),
      ),
    ).toBe(checksum)
    expect(await refuse(writeFile(withLines((lines) => lines.toSpliced(student(lines), 1))))).toBe(checksum)
    expect(
      await refuse(
        writeFile(withLines((lines) => lines.toSpliced(student(lines), 0, lines[student(lines)] ?? ''))),
      ),
    ).toBe(checksum)
  })

  test('is refused with a wrong passphrase, which is asked for only when the file is sealed', async () => {
    expect(await refuse(sealed, { BACKUP_PASSPHRASE: 'another long pass phrase' })).toBe('Wrong passphrase.')
    expect(await refuse(sealed)).toBe(
      'There is no terminal to ask for the passphrase. Set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE.',
    )
  })

  test('is refused when a newer version wrote it, or one before 0.1.0', async () => {
    const newer = withHeader((header) => ({
      ...header,
      product: '9.1.0',
      migrations: [
        ...listMigrations().map(({ name }) => ({ name, checksum: '' })),
        { name: '0999-later', checksum: '' },
      ],
    }))
    // The checksum is that of the header before; the next test is about that.
    expect(await refuse(writeFile(newer))).toBe('The file is damaged: wrong checksum.')
    expect(
      await refuse(
        await writeOwn((header) => ({
          ...header,
          migrations: [{ name: '0999-later', checksum: '' }],
          product: '9.1.0',
        })),
      ),
    ).toBe(
      'The backup was made by a newer version of NSTP Portal (9.1.0, with the migration 0999-later). Install that version and restore with it.',
    )
    expect(
      await refuse(
        await writeOwn((header) => ({ ...header, migrations: [{ name: '0001-students', checksum: '' }] })),
      ),
    ).toBe(
      'The backup was made by a version before 0.1.0. Restore it with NSTP Portal 0.2.0, and back it up again with that version.',
    )
    expect(await refuse(writeFile(withHeader((header) => ({ ...header, formatVersion: 2 }))))).toBe(
      'The backup was made by a newer version of NSTP Portal. Restore it with that version.',
    )
  })

  test('is refused when it names a table outside of the product, which a restore would empty', async () => {
    const source = await createTestDatabase()
    await sql`create table timetable (lesson text)`.execute(source.db)
    const snapshot = await createSnapshotRepository(source).open()
    if (!snapshot) throw new Error('another backup is being made')
    const path = join(folder.path, 'foreign.nstp')
    await writeLevel(snapshot, ['timetable'], '0.1.0', path)
    await snapshot.close()
    await source.close()
    expect(await refuse(path)).toBe('The file is damaged: unknown tables.')
  })

  test.each([
    ['a text', Buffer.from('not a backup at all')],
    ['nothing', Buffer.alloc(0)],
    ['another compressed file', gzipSync('{"hello":"there"}\n')],
  ])('is refused when it is %s', async (_, content) => {
    expect(await refuse(writeFile(content))).toBe('The file is not a backup of NSTP Portal.')
  })

  test('is refused when it is a folder or does not exist', async () => {
    const path = join(folder.path, 'a folder')
    mkdirSync(path)
    expect(await refuse(path)).toBe('The file is a folder or a device.')
    expect(await refuse(join(folder.path, 'nothing.nstp'))).toBe('There is no such file or folder.')
  })
})

async function writeOwn(
  change: (header: Record<string, unknown>) => Record<string, unknown>,
  tables: readonly string[] = [],
): Promise<string> {
  const database = await createTestDatabase()
  const snapshot = await createSnapshotRepository(database).open()
  if (!snapshot) throw new Error('another backup is being made')
  const { migrations = snapshot.migrations, product = '0.1.0' } = change({}) as Partial<{
    migrations: typeof snapshot.migrations
    product: string
  }> // what the test's change gives
  const path = join(folder.path, 'own.nstp')
  await writeLevel({ ...snapshot, migrations }, tables, product, path)
  await snapshot.close()
  await database.close()
  return path
}

async function writeLevel(
  snapshot: Parameters<typeof writeBackup>[0]['snapshot'],
  tables: readonly string[],
  product: string,
  path: string,
) {
  const lines = writeBackup({
    snapshot,
    tables,
    origin: { product, createdAt: new Date().toISOString(), timeZone: 'Asia/Manila' },
    secretKey: null,
    beforeEnd: async () => undefined,
  })
  const parts: Buffer[] = []
  await pipeline(Readable.from(lines), createGzip(), async (source) => {
    for await (const part of source) parts.push(part)
  })
  writeFileSync(path, Buffer.concat(parts))
}

describe('a restore', () => {
  beforeEach(async () => {
    target = await createTestDatabase()
  })
  afterEach(() => target.close())

  const countStudents = async () =>
    Number((await sql<{ count: string }>`select count(*) from students`.execute(target.db)).rows[0]?.count)

  async function searchedFor(word: string): Promise<number> {
    const { rows } = await sql`
      select from student_search where search_text like '%' || ${word} || '%'`.execute(target.db)
    return rows.length
  }

  test('lists what it replaces and requires a confirmation', async () => {
    await storeStudent(target)
    const question =
      'This replaces everything in this database (1 student) with the backup. Type yes to continue: '
    const no = await runRestore([plain], { env: envOf(target), answers: ['no'] })
    expect(no).toMatchObject({ code: 1, errors: 'Nothing was changed.', questions: [question] })
    expect(await countStudents()).toBe(1)
    const unattended = await runRestore([plain], { env: envOf(target) })
    expect(unattended.errors).toContain('Run it again with --yes. Nothing was changed.')
    expect(await countStudents()).toBe(1)
    expect(await runRestore([plain], { env: envOf(target), answers: ['Yes'] })).toMatchObject({ code: 0 })
    expect(await countStudents()).toBe(300)
  })

  test('asks for the passphrase of a sealed backup', async () => {
    const { code, questions } = await runRestore([sealed, '--yes'], {
      env: envOf(target),
      answers: [passphrase],
    })
    expect({ code, questions }).toEqual({ code: 0, questions: ['Passphrase of the backup: '] })
    expect(await countStudents()).toBe(300)
    expect(await searchedFor('delacruz')).toBe(300)
  })

  test("doesn't bring back whom the replaced database had erased", async () => {
    const env = envOf(target, { SECRET_KEY: 'k'.repeat(32) })
    const [erased, stays] = [await storeStudent(target), await storeStudent(target)]
    const rejected = await storeStudent(target)
    const message = buildStoredMessage({ studentId: rejected.id })
    await target.db.insertInto('mailMessages').values(message).execute()
    const rejections = createRejectionRepository(target.db)
    const rejectionId = randomUUID()
    await rejections.reject([rejected.id], { id: rejectionId, at: new Date(), actor: '' })
    const older = join(folder.path, 'older.nstp')
    await runBackup([older, '--unencrypted'], { env })
    // Erased after it was brought back.
    await rejections.restore(rejectionId, new Date(0))
    for (const { id } of [erased, rejected]) {
      await erase(target.db, id, keptKeysOf(Buffer.from('k'.repeat(32))), new Date())
    }

    const keyless = await runRestore([older, '--yes'], { env: envOf(target) })
    expect(keyless).toMatchObject({ code: 1 })
    expect(keyless.errors).toContain('Records were erased on request since the backup.')
    const { output } = await runRestore([older, '--yes'], { env })
    expect(output).toContain('Deleted again, because they were erased since the backup: 2 students.')
    expect(await target.db.selectFrom('students').select('id').execute()).toEqual([{ id: stays.id }])
    expect(await target.db.selectFrom('erasures').selectAll().execute()).toHaveLength(2)
    for (const table of ['rejectedStudents', 'mailMessages'] as const) {
      expect(await target.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })

  test('migrates the backup of an older version', async () => {
    const level = 2
    const old = await createBareDatabase()
    const migrations = listMigrations().slice(0, level)
    await migrate({ connection: old.connection, log, migrations })
    const database = createDatabase({ connection: old.connection, log })
    const admin = { id: randomUUID(), email: 'old@school.example', displayName: 'Old', passwordHash: '' }
    await database.db.insertInto('admins').values(admin).execute()
    const student = await storeStudentOfThen(database, { lastName: 'Dela Peña' })
    const snapshot = await createSnapshotRepository(database).open()
    if (!snapshot) throw new Error('another backup is being made')
    expect(snapshot.migrations).toHaveLength(level)
    const path = join(folder.path, 'old.nstp')
    await writeLevel(snapshot, ['admins', 'students'], '0.0.9', path)
    await snapshot.close()
    await database.close()
    await old.drop()

    expect(await runRestore([path, '--yes'], { env: envOf(target) })).toMatchObject({ code: 0, errors: '' })
    const students = await target.db.selectFrom('students').select(['id', 'lastName']).execute()
    expect(students).toEqual([{ id: student.id, lastName: 'Dela Peña' }])
    expect(await searchedFor('delapena')).toBe(1)
    // The product starts on it: no migration is pending, and later columns exist.
    await migrate({ connection: target.connection, log })
    expect((await readAllRows(target)).audit_events).toHaveLength(1)
  })

  test('warns when stored secrets will not be readable, and when the time zone differs', async () => {
    const env = envOf(target, { SECRET_KEY: 'k'.repeat(32) })
    const own = join(folder.path, 'keyed.nstp')
    await runBackup([own, '--unencrypted'], { env })
    const same = await runRestore([own, '--yes'], { env })
    expect(same.output).not.toContain('secret key')
    const other = await runRestore([own, '--yes'], {
      env: { ...env, SECRET_KEY: 'l'.repeat(32), TZ_PROGRAM: 'Asia/Tokyo' },
    })
    expect(other.output).toContain("The secret key differs from the backup's")
    expect(other.output).toContain('the time zone Asia/Manila; here TZ_PROGRAM is Asia/Tokyo')
  })

  test('lists the accounts that it brings, before it asks', async () => {
    await storeStudent(target)
    await sql`insert into admins (id, email, display_name, password_hash)
      values (${randomUUID()}, ${'second\u001b[2K\u202e@school.example'}, 'Second', '')`.execute(target.db)
    const own = join(folder.path, 'two.nstp')
    await runBackup([own, '--unencrypted'], { env: envOf(target) })
    const { code, output } = await runRestore([own], { env: envOf(target), answers: ['no'] })
    expect(code).toBe(1)
    // No character that a terminal acts on.
    expect(output).toContain('It brings these accounts: second?[2K?@school.example.')
  })

  test('says when this installation did not make the backup, or when it was changed', async () => {
    const env = envOf(target, { SECRET_KEY: 'k'.repeat(32) })
    await storeStudent(target, { lastName: 'Magtanggol' })
    const own = join(folder.path, 'signed.nstp')
    await runBackup([own, '--unencrypted'], { env })
    const warning = "The backup isn't signed with the secret key of this installation"
    expect((await runRestore([own, '--yes'], { env })).output).not.toContain(warning)

    const lines = gunzipSync(readFileSync(own)).toString().split('\n')
    const changed = `${lines.slice(0, -2).join('\n').replaceAll('Magtanggol', 'Mapangahas')}\n`
    const end = { ...JSON.parse(lines.at(-2) ?? ''), sha256: sha256(changed).toString('hex') }
    const forged = writeFile(gzipSync(`${changed}${JSON.stringify(end)}\n`))
    expect((await runRestore([forged, '--yes'], { env })).output).toContain(warning)
    const elsewhere = { ...env, SECRET_KEY: 'l'.repeat(32) }
    expect((await runRestore([own, '--yes'], { env: elsewhere })).output).toContain(warning)
    // Of an older version.
    expect((await runRestore([plain, '--yes'], { env })).output).toContain(warning)
  })

  test('warns when the audit trail in the backup was changed', async () => {
    const own = join(folder.path, 'trail.nstp')
    const again = join(folder.path, 'changed-trail.nstp')
    // Making a backup is an entry.
    await runBackup([own, '--unencrypted'], { env: envOf(target) })
    expect((await runRestore([own, '--yes'], { env: envOf(target) })).output).not.toContain(
      'as it was written',
    )
    await sql`alter table audit_events disable trigger user`.execute(target.db)
    await sql`update audit_events set actor = 'somebody else'`.execute(target.db)
    await sql`alter table audit_events enable trigger user`.execute(target.db)
    await runBackup([again, '--unencrypted'], { env: envOf(target) })
    const { code, output } = await runRestore([again, '--yes'], { env: envOf(target) })
    expect([code, output]).toEqual([0, expect.stringContaining('entry 1 is not as it was written')])
  })

  test('does not replace the tables of a newer version', async () => {
    await sql`insert into schema_migrations (name, checksum) values ('0999-later', '')`.execute(target.db)
    const { code, errors } = await runRestore([plain, '--yes'], { env: envOf(target) })
    expect(code).toBe(1)
    expect(errors).toContain('written by a newer version of NSTP Portal')
  })

  test('waits for running requests, and times out when tables stay locked', async () => {
    await storeStudent(target)
    let release: () => void = () => undefined
    const locking = target.db.transaction().execute(async (tx) => {
      await sql`lock table students in row exclusive mode`.execute(tx)
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    const restoring = runRestore([plain, '--yes'], { env: envOf(target) })
    setTimeout(() => release(), 2_500)
    await locking
    expect(await restoring).toMatchObject({ code: 0 })
    expect(await countStudents()).toBe(300)
  })

  test('that is interrupted changes nothing', async () => {
    await storeStudent(target)
    const interrupted = new AbortController()
    interrupted.abort()
    const { code, errors } = await runRestore([plain, '--yes'], {
      env: envOf(target),
      signal: interrupted.signal,
    })
    expect({ code, errors }).toEqual({ code: 130, errors: 'Interrupted. Nothing was changed.' })
    expect(await countStudents()).toBe(1)
  })

  test('reports an unreachable database', async () => {
    const { code, errors } = await runRestore([plain, '--yes'], {
      env: envOf({ url: `${target.url.replace(/\/test_\w+/, '/nothing_of_this_name')}` }),
    })
    expect(code).toBe(1)
    expect(errors).toContain("The database that DATABASE_URL names can't be used")
  })
})

describe('with the embedded database', () => {
  test('a restore is refused while the product runs, and creates a missing data folder', async () => {
    const env = { DATA_DIR: join(folder.path, 'embedded') }
    const first = await runRestore([plain], { env })
    expect(first).toMatchObject({ code: 0, errors: '' })
    const server = await startEmbeddedServer({ dataDir: env.DATA_DIR, log, fsync: false })
    const again = await runRestore([plain, '--yes'], { env })
    expect(again.code).toBe(1)
    expect(again.errors).toContain('NSTP Portal is already running from this data folder')
    // A backup is made beside it.
    expect(await runBackup([join(folder.path, 'beside.nstp'), '--unencrypted'], { env })).toMatchObject({
      code: 0,
    })
    await server.stop()
    // Three databases start one after the other.
  }, 60_000)
})
