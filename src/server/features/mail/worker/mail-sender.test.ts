import { describe, expect, test, vi } from 'vitest'
import { DatabaseSilentError } from '#server/database/errors.ts'
import type { MailFault } from '#tests/setup/mail-faults.ts'
import { type MailQueueSetup, prepareMailQueue, until } from '#tests/setup/mail-queue.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { calmly, pauseAfter } from './mail-sender.ts'

test('what is asked for often is done at once, then once for each span, and at the end', async () => {
  let done = 0
  const { ask, end } = calmly(() => {
    done += 1
  }, 50)
  for (let index = 0; index < 100; index++) ask()
  expect(done).toBe(1)
  await expect.poll(() => done).toBe(2)
  ask()
  end()
  expect(done).toBe(3)
})

describe('the pauses of a message that was refused for now', () => {
  const minutes = (attempts: number, random = 0) => {
    const ms = pauseAfter(attempts, () => random)
    return ms === null ? null : ms / 60_000
  }

  test('grow, and end after ten attempts within a day', () => {
    const pauses = Array.from({ length: 10 }, (_, index) => minutes(index + 1))
    expect(pauses).toEqual([1, 5, 15, 60, 180, 180, 240, 300, 360, null])
    expect(pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0)).toBeLessThanOrEqual(24 * 60)
  })

  test('differ by up to a tenth, so that those refused together don’t come back together', () => {
    expect(minutes(1, 0.999_999)).toBeCloseTo(1.1)
    expect(minutes(4, 0.5)).toBe(63)
  })
})

const limits = { connectMs: 1_000, answerMs: 400, messageMs: 3_000 }
const bad = 'bad@student.example'

