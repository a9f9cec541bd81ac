import { createHash, createHmac } from 'node:crypto'
import { sql } from 'kysely'
import readWorkbook from 'read-excel-file/node'
import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deriveKey } from '#server/lib/digest.ts'
import { storeBounce } from '#tests/factories/bounce.ts'
import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type ImportSetup, openImportSetup } from '#tests/setup/imports.ts'
import { testSecretKey } from '#tests/setup/test-server.ts'

// 20 November 2026 in Manila.
let setup: ImportSetup
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  setup = await openImportSetup()
  admin = createAdminClient(setup.server, await setup.server.signIn())
})
afterAll(() => setup.close())
beforeEach(async () => {
  await setup.clear()
  const { db } = setup.server.database
  for (const table of [
    'mailBatches',
    'mailMessages',
    'mailBounces',
    'privacyRequests',
    'privacyBreaches',
  ] as const) {
    await db.deleteFrom(table).execute()
  }
})

async function done(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
  const response = await admin.call(method, path, body, headers)
  expect(response.status, await response.clone().text()).toBeLessThan(300)
  return response
}
const json = async (method: string, path: string, body?: unknown) => (await done(method, path, body)).json()

async function cellsOf(response: Response): Promise<unknown[][]> {
  const sheets = await readWorkbook(Buffer.from(await response.arrayBuffer()), { trim: false })
  return sheets[0]?.data ?? []
}

const held = ['importRows', 'mailMessages', 'mailBounces', 'auditValues'] as const

