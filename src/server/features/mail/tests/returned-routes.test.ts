import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ReturnedPage } from '#shared/mail/mail-response.ts'
import { returnedPageSize } from '#shared/mail/returned-mail.ts'
import { storeBounce } from '#tests/factories/bounce.ts'
import { storeSentMessage } from '#tests/factories/sent-message.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

describe('returned mail', () => {
  let server: TestServer
  let admin: ReturnType<typeof createAdminClient>
  let anonymous: ReturnType<typeof createAdminClient>

  beforeAll(async () => {
    server = await startTestServer()
    admin = createAdminClient(server, await server.signIn())
    anonymous = createAdminClient(server, '')
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.database.db.deleteFrom('mailBounces').execute()
    await server.database.db.deleteFrom('mailMailbox').execute()
  })

  async function list(cursor = ''): Promise<ReturnedPage> {
    const response = await admin.call('GET', `/mail/bounces?cursor=${cursor}`)
    expect(response.status).toBe(200)
    return await response.json()
  }

  test('is listed newest first, with the student, the mail and the reason', async () => {
    const student = await storeStudent(server.database, {
      lastName: 'Dela Cruz',
      firstName: 'Juan',
      email: 'j@x.edu',
    })
    const messageId = await storeSentMessage(server.database, { recipient: 'j@x.edu', subject: 'Welcome' })
    await storeBounce(server.database, {
      receivedAt: new Date('2026-11-20T08:00:00Z'),
      studentId: student.id ?? null,
      messageId,
      recipient: 'J@x.edu',
      status: '5.1.1',
      diagnostic: '550 5.1.1 User unknown',
    })
    await storeBounce(server.database, {
      receivedAt: new Date('2026-11-21T08:00:00Z'),
      recipient: 'list@x.edu',
    })
    const page = await list()
    expect(page).toMatchObject({ nextCursor: null, openCount: 2 })
    expect(page.items.map(({ recipient }) => recipient)).toEqual(['list@x.edu', 'J@x.edu'])
    expect(page.items[1]).toMatchObject({
      studentId: student.id,
      studentName: 'Dela Cruz, Juan',
      status: '5.1.1',
      diagnostic: '550 5.1.1 User unknown',
      messageId,
      subject: 'Welcome',
      kind: 'welcome',
      receivedAt: '2026-11-20T08:00:00.000Z',
    })
  })

  test('of a security notice is shown to administrators alone', async () => {
    const coordinator = await createStaffClient(server, { role: 'coordinator', components: [] })
    const messageId = await storeSentMessage(server.database, {
      kind: 'single',
      recipient: 'head@school.example',
      subject: 'Security notice: sign-in from a new browser',
    })
    await storeBounce(server.database, { messageId, recipient: 'head@school.example' })
    await storeBounce(server.database, { recipient: 'list@x.edu' })
    const page = await (await coordinator.call('GET', '/mail/bounces')).json()
    expect(page).toMatchObject({ items: [{ recipient: 'list@x.edu' }], openCount: 1 })
    expect((await list()).openCount).toBe(2)
  })

  test('is paged', async () => {
    for (let at = 0; at <= returnedPageSize; at += 1) {
      await storeBounce(server.database, { receivedAt: new Date(1_763_000_000_000 + at * 1000) })
    }
    const first = await list()
    expect(first.items).toHaveLength(returnedPageSize)
    const second = await list(first.nextCursor ?? '')
    expect(second).toMatchObject({
      items: [expect.anything()],
      nextCursor: null,
      openCount: returnedPageSize + 1,
    })
    expect(await admin.refusal('GET', '/mail/bounces?cursor=nonsense')).toMatchObject({
      status: 422,
      detail: 'Please begin again at the newest entries.',
    })
  })

  test('is resolved when the student’s address changes or the record is erased', async () => {
    const edited = await storeStudent(server.database, { email: 'old@x.edu' })
    const erased = await storeStudent(server.database, { email: 'gone@x.edu' })
    await storeBounce(server.database, { studentId: edited.id ?? null, recipient: 'old@x.edu' })
    await storeBounce(server.database, { studentId: erased.id ?? null, recipient: 'gone@x.edu' })
    expect(await list()).toMatchObject({ openCount: 2 })
    const { db } = server.database
    await db
      .updateTable('students')
      .set({ email: 'new@x.edu' })
      .where('id', '=', edited.id ?? '')
      .execute()
    await db
      .deleteFrom('students')
      .where('id', '=', erased.id ?? '')
      .execute()
    expect(await list()).toMatchObject({ items: [], openCount: 0 })
  })

  test('is resolved once, which is audited without the address', async () => {
    const student = await storeStudent(server.database, { email: 'k@x.edu' })
    const id = await storeBounce(server.database, { studentId: student.id ?? null, recipient: 'k@x.edu' })
    expect((await admin.call('POST', `/mail/bounces/${id}/resolve`)).status).toBe(204)
    expect((await admin.call('POST', `/mail/bounces/${id}/resolve`)).status).toBe(204)
    expect(await list()).toMatchObject({ items: [], openCount: 0 })
    const entries = await createAuditTrail(server.database).of('bounce-resolved')
    expect(entries).toEqual([expect.objectContaining({ studentId: student.id })])
    expect(JSON.stringify(entries)).not.toContain('k@x.edu')
  })

  test('can’t be resolved when it does not exist', async () => {
    for (const id of [randomUUID(), 'nonsense']) {
      expect(await admin.refusal('POST', `/mail/bounces/${id}/resolve`)).toMatchObject({
        status: 404,
        detail: 'This entry no longer exists.',
      })
    }
  })

  test('includes the state of the mailbox, which can be checked', async () => {
    expect((await list()).mailbox).toEqual({
      isConfigured: false,
      isChecking: false,
      checkedAt: null,
      failure: '',
    })
    expect(await admin.refusal('POST', '/mail/bounces/check')).toMatchObject({
      status: 422,
      detail: 'No mailbox is configured. Enter the IMAP server in the e-mail configuration.',
    })
  })

  test('is for administrators', async () => {
    const calls = [
      ['GET', '/mail/bounces'],
      ['POST', '/mail/bounces/check'],
      ['POST', `/mail/bounces/${randomUUID()}/resolve`],
    ] as const
    for (const [method, path] of calls) {
      expect(await anonymous.refusal(method, path)).toEqual({
        status: 401,
        code: 'unauthenticated',
        detail: 'Only administrators can see bounced e-mails.',
      })
    }
  })
})
