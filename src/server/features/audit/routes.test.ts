import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Actor } from '#server/lib/actor.ts'
import { commitChange } from '#server/lib/change.ts'
import type { AuditAction } from '#shared/audit/audit.ts'
import { buildStoredMessage } from '#tests/factories/stored-batch.ts'
import { buildStoredStudent, emptyStudents, storeStudent } from '#tests/factories/stored-student.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { createAudit } from './repository.ts'
import { createAuditService } from './service.ts'

let server: TestServer
let cookie: string
let now: Date

beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
})
afterAll(() => server.close())
beforeEach(async () => {
  now = new Date('2026-11-20T02:00:00Z')
  await emptyTrail()
})

const audit = createAudit({ clock: () => now })
const coordinator: Actor = {
  adminId: createId(),
  name: 'coordinator@school.example',
  clientAddress: '203.0.113.7',
  userAgent: 'Firefox',
  requestId: 'request-1',
}

async function emptyTrail(): Promise<void> {
  await server.database.transact(async (tx) => {
    await sql`select set_config('nstp.retention', 'on', true)`.execute(tx)
    await sql`delete from audit_events`.execute(tx)
  })
}

async function record(action: AuditAction, at = '2026-11-20T02:00:00Z', more = {}): Promise<void> {
  now = new Date(at)
  await audit.record(server.database.db, { action, actor: coordinator, ...more })
}

const get = (path: string, headers: Record<string, string> = { Cookie: cookie }) =>
  fetch(`${server.url}/api${path}`, { headers })
// Without the entries about reading it.
const list = async (query = '') => {
  const page = await (await get(`/audit?${query}`)).json()
  const isListed = ({ action }: { action: string }) => action !== 'audit-listed'
  return page.items ? { ...page, items: page.items.filter(isListed) } : page
}
const actionsOf = (page: { items: { action: string }[] }) => page.items.map(({ action }) => action)

describe('without a session', () => {
  test.each(['/audit', `/audit/${createId()}/values`])('%s is refused', async (path) => {
    const response = await get(path, {})
    expect(response.status).toBe(401)
    expect((await response.json()).detail).toBe('Authentication required. Please login as admin.')
  })
})