describe('the record of a person', () => {
  async function storeEverything() {
    const { server, imports } = setup
    const uploaded = await imports.upload(
      toCsv([
        buildSheetRow({ lastName: 'Abad', email: 'abad@student.example' }),
        buildSheetRow({ lastName: 'Zulueta', email: 'zulueta@student.example', studentId: '26-0099' }),
      ]),
      'first.csv',
    )
    await imports.check(uploaded)
    await imports.run(uploaded.id)
    const [abad] = await setup.students()
    if (!abad) throw new Error('not imported')
    const update = await imports.upload(
      toCsv([{ Reference: abad.reference, Religion: 'Secret' }]),
      'second.csv',
    )
    await imports.check(update, { updateBy: 'reference' })
    await done(
      'PATCH',
      `/students/${abad.id}?reason=student`,
      { dateOfBirth: '2006-01-02' },
      { 'If-Match': '"1"' },
    )
    await storeBatch(server.database, [
      { studentId: abad.id, recipient: 'abad@student.example' },
      { recipient: 'ABAD@student.example' },
      { recipient: 'zulueta@student.example' },
    ])
    for (const recipient of ['abad@student.example', 'zulueta@student.example']) {
      await storeBounce(server.database, { recipient })
    }
    await done('POST', '/privacy/requests', {
      kind: 'copy',
      reference: abad.reference,
      receivedOn: '2026-11-19',
    })
    return abad
  }

  test('is one file with changes, readings, mail, imports and requests', async () => {
    const { id, reference } = await storeEverything()
    await done('GET', `/students/${id}`)
    const response = await done('GET', `/students/${id}/file.xlsx`)
    expect(response.headers.get('Content-Disposition')).toContain(`Personal data ${reference}.xlsx`)
    const rows = await cellsOf(response)
    const of = (part: string) =>
      rows.filter(([name]) => name === part).map(([, , what, value]) => [what, value])
    expect(of('Record')).toContainEqual(['Last Name', 'Abad'])
    expect(of('Consent')).toEqual([['Privacy notice version', 'on-paper']])
    expect(of('Change')).toContainEqual([
      'Edited a student, by coordinator@school.example',
      'dateOfBirth: 2007-05-14 → 2006-01-02',
    ])
    expect(of('Reading').map(([what]) => what)).toEqual([
      'Viewed a student, by coordinator@school.example',
      'Downloaded all data of one student, by coordinator@school.example',
    ])
    expect(of('E-mail')).toHaveLength(2)
    expect(of('Import').map(([file]) => file)).toEqual(['first.csv', 'second.csv'])
    expect(of('Request')).toEqual([['copy', 'received 2026-11-19, due 2026-12-19']])
    expect(await setup.trail.of('student-file-downloaded')).toMatchObject([
      { studentId: id, subject: reference },
    ])
    expect((await admin.call('GET', `/students/${createId()}/file.xlsx`)).status).toBe(404)
  })

  test('is erased with import rows, mail and values; others stay', async () => {
    const { id, lastName } = await storeEverything()
    // A row that no record came from, with what was typed into it.
    const row = buildSheetRow({ lastName: 'Abad', dateOfBirth: '2006-01-02' })
    const waiting = await setup.imports.upload(toCsv([row]), 'third.csv')
    await setup.imports.check(waiting)
    await done('PATCH', `/imports/${waiting.id}/rows/2`, { values: { religion: 'Secret too' } })
    const { db } = setup.server.database
    const files = () => db.selectFrom('importFiles').select('importId').execute()
    const readings = () =>
      db.selectFrom('imports').select('reading').where('reading', 'is not', null).execute()
    expect(await files()).not.toEqual([])
    expect(await readings()).not.toEqual([])
    await done('DELETE', `/students/${id}`)
    // They name people also where no row does.
    expect(await files()).toEqual([])
    expect(await readings()).toEqual([])
    const left = await Promise.all(
      ([...held, 'students', 'auditEvents'] as const).map((table) =>
        db.selectFrom(table).selectAll().execute(),
      ),
    )
    const text = JSON.stringify(left)
    expect(text).not.toContain(lastName)
    expect(text).not.toContain('abad@student.example')
    expect(text).not.toContain('ABAD@student.example')
    expect(text).not.toContain('Secret')
    expect(text).not.toContain('2006-01-02')
    expect(text).toContain('Zulueta')
    // In each of them.
    for (const [at, table] of held.entries()) {
      if (table !== 'auditValues') expect(JSON.stringify(left[at]).toLowerCase()).toContain('zulueta')
    }
    const erasures = await db.selectFrom('erasures').selectAll().execute()
    expect(erasures).toHaveLength(1)
    // Of the id and the secret key: without that one it confirms no record.
    expect(erasures[0]?.recordHash).not.toEqual(createHash('sha256').update(id).digest())
    expect(erasures[0]?.recordHash).toEqual(
      createHmac('sha256', deriveKey(testSecretKey, 'erasures')).update(id).digest(),
    )
  })

  test('has the terms with their changes, which the erasure deletes', async () => {
    const { database } = setup.server
    const { db } = database
    const { id: studentId } = await storeStudent(database)
    const { id: termId } = await storeTerm(database)
    const { id: enrolmentId } = await storeEnrolment(database, { termId, studentId, mark: '1.25' })
    const values = { before: {}, after: { mark: '1.25' }, reason: 'Late paper', version: 2 }
    await db
      .insertInto('enrolmentChanges')
      .values({ id: createId(), enrolmentId, at: new Date(), what: 'mark', ...values })
      .execute()
    const credit = { kind: 'credit', level: 1, ground: 'transferee', evidence: 'Transcript' } as const
    await db
      .insertInto('credits')
      .values({ ...credit, id: createId(), studentId, decidedAt: new Date() })
      .execute()
    const rows = await cellsOf(await done('GET', `/students/${studentId}/file.xlsx`))
    expect(rows.filter(([part]) => part === 'Credit').map(([, , what, value]) => [what, value])).toEqual([
      ['credit', expect.stringContaining('"evidence":"Transcript"')],
    ])
    expect(rows.filter(([part]) => part === 'Term').map(([, , what, value]) => [what, value])).toEqual([
      ['2026-2027, semester 1: Enrollment', expect.stringContaining('"mark":"1.25"')],
      ['2026-2027, semester 1: Change: mark', expect.stringContaining('Late paper')],
    ])
    await done('DELETE', `/students/${studentId}`)
    expect(await db.selectFrom('enrolments').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('enrolmentChanges').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('credits').selectAll().execute()).toEqual([])
  })

  test('has what is kept for an undo, which the erasure deletes', async () => {
    const { database } = setup.server
    const keep = await storeStudent(database, { course: 'SOBM' })
    const drop = await storeStudent(database, { lastName: 'Mergedaway' })
    await json('POST', '/students/changes', { ids: [keep.id], field: 'course', value: 'SOTE' })
    const merge = { keepId: keep.id, keepVersion: 2, dropId: drop.id, dropVersion: 1, take: {} }
    await json('POST', '/students/merge', merge)
    const rows = await cellsOf(await done('GET', `/students/${keep.id}/file.xlsx`))
    const kept = rows.filter(([part]) => part === 'Undo').map((row) => row.join())
    expect(kept).toMatchObject([expect.stringContaining('SOBM'), expect.stringContaining('Mergedaway')])
    await done('DELETE', `/students/${keep.id}`)
    expect(await database.db.selectFrom('undoableChanges').selectAll().execute()).toEqual([])
  })

  test("another record's mail with the same address stays", async () => {
    const [one, other] = [
      await storeStudent(setup.server.database, { email: 'family@example.ph' }),
      await storeStudent(setup.server.database, { email: 'Family@example.ph', firstName: 'Other' }),
    ]
    await storeBatch(setup.server.database, [{ recipient: 'family@example.ph' }])
    const count = async () =>
      (await setup.server.database.db.selectFrom('mailMessages').selectAll().execute()).length
    await done('DELETE', `/students/${one.id}`)
    expect(await count()).toBe(1)
    await done('DELETE', `/students/${other.id}`)
    expect(await count()).toBe(0)
  })
})

