import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { type MailAdmin, openMailAdmin } from '#tests/setup/mail-admin.ts'

describe('batch service', () => {
  let desk: MailAdmin
  beforeAll(async () => {
    desk = await openMailAdmin()
    await desk.configure()
  })
  afterAll(() => desk.close())
  beforeEach(async () => {
    await desk.clear()
    await desk.trail.clear()
  })

  const text = {
    subject: 'Drill, {firstName}',
    useCustomTemplate: true,
    body: 'Good day {firstName} {lastName}!',
  }
  const start = (form: unknown, key?: string) =>
    desk.done('POST', '/mail/batches', form, key ? { 'Idempotency-Key': key } : {})

  describe('a list of recipients', () => {
    test('gets one mail each; who opted out, comes twice or has no address is left out and counted', async () => {
      await desk.optOut('nobody@x.example')
      const response = await desk.admin.call('POST', '/mail/batches', {
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
        // Two messages may have gone out by now.
        state: expect.stringMatching(/^(running|finished)$/),
        createdBy: adminEmail,
        source: { kind: 'list' },
        recipientCount: 2,
        optedOutCount: 1,
        duplicateCount: 1,
        invalidCount: 2,
      })
      await desk.allEnded()
      const sent = desk.sink.messages.map(({ to, raw }) => ({
        to,
        subject: /^Subject: (.*)$/m.exec(raw)?.[1],
      }))
      expect(sent.sort((a, b) => (a.to < b.to ? 1 : -1))).toEqual([
        { to: ['juan@x.example'], subject: 'Drill, Juan' },
        { to: ['ana@x.example'], subject: 'Drill, Student' },
      ])
      expect(desk.sink.messages.some(({ raw }) => raw.includes('Good day Juan'))).toBe(true)
      expect(await desk.done('GET', `/mail/batches/${batch.id}`)).toMatchObject({
        counts: { queued: 0, sending: 0, sent: 2, failed: 0, unknown: 0, cancelled: 0 },
        finishesAt: null,
      })
      expect(await desk.trail.entries()).toMatchObject([
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
        'There is no placeholder {name}. You can use {firstName}, {lastName}, {component}, {course}, {academicYear}, {reference}.',
      ],
      [
        'an unknown template',
        { recipients: ['a@x.example'], useCustomTemplate: false, template: 'nothing' },
        'template',
        'Please choose a template.',
      ],
      [
        'both ways',
        { recipients: ['a@x.example'], audience: {} },
        'recipients',
        'Please choose either a list of recipients or students.',
      ],
      [
        'an academic year that is none',
        { audience: { academicYear: '2026' } },
        'audience.academicYear',
        'Please give the academic year as two years in a row, such as 2026-2027.',
      ],
      [
        'a course longer than any',
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
      const refusal = await desk.admin.refusal('POST', '/mail/batches', { ...text, ...form })
      expect(refusal).toMatchObject({ status: 422, detail: message })
      expect(refusal.errors).toContainEqual({ path, message })
      expect(await desk.db.selectFrom('mailBatches').selectAll().execute()).toEqual([])
    })

    test('of people who all opted out starts nothing', async () => {
      await desk.optOut('a@x.example')
      expect(
        await desk.admin.refusal('POST', '/mail/batches', { ...text, recipients: 'a@x.example' }),
      ).toMatchObject({
        status: 422,
        detail: 'Nobody is left to write to: everybody on the list opted out or has no valid address.',
      })
      expect(await desk.db.selectFrom('mailBatches').selectAll().execute()).toEqual([])
    })
  })

  test('students by the filters of their list get one mail for each address, the newest record first', async () => {
    const { server } = desk
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
    await desk.optOut('out@x.example')

    const audience = { component: 'CWTS', academicYear: '2026-2027', course: 'SOICT' }
    const batch = await start({ ...text, audience })
    expect(batch).toMatchObject({
      source: { kind: 'students', audience },
      recipientCount: 1,
      optedOutCount: 1,
      duplicateCount: 1,
      invalidCount: 1,
    })
    await desk.allEnded()
    expect(desk.sink.messages.map(({ to }) => to)).toEqual([['Ana@x.example']])
    expect(desk.sink.messages[0]?.raw).toContain('Good day Ana Reyes!')

    // What is erased takes its messages along.
    const messages = desk.db.selectFrom('mailMessages').select('studentId')
    expect(await messages.execute()).toEqual([{ studentId: newest.id }])
    expect((await desk.admin.call('DELETE', `/students/${newest.id}`)).status).toBe(204)
    expect(await messages.execute()).toEqual([])
  })

  test('the same sending of the form, also many times at once, starts one bulk e-mail', async () => {
    const form = { ...text, recipients: ['juan@x.example', 'ana@x.example'] }
    const key = randomUUID()
    const batches = await Promise.all(Array.from({ length: 20 }, () => start(form, key)))
    expect(new Set(batches.map(({ id }) => id)).size).toBe(1)
    await desk.allEnded()
    expect(desk.sink.messages).toHaveLength(2)
    expect((await start(form)).id).not.toBe(batches[0].id)
  })

  test('a key that was another bulk e-mail’s is refused: neither is lost, nor taken for the other', async () => {
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
        await desk.admin.refusal('POST', '/mail/batches', other, { 'Idempotency-Key': key }),
      ).toMatchObject({
        status: 409,
        detail:
          'This Idempotency-Key was used for another bulk e-mail. Please use a new one for each bulk e-mail.',
      })
    }
    expect(
      await desk.admin.refusal('POST', `/mail/batches/${id}/repeat`, undefined, { 'Idempotency-Key': key }),
    ).toMatchObject({ status: 409 })
  })

  test('a key is its sender’s own: another program with the same one learns nothing of the first one’s mail', async () => {
    const form = {
      subject: 'Drill',
      useCustomTemplate: true,
      template: 'Please come.',
      recipients: ['juan@x.example'],
    }
    const send = async (name: string) => {
      const { token } = await desk.done('POST', '/tokens', { name })
      return await desk.done('POST', '/send-bulk-emails', form, {
        Authorization: `Bearer ${token}`,
        'Idempotency-Key': 'the-first-of-today',
      })
    }
    const first = await send('Registrar')
    expect((await send('Library')).batchId).not.toBe(first.batchId)
  })

  test('3,000 recipients are taken within a few seconds', async () => {
    const recipients = Array.from({ length: 3_000 }, (_, index) => ({ email: `s${index}@x.example` }))
    await desk.allow(1)
    const begun = performance.now()
    const batch = await start({ ...text, recipients })
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(batch.recipientCount).toBe(3_000)
    await desk.done('POST', `/mail/batches/${batch.id}/cancel`)
    await desk.allow(10_000)
  })

  test('nothing is written while e-mail is not configured, or for somebody without a session', async () => {
    const form = { ...text, recipients: 'juan@x.example' }
    expect(await desk.visitor.refusal('POST', '/mail/batches', form)).toMatchObject({
      status: 401,
      detail: 'Authentication required. Please login as admin.',
    })
    await desk.removeAccount()
    expect(await desk.admin.refusal('POST', '/mail/batches', form)).toMatchObject({
      status: 503,
      detail: 'Email service is not configured.',
    })
    expect(await desk.db.selectFrom('mailBatches').selectAll().execute()).toEqual([])
    await desk.configure()
  })
})

