import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailSentences } from '#shared/mail/mail.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { buildStoredMessage, storeBatch } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startMailingServer } from '#tests/setup/mail-account.ts'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'
import { buildMessage } from '#tests/setup/mail-worker-fixture.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startTestServer, type TestServer, testKeys } from '#tests/setup/test-server.ts'
import { enqueue } from './ledger-repository.ts'
import { createOptOutHash, createOptOutRepository } from './opt-outs-repository.ts'

describe('messages routes', () => {
  let fixture: MailFixture
  beforeAll(async () => {
    fixture = await openMailFixture()
    await fixture.configure()
  })
  afterAll(() => fixture.close())
  beforeEach(async () => {
    await fixture.clear()
    await fixture.trail.clear()
  })

  const store = (...args: Parameters<typeof storeBatch> extends [unknown, ...infer Rest] ? Rest : never) =>
    storeBatch(fixture.server.database, ...args)
  const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

  describe('the history', () => {
    test('is paged newest first, without gaps or duplicates', async () => {
      const { messageIds } = await store(
        Array.from({ length: 120 }, (_, index) => ({
          createdAt: new Date(Date.UTC(2026, 10, 20, 0, 0, Math.floor(index / 40))),
        })),
      )
      const read: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await fixture.done('GET', `/mail/messages?cursor=${cursor}`)
        read.push(...idsOf(page))
        cursor = page.nextCursor
      }
      expect(read).toEqual(messageIds.toReversed())
    })

    test('is filtered by state, kind and a part of an address, a name or a subject', async () => {
      const values = { firstName: 'José', lastName: 'Peña' }
      const content = JSON.stringify({ template: 'batch', values })
      const { messageIds } = await store([
        { recipient: 'ana@x.example', state: 'failed' },
        { recipient: 'juan@x.example', subject: 'Blood drive', content },
      ])
      const [first, second] = messageIds
      const welcome = buildStoredMessage({
        kind: 'welcome',
        recipient: 'Rosa@x.example',
        content: JSON.stringify({
          template: 'welcome',
          values: { firstName: 'Rosa', lastName: 'Cruz', nstpComponent: 'CWTS', reference: '' },
        }),
      })
      await fixture.db.insertInto('mailMessages').values(welcome).execute()
      const find = async (query: string) => idsOf(await fixture.done('GET', `/mail/messages?${query}`))
      expect(await find('state=failed')).toEqual([first])
      expect(await find('kind=welcome')).toEqual([welcome.id])
      expect(await find('kind=bulk&state=sent')).toEqual([second])
      expect(await find('search=ROSA')).toEqual([welcome.id])
      expect(await find('search=pe%C3%B1a')).toEqual([second])
      expect(await find('search=blood')).toEqual([second])
      expect(await find('search=%25')).toEqual([])
      expect(await fixture.done('GET', '/mail/messages?state=failed')).toEqual({
        items: [
          {
            ...{ id: first, kind: 'bulk', batchId: expect.any(String), studentId: null },
            ...{
              recipient: 'ana@x.example',
              name: 'Reyes, Ana',
              subject: 'Drill on Saturday',
              state: 'failed',
            },
            ...{ createdAt: '2026-11-20T02:00:00.000Z', endedAt: '2026-11-20T02:00:00.000Z' },
            ...{ attempts: 0, notBefore: null, failure: 'The mail server refused the address.' },
          },
        ],
        nextCursor: null,
      })
    })

    test.each([
      ['state=lost', 'Please choose the state: all, queued, sending, sent, failed, unknown, cancelled.'],
      ['kind=letter', 'Please choose the kind: all, welcome, single, test, bulk, announcement, code.'],
      [`search=${'x'.repeat(101)}`, 'Please shorten the search to 100 characters or fewer.'],
      ['search=%00', 'Please remove the unusual characters from the search.'],
      ['cursor=1.x', 'Please begin again at the newest entries.'],
    ])('refuses %s', async (query, detail) => {
      expect(await fixture.admin.refusal('GET', `/mail/messages?${query}`)).toMatchObject({
        status: 422,
        detail,
      })
    })
  })

  test('security notices are shown to administrators alone', async () => {
    // Its sign-in causes one.
    const coordinator = await createStaffClient(fixture.server, { role: 'coordinator', components: [] })
    const ended = { state: 'failed', endedAt: new Date() } as const
    const { db } = fixture
    await db
      .updateTable('mailMessages')
      .set({ ...ended, claim: null, claimedUntil: null })
      .execute()
    const notice = await db.selectFrom('mailMessages').select(['id', 'subject']).executeTakeFirstOrThrow()
    expect(notice.subject).toBe('Security notice: sign-in from a new browser')
    const [bulk = ''] = (await store([ended])).messageIds
    const read = async ({ call }: typeof fixture.admin) => ({
      listed: idsOf(await (await call('GET', '/mail/messages')).json()).sort(),
      failed: (await (await call('GET', '/mail/queue')).json()).counts.failed,
      opened: (await call('GET', `/mail/messages/${notice.id}`)).status,
    })
    expect(await read(coordinator)).toEqual({ listed: [bulk], failed: 1, opened: 404 })
    expect((await coordinator.call('POST', `/mail/messages/${notice.id}/send-again`)).status).toBe(404)
    expect(await read(fixture.admin)).toEqual({ listed: [bulk, notice.id].sort(), failed: 2, opened: 200 })
  })

  describe('one message', () => {
    test('is returned as its recipient reads it', async () => {
      const { messageIds } = await store([{ state: 'sent' }])
      const message = await fixture.done('GET', `/mail/messages/${messageIds[0]}`)
      expect(message).toMatchObject({ id: messageIds[0], state: 'sent', name: 'Reyes, Ana' })
      expect(message.text).toContain('Good day Ana, please come at seven.')
      expect(message.html).toContain('Good day Ana, please come at seven.')
    })

    test.each([randomUUID(), 'none'])('%s is not found', async (id) => {
      const missing = { status: 404, code: 'not_found', detail: 'This e-mail is no longer in the history.' }
      expect(await fixture.admin.refusal('GET', `/mail/messages/${id}`)).toEqual(missing)
      expect(await fixture.admin.refusal('POST', `/mail/messages/${id}/send-again`)).toEqual(missing)
      expect(await fixture.admin.refusal('POST', `/mail/messages/${id}/settle`, { as: 'sent' })).toEqual(
        missing,
      )
    })

    test.each([
      ['GET', ''],
      ['POST', '/send-again'],
      ['POST', '/settle'],
    ])('is for administrators: %s %s', async (method, path) => {
      const body = method === 'POST' ? { as: 'sent' } : undefined
      expect(
        await fixture.anonymous.refusal(method, `/mail/messages/${randomUUID()}${path}`, body),
      ).toMatchObject({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
      expect(await fixture.anonymous.refusal('GET', '/mail/messages')).toMatchObject({ status: 401 })
    })
  })

  describe('sending again', () => {
    const sendAgain = (id: string | undefined) =>
      fixture.admin.refusal('POST', `/mail/messages/${id}/send-again`)

    test.each(['failed', 'unknown'] as const)('sends a message that is %s, once', async (state) => {
      const student = await storeStudent(fixture.server.database, { email: 'ana@x.example' })
      const { messageIds } = await store([{ state, recipient: 'ana@x.example', studentId: student.id }])
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          fixture.admin.call('POST', `/mail/messages/${messageIds[0]}/send-again`),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
      await fixture.allEnded()
      expect(fixture.sink.messages.map(({ id, to }) => [id, ...to])).toEqual([
        [messageIds[0], 'ana@x.example'],
      ])
      expect(await fixture.trail.entries()).toMatchObject([
        {
          action: 'mail-decided',
          studentId: student.id,
          subject: '',
          detail: { message: messageIds[0], was: state, as: 'send again' },
        },
      ])
    })

    test('goes to the student’s current address unless it opted out', async () => {
      const { database } = fixture.server
      const ana = await storeStudent(database, { email: 'ana@new.example' })
      const out = await storeStudent(database, { email: 'out@new.example' })
      await fixture.optOut('out@new.example')
      const { messageIds } = await store([
        { state: 'failed', recipient: 'ana@old.example', studentId: ana.id },
        { state: 'failed', recipient: 'out@old.example', studentId: out.id },
      ])
      expect(await fixture.done('POST', `/mail/messages/${messageIds[0]}/send-again`)).toMatchObject({
        recipient: 'ana@new.example',
      })
      expect(await sendAgain(messageIds[1])).toMatchObject({ status: 409 })
      await fixture.allEnded()
      expect(fixture.sink.messages.map(({ to }) => to)).toEqual([['ana@new.example']])
    })

    test('keeps the address of a student who moved out of the components of the account', async () => {
      const { server } = fixture
      const cwts = await createStaffClient(server, { role: 'coordinator', components: ['CWTS'] })
      const moved = await Promise.all(
        ['ana', 'ben'].map((name) =>
          storeStudent(server.database, { nstpComponent: 'ROTC', email: `${name}@new.example` }),
        ),
      )
      const { id, messageIds } = await store(
        moved.map((student, index) => ({
          state: 'failed',
          recipient: `${index}@old.example`,
          studentId: student.id,
        })),
        { createdById: cwts.id },
      )
      const again = await cwts.call('POST', `/mail/messages/${messageIds[0]}/send-again`)
      expect([again.status, (await again.json()).recipient]).toEqual([200, '0@old.example'])
      expect((await cwts.call('POST', `/mail/batches/${id}/repeat`)).status).toBe(202)
      await fixture.allEnded()
      expect(fixture.sink.messages.flatMap(({ to }) => to).sort()).toEqual(['0@old.example', '1@old.example'])
    })

    test('is refused for a message that is sent, repeated, cancelled with its batch, or opted out', async () => {
      const { messageIds, id } = await store([
        { state: 'sent' },
        { state: 'failed', recipient: 'ana@x.example' },
        { state: 'failed', recipient: 'out@x.example' },
      ])
      await store([{ state: 'sent', recipient: 'ana@x.example' }], { kind: 'repeat', repeatOf: id })
      await fixture.optOut('out@x.example')
      const cancelled = await store([{ state: 'failed' }], { state: 'cancelled' })
      const refused = [...messageIds, ...cancelled.messageIds].map(sendAgain)
      expect((await Promise.all(refused)).map(({ status, detail }) => [status, detail])).toEqual([
        [409, 'Only an e-mail that failed or has an unknown result can be sent again.'],
        [409, 'This e-mail was already sent again with another bulk e-mail.'],
        [409, 'The owner of this address has stopped announcements by e-mail.'],
        [409, 'This bulk e-mail was cancelled.'],
      ])
      expect(fixture.sink.messages).toEqual([])
    })

    test('is refused for bulk mail while no link to unsubscribe can be made', async () => {
      const { messageIds } = await store([{ state: 'failed' }])
      await fixture.setAddress('')
      const refused = await sendAgain(messageIds[0])
      await fixture.setAddress('http://127.0.0.1:3000')
      expect(refused).toMatchObject({ status: 503, detail: mailSentences.noPublicAddress })
    })

    test('is refused while e-mail is not configured', async () => {
      const { messageIds } = await store([{ state: 'failed' }])
      await fixture.forget()
      expect(await sendAgain(messageIds[0])).toMatchObject({
        status: 503,
        detail: 'Email service is not configured.',
      })
      await fixture.configure()
    })
  })

  describe('settling', () => {
    const settle = (id: string | undefined, as: unknown) =>
      fixture.admin.call('POST', `/mail/messages/${id}/settle`, { as })

    test('marks an unknown message once', async () => {
      const { messageIds } = await store([
        { state: 'unknown', failure: 'The connection was lost.' },
        { state: 'unknown' },
      ])
      expect(await (await settle(messageIds[0], 'sent')).json()).toMatchObject({ state: 'sent', failure: '' })
      expect(await (await settle(messageIds[1], 'failed')).json()).toMatchObject({
        state: 'failed',
        failure: 'Marked as not sent.',
      })
      const again = await settle(messageIds[0], 'failed')
      expect([again.status, (await again.json()).detail]).toEqual([
        409,
        'This e-mail was already marked as sent or failed.',
      ])
      expect((await fixture.trail.entries()).map(({ action, detail }) => [action, detail.as])).toEqual([
        ['mail-decided', 'sent'],
        ['mail-decided', 'failed'],
      ])
    })

    test('refuses an invalid result', async () => {
      const { messageIds } = await store([{ state: 'unknown' }])
      const response = await settle(messageIds[0], 'queued')
      expect([response.status, (await response.json()).detail]).toEqual([
        422,
        'Please decide: sent or failed.',
      ])
    })
  })
})

describe('GET /api/mail/queue', () => {
  let server: TestServer

  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server.close())

  const read = async () => {
    const response = await createAdminClient(server, await server.signIn()).call('GET', '/mail/queue')
    return { status: response.status, body: await response.json() }
  }

  test('returns the counts and the forecast of the queue', async () => {
    const now = new Date()
    const ids = await server.database.transact((tx) =>
      enqueue(
        tx,
        Array.from({ length: 30 }, () => buildMessage()),
        now,
      ),
    )
    const [sent = '', old = '', unknown = '', failed = ''] = ids
    const set = (id: string, state: 'sent' | 'unknown' | 'failed', endedAt = now) =>
      server.database.db.updateTable('mailMessages').set({ state, endedAt }).where('id', '=', id).execute()
    await set(sent, 'sent')
    await set(old, 'sent', new Date(now.getTime() - 25 * 3_600_000))
    await set(unknown, 'unknown')
    await set(failed, 'failed')
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body).toEqual({
      counts: { queued: 26, sending: 0, sent: 1, failed: 1, unknown: 1, cancelled: 0 },
      isConfigured: false,
      hasPublicAddress: true,
      trouble: 'Email service is not configured.',
      sentToday: 2,
      perDay: 450,
      perMinute: 20,
      finishesAt: expect.any(String),
    })
    // 18 at once, the rest when two messages of the last minute are a minute old.
    const minutes = (Date.parse(body.finishesAt) - now.getTime()) / 60_000
    expect(minutes).toBeGreaterThanOrEqual(1)
    expect(minutes).toBeLessThan(1.5)
  })

  test('an empty queue has no forecast', async () => {
    expect((await read()).body).toMatchObject({ finishesAt: null, sentToday: 0 })
  })

  test('is for administrators', async () => {
    expect(await createAdminClient(server, '').refusal('GET', '/mail/queue')).toMatchObject({
      status: 401,
      code: 'unauthenticated',
      detail: 'Authentication required. Please login as admin.',
    })
  })
})