test("a correction's reason is in the trail without a value", async () => {
  const { id } = await storeStudent(setup.server.database)
  const headers = { 'If-Match': '"1"' }
  await done('PATCH', `/students/${id}?reason=document`, { dateOfBirth: '2006-01-02' }, headers)
  expect(await setup.trail.of('student-edited')).toMatchObject([
    { fields: ['dateOfBirth'], detail: { reason: 'document' } },
  ])
  expect((await admin.call('PATCH', `/students/${id}?reason=because`, {}, headers)).status).toBe(422)
})

describe('a blocked record', () => {
  test.each(['blocked', 'withdrawn'] as const)(
    '%s: leaves mail and exports, and shows in lists',
    async (restriction) => {
      const { database } = setup.server
      const { id, reference } = await storeStudent(database, { email: 'one@student.example' })
      const other = await storeStudent(database, { email: 'two@student.example' })
      expect(await json('PUT', `/students/${id}/restriction`, { restriction })).toMatchObject({ restriction })
      expect(await setup.trail.of('student-restricted')).toMatchObject([
        { studentId: id, subject: reference, detail: { restriction } },
      ])

      const { items } = await json('GET', '/students?missing=permission')
      expect(items).toMatchObject([{ id, restriction }])
      expect((await json('GET', '/students')).total).toBe(2)
      expect(await json('POST', '/mail/audience', {})).toMatchObject({ count: 1, optedOut: 1 })

      const referencesOf = async (response: Response) =>
        (await cellsOf(response)).slice(1).map(([first]) => first)
      expect(await referencesOf(await done('GET', '/students/export.xlsx'))).toEqual([other.reference])
      const chosen = { ids: [id, other.id] }
      expect(await referencesOf(await done('POST', '/students/export.xlsx', chosen))).toEqual([
        other.reference,
      ])
      const asked = await done('GET', '/students/export.xlsx?missing=permission')
      expect(await referencesOf(asked)).toEqual([reference])

      expect(await json('PUT', `/students/${id}/restriction`, { restriction: null })).toMatchObject({
        restriction: null,
      })
      expect(await json('POST', '/mail/audience', {})).toMatchObject({ count: 2, optedOut: 0 })
    },
  )

  test('keeps the state when it is merged away', async () => {
    const { database } = setup.server
    const [keep, drop] = [
      await storeStudent(database),
      await storeStudent(database, { restriction: 'withdrawn' }),
    ]
    const merge = { keepId: keep.id, keepVersion: 1, dropId: drop.id, dropVersion: 1, take: {} }
    expect(await json('POST', '/students/merge', merge)).toMatchObject({ restriction: 'withdrawn' })
    await done('DELETE', `/students/${keep.id}`)
    const { rows } = await sql`select from erasures`.execute(database.db)
    expect(rows.length).toBeGreaterThanOrEqual(2)
  })
})

