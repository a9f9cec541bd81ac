import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'

describe('batch service', () => {
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

  const text = {
    subject: 'Drill, {firstName}',
    useCustomTemplate: true,
    body: 'Good day {firstName} {lastName}!',
  }
  const start = (form: unknown, key?: string) =>
    fixture.done('POST', '/mail/batches', form, key ? { 'Idempotency-Key': key } : {})

  describe('a list of recipients', () => {
    test('gets one mail each; opted-out, duplicate and invalid recipients are left out and counted', async () => {
      await fixture.optOut('nobody@x.example')
      const response = await fixture.admin.call('POST', '/mail/batches', {
        ...text,
        recipients: [
          { email: 'juan@x.example', firstName: 'Juan' },
          { email: 'JUAN@x.example', firstName: 'Other' },
          { email: 'NOBODY@x.example' },
          { email: 'ana@x.example' },
          { email: 'a@x.example\r\nBcc: evil@x.example' },
          { email: 'a@x.example,evil@x.example' },
        ],
      })
      expect(response.status).toBe(202)
      const batch = await response.json()
      expect(batch).toMatchObject({
        kind: 'bulk',
        subject: 'Drill, {firstName}',
        // Two messages may already be sent.
        state: expect.stringMatching(/^(running|finished)$/),
        createdBy: 'Administrator',
        source: { kind: 'list' },
        recipientCount: 2,
        optedOutCount: 1,
        duplicateCount: 1,
        invalidCount: 2,
      })
      await fixture.allEnded()
      const sent = fixture.sink.messages.map(({ to, raw }) => ({
        to,
        subject: /^Subject: (.*)$/m.exec(raw)?.[1],
      }))
      expect(sent.sort((a, b) => (a.to < b.to ? 1 : -1))).toEqual([
        { to: ['juan@x.example'], subject: 'Drill, Juan' },
        { to: ['ana@x.example'], subject: 'Drill, Student' },
      ])
      expect(fixture.sink.messages.some(({ raw }) => raw.includes('Good day Juan'))).toBe(true)
      expect(await fixture.done('GET', `/mail/batches/${batch.id}`)).toMatchObject({
        counts: { queued: 0, sending: 0, sent: 2, failed: 0, unknown: 0, cancelled: 0 },
        finishesAt: null,
      })
      expect(await fixture.trail.entries()).toMatchObject([
        { action: 'mail-batch-started', affected: 2, subject: '', detail: { batch: batch.id, to: 'list' } },
      ])
    })

    test('may be a text', async () => {
      const batch = await start({ ...text, recipients: 'Juan <juan@x.example>, ana@x.example\nwrong' })
      expect(batch).toMatchObject({ recipientCount: 2, invalidCount: 1 })
    })

    test.each([
      ['no list', {}, 'recipients', 'Please choose either a list of recipients or students.'],
      ['an empty list', { recipients: [] }, 'recipients', 'Invalid recipients format'],
      ['a broken list', { recipients: '[{"email":' }, 'recipients', 'Invalid recipients format'],
      ['no address', { recipients: 'nobody' }, 'recipients', 'Invalid recipients format'],
      ['no subject', { recipients: ['a@x.example'], subject: ' ' }, 'subject', 'Subject is required'],
      [
        'a subject of two lines',
        { recipients: ['a@x.example'], subject: 'a\r\nBcc: evil@x.example' },
        'subject',
        'Please remove the unusual characters from the subject.',
      ],
      ['no text', { recipients: ['a@x.example'], body: '' }, 'body', 'Please write the message.'],
      [
        'an unknown placeholder',
        { recipients: ['a@x.example'], body: 'Dear {name}' },
        'body',
        'Unknown placeholder {name}. You can use {firstName}, {lastName}, {component}, {course}, {academicYear}, {reference}, {section}, {adviser}, {meets}, {serialNumber}.',
      ],
      [
        'an unknown template',
        { recipients: ['a@x.example'], useCustomTemplate: false, template: 'nothing' },
        'template',
        'Please choose a template.',
      ],
      [
        'both recipients and an audience',
        { recipients: ['a@x.example'], audience: {} },
        'recipients',
        'Please choose either a list of recipients or students.',
      ],
      [
        'an invalid academic year',
        { audience: { academicYear: '2026' } },
        'audience.academicYear',
        'Please enter the academic year as two consecutive years, such as 2026-2027.',
      ],
      [
        'a course that is too long',
        { audience: { course: 'x'.repeat(101) } },
        'audience.course',
        'Please shorten the course to 100 characters or fewer.',
      ],
      [
        'too many',
        { recipients: Array.from({ length: 20_001 }, (_, index) => `s${index}@x.example`) },
        'recipients',
        'Please send to 20,000 recipients or fewer at a time.',
      ],
    ])('is refused with %s', async (_, form, path, message) => {
      const refusal = await fixture.admin.refusal('POST', '/mail/batches', { ...text, ...form })
      expect(refusal).toMatchObject({ status: 422, detail: message })
      expect(refusal.errors).toContainEqual({ path, message })
      expect(await fixture.db.selectFrom('mailBatches').selectAll().execute()).toEqual([])
    })

    test('of opted-out recipients only starts no bulk e-mail', async () => {
      await fixture.optOut('a@x.example')
      expect(
        await fixture.admin.refusal('POST', '/mail/batches', { ...text, recipients: 'a@x.example' }),
      ).toMatchObject({
        status: 422,
        detail: 'No recipients left: all opted out or have no valid address.',
      })
      expect(await fixture.db.selectFrom('mailBatches').selectAll().execute()).toEqual([])
    })
  })

  test('filtered students get one mail for each address, for the newest record', async () => {
    const { server } = fixture
    const common = { nstpComponent: 'CWTS', academicYear: '2026-2027', course: 'SOICT' }
    const newest = await storeStudent(server.database, {
      ...common,
      ...{ email: 'Ana@x.example', firstName: 'Ana', lastName: 'Reyes' },
      registrationDate: new Date('2026-11-20T00:00:00Z'),
    })
    await storeStudent(server.database, {
      ...common,
      ...{ email: 'ana@x.example', firstName: 'Older' },
      registrationDate: new Date('2026-11-01T00:00:00Z'),
    })
    await storeStudent(server.database, { ...common, email: 'out@x.example' })
    await storeStudent(server.database, { ...common, email: 'no address' })
    await storeStudent(server.database, { ...common, email: 'other@x.example', course: 'SOBM' })
    await storeStudent(server.database, { ...common, email: 'rotc@x.example', nstpComponent: 'ROTC' })
    const archived = { archived: true, archivedDate: new Date('2026-11-20T00:00:00Z') }
    await storeStudent(server.database, { ...common, ...archived, email: 'archived@x.example' })
    await fixture.optOut('out@x.example')

    const audience = { component: 'CWTS', academicYear: '2026-2027', course: 'SOICT' }
    const batch = await start({ ...text, audience })
    expect(batch).toMatchObject({
      source: { kind: 'students', audience },
      recipientCount: 1,
      optedOutCount: 1,
      duplicateCount: 1,
      invalidCount: 1,
    })
    await fixture.allEnded()
    expect(fixture.sink.messages.map(({ to }) => to)).toEqual([['Ana@x.example']])
    expect(fixture.sink.messages[0]?.raw).toContain('Good day Ana Reyes!')

    // Erasing a record deletes its messages.
    const messages = fixture.db.selectFrom('mailMessages').select('studentId')
    expect(await messages.execute()).toEqual([{ studentId: newest.id }])
    expect((await fixture.admin.call('DELETE', `/students/${newest.id}`)).status).toBe(204)
    expect(await messages.execute()).toEqual([])
  })

  test('to selected students; the batch says so without their ids', async () => {
    await fixture.optOut('out@x.example')
    const stored = await Promise.all(
      ['ana@x.example', 'out@x.example', 'other@x.example'].map((email) =>
        storeStudent(fixture.server.database, { email }),
      ),
    )
    const ids = stored.slice(0, 2).map(({ id }) => id)
    const batch = await start({ ...text, audience: { ids } })
    expect(batch).toMatchObject({ source: { kind: 'selection' }, recipientCount: 1, optedOutCount: 1 })
    await fixture.allEnded()
    expect(fixture.sink.messages.map(({ to }) => to)).toEqual([['ana@x.example']])
  })

  test('the same submission, also many times at once, starts one bulk e-mail', async () => {
    const form = { ...text, recipients: ['juan@x.example', 'ana@x.example'] }
    const key = randomUUID()
    const batches = await Promise.all(Array.from({ length: 20 }, () => start(form, key)))
    expect(new Set(batches.map(({ id }) => id)).size).toBe(1)
    await fixture.allEnded()
    expect(fixture.sink.messages).toHaveLength(2)
    expect((await start(form)).id).not.toBe(batches[0].id)
  })

  test('of two people who send the same words to the same address at once, one does', async () => {
    const { server, admin } = fixture
    const { db } = server.database
    const other = await createStaffClient(server, { role: 'coordinator', components: [] })
    const form = { ...text, recipients: ['juan@x.example'] }
    const sending = await db.transaction().execute(async (tx) => {
      // Neither writes a bulk e-mail before the other has looked for one.
      await sql`lock table mail_batches in share mode`.execute(tx)
      const both = [admin, other].map(({ call }) => call('POST', '/mail/batches', form))
      await untilWaiting(server.database, 2)
      return both
    })
    const answers = await Promise.all(sending)
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
    expect(await db.selectFrom('mailBatches').select('subject').execute()).toHaveLength(1)
  })

  test('the key of another bulk e-mail is refused', async () => {
    const form = { ...text, recipients: ['juan@x.example'] }
    const key = randomUUID()
    const { id } = await start(form, key)
    const others = [
      { ...form, recipients: ['ana@x.example'] },
      { ...form, subject: 'Another drill' },
      { ...form, body: 'Another text' },
    ]
    for (const other of others) {
      expect(
        await fixture.admin.refusal('POST', '/mail/batches', other, { 'Idempotency-Key': key }),
      ).toMatchObject({
        status: 409,
        detail:
          'This Idempotency-Key was used for another bulk e-mail. Please use a new one for each bulk e-mail.',
      })
    }
    expect(
      await fixture.admin.refusal('POST', `/mail/batches/${id}/repeat`, undefined, {
        'Idempotency-Key': key,
      }),
    ).toMatchObject({ status: 409 })
  })

  test('keys are scoped to the sender: another program with the same key sees nothing of the first mail', async () => {
    const form = {
      subject: 'Drill',
      useCustomTemplate: true,
      template: 'Please come.',
      recipients: ['juan@x.example'],
    }
    const send = async (name: string) => {
      const { token } = await fixture.done('POST', '/tokens', { name })
      return await fixture.done('POST', '/send-bulk-emails', form, {
        Authorization: `Bearer ${token}`,
        'Idempotency-Key': 'the-first-of-today',
      })
    }
    const first = await send('Registrar')
    expect((await send('Library')).batchId).not.toBe(first.batchId)
  })

  test('3,000 recipients are stored', async () => {
    const recipients = Array.from({ length: 3_000 }, (_, index) => ({ email: `s${index}@x.example` }))
    await fixture.allow(1)
    const batch = await start({ ...text, recipients })
    expect(batch.recipientCount).toBe(3_000)
    await fixture.done('POST', `/mail/batches/${batch.id}/cancel`)
    await fixture.allow(10_000)
  })

  test('nothing is stored while e-mail is not configured, or without a session', async () => {
    const form = { ...text, recipients: 'juan@x.example' }
    expect(await fixture.anonymous.refusal('POST', '/mail/batches', form)).toMatchObject({
      status: 401,
      detail: 'Authentication required. Please login as admin.',
    })
    await fixture.forget()
    expect(await fixture.admin.refusal('POST', '/mail/batches', form)).toMatchObject({
      status: 503,
      detail: 'Email service is not configured.',
    })
    expect(await fixture.db.selectFrom('mailBatches').selectAll().execute()).toEqual([])
    await fixture.configure()
  })
})