describe('the mail worker', () => {
  let office: MailQueueSetup
  let sink: MailSink

  prepareMailQueue((opened, started) => {
    office = opened
    sink = started
  })

  const taken = (ids: readonly string[]) =>
    ids.map((id) => sink.messages.filter((message) => message.id === id).length)

  test('sends what is in the ledger, each message once and to its recipient alone', async () => {
    const before = await office.queue(Array.from({ length: 20 }, () => ({})))
    const sender = office.startSender()
    const after = await office.queue([{ recipient: 'ana@student.example', subject: 'Only for Ana' }])
    sender.mailer.wake()
    expect(await office.settled()).toEqual({ sent: 21 })
    expect(taken([...before, ...after])).toEqual(Array(21).fill(1))
    const [last] = sink.messages.filter(({ id }) => id === after[0])
    expect(last?.to).toEqual(['ana@student.example'])
    expect(last?.raw).toContain('Subject: Only for Ana')
    expect(last?.raw).toContain('From: Bagong Silang State College <office@school.example>')
    // A few connections for all of them.
    expect(sink.counts.connections).toBeLessThanOrEqual(3)
  })

  test('sends what one person waits for before what goes to many', async () => {
    sink.fault({ at: 'greeting', does: 'wait', ms: 300 })
    await office.queue(Array.from({ length: 12 }, () => ({ kind: 'bulk' as const })))
    const [urgent] = await office.queue([{ kind: 'welcome' }])
    office.startSender()
    await office.settled()
    expect(sink.messages.slice(0, 3).map(({ id }) => id)).toContain(urgent)
  })

  const ends: [string, MailFault, string, number][] = [
    [
      'refused for good',
      { at: 'rcpt', does: 'answer', code: 550, text: '5.1.1 No', recipient: bad },
      'failed',
      0,
    ],
    [
      'refused for now',
      { at: 'rcpt', does: 'answer', code: 451, text: '4.7.1 Wait', recipient: bad },
      'queued',
      0,
    ],
    [
      'refused by a full box',
      { at: 'dot', does: 'answer', code: 452, text: '4.2.2 Full', recipient: bad },
      'queued',
      0,
    ],
    ['cut before the dot', { at: 'data', does: 'cut', recipient: bad }, 'queued', 0],
    ['cut at the dot', { at: 'dot', does: 'cut', recipient: bad }, 'unknown', 0],
    ['cut after it was taken', { at: 'dot', does: 'cut', accepts: true, recipient: bad }, 'unknown', 1],
    ['never answered', { at: 'dot', does: 'silence', accepts: true, recipient: bad }, 'unknown', 1],
    ['answered slowly', { at: 'dot', does: 'wait', ms: 200, recipient: bad }, 'sent', 1],
  ]
  test.each(ends)('holds up no other message for one that is %s', async (_, fault, state, times) => {
    sink.fault(fault)
    const [id = ''] = await office.queue([{ recipient: bad }])
    const others = await office.queue([{}, {}, {}, {}])
    office.startSender({ limits })
    await office.settled()
    expect(await office.read(id)).toMatchObject({ state })
    expect(taken([id])).toEqual([times])
    expect(taken(others)).toEqual([1, 1, 1, 1])
  })

  test('tries what was refused for now again, later each time, and gives up after ten attempts', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 451, text: '4.7.1 Wait', recipient: bad })
    const [id = ''] = await office.queue([{ recipient: bad }])
    const { mailer } = office.startSender()
    const minutes: number[] = []
    for (let attempts = 1; attempts < 10; attempts++) {
      await until('it was tried', async () => (await office.read(id)).attempts === attempts)
      const { state, notBefore, failure } = await office.read(id)
      expect({ state, failure }).toEqual({
        state: 'queued',
        failure: 'The mail server refused it: 451 4.7.1 Wait',
      })
      const ms = notBefore.getTime() - office.clock().getTime()
      minutes.push(ms / 60_000)
      office.pass(ms)
      mailer.wake()
    }
    await until('it has failed', async () => (await office.read(id)).state === 'failed')
    expect(minutes.every((pause, index) => index === 0 || pause > (minutes[index - 1] ?? 0) * 0.9)).toBe(true)
    expect(sink.counts.offered).toBe(10)
    expect(sink.messages).toEqual([])
  })

  test('sends it when it is taken at last', async () => {
    sink.fault({ at: 'dot', does: 'answer', code: 451, text: '4.7.1 Wait', times: 2 })
    const [id = ''] = await office.queue([{}])
    const { mailer } = office.startSender()
    for (let attempts = 1; attempts < 3; attempts++) {
      await until('it was tried', async () => (await office.read(id)).attempts === attempts)
      office.pass(10 * 60_000)
      mailer.wake()
    }
    await until('it is sent', async () => (await office.read(id)).state === 'sent')
    expect(taken([id])).toEqual([1])
  })

  test('pauses when a server leaves one message after the other in doubt: the others keep their chance', async () => {
    sink.fault({ at: 'dot', does: 'cut' })
    await office.queue(Array.from({ length: 40 }, () => ({ kind: 'bulk' as const })))
    const { trouble } = office.startSender({ limits })
    await until('it pauses', async () => trouble() !== '' && !(await office.states()).sending)
    expect(trouble()).toBe(
      'The connection to the mail server broke off before it said whether it took the message.',
    )
    expect((await office.states()).unknown).toBeLessThan(10)
  })

  test('tries a message again that could not be made while the database was away', async () => {
    const [id = ''] = await office.queue([{}])
    const away = new DatabaseSilentError('no answer')
    office.startSender({ render: () => Promise.reject(away) })
    await until('it was tried', async () => (await office.read(id)).attempts === 1)
    expect(await office.read(id)).toMatchObject({
      state: 'queued',
      failure: 'The database did not answer while the message was being made.',
    })
  })

  test('rests while there is no account, also when a message is due', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 451, text: '4.7.1 Wait' })
    const [id = ''] = await office.queue([{}])
    const { mailer } = office.startSender()
    await until('it was tried', async () => (await office.read(id)).attempts === 1)
    // The worker has looked for the next one when it wakes up again for nothing.
    mailer.wake()
    await until('it has looked again', () => sink.counts.open() === 1)
    office.useAccount(null)
    office.pass(120_000)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    mailer.wake()
    await new Promise((resolve) => setImmediate(() => setTimeout(resolve, 250)))
    const soon = timers.mock.calls.filter(([, ms]) => ms === 0)
    timers.mockRestore()
    expect(soon).toEqual([])
  })

  test('does not hold a new account’s mail back for an attempt by the old one that fails after it', async () => {
    const silent = await startMailSink()
    silent.fault({ at: 'greeting', does: 'silence' })
    office.useAccount(silent.account)
    const [id = ''] = await office.queue([{}])
    office.startSender({ limits })
    await until('it is under way', () => silent.counts.connections === 1)
    office.useAccount(sink.account)
    await until('it was sent by the new account', () => sink.messages.length === 1)
    expect(taken([id])).toEqual([1])
    expect(office.logged.join()).not.toContain('the mail server takes no mail')
    await silent.close()
  })

  test('never sends again what may have been taken', async () => {
    sink.fault({ at: 'dot', does: 'cut', accepts: true })
    const [id = ''] = await office.queue([{}])
    const { mailer } = office.startSender()
    await office.settled()
    sink.clearFaults()
    office.pass(48 * 3_600_000)
    mailer.wake()
    await office.queue([{}])
    mailer.wake()
    expect(await office.settled()).toEqual({ unknown: 1, sent: 1 })
    expect(taken([id])).toEqual([1])
  })

  test('says of a claim that ran out that its end is unknown', async () => {
    const [id = ''] = await office.queue([{}])
    await office.database.db
      .updateTable('mailMessages')
      .set({
        state: 'sending',
        claim: '018f3c00-0000-7000-8000-000000000000',
        claimedUntil: office.clock(),
      })
      .execute()
    office.pass(1_000)
    office.startSender()
    await until('it has run out', async () => (await office.read(id)).state === 'unknown')
    expect((await office.read(id)).failure).toBe(
      'The program ended while the message was being sent, so nobody knows whether the mail server took it.',
    )
    expect(sink.messages).toEqual([])
  })

  test('fails a message that can’t be made, and sends the others', async () => {
    const [id = ''] = await office.queue([{ recipient: 'ana@student.example, ben@student.example' }])
    await office.queue([{}, {}])
    office.startSender()
    expect(await office.settled()).toEqual({ failed: 1, sent: 2 })
    expect((await office.read(id)).failure).toBe('The message could not be made from its text.')
  })

  test('leaves the messages of a paused batch where they are', async () => {
    const batchId = '018f3c00-0000-7000-8000-00000000000b'
    const change = (state: 'running' | 'paused') =>
      office.database.db.updateTable('mailBatches').set({ state }).execute()
    await office.database.db
      .insertInto('mailBatches')
      .values({
        id: batchId,
        kind: 'bulk',
        subject: 'Drill',
        template: 'custom',
        createdAt: office.clock(),
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
    await office.queue([
      { kind: 'bulk', batchId, content },
      { kind: 'bulk', batchId, content },
    ])
    await office.queue([{ kind: 'bulk' }])
    const { mailer } = office.startSender()
    await until('the other is sent', async () => (await office.states()).sent === 1)
    expect(await office.states()).toEqual({ sent: 1, queued: 2 })
    await change('running')
    mailer.wake()
    expect(await office.settled()).toEqual({ sent: 3 })
  })

  test('logs neither addresses nor what servers say', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: `5.1.1 <${bad}> unknown`, recipient: bad })
    sink.fault({ at: 'mail', does: 'answer', code: 550, text: '5.7.1 office@school.example', times: 1 })
    await office.queue([{ recipient: bad }, {}])
    office.startSender()
    await until('something is logged', () => office.logged.length > 0)
    expect(office.logged.join()).not.toMatch(/@|5\.7\.1/)
  })
})