describe('student mail routes', () => {
  let mailing: Awaited<ReturnType<typeof startMailingServer>>
  let admin: ReturnType<typeof createAdminClient>
  beforeAll(async () => {
    mailing = await startMailingServer()
    admin = createAdminClient(mailing.server, await mailing.server.signIn())
  })
  afterAll(() => mailing.close())
  beforeEach(() => mailing.sink.reset())

  async function register(email: string): Promise<string> {
    const response = await admin.call('POST', '/registrations', buildRegistration({ email }))
    return (await response.json()).id
  }

  async function audited(action: string): Promise<unknown[]> {
    const { items } = await (await admin.call('GET', `/audit?action=${action}`)).json()
    return items
  }

  describe("a student's mail", () => {
    test('lists the messages, newest first', async () => {
      const id = await register('shown@student.example')
      const { optedOut, messages } = await (await admin.call('GET', `/students/${id}/mail`)).json()
      expect(optedOut).toBe(false)
      expect(messages).toEqual([
        {
          id: expect.any(String),
          kind: 'welcome',
          batchId: null,
          studentId: id,
          subject: 'Welcome to NSTP',
          recipient: 'shown@student.example',
          name: expect.stringContaining(', '),
          state: 'sent',
          attempts: 1,
          createdAt: expect.any(String),
          endedAt: expect.any(String),
          notBefore: null,
          failure: '',
        },
      ])
    })

    test('allows another welcome mail up to the daily limit of the address; each is audited', async () => {
      const id = await register('again@student.example')
      for (const _time of ['second', 'third']) {
        const response = await admin.call('POST', `/students/${id}/welcome-mail`)
        expect([response.status, await response.json()]).toEqual([200, { state: 'sent', failure: '' }])
      }
      expect(await admin.refusal('POST', `/students/${id}/welcome-mail`)).toMatchObject({
        status: 429,
        detail:
          'This address has already been sent 3 welcome e-mails within a day. Please try again tomorrow.',
      })
      expect(mailing.sink.messages.map(({ to }) => to)).toEqual(Array(3).fill(['again@student.example']))
      expect(mailing.sink.messages[1]?.raw).toMatch(/NSTP-[2-9A-Z]{4}-[2-9A-Z]{4}/)
      expect(await audited('mail-sent')).toHaveLength(2)
    })

    test('stops and resumes announcements; each change is audited once', async () => {
      const email = 'Quiet@student.example'
      const id = await register(email)
      const change = (announcements: boolean) => admin.call('PUT', `/students/${id}/mail`, { announcements })
      expect(await (await change(false)).json()).toMatchObject({ optedOut: true })
      expect(await (await change(false)).json()).toMatchObject({ optedOut: true })
      const optedOut = await createOptOutRepository(
        mailing.server.database.db,
        createOptOutHash(testKeys),
      ).optedOutAmong(['quiet@student.example'])
      expect(optedOut.size).toBe(1)
      expect(await audited('mail-opt-out-changed')).toHaveLength(1)
      expect(await (await change(true)).json()).toMatchObject({ optedOut: false })
      expect(await audited('mail-opt-out-changed')).toHaveLength(2)
    })

    test.each([
      ['GET', '/mail', undefined],
      ['PUT', '/mail', { announcements: true }],
      ['POST', '/welcome-mail', undefined],
    ])('%s %s is for administrators and existing students', async (method, path, body) => {
      const anonymous = createAdminClient(mailing.server, '')
      const none = '/students/0190aaaa-0000-7000-8000-000000000000'
      expect(await anonymous.refusal(method, `${none}${path}`, body)).toMatchObject({ status: 401 })
      expect(await admin.refusal(method, `${none}${path}`, body)).toMatchObject({ status: 404 })
      expect(await admin.refusal(method, `/students/abc${path}`, body)).toMatchObject({
        status: 422,
        detail: 'Invalid student ID.',
      })
    })

    test('refuses an incomplete change with a message', async () => {
      const id = await register('missing@student.example')
      expect(await admin.refusal('PUT', `/students/${id}/mail`, {})).toMatchObject({
        status: 422,
        detail: 'Choose whether announcements are sent by e-mail.',
      })
    })
  })

  test('a welcome mail is not sent again while e-mail is not configured', async () => {
    const server = await startTestServer()
    try {
      const client = createAdminClient(server, await server.signIn())
      const registered = await client.call('POST', '/registrations', buildRegistration())
      const { id } = await registered.json()
      expect(await client.refusal('POST', `/students/${id}/welcome-mail`)).toMatchObject({
        status: 503,
        detail: 'Email service is not configured.',
      })
    } finally {
      await server.close()
    }
  })
})