describe('batch changes', () => {
  let batchChangesDesk: MailAdmin
  beforeAll(async () => {
    batchChangesDesk = await openMailAdmin()
    await batchChangesDesk.configure()
  })
  afterAll(() => batchChangesDesk.close())
  beforeEach(async () => {
    await batchChangesDesk.clear()
    await batchChangesDesk.trail.clear()
  })

  const store = (...args: Parameters<typeof storeBatch> extends [unknown, ...infer Rest] ? Rest : never) =>
    storeBatch(batchChangesDesk.server.database, ...args)
  const post = (id: string, what: string) => batchChangesDesk.done('POST', `/mail/batches/${id}/${what}`)
  const refusal = (id: string, what: string) =>
    batchChangesDesk.admin.refusal('POST', `/mail/batches/${id}/${what}`)

  describe('a bulk e-mail', () => {
    test('is paused, goes on and is cancelled, each once however often it is said', async () => {
      const { id } = await store([{ state: 'sent' }, { state: 'queued' }, { state: 'queued' }])
      expect(await post(id, 'pause')).toMatchObject({ state: 'paused', finishesAt: null })
      expect(await post(id, 'pause')).toMatchObject({ state: 'paused' })
      expect(await post(id, 'resume')).toMatchObject({ state: 'running' })
      await Promise.all(Array.from({ length: 10 }, () => post(id, 'cancel')))
      expect(await post(id, 'cancel')).toMatchObject({
        state: 'cancelled',
        counts: { queued: 0, sending: 0, sent: 1, failed: 0, unknown: 0, cancelled: 2 },
      })
      expect(await batchChangesDesk.trail.entries()).toMatchObject([
        { action: 'mail-batch-paused', actor: adminEmail, detail: { batch: id } },
        { action: 'mail-batch-resumed' },
        { action: 'mail-batch-cancelled', affected: 2 },
      ])
    })

    test('is finished when every message has ended, and running while one of them is sent again', async () => {
      const { id, messageIds } = await store([{ state: 'sent' }, { state: 'failed' }])
      expect(await batchChangesDesk.done('GET', `/mail/batches/${id}`)).toMatchObject({ state: 'finished' })
      expect((await batchChangesDesk.done('GET', '/mail/batches')).items).toMatchObject([
        { id, state: 'finished' },
      ])
      expect(await post(id, 'pause')).toMatchObject({ state: 'finished' })
      await batchChangesDesk.done('POST', `/mail/messages/${messageIds[1]}/send-again`)
      expect(await batchChangesDesk.done('GET', `/mail/batches/${id}`)).toMatchObject({ state: 'paused' })
      await post(id, 'resume')
      await batchChangesDesk.allEnded()
      expect(await batchChangesDesk.done('GET', `/mail/batches/${id}`)).toMatchObject({
        state: 'finished',
        counts: { sent: 2, failed: 0 },
      })
    })

    test('that was cancelled stays so', async () => {
      const { id } = await store([{ state: 'cancelled' }], { state: 'cancelled' })
      const cancelled = { status: 409, code: 'conflict', detail: 'This bulk e-mail was cancelled.' }
      expect(await refusal(id, 'pause')).toEqual(cancelled)
      expect(await refusal(id, 'resume')).toEqual(cancelled)
    })

    test.each(['pause', 'resume', 'cancel', 'repeat'])('is not there to %s', async (what) => {
      const missing = {
        status: 404,
        code: 'not_found',
        detail: 'This bulk e-mail is no longer in the history.',
      }
      expect(await refusal(randomUUID(), what)).toEqual(missing)
      expect(await refusal('none', what)).toEqual(missing)
      expect(
        await batchChangesDesk.visitor.refusal('POST', `/mail/batches/${randomUUID()}/${what}`),
      ).toMatchObject({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
    })
  })

  test('what is cancelled while it goes out is sent or cancelled, never both', async () => {
    const recipients = Array.from({ length: 60 }, (_, index) => `s${index}@x.example`)
    const form = { subject: 'Drill', useCustomTemplate: true, body: 'Come.', recipients }
    const { id } = await batchChangesDesk.done('POST', '/mail/batches', form)
    await expect.poll(() => batchChangesDesk.sink.messages.length).toBeGreaterThan(3)
    await post(id, 'cancel')
    await batchChangesDesk.allEnded()
    const { counts } = await batchChangesDesk.done('GET', `/mail/batches/${id}`)
    expect(counts.sent + counts.cancelled).toBe(60)
    expect(batchChangesDesk.sink.messages).toHaveLength(counts.sent)
  })

  describe('sending again to the failed ones', () => {
    test('takes each failed message once, but not what may have been accepted or who opted out', async () => {
      await batchChangesDesk.optOut('out@x.example')
      const { id } = await store([
        { state: 'sent' },
        { state: 'unknown' },
        { state: 'queued' },
        { state: 'failed', recipient: 'out@x.example' },
        { state: 'failed', recipient: 'ana@x.example' },
        { state: 'failed', recipient: 'juan@x.example' },
      ])
      expect(await batchChangesDesk.done('GET', `/mail/batches/${id}`)).toMatchObject({ repeatableCount: 2 })
      const repeat = await post(id, 'repeat')
      expect(await batchChangesDesk.done('GET', `/mail/batches/${id}`)).toMatchObject({ repeatableCount: 0 })
      expect(repeat).toMatchObject({
        kind: 'repeat',
        source: { kind: 'repeat' },
        subject: 'Drill on Saturday',
        recipientCount: 2,
        optedOutCount: 1,
      })
      await expect.poll(() => batchChangesDesk.sink.messages.length).toBe(2)
      expect(batchChangesDesk.sink.messages.flatMap(({ to }) => to).sort()).toEqual([
        'ana@x.example',
        'juan@x.example',
      ])
      expect(batchChangesDesk.sink.messages[0]?.raw).toContain('Good day Ana, please come at seven.')
      expect((await batchChangesDesk.trail.entries()).at(-1)).toMatchObject({
        action: 'mail-batch-started',
        affected: 2,
        detail: { batch: repeat.id, to: 'repeat', of: id },
      })
      await batchChangesDesk.optOut('nobody@x.example')
      expect(await refusal(id, 'repeat')).toMatchObject({ status: 409 })
    })

    test('goes to the addresses that the students have by now', async () => {
      const { database } = batchChangesDesk.server
      const ana = await storeStudent(database, { email: 'ana@new.example' })
      const odd = await storeStudent(database, { email: 'not one' })
      const { id } = await store([
        { state: 'failed', recipient: 'ana@old.example', studentId: ana.id },
        { state: 'failed', recipient: 'odd@old.example', studentId: odd.id },
      ])
      expect(await post(id, 'repeat')).toMatchObject({ recipientCount: 2, optedOutCount: 0 })
      await expect.poll(() => batchChangesDesk.sink.messages.length).toBe(2)
      expect(batchChangesDesk.sink.messages.flatMap(({ to }) => to).sort()).toEqual([
        'ana@new.example',
        'odd@old.example',
      ])
      expect(await batchChangesDesk.done('GET', `/mail/batches/${id}`)).toMatchObject({ repeatableCount: 0 })
      expect(await refusal(id, 'repeat')).toMatchObject({ status: 409 })
    })

    test('makes one bulk e-mail of many requests at once', async () => {
      const { id } = await store([{ state: 'failed' }, { state: 'failed' }])
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => batchChangesDesk.admin.call('POST', `/mail/batches/${id}/repeat`)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array<number>(9).fill(409)])
      expect(await refusal(id, 'repeat')).toEqual({
        status: 409,
        code: 'conflict',
        detail: 'No e-mail of this bulk e-mail has failed that was not sent again already.',
      })
    })

    test('gives the first answer again to the same sending', async () => {
      const { id } = await store([{ state: 'failed' }])
      const again = () =>
        batchChangesDesk.done('POST', `/mail/batches/${id}/repeat`, undefined, {
          'Idempotency-Key': 'one-sending',
        })
      expect((await again()).id).toBe((await again()).id)
    })

    test('takes what an earlier repeat was cancelled for', async () => {
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
      await batchChangesDesk.removeAccount()
      expect(await refusal(id, 'repeat')).toMatchObject({
        status: 503,
        detail: 'Email service is not configured.',
      })
      await batchChangesDesk.configure()
    })
  })

  describe('the history of bulk e-mails', () => {
    test('has the newest first, in pieces', async () => {
      const ids: string[] = []
      for (let index = 0; index < 23; index += 1) {
        const createdAt = new Date(Date.UTC(2026, 10, 20, 0, Math.floor(index / 2)))
        ids.unshift((await store([{ state: 'sent' }], { createdAt })).id)
      }
      const first = await batchChangesDesk.done('GET', '/mail/batches')
      expect(first.items).toHaveLength(20)
      const second = await batchChangesDesk.done('GET', `/mail/batches?cursor=${first.nextCursor}`)
      expect(second.nextCursor).toBeNull()
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
      expect(first.items[0].counts.sent).toBe(1)
    })

    test('refuses a cursor that is none, and somebody without a session', async () => {
      expect(await batchChangesDesk.admin.refusal('GET', '/mail/batches?cursor=x')).toMatchObject({
        status: 422,
        detail: 'Please begin again at the newest entries.',
      })
      for (const path of ['/mail/batches', `/mail/batches/${randomUUID()}`]) {
        expect(await batchChangesDesk.visitor.refusal('GET', path)).toMatchObject({
          status: 401,
          detail: 'Authentication required. Please login as admin.',
        })
      }
      expect(await batchChangesDesk.admin.refusal('GET', `/mail/batches/${randomUUID()}`)).toMatchObject({
        status: 404,
      })
    })
  })
})
