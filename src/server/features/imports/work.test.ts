// @module-tag rest
import { sql } from 'kysely'
import pino from 'pino'
import { v4 as createToken } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAudit } from '#server/features/audit/repository.ts'
import { createAccountRepository } from '#server/features/auth/account-repository.ts'
import { createSerialsList } from '#server/features/papers/serial-service.ts'
import { createReference } from '#server/features/registration/repository.ts'
import { createMarksList } from '#server/features/terms/marks-list-service.ts'
import { registrarList } from '#server/features/terms/registrar-list-service.ts'
import { type Access, accessOf, officeItself } from '#server/lib/access.ts'
import { defaultSettings } from '#shared/settings/settings.ts'
import { academicYears, courses } from '#shared/students/student-choices.ts'
import { defaultMarking } from '#shared/terms/marking.ts'
import type { Topic } from '#shared/topics.ts'
import { buildSheetRow, buildSheetRows, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { createImportsService } from './service.ts'

vi.setConfig({ testTimeout: 60_000 })

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  for (const table of ['students', 'importRows', 'imports'] as const) {
    await database.db.deleteFrom(table).execute()
  }
})

const actor = {
  adminId: null,
  name: 'a@x.example',
  clientAddress: '',
  userAgent: '',
  requestId: '',
  access: officeItself,
}

function startProcess(overrides: Partial<Parameters<typeof createImportsService>[0]> = {}) {
  const closing = new AbortController()
  const published: Topic[] = []
  const imports = createImportsService({
    database,
    audit: createAudit({ clock: () => new Date() }),
    clock: () => new Date('2026-11-20T02:00:00Z'),
    publish: (topic) => published.push(topic),
    log: pino({ level: 'silent' }),
    closing: closing.signal,
    timeZone: 'Asia/Manila',
    offer: () => ({ courses, academicYears }),
    region: () => '',
    createReference,
    accessOfStored: async () => officeItself,
    lists: {
      registrar: registrarList,
      marks: createMarksList({ marking: () => defaultMarking, timeZone: 'Asia/Manila' }),
      serials: createSerialsList({
        settings: () => defaultSettings,
        audit: createAudit({ clock: () => new Date() }),
      }),
    },
    ...overrides,
  })
  return { ...imports, published, stop: () => closing.abort() }
}

const ofStudents = { purpose: 'students', termId: null, paperId: null } as const
const fileOf = (text: string) => ({ bytes: Buffer.from(text), fileName: 'list.csv', ...ofStudents })

type Process = ReturnType<typeof startProcess>

async function upload(process: Process, count: number) {
  const details = await process.upload(fileOf(toCsv(buildSheetRows(count))), actor)
  const columns = Object.fromEntries(details.columns.map(({ guess }, index) => [index, guess]))
  return {
    id: details.id,
    mapping: { columns, defaults: {}, dateOrder: 'month-first' as const, consent: true as const },
  }
}