describe('batch changes', () => {
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
  const post = (id: string, what: string) => fixture.done('POST', `/mail/batches/${id}/${what}`)
  const refusal = (id: string, what: string) => fixture.admin.refusal('POST', `/mail/batches/${id}/${what}`)

  describe('a bulk e-mail', () => {
    test('is paused, resumed and cancelled; repeating a request changes nothing', async () => {
      const { id } = await store([{ state: 'sent' }, { state: 'queued' }, { state: 'queued' }])
      expect(await post(id, 'pause')).toMatchObject({ state: 'paused', finishesAt: null })
      expect(await post(id, 'pause')).toMatchObject({ state: 'paused' })
      expect(await post(id, 'resume')).toMatchObject({ state: 'running' })
      await Promise.all(Array.from({ length: 10 }, () => post(id, 'cancel')))
      expect(await post(id, 'cancel')).toMatchObject({
        state: 'cancelled',
        counts: { queued: 0, sending: 0, sent: 1, failed: 0, unknown: 0, cancelled: 2 },
      })
      expect(await fixture.trail.entries()).toMatchObject([
        { action: 'mail-batch-paused', actor: adminEmail, detail: { batch: id } },
        { action: 'mail-batch-resumed' },
        { action: 'mail-batch-cancelled', affected: 2 },
      ])
    })

    test('is finished when every message has ended, and running while one of them is sent again', async () => {
      const { id, messageIds } = await store([{ state: 'sent' }, { state: 'failed' }])
      expect(await fixture.done('GET', `/mail/batches/${id}`)).toMatchObject({ state: 'finished' })
      expect((await fixture.done('GET', '/mail/batches')).items).toMatchObject([{ id, state: 'finished' }])
      expect(await post(id, 'pause')).toMatchObject({ state: 'finished' })
      await fixture.done('POST', `/mail/messages/${messageIds[1]}/send-again`)
      expect(await fixture.done('GET', `/mail/batches/${id}`)).toMatchObject({ state: 'paused' })
      await post(id, 'resume')
      await fixture.allEnded()
      expect(await fixture.done('GET', `/mail/batches/${id}`)).toMatchObject({
        state: 'finished',
        counts: { sent: 2, failed: 0 },
      })
    })

    test('stays cancelled', async () => {
      const { id } = await store([{ state: 'cancelled' }], { state: 'cancelled' })
      const cancelled = { status: 409, code: 'conflict', detail: 'This bulk e-mail was cancelled.' }
      expect(await refusal(id, 'pause')).toEqual(cancelled)
      expect(await refusal(id, 'resume')).toEqual(cancelled)
    })

    test.each(['pause', 'resume', 'cancel', 'repeat'])('must exist to %s', async (what) => {
      const missing = {
        status: 404,
        code: 'not_found',
        detail: 'This bulk e-mail is no longer in the history.',
      }
      expect(await refusal(randomUUID(), what)).toEqual(missing)
      expect(await refusal('none', what)).toEqual(missing)
      expect(await fixture.anonymous.refusal('POST', `/mail/batches/${randomUUID()}/${what}`)).toMatchObject({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
    })
  })

  test('a message of a batch that is cancelled while sending is either sent or cancelled', async () => {
    const recipients = Array.from({ length: 60 }, (_, index) => `s${index}@x.example`)
    const form = { subject: 'Drill', useCustomTemplate: true, body: 'Come.', recipients }
    const { id } = await fixture.done('POST', '/mail/batches', form)
    await expect.poll(() => fixture.sink.messages.length).toBeGreaterThan(3)
    await post(id, 'cancel')
    await fixture.allEnded()
    const { counts } = await fixture.done('GET', `/mail/batches/${id}`)
    expect(counts.sent + counts.cancelled).toBe(60)
    expect(fixture.sink.messages).toHaveLength(counts.sent)
  })

  describe('sending again to the failed ones', () => {
    test('repeats each failed message once, but no unknown one and none to opted-out recipients', async () => {
      await fixture.optOut('out@x.example')
      const { id } = await store([
        { state: 'sent' },
        { state: 'unknown' },
        { state: 'queued' },
        { state: 'failed', recipient: 'out@x.example' },
        { state: 'failed', recipient: 'ana@x.example' },
        { state: 'failed', recipient: 'juan@x.example' },
      ])
      expect(await fixture.done('GET', `/mail/batches/${id}`)).toMatchObject({ repeatableCount: 2 })
      const repeat = await post(id, 'repeat')
      expect(await fixture.done('GET', `/mail/batches/${id}`)).toMatchObject({ repeatableCount: 0 })
      expect(repeat).toMatchObject({
        kind: 'repeat',
        source: { kind: 'repeat' },
        subject: 'Drill on Saturday',
        recipientCount: 2,
        optedOutCount: 1,
      })
      await expect.poll(() => fixture.sink.messages.length).toBe(2)
      expect(fixture.sink.messages.flatMap(({ to }) => to).sort()).toEqual([
        'ana@x.example',
        'juan@x.example',
      ])
      expect(fixture.sink.messages[0]?.raw).toContain('Good day Ana, please come at seven.')
      expect((await fixture.trail.entries()).at(-1)).toMatchObject({
        action: 'mail-batch-started',
        affected: 2,
        detail: { batch: repeat.id, to: 'repeat', of: id },
      })
      await fixture.optOut('nobody@x.example')
      expect(await refusal(id, 'repeat')).toMatchObject({ status: 409 })
    })

    test('goes to the current addresses of the students', async () => {
      const { database } = fixture.server
      const ana = await storeStudent(database, { email: 'ana@new.example' })
      const odd = await storeStudent(database, { email: 'not one' })
      const { id } = await store([
        { state: 'failed', recipient: 'ana@old.example', studentId: ana.id },
        { state: 'failed', recipient: 'odd@old.example', studentId: odd.id },
      ])
      expect(await post(id, 'repeat')).toMatchObject({ recipientCount: 2, optedOutCount: 0 })
      await expect.poll(() => fixture.sink.messages.length).toBe(2)
      expect(fixture.sink.messages.flatMap(({ to }) => to).sort()).toEqual([
        'ana@new.example',
        'odd@old.example',
      ])
      expect(await fixture.done('GET', `/mail/batches/${id}`)).toMatchObject({ repeatableCount: 0 })
      expect(await refusal(id, 'repeat')).toMatchObject({ status: 409 })
    })

    test('starts one bulk e-mail for concurrent requests', async () => {
      const { id } = await store([{ state: 'failed' }, { state: 'failed' }])
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => fixture.admin.call('POST', `/mail/batches/${id}/repeat`)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array<number>(9).fill(409)])
      expect(await refusal(id, 'repeat')).toEqual({
        status: 409,
        code: 'conflict',
        detail: 'This bulk e-mail has no failed e-mails left to send again.',
      })
    })

    test('returns the first response for the same key', async () => {
      const { id } = await store([{ state: 'failed' }])
      const again = () =>
        fixture.done('POST', `/mail/batches/${id}/repeat`, undefined, {
          'Idempotency-Key': 'one-sending',
        })
      expect((await again()).id).toBe((await again()).id)
    })

    test('includes messages of a cancelled repeat', async () => {
      const { id } = await store([{ state: 'failed', recipient: 'ana@x.example' }])
      await store([{ state: 'cancelled', recipient: 'ana@x.example' }], {
        kind: 'repeat',
        state: 'cancelled',
        repeatOf: id,
      })
      expect(await post(id, 'repeat')).toMatchObject({ recipientCount: 1 })
    })

    test('is refused while e-mail is not configured', async () => {
      const { id } = await store([{ state: 'failed' }])
      await fixture.forget()
      expect(await refusal(id, 'repeat')).toMatchObject({
        status: 503,
        detail: 'Email service is not configured.',
      })
      await fixture.configure()
    })
  })

  describe('the history of bulk e-mails', () => {
    test('is paged, newest first', async () => {
      const ids: string[] = []
      for (let index = 0; index < 23; index += 1) {
        const createdAt = new Date(Date.UTC(2026, 10, 20, 0, Math.floor(index / 2)))
        ids.unshift((await store([{ state: 'sent' }], { createdAt })).id)
      }
      const first = await fixture.done('GET', '/mail/batches')
      expect(first.items).toHaveLength(20)
      const second = await fixture.done('GET', `/mail/batches?cursor=${first.nextCursor}`)
      expect(second.nextCursor).toBeNull()
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
      expect(first.items[0].counts.sent).toBe(1)
    })

    test('refuses an invalid cursor, and a request without a session', async () => {
      expect(await fixture.admin.refusal('GET', '/mail/batches?cursor=x')).toMatchObject({
        status: 422,
        detail: 'Please begin again at the newest entries.',
      })
      for (const path of ['/mail/batches', `/mail/batches/${randomUUID()}`]) {
        expect(await fixture.anonymous.refusal('GET', path)).toMatchObject({
          status: 401,
          detail: 'Authentication required. Please login as admin.',
        })
      }
      expect(await fixture.admin.refusal('GET', `/mail/batches/${randomUUID()}`)).toMatchObject({
        status: 404,
      })
    })
  })
})