describe('GET /audit', () => {
  test('lists who did what, when and from where, newest first', async () => {
    const student = await storeStudent(server.database, { lastName: 'Peña', firstName: 'Ana' })
    await record('signed-in', '2026-11-20T01:00:00Z')
    await record('student-edited', '2026-11-20T01:05:00Z', {
      studentId: student.id,
      subject: student.reference,
      fields: ['address'],
      values: { before: { address: 'Old Street' }, after: { address: 'New Street' } },
    })
    const { items, nextCursor } = await list()
    expect(nextCursor).toBeNull()
    expect(items).toHaveLength(2)
    expect(items[0]).toEqual({
      id: expect.any(String),
      at: '2026-11-20T01:05:00.000Z',
      action: 'student-edited',
      actor: 'coordinator@school.example',
      actorName: '',
      clientAddress: '203.0.113.7',
      userAgent: 'Firefox',
      requestId: 'request-1',
      studentId: student.id,
      studentName: 'Peña, Ana',
      subject: student.reference,
      fields: ['address'],
      affected: 1,
      detail: {},
      hasValues: true,
    })
    expect(JSON.stringify(items)).not.toContain('Street')
  })

  test('has pages that neither overlap nor leave a gap', async () => {
    for (let minute = 0; minute < 7; minute++) await record('signed-in', `2026-11-20T02:0${minute}:00Z`)
    // Several at one instant.
    for (let index = 0; index < 4; index++) await record('signed-out', '2026-11-20T02:03:00Z')
    const seen: string[] = []
    let cursor = ''
    do {
      const page = await list(`limit=3&cursor=${cursor}`)
      expect(page.items.length).toBeLessThanOrEqual(3)
      seen.push(...page.items.map(({ id }: { id: string }) => id))
      cursor = page.nextCursor ?? ''
    } while (cursor !== '')
    expect(seen).toHaveLength(11)
    expect(new Set(seen).size).toBe(11)
  })

  test('filters by action, kind, day of the program and text', async () => {
    await record('student-viewed', '2026-11-18T15:59:59Z')
    await record('student-archived', '2026-11-18T16:00:00Z', { subject: 'NSTP-AAAA-BBBB' })
    await record('settings-changed', '2026-11-20T15:59:59Z')
    await record('access-refused', '2026-11-20T16:00:00Z')
    expect(actionsOf(await list('action=student-archived'))).toEqual(['student-archived'])
    expect(actionsOf(await list('kind=changes'))).toEqual(['settings-changed', 'student-archived'])
    // 19 and 20 November in Manila.
    expect(actionsOf(await list('from=2026-11-19&to=2026-11-20'))).toEqual([
      'settings-changed',
      'student-archived',
    ])
    expect(actionsOf(await list('search=aaaa-bb'))).toEqual(['student-archived'])
    expect(await list('search=100%25')).toEqual({ items: [], nextCursor: null })
    expect((await list('search=203.0.113')).items).toHaveLength(4)
  })

  test("finds a student's history, also where it was one of many", async () => {
    const one = createId()
    await record('student-viewed', '2026-11-20T01:00:00Z', { studentId: one })
    await record('student-archived', '2026-11-20T02:00:00Z', { studentIds: [createId(), one, createId()] })
    await record('student-archived', '2026-11-20T03:00:00Z', { studentIds: [createId()] })
    const { items } = await list(`student=${one}`)
    expect(actionsOf({ items })).toEqual(['student-archived', 'student-viewed'])
    expect(items[0].affected).toBe(3)
    expect(await list('student=nobody')).toEqual({ items: [], nextCursor: null })
  })

  test('accepts any valid date, also of a year that is still being typed', async () => {
    await record('signed-in')
    expect((await list('from=0002-01-01&to=9999-12-31')).items).toHaveLength(1)
    expect((await list('to=0020-11-20')).items).toEqual([])
  })

  test.each([
    ['action=dance', 'Please choose one of the listed actions.'],
    ['kind=none', 'Please choose the kind: all, changes.'],
    ['from=20-11-2026', 'Please give the date as YYYY-MM-DD.'],
    ['limit=201', 'Please give the limit as a whole number from 1 to 200.'],
    ['cursor=tomorrow', 'Please begin again at the newest entries.'],
    [`search=${'x'.repeat(101)}`, 'Please shorten the search to 100 characters or fewer.'],
    ['search=%00', 'Please remove the unusual characters from the search.'],
  ])('refuses %s', async (query, message) => {
    const response = await get(`/audit?${query}`)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'invalid', detail: message })
  })
})

test('reading the trail is an entry, one an hour for each filter', async () => {
  for (const more of ['', '&kind=changes', '&kind=changes&search=pe%C3%B1a']) {
    for (let times = 0; times < 3; times++) await get(`/audit?from=2001-01-01${more}`)
  }
  const { items } = await (await get('/audit?action=audit-listed')).json()
  const details = items.map(({ detail }: { detail: Record<string, unknown> }) => detail)
  expect(details.map(({ kind, searched }: Record<string, unknown>) => [kind, searched])).toEqual([
    // This reading itself.
    ['all', false],
    ['changes', true],
    ['changes', false],
    ['all', false],
  ])
  expect(JSON.stringify(items)).not.toContain('peña')
})

test.each([
  ['students', '/students', 'students-listed', 'component=CWTS'],
  ['mail results', '/mail/messages', 'mail-listed', 'state=failed'],
])('reading the list of %s is an entry, one an hour for each filter', async (_, path, action, filter) => {
  for (const query of ['', `?${filter}`, '?search=pe%C3%B1a']) {
    for (let times = 0; times < 3; times++) expect((await get(path + query)).status).toBe(200)
  }
  const { items } = await list(`action=${action}`)
  const details: Record<string, unknown>[] = items.map(({ detail }: { detail: object }) => detail)
  expect(details.map(({ searched }) => searched)).toEqual([true, false, false])
  expect(JSON.stringify(items)).not.toContain('peña')
})

