import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { DatabaseSilentError } from '#server/database/errors.ts'
import { createRejectionRepository } from '#server/features/students/rejection-repository.ts'
import { accountEnded } from '#shared/auth/account.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import type { MailFault } from '#tests/setup/mail-faults.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { type MailWorkerFixture, setUpMailWorkerFixture, until } from '#tests/setup/mail-worker-fixture.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'
import { pauseAfter } from './deliveries.ts'

describe('the retry pauses of a temporarily refused message', () => {
  const minutes = (attempts: number, random = 0) => {
    const ms = pauseAfter(attempts, () => random)
    return ms === null ? null : ms / 60_000
  }

  test('grow, and end after ten attempts within a day', () => {
    const pauses = Array.from({ length: 10 }, (_, index) => minutes(index + 1))
    expect(pauses).toEqual([1, 5, 15, 60, 180, 180, 240, 300, 360, null])
    expect(pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0)).toBeLessThanOrEqual(24 * 60)
  })

  test('have a jitter of up to a tenth, which spreads the retries', () => {
    expect(minutes(1, 0.999_999)).toBeCloseTo(1.1)
    expect(minutes(4, 0.5)).toBe(63)
  })
})

const limits = { connectMs: 1_000, answerMs: 400, messageMs: 3_000 }
const bad = 'bad@student.example'