async function until(
  id: string,
  isWanted: (row: { state: string; progress: number; workToken: string | null }) => boolean,
) {
  for (let attempt = 0; attempt < 2_000; attempt++) {
    const row = await database.db
      .selectFrom('imports')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (isWanted(row)) return row
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the condition was not met in time')
}

const countStudents = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from students`.execute(
    database.db,
  )
  return rows[0]?.count
}

async function leaveBehind(id: string, state: 'checking' | 'importing', secondsLeft: number) {
  await database.db
    .updateTable('imports')
    .set({
      state,
      workToken: createToken(),
      workUntil: sql<Date>`now() + make_interval(secs => ${secondsLeft})`,
      actor,
    })
    .where('id', '=', id)
    .execute()
}

describe('a process that ends', () => {
  test('while it checks, orderly: another one resumes where it stopped', async () => {
    // Each part is reported before it is written, so this is in the middle on any machine.
    let parts = 0
    const first = startProcess({
      publish() {
        parts += 1
        if (parts === 3) first.stop()
      },
    })
    const { id, mapping } = await upload(first, 2_000)
    parts = 0
    await first.map(id, mapping, actor)
    const stopped = await until(id, ({ workToken, progress }) => workToken === null && progress > 0)
    expect(stopped.state).toBe('checking')
    expect(stopped.progress).toBeLessThan(2_000)
    const second = startProcess()
    await second.resume()
    expect(await until(id, ({ state }) => state === 'checked')).toMatchObject({
      readyCount: 2_000,
      problemCount: 0,
    })
  })

  test('by a crash: its work is resumed after its claim has expired, not before', async () => {
    const process = startProcess()
    const { id, mapping } = await upload(process, 10)
    await process.map(id, mapping, actor)
    await until(id, ({ state }) => state === 'checked')
    await leaveBehind(id, 'importing', 60)
    await process.details(id, actor)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await countStudents()).toBe(0)
    await leaveBehind(id, 'importing', -1)
    await process.details(id, actor)
    await until(id, ({ state }) => state === 'imported')
    expect(await countStudents()).toBe(10)
  })

  test('while it imports: nothing is partly imported, and the next one imports all rows once', async () => {
    const first = startProcess()
    const { id, mapping } = await upload(first, 1_500)
    await first.map(id, mapping, actor)
    await until(id, ({ state }) => state === 'checked')
    await first.run(id, { reason: '' }, actor)
    await until(id, ({ progress }) => progress >= 500)
    expect(await countStudents()).toBe(0)
    first.stop()
    expect(await until(id, ({ workToken }) => workToken === null)).toMatchObject({ state: 'importing' })
    expect(await countStudents()).toBe(0)
    const second = startProcess()
    await second.resume()
    await until(id, ({ state }) => state === 'imported')
    expect(await countStudents()).toBe(1_500)
    await expect.poll(() => second.published).toContain('students')
  })
})

describe('work whose account ends, or gets other rights, in the middle', () => {
  const ended = 'This account has ended.'
  const changed = 'The account that started this has got other rights meanwhile.'
  const staff = { ...actor, adminId: '0198a000-0000-7000-8000-000000000001' }

  async function startInMiddle(access: Access | null, parts: number) {
    let stored: Access | null = officeItself
    let left = Number.POSITIVE_INFINITY
    const account = { ...staff, displayName: '', passwordHash: '', role: 'administrator' as const }
    const { adminId: id, name: email, displayName, passwordHash, role } = account
    await createAccountRepository(database.db).insertAdmin({
      ...{ id, email, displayName, passwordHash, role },
      ...{ components: [], expiresOn: null, now: new Date() },
    })
    onTestFinished(async () => {
      await database.db.deleteFrom('imports').execute()
      await database.db.deleteFrom('admins').execute()
    })
    const process = startProcess({
      accessOfStored: async () => stored,
      publish() {
        left -= 1
        if (left === 0) stored = access
      },
    })
    return {
      process,
      meanwhile() {
        left = parts
      },
    }
  }

  test.each([
    ['ends after the first rows', null, 1, ended],
    ['ends before the last', null, 3, ended],
    ['gets other rights', accessOf({ role: 'coordinator', components: ['CWTS'] }), 2, changed],
    ['may no longer import', accessOf({ role: 'registrar', components: [] }), 2, 'may no longer import'],
  ])('imports nothing: the account %s', async (_, access, parts, sentence) => {
    const { process, meanwhile } = await startInMiddle(access, parts)
    const { id, mapping } = await upload(process, 1_500)
    await process.map(id, mapping, staff)
    await until(id, ({ state }) => state === 'checked')
    meanwhile()
    await process.run(id, { reason: '' }, staff)
    const stopped = await until(id, ({ state }) => state === 'checked')
    expect(stopped.failure).toMatch(/^Nothing was imported\. /)
    expect(stopped.failure).toContain(sentence)
    expect(await countStudents()).toBe(0)
  })

  test('updates nothing', async () => {
    const { process, meanwhile } = await startInMiddle(null, 2)
    const people = buildSheetRows(600)
    for (const { 'Student ID': studentId = '' } of people) await storeStudent(database, { studentId })
    const rows = people.map((one) => ({ 'Student ID': one['Student ID'] ?? '', City: 'Cabanatuan' }))
    const { id, columns } = await process.upload(fileOf(toCsv(rows)), staff)
    const named = Object.fromEntries(columns.map(({ guess }, index) => [index, guess]))
    const mapping = { columns: named, defaults: {}, dateOrder: 'month-first' as const }
    await process.map(id, { ...mapping, updateBy: 'studentId' }, staff)
    expect(await until(id, ({ state }) => state === 'checked')).toMatchObject({ readyCount: 600 })
    const changes = () =>
      database.db.selectFrom('students').select('version').where('version', '>', 1).execute()
    meanwhile()
    await process.run(id, { reason: '' }, staff)
    const stopped = await until(id, ({ state }) => state === 'checked')
    expect(stopped.failure).toBe(`Nothing was updated. ${ended}`)
    expect(await changes()).toEqual([])
  })

  test('applies nothing of a list', async () => {
    const { process, meanwhile } = await startInMiddle(null, 2)
    const { id: termId = '' } = await storeTerm(database)
    onTestFinished(async () => {
      await database.db.deleteFrom('imports').execute()
      await database.db.deleteFrom('enrolments').execute()
      await database.db.deleteFrom('terms').execute()
    })
    const people = buildSheetRows(600)
    for (const { 'Last Name': lastName = '', 'Student ID': studentId = '' } of people) {
      const student = await storeStudent(database, { lastName, studentId })
      await storeEnrolment(database, { termId, studentId: student.id })
    }
    const file = { ...fileOf(toCsv(people)), purpose: 'registrar' as const, termId }
    const { id, columns } = await process.upload(file, staff)
    const named = Object.fromEntries(columns.map(({ guess }, index) => [index, guess]))
    await process.map(id, { columns: named, defaults: {}, dateOrder: 'month-first' }, staff)
    await until(id, ({ state }) => state === 'checked')
    meanwhile()
    await process.run(id, { reason: '' }, staff)
    const stopped = await until(id, ({ state }) => state === 'checked')
    expect(stopped.failure).toBe(`Nothing was changed. ${ended}`)
    const official = database.db.selectFrom('enrolments').select('id').where('officialAt', 'is not', null)
    expect(await official.execute()).toEqual([])
  })

  test('goes back to its columns where it was being checked', async () => {
    const { process, meanwhile } = await startInMiddle(null, 3)
    const { id, mapping } = await upload(process, 2_000)
    meanwhile()
    await process.map(id, mapping, staff)
    const stopped = await until(id, ({ state }) => state === 'uploaded')
    expect(stopped.failure).toBe(`The check could not be finished. ${ended}`)
  })
})

test('of several processes one does the work', async () => {
  const processes = [startProcess(), startProcess(), startProcess()]
  const [first] = processes
  if (!first) throw new Error('there is a first')
  const { id, mapping } = await upload(first, 1_200)
  await first.map(id, mapping, actor)
  await until(id, ({ state }) => state === 'checked')
  await first.run(id, { reason: '' }, actor)
  await Promise.all(processes.map((process) => process.details(id, actor)))
  await until(id, ({ state }) => state === 'imported')
  expect(await countStudents()).toBe(1_200)
})

test('another mapping chosen during a check restarts it', async () => {
  const process = startProcess()
  const { id, mapping } = await upload(process, 2_000)
  await process.map(id, { ...mapping, columns: {} }, actor)
  await process.map(id, mapping, actor)
  expect(await until(id, ({ state }) => state === 'checked')).toMatchObject({ readyCount: 2_000 })
})

test('a failure in the middle imports nothing, and is reported', async () => {
  await sql`create function refuse_one() returns trigger language plpgsql as $$
    begin
      if new.last_name = 'Imported00900' then raise exception 'refused' using errcode = '53100'; end if;
      return new;
    end $$`.execute(database.db)
  await sql`create trigger refuse_one before insert on students for each row execute function refuse_one()`.execute(
    database.db,
  )
  try {
    const process = startProcess()
    const { id, mapping } = await upload(process, 1_000)
    await process.map(id, mapping, actor)
    await until(id, ({ state }) => state === 'checked')
    await process.run(id, { reason: '' }, actor)
    expect(await until(id, ({ state }) => state === 'checked')).toMatchObject({
      failure:
        'Nothing was imported. The service is not available at the moment. Please try again in a minute.',
      importedCount: 0,
    })
    expect(await countStudents()).toBe(0)
  } finally {
    await sql`drop trigger refuse_one on students`.execute(database.db)
  }
})

test('a reference in use is replaced', async () => {
  const taken = ['NSTP-AAAA-0001', 'NSTP-AAAA-0001', 'NSTP-AAAA-0002']
  const process = startProcess({ createReference: () => taken.shift() ?? createReference() })
  const { id, mapping } = await upload(process, 2)
  await process.map(id, mapping, actor)
  await until(id, ({ state }) => state === 'checked')
  await process.run(id, { reason: '' }, actor)
  await until(id, ({ state }) => state === 'imported')
  const students = await database.db.selectFrom('students').select('reference').orderBy('reference').execute()
  expect(students).toEqual([{ reference: 'NSTP-AAAA-0001' }, { reference: 'NSTP-AAAA-0002' }])
})

test('a reference that opens a merged record at /my is replaced too', async () => {
  const { id: studentId } = await storeStudent(database, { reference: 'NSTP-AAAA-0001' })
  await database.db
    .insertInto('formerReferences')
    .values({ reference: 'NSTP-AAAA-0002', studentId })
    .execute()
  const taken = ['NSTP-AAAA-0002', 'NSTP-AAAA-0003']
  const process = startProcess({ createReference: () => taken.shift() ?? createReference() })
  const { id, mapping } = await upload(process, 1)
  await process.map(id, mapping, actor)
  await until(id, ({ state }) => state === 'checked')
  await process.run(id, { reason: '' }, actor)
  await until(id, ({ state }) => state === 'imported')
  const students = await database.db.selectFrom('students').select('reference').orderBy('reference').execute()
  expect(students).toEqual([{ reference: 'NSTP-AAAA-0001' }, { reference: 'NSTP-AAAA-0003' }])
})

test('a file with one person in all rows takes linear time', async () => {
  const process = startProcess()
  const rows = Array.from({ length: 5_000 }, () => buildSheetRow())
  const { id, columns } = await process.upload(fileOf(toCsv(rows)), actor)
  const guessed = Object.fromEntries(columns.map(({ guess }, index) => [index, guess]))
  await process.map(id, { columns: guessed, defaults: {}, dateOrder: 'month-first', consent: true }, actor)
  expect(await until(id, ({ state }) => state === 'checked')).toMatchObject({
    readyCount: 1,
    duplicateCount: 4_999,
  })
})

test('rows are deleted after 30 days; figures of what was imported stay', async () => {
  const process = startProcess()
  const [imported, discarded] = [await upload(process, 2), await upload(process, 3)]
  await process.map(imported.id, imported.mapping, actor)
  await until(imported.id, ({ state }) => state === 'checked')
  await process.run(imported.id, { reason: '' }, actor)
  await until(imported.id, ({ state }) => state === 'imported')
  await process.expire()
  expect((await process.list(ofStudents, actor)).items).toHaveLength(2)
  await startProcess({ clock: () => new Date('2026-12-21T02:00:00Z') }).expire()
  const { items } = await process.list(ofStudents, actor)
  expect(items).toMatchObject([{ id: imported.id, hasRows: false, importedCount: 2, rowCount: 2 }])
  expect(items.map(({ id }) => id)).not.toContain(discarded.id)
  expect(await database.db.selectFrom('importRows').select('number').execute()).toEqual([])
})

test('a list that is applied by a process that ends is applied whole by the next, or not at all', async () => {
  const { id: termId = '' } = await storeTerm(database)
  const people = buildSheetRows(1_200)
  for (const { 'Last Name': lastName = '', 'Student ID': studentId = '' } of people) {
    const student = await storeStudent(database, { lastName, studentId })
    await storeEnrolment(database, { termId, studentId: student.id })
  }
  const countOfficial = async () =>
    (await database.db.selectFrom('enrolments').select('id').where('officialAt', 'is not', null).execute())
      .length
  let isApplying = false
  let parts = 0
  const first = startProcess({
    publish() {
      parts += 1
      // In the middle: after the first of three parts.
      if (isApplying && parts === 2) first.stop()
    },
  })
  const file = { ...fileOf(toCsv(people)), purpose: 'registrar' as const, termId }
  const { id, columns } = await first.upload(file, actor)
  const named = Object.fromEntries(columns.map(({ guess }, index) => [index, guess]))
  await first.map(id, { columns: named, defaults: {}, dateOrder: 'month-first' }, actor)
  await until(id, ({ state }) => state === 'checked')
  isApplying = true
  parts = 0
  await first.run(id, { reason: '' }, actor)
  await until(id, ({ workToken }) => workToken === null)
  expect(await countOfficial()).toBe(0)
  await startProcess().resume()
  expect(await until(id, ({ state }) => state === 'imported')).toMatchObject({ importedCount: 1_200 })
  expect(await countOfficial()).toBe(1_200)
  await database.db.deleteFrom('imports').execute()
  await database.db.deleteFrom('enrolments').execute()
  await database.db.deleteFrom('terms').execute()
})