describe('GET /privacy', () => {
  test('has requests with a due date until they are closed', async () => {
    const { reference } = await storeStudent(setup.server.database)
    const request = { kind: 'access', reference, receivedOn: '2026-11-19' }
    await done('POST', '/privacy/requests', request)
    const { requests } = await json('GET', '/privacy')
    expect(requests).toMatchObject([{ ...request, dueOn: '2026-12-19', closedOn: null, outcome: null }])
    await done('POST', `/privacy/requests/${requests[0].id}/close`, { outcome: 'granted' })
    expect((await json('GET', '/privacy')).requests).toMatchObject([
      { closedOn: '2026-11-20', outcome: 'granted' },
    ])
    const again = await admin.call('POST', `/privacy/requests/${requests[0].id}/close`, {
      outcome: 'refused',
    })
    expect(again.status).toBe(404)
    const later = await admin.call('POST', '/privacy/requests', { ...request, receivedOn: '2026-12-01' })
    expect(later.status).toBe(422)
    expect(await setup.trail.actions()).toEqual(['privacy-request-added', 'privacy-request-closed'])
  })

  test('has no request for a code of no record', async () => {
    const request = { kind: 'copy', reference: 'NSTP-2222-3333', receivedOn: '2026-11-19' }
    const refused = await admin.call('POST', '/privacy/requests', request)
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({
      errors: [{ path: 'reference', message: 'No record has this code.' }],
    })
    expect((await json('GET', '/privacy')).requests).toEqual([])
  })

  test('has a request about a record that is gone', async () => {
    const { id, reference } = await storeStudent(setup.server.database)
    await done('DELETE', `/students/${id}`)
    await done('POST', '/privacy/requests', { kind: 'access', reference, receivedOn: '2026-11-19' })
    expect((await json('GET', '/privacy')).requests).toMatchObject([{ reference }])
  })

  test('has breaches, and who was told when', async () => {
    const breach = {
      ...{ noticedAt: '2026-11-19T08:00:00.000Z', happened: 'A laptop was stolen.', data: 'Names' },
      ...{ measures: 'Passwords were changed.', people: 12 },
    }
    await done('POST', '/privacy/breaches', breach)
    const [stored] = (await json('GET', '/privacy')).breaches
    expect(stored).toMatchObject({ ...breach, commissionAt: null, peopleAt: null })
    await done('POST', `/privacy/breaches/${stored.id}/told`, { whom: 'commission' })
    expect((await json('GET', '/privacy')).breaches).toMatchObject([
      { commissionAt: '2026-11-20T02:00:00.000Z', peopleAt: null },
    ])
  })

  test('proposes to archive the records of academic years long over', async () => {
    for (const academicYear of ['2023-2024', '2024-2025', '2026-2027']) {
      await storeStudent(setup.server.database, { academicYear })
    }
    await storeStudent(setup.server.database, {
      ...{ academicYear: '2022-2023', archived: true, archivedDate: new Date() },
    })
    expect((await json('GET', '/privacy')).toArchive).toEqual([{ academicYear: '2023-2024', count: 1 }])
  })

  test('is for administrators', async () => {
    const anonymous = createAdminClient(setup.server, '')
    for (const path of ['/privacy', `/students/${createId()}/file.xlsx`]) {
      expect((await anonymous.call('GET', path)).status).toBe(401)
    }
  })
})