test('reading many pages of a list is an entry for each 500 rows, and reading them again is none', async () => {
  const rows = Array.from({ length: 620 }, () => buildStoredStudent({ lastName: 'Pages' }))
  await server.database.db.insertInto('students').values(rows).execute()
  for (let times = 0; times < 2; times++) {
    for (let page = 1; page <= 7; page++) {
      expect((await get(`/students?sort=name&pageSize=100&page=${page}`)).status).toBe(200)
    }
  }
  const { items } = await list('action=students-listed')
  expect(items.map(({ affected }: { affected: number }) => affected)).toEqual([500, 100])
  await emptyStudents(server.database)

  // One an hour, of a list that stays open.
  await emptyTrail()
  const read = { action: 'students-listed', actor: coordinator, affected: 50 } as const
  for (const time of ['01:00:00', '01:59:59', '02:00:01', '02:59:59']) {
    now = new Date(`2026-11-20T${time}Z`)
    await audit.recordView(server.database.db, read)
  }
  expect((await list('action=students-listed')).items).toHaveLength(2)
})

test('other readings of records and mail are entries too', async () => {
  const { id, email } = await storeStudent(server.database)
  const content = JSON.stringify({ template: 'message', body: 'Hello', format: 'text' })
  const message = buildStoredMessage({ kind: 'single', content, studentId: String(id) })
  await server.database.db.insertInto('mailMessages').values(message).execute()
  const send = (path: string, body: object) =>
    fetch(`${server.url}/api${path}`, {
      method: 'POST',
      headers: { Cookie: cookie, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const answers = [
    await get('/students/ids'),
    await get(`/students/${id}/mail`),
    await get(`/mail/messages/${message.id}`),
    await get('/mail/bounces'),
    await send('/mail/audience', {}),
    await send('/mail/recipients/record', { email }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  const { items } = await list()
  expect(
    items.map(
      ({
        action,
        studentId,
        detail,
      }: {
        action: string
        studentId: string
        detail: Record<string, unknown>
      }) => [action, studentId ?? detail.list ?? detail.message ?? detail.idsOnly],
    ),
  ).toEqual([
    ['students-listed', 'recipients'],
    ['students-listed', 'audience'],
    ['mail-listed', 'bounces'],
    ['mail-listed', message.id],
    ['mail-listed', id],
    ['students-listed', true],
  ])
})

describe('GET /audit/{id}/values', () => {
  test('returns the values and is recorded itself', async () => {
    const student = await storeStudent(server.database)
    const values = { before: { email: 'a@b.example' }, after: { email: 'c@d.example' } }
    await record('student-edited', '2026-11-20T01:00:00Z', { studentId: student.id, values })
    const [edited] = (await list()).items
    const response = await get(`/audit/${edited.id}/values`)
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    expect(await response.json()).toEqual(values)
    const [view] = (await list('action=audit-values-viewed')).items
    expect(view).toMatchObject({
      actor: adminEmail,
      actorName: 'Administrator',
      studentId: student.id,
      detail: { entry: edited.id },
    })
  })

  test('are erased with the record, while the entry stays', async () => {
    const student = await storeStudent(server.database)
    const values = { before: { email: 'a@b.example' }, after: { email: 'c@d.example' } }
    await record('student-edited', '2026-11-20T01:00:00Z', { studentId: student.id, values })
    const [edited] = (await list()).items
    await server.database.db.deleteFrom('students').where('id', '=', student.id).execute()
    expect((await list()).items[0]).toMatchObject({ id: edited.id, hasValues: false, studentName: null })
    const response = await get(`/audit/${edited.id}/values`)
    expect(response.status).toBe(404)
    expect((await response.json()).detail).toBe('This entry has no stored values, or they were deleted.')
  })

  test.each(['x', createId()])('does not find the entry %s', async (id) => {
    expect((await get(`/audit/${id}/values`)).status).toBe(404)
  })
})

describe('the trail', () => {
  test.each([
    sql`update audit_events set actor = 'somebody else'`,
    sql`delete from audit_events`,
    sql`update audit_values set after = '{}'`,
  ])('is not alterable', async (statement) => {
    const student = await storeStudent(server.database)
    await record('student-edited', '2026-11-20T01:00:00Z', {
      studentId: student.id,
      values: { before: {}, after: { email: 'c@d.example' } },
    })
    await expect(statement.execute(server.database.db)).rejects.toThrow('the audit trail is not alterable')
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('has no %s', async (method) => {
    await record('signed-in')
    const [entry] = (await list()).items
    for (const path of ['/audit', `/audit/${entry.id}`, `/audit/${entry.id}/values`]) {
      const response = await fetch(`${server.url}/api${path}`, {
        method,
        headers: { Cookie: cookie, 'Content-Type': 'application/json', Origin: server.url },
        body: '{}',
      })
      expect(response.status).toBeOneOf([404, 405])
    }
    expect((await list('action=signed-in')).items).toHaveLength(1)
  })

  test('is rolled back with its cause', async () => {
    await expect(
      server.database.transact(async (tx) => {
        await audit.record(tx, { action: 'settings-changed', actor: coordinator })
        throw new Error('the change failed')
      }),
    ).rejects.toThrow('the change failed')
    expect((await list()).items).toEqual([])
    // As each change of the product is made: the entry goes with the change, and the change with the entry.
    const { database } = server
    const nameOf = async () =>
      (await database.db.selectFrom('admins').select('displayName').executeTakeFirstOrThrow()).displayName
    const before = await nameOf()
    const published = vi.fn()
    const rename = (actor: Actor, end: () => void) =>
      commitChange({ database, audit, publish: published }, 'people', async (tx, record) => {
        await tx.updateTable('admins').set({ displayName: 'Changed' }).execute()
        await record({ action: 'person-changed', actor })
        end()
      })
    const fail = () => {
      throw new Error('the change failed')
    }
    await expect(rename(coordinator, fail)).rejects.toThrow('the change failed')
    // No text of PostgreSQL has this character.
    const refused = { ...coordinator, clientAddress: '\0' }
    await expect(rename(refused, () => undefined)).rejects.toThrow()
    expect([await nameOf(), (await list()).items, published.mock.calls]).toEqual([before, [], []])
  })

  test('has one entry for several views of a student within ten minutes', async () => {
    const student = await storeStudent(server.database)
    const view = { action: 'student-viewed', actor: coordinator, studentId: student.id } as const
    const viewAt = async (time: string) => {
      now = new Date(time)
      await audit.recordView(server.database.db, view)
    }
    await viewAt('2026-11-20T01:00:00Z')
    await viewAt('2026-11-20T01:09:59Z')
    expect((await list()).items).toHaveLength(1)
    await viewAt('2026-11-20T01:10:01Z')
    expect((await list()).items).toHaveLength(2)
  })

  test('removes entries only after the retention period, and records it', async () => {
    await record('signed-in', '2019-11-19T00:00:00Z')
    await record('signed-in', '2019-11-21T00:00:00Z')
    now = new Date('2022-11-20T02:00:00Z')
    const trail = createAuditService({
      database: server.database,
      audit,
      clock: () => now,
      timeZone: 'Asia/Manila',
      settings: () => ({ auditRetentionMonths: 36 }),
    })
    expect(await trail.expire()).toBe(1)
    expect(await trail.expire()).toBe(0)
    const { items } = await list()
    expect(actionsOf({ items })).toEqual(['audit-expired', 'signed-in'])
    expect(items[0]).toMatchObject({ actor: 'system', affected: 1 })
    expect(items[1].at).toBe('2019-11-21T00:00:00.000Z')
  })

  test('has a full month of retention where the month before is shorter', async () => {
    await record('signed-in', '2026-03-01T00:00:00Z')
    now = new Date('2026-03-31T00:00:00Z')
    const database = server.database
    const trail = createAuditService({
      database,
      audit,
      clock: () => now,
      timeZone: 'Asia/Manila',
      settings: () => ({ auditRetentionMonths: 1 }),
    })
    expect(await trail.expire()).toBe(0)
  })
})