describe('the mail worker', () => {
  let fixture: MailWorkerFixture
  let sink: MailSink

  setUpMailWorkerFixture((opened, started) => {
    fixture = opened
    sink = started
  })

  const taken = (ids: readonly string[]) =>
    ids.map((id) => sink.messages.filter((message) => message.id === id).length)

  test('sends each queued message once and only to its recipient', async () => {
    const before = await fixture.queue(Array.from({ length: 20 }, () => ({})))
    const sender = fixture.startSender()
    const after = await fixture.queue([{ recipient: 'ana@student.example', subject: 'Only for Ana' }])
    sender.mailer.wake()
    expect(await fixture.settled()).toEqual({ sent: 21 })
    expect(taken([...before, ...after])).toEqual(Array(21).fill(1))
    const [last] = sink.messages.filter(({ id }) => id === after[0])
    expect(last?.to).toEqual(['ana@student.example'])
    expect(last?.raw).toContain('Subject: Only for Ana')
    expect(last?.raw).toContain('From: Bagong Silang State College <office@school.example>')
    // All messages share a few connections.
    expect(sink.counts.connections).toBeLessThanOrEqual(3)
  })

  test('sends no bulk mail while its link to unsubscribe has no address', async () => {
    let address = ''
    const sender = fixture.startSender({ publicAddress: () => address })
    const kinds = ['bulk', 'announcement', 'single', 'welcome'] as const
    const ids = await fixture.queue(kinds.map((kind) => ({ kind })))
    sender.mailer.wake()
    await until('the others are sent', async () => (await fixture.states()).sent === 2)
    expect(taken(ids)).toEqual([0, 0, 1, 1])
    expect((await sender.queue.status()).finishesAt).toBe(null)
    address = 'https://nstp.school.example'
    sender.mailer.wake()
    expect(await fixture.settled()).toEqual({ sent: 4 })
    expect(taken(ids)).toEqual([1, 1, 1, 1])
  })

  test('sends single mail before bulk mail', async () => {
    sink.fault({ at: 'greeting', does: 'wait', ms: 300 })
    await fixture.queue(Array.from({ length: 12 }, () => ({ kind: 'bulk' as const })))
    const [urgent] = await fixture.queue([{ kind: 'welcome' }])
    fixture.startSender()
    await fixture.settled()
    expect(sink.messages.slice(0, 3).map(({ id }) => id)).toContain(urgent)
  })

  const ends: [string, MailFault, string, number][] = [
    [
      'permanently refused',
      { at: 'rcpt', does: 'answer', code: 550, text: '5.1.1 No', recipient: bad },
      'failed',
      0,
    ],
    [
      'temporarily refused',
      { at: 'rcpt', does: 'answer', code: 451, text: '4.7.1 Wait', recipient: bad },
      'queued',
      0,
    ],
    [
      'refused by a full mailbox',
      { at: 'dot', does: 'answer', code: 452, text: '4.2.2 Full', recipient: bad },
      'queued',
      0,
    ],
    ['disconnected before the final dot', { at: 'data', does: 'cut', recipient: bad }, 'queued', 0],
    ['disconnected at the final dot', { at: 'dot', does: 'cut', recipient: bad }, 'unknown', 0],
    [
      'disconnected after it was accepted',
      { at: 'dot', does: 'cut', accepts: true, recipient: bad },
      'unknown',
      1,
    ],
    ['never answered', { at: 'dot', does: 'silence', accepts: true, recipient: bad }, 'unknown', 1],
    ['answered slowly', { at: 'dot', does: 'wait', ms: 200, recipient: bad }, 'sent', 1],
  ]
  test.each(ends)('sends the other messages when one is %s', async (_, fault, state, times) => {
    sink.fault(fault)
    const [id = ''] = await fixture.queue([{ recipient: bad }])
    const others = await fixture.queue([{}, {}, {}, {}])
    fixture.startSender({ limits })
    await fixture.settled()
    expect(await fixture.read(id)).toMatchObject({ state })
    expect(taken([id])).toEqual([times])
    expect(taken(others)).toEqual([1, 1, 1, 1])
  })

  test('retries a temporarily refused message with growing pauses, and gives up after ten attempts', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 451, text: '4.7.1 Wait', recipient: bad })
    const [id = ''] = await fixture.queue([{ recipient: bad }])
    const { mailer } = fixture.startSender()
    const minutes: number[] = []
    for (let attempts = 1; attempts < 10; attempts++) {
      await until('it was tried', async () => (await fixture.read(id)).attempts === attempts)
      const { state, notBefore, failure } = await fixture.read(id)
      expect({ state, failure }).toEqual({
        state: 'queued',
        failure: 'The mail server refused the e-mail: 451 4.7.1 Wait',
      })
      const ms = notBefore.getTime() - fixture.clock().getTime()
      minutes.push(ms / 60_000)
      fixture.pass(ms)
      mailer.wake()
    }
    await until('it has failed', async () => (await fixture.read(id)).state === 'failed')
    expect(minutes.every((pause, index) => index === 0 || pause > (minutes[index - 1] ?? 0) * 0.9)).toBe(true)
    expect(sink.counts.offered).toBe(10)
    expect(sink.messages).toEqual([])
  })

  test('does not try a message again whose registration was rejected meanwhile, until that is undone', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 451, text: '4.7.1 Wait', times: 1 })
    const { id: studentId } = await storeStudent(fixture.database)
    const [id = ''] = await fixture.queue([{ studentId }])
    const rejections = createRejectionRepository(fixture.database.db)
    const rejectionId = randomUUID()
    const first = fixture.startSender({
      async render({ subject }) {
        await rejections.reject([studentId], { id: rejectionId, at: fixture.clock(), actor: '' })
        return { subject, text: '', html: '', headers: {}, attachments: [] }
      },
    })
    await until('it was tried', async () => (await fixture.read(id)).attempts === 1)
    await first.close()
    fixture.pass(10 * 60_000)
    const { mailer } = fixture.startSender()
    await until('it is cancelled', async () => (await fixture.read(id)).state === 'cancelled')
    expect(sink.counts.offered).toBe(1)
    await rejections.restore(rejectionId, new Date(0))
    mailer.wake()
    await until('it is sent', async () => (await fixture.read(id)).state === 'sent')
    expect(await fixture.read(id)).toMatchObject({ studentId, failure: '' })
  })

  test('stops retrying when the message is accepted', async () => {
    sink.fault({ at: 'dot', does: 'answer', code: 451, text: '4.7.1 Wait', times: 2 })
    const [id = ''] = await fixture.queue([{}])
    const { mailer } = fixture.startSender()
    for (let attempts = 1; attempts < 3; attempts++) {
      await until('it was tried', async () => (await fixture.read(id)).attempts === attempts)
      fixture.pass(10 * 60_000)
      mailer.wake()
    }
    await until('it is sent', async () => (await fixture.read(id)).state === 'sent')
    expect(taken([id])).toEqual([1])
  })

  test('pauses when the server leaves several messages unknown', async () => {
    sink.fault({ at: 'dot', does: 'cut' })
    await fixture.queue(Array.from({ length: 40 }, () => ({ kind: 'bulk' as const })))
    const { problem } = fixture.startSender({ limits })
    await until('it pauses', async () => problem() !== '' && !(await fixture.states()).sending)
    expect(problem()).toBe('The connection to the mail server was lost before it confirmed the e-mail.')
    expect((await fixture.states()).unknown).toBeLessThan(10)
  })

  test('retries a message that could not be rendered during a database outage', async () => {
    const [id = ''] = await fixture.queue([{}])
    const away = new DatabaseSilentError('no answer')
    fixture.startSender({ render: () => Promise.reject(away) })
    await until('it was tried', async () => (await fixture.read(id)).attempts === 1)
    expect(await fixture.read(id)).toMatchObject({
      state: 'queued',
      failure: 'The database did not answer while the e-mail was being prepared.',
    })
  })

  test('sends nothing while there is no account', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 451, text: '4.7.1 Wait' })
    const [id = ''] = await fixture.queue([{}])
    const { mailer } = fixture.startSender()
    await until('it was tried', async () => (await fixture.read(id)).attempts === 1)
    // The worker has looked for the next one when it wakes up again for nothing.
    mailer.wake()
    await until('it has looked again', () => sink.counts.open() === 1)
    fixture.useAccount(null)
    fixture.pass(120_000)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    mailer.wake()
    await new Promise((resolve) => setImmediate(() => setTimeout(resolve, 250)))
    const soon = timers.mock.calls.filter(([, ms]) => ms === 0)
    timers.mockRestore()
    expect(soon).toEqual([])
    expect(await fixture.states()).toEqual({ queued: 1 })
    expect(sink.messages).toEqual([])
  })

  test('ignores a late failure of the previous account', async () => {
    const silent = await startMailSink()
    silent.fault({ at: 'greeting', does: 'silence' })
    fixture.useAccount(silent.account)
    const [id = ''] = await fixture.queue([{}])
    fixture.startSender({ limits })
    await until('it is under way', () => silent.counts.connections === 1)
    fixture.useAccount(sink.account)
    await until('it was sent by the new account', () => sink.messages.length === 1)
    expect(taken([id])).toEqual([1])
    expect(fixture.logged.join()).not.toContain('mail server unavailable')
    await silent.close()
  })

  test('ignores a failure of the previous account whose result was still being stored', async () => {
    const silent = await startMailSink()
    silent.fault({ at: 'greeting', does: 'silence' })
    fixture.useAccount(silent.account)
    const [id = ''] = await fixture.queue([{}])
    fixture.startSender({ limits })
    await until('it is under way', () => silent.counts.connections === 1)
    const client = await fixture.database.pool.connect()
    await client.query('begin')
    await client.query('select 1 from mail_messages where id = $1 for update', [id])
    await silent.close()
    // Its result waits for the row.
    await untilWaiting(fixture.database)
    fixture.useAccount(sink.account)
    await client.query('commit')
    client.release()
    await until('it was sent by the new account', () => sink.messages.length === 1)
    expect(fixture.logged.join()).not.toContain('mail server unavailable')
  })

  test('never retries a message that may have been accepted', async () => {
    sink.fault({ at: 'dot', does: 'cut', accepts: true })
    const [id = ''] = await fixture.queue([{}])
    const { mailer } = fixture.startSender()
    await fixture.settled()
    sink.clearFaults()
    fixture.pass(48 * 3_600_000)
    mailer.wake()
    await fixture.queue([{}])
    mailer.wake()
    expect(await fixture.settled()).toEqual({ unknown: 1, sent: 1 })
    expect(taken([id])).toEqual([1])
  })

  test('marks a message as unknown when its claim expires', async () => {
    const [id = ''] = await fixture.queue([{}])
    await fixture.database.db
      .updateTable('mailMessages')
      .set({
        state: 'sending',
        claim: '018f3c00-0000-7000-8000-000000000000',
        claimedUntil: fixture.clock(),
      })
      .execute()
    fixture.pass(1_000)
    fixture.startSender()
    await until('it has run out', async () => (await fixture.read(id)).state === 'unknown')
    expect((await fixture.read(id)).failure).toBe(
      'The system stopped while this e-mail was being sent, so it may or may not have been delivered.',
    )
    expect(sink.messages).toEqual([])
  })

  test('marks a message as failed when it can’t be rendered, and sends the others', async () => {
    const [id = ''] = await fixture.queue([{ recipient: 'ana@student.example, ben@student.example' }])
    await fixture.queue([{}, {}])
    fixture.startSender()
    expect(await fixture.settled()).toEqual({ failed: 1, sent: 2 })
    expect((await fixture.read(id)).failure).toBe(
      'The e-mail could not be prepared. Please check its text and send it again.',
    )
  })

  test('does not send the messages of a paused batch', async () => {
    const batchId = '018f3c00-0000-7000-8000-00000000000b'
    const change = (state: 'running' | 'paused') =>
      fixture.database.db.updateTable('mailBatches').set({ state }).execute()
    await fixture.database.db
      .insertInto('mailBatches')
      .values({
        id: batchId,
        kind: 'bulk',
        subject: 'Drill',
        template: 'custom',
        createdAt: fixture.clock(),
        createdBy: 'test',
        source: JSON.stringify({ kind: 'list' }),
        recipientCount: 2,
        submissionKey: null,
        announcementId: null,
        repeatOf: null,
        state: 'paused',
      })
      .execute()
    const content = { template: 'batch' as const, values: { firstName: 'Ana' } }
    await fixture.queue([
      { kind: 'bulk', batchId, content },
      { kind: 'bulk', batchId, content },
    ])
    await fixture.queue([{ kind: 'bulk' }])
    const { mailer } = fixture.startSender()
    await until('the other is sent', async () => (await fixture.states()).sent === 1)
    expect(await fixture.states()).toEqual({ sent: 1, queued: 2 })
    await change('running')
    mailer.wake()
    expect(await fixture.settled()).toEqual({ sent: 3 })
  })

  /** The date in the office so many days from now. */
  const officeDay = (days: number) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Manila' }).format(Date.now() + days * 86_400_000)

  test.each([
    ['was ended', { disabledAt: new Date() }],
    ['had its last day yesterday', { expiresOn: officeDay(-1) }],
  ])('does not send the bulk e-mails of an account that %s', async (_name, end) => {
    const { db } = fixture.database
    const createdById = randomUUID()
    const account = { id: createdById, email: 'c@school.example', displayName: '', passwordHash: '' }
    await db
      .insertInto('admins')
      .values({ ...account, role: 'coordinator', ...end })
      .execute()
    const due = { state: 'queued', notBefore: fixture.clock() } as const
    const ended = await storeBatch(fixture.database, [due, due], { createdById })
    await storeBatch(fixture.database, [due])
    fixture.startSender()
    expect(await fixture.settled()).toEqual({ sent: 1, cancelled: 2 })
    for (const id of ended.messageIds) {
      expect(await fixture.read(id)).toMatchObject({ state: 'cancelled', failure: accountEnded })
    }
  })

  test('sends the bulk e-mails of an account on its last day', async () => {
    const createdById = randomUUID()
    const account = { id: createdById, email: 'd@school.example', displayName: '', passwordHash: '' }
    const { db } = fixture.database
    await db
      .insertInto('admins')
      .values({ ...account, role: 'coordinator', expiresOn: officeDay(0) })
      .execute()
    await storeBatch(fixture.database, [{ state: 'queued', notBefore: fixture.clock() }], { createdById })
    fixture.startSender()
    expect(await fixture.settled()).toEqual({ sent: 1 })
  })

  test('logs neither addresses nor server answers', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: `5.1.1 <${bad}> unknown`, recipient: bad })
    sink.fault({ at: 'mail', does: 'answer', code: 550, text: '5.7.1 office@school.example', times: 1 })
    await fixture.queue([{ recipient: bad }, {}])
    fixture.startSender()
    await until('something is logged', () => fixture.logged.length > 0)
    expect(fixture.logged.join()).not.toMatch(/@|5\.7\.1/)
  })
})
