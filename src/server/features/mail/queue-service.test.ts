import { describe, expect, test } from 'vitest'
import { mailSentences } from '#shared/mail/mail.ts'
import type { MailSink } from '#tests/setup/mail-sink.ts'
import {
  type MailWorkerFixture,
  setUpMailWorkerFixture,
  unlimitedQuotas,
  until,
} from '#tests/setup/mail-worker-fixture.ts'
import { type Backlog, forecastFinish } from './queue-service.ts'

const now = new Date('2026-11-21T08:00:00Z')
const gmail = { perDay: 450, perMinute: 20 }

const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const hoursLater = (hours: number) => minutesLater(hours * 60)
const finish = (outlook: Partial<Backlog>, quotas = gmail) =>
  forecastFinish({ now, sent: [], urgent: 0, bulk: 0, ...outlook }, quotas)

describe('the forecast', () => {
  test('of an empty queue is null', () => {
    expect(finish({})).toBeNull()
  })

  test('sends the first minute’s messages at once, the rest minute by minute', () => {
    expect(finish({ bulk: 1 })).toEqual(now)
    expect(finish({ bulk: 20 })).toEqual(now)
    expect(finish({ bulk: 21 })).toEqual(minutesLater(1))
    expect(finish({ bulk: 405 })).toEqual(minutesLater(20))
  })

  test('continues on the next day after the daily quota, of which a tenth is reserved', () => {
    expect(finish({ bulk: 406 })).toEqual(hoursLater(24))
    expect(finish({ urgent: 450 })).toEqual(minutesLater(22))
    expect(finish({ urgent: 451 })).toEqual(hoursLater(24))
  })

  test('takes eight days for 3,000 students', () => {
    const seventhDay = hoursLater(24 * 7)
    const end = finish({ bulk: 3_000 })
    expect(end && end > seventhDay && end < hoursLater(24 * 7 + 1)).toBe(true)
  })

  test('counts the messages of the last day', () => {
    const sent = Array.from({ length: 405 }, () => hoursLater(-23))
    expect(finish({ sent, bulk: 1 })).toEqual(hoursLater(1))
    expect(finish({ sent, urgent: 1 })).toEqual(now)
  })

  test('puts bulk mail behind single mail', () => {
    expect(finish({ urgent: 20, bulk: 1 })).toEqual(minutesLater(1))
  })

  test('reserves one message of small quotas too', () => {
    expect(finish({ urgent: 1, bulk: 1 }, { perDay: 2, perMinute: 20 })).toEqual(hoursLater(24))
    expect(finish({ urgent: 2 }, { perDay: 2, perMinute: 20 })).toEqual(now)
  })

  test('works for a quota of one', () => {
    expect(finish({ bulk: 3 }, { perDay: 1, perMinute: 1 })).toEqual(hoursLater(48))
  })
})

const limits = { connectMs: 1_000, answerMs: 500, messageMs: 3_000 }
const longMs = 15_000

describe('a caller waiting for a message', () => {
  let fixture: MailWorkerFixture
  let sink: MailSink

  setUpMailWorkerFixture((opened, started) => {
    fixture = opened
    sink = started
  })

  async function sendAndWait(sender: ReturnType<MailWorkerFixture['startSender']>, withinMs = longMs) {
    const [id = ''] = await fixture.queue([{}])
    sender.mailer.wake()
    return sender.mailer.outcomeOf(id, withinMs)
  }

  test('gets the state when it is sent', async () => {
    expect(await sendAndWait(fixture.startSender())).toEqual({ state: 'sent', failure: '' })
  })

  test('gets the reason when it is refused', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: '5.1.1 No such user' })
    expect(await sendAndWait(fixture.startSender())).toEqual({
      state: 'failed',
      failure: 'The mail server refused the e-mail: 550 5.1.1 No such user',
    })
  })

  test('gets a temporary refusal at once', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 450, text: '4.2.0 Busy' })
    expect(await sendAndWait(fixture.startSender())).toEqual({
      state: 'queued',
      failure: 'The mail server refused the e-mail: 450 4.2.0 Busy',
    })
  })

  test('gets the state of a message sent by another process', async () => {
    const sending = fixture.startSender()
    const waiting = fixture.startSender({ sends: false })
    const [id = ''] = await fixture.queue([{}])
    const outcome = waiting.mailer.outcomeOf(id, longMs)
    sending.mailer.wake()
    expect((await outcome).state).toBe('sent')
  })

  test('gets the current state after the timeout', async () => {
    sink.fault({ at: 'dot', does: 'wait', ms: 1_500 })
    expect(await sendAndWait(fixture.startSender(), 200)).toEqual({ state: 'sending', failure: '' })
  })

  test('gets the reason when the server can’t be reached, and later callers get it at once', async () => {
    await sink.close()
    const sender = fixture.startSender({ limits })
    const outcome = await sendAndWait(sender)
    expect(outcome).toEqual({
      state: 'queued',
      failure: 'Could not reach the mail server. Waiting e-mails are sent when it can be reached again.',
    })
    expect(sender.problem()).toBe(outcome.failure)
    const [id = ''] = await fixture.queue([{}])
    const startedAt = performance.now()
    expect(await sender.mailer.outcomeOf(id, longMs)).toEqual(outcome)
    // Before the next attempt.
    expect(performance.now() - startedAt).toBeLessThan(4_000)
    // Waiting and failed connections don’t count as attempts.
    await expect.poll(fixture.states).toEqual({ queued: 2 })
    expect((await fixture.read(id)).attempts).toBe(0)
  })

  test('gets no forecast while the server can’t be reached', async () => {
    await sink.close()
    const sender = fixture.startSender({ limits, sends: false })
    const [id = ''] = await fixture.queue([{}])
    expect((await sender.queue.status()).finishesAt).not.toBeNull()
    sender.start()
    await sender.mailer.outcomeOf(id, longMs)
    expect((await sender.queue.status()).finishesAt).toBeNull()
  })

  test('gets the spent quota as the reason at once', async () => {
    const sender = fixture.startSender({ quotas: { perDay: 10, perMinute: 2 } })
    await fixture.queue([{}, {}, {}])
    sender.mailer.wake()
    await until('two are sent', async () => (await fixture.states()).sent === 2)
    const outcome = await sendAndWait(sender)
    expect(outcome.state).toBe('queued')
    expect(outcome.failure).toBe('The e-mail limit per minute is reached. No action is needed.')
    // The quota per minute is not reported as a problem.
    expect(sender.problem()).toBe('')
  })

  test('gets the missing configuration as the reason at once', async () => {
    fixture.useAccount(null)
    expect(await sendAndWait(fixture.startSender())).toEqual({
      state: 'queued',
      failure: mailSentences.notConfigured,
    })
  })

  test('gets its messages sent after the server recovers', async () => {
    sink.fault({ at: 'auth', does: 'answer', code: 454, text: '4.7.0 Later', times: 1 })
    const sender = fixture.startSender()
    expect(await sendAndWait(sender)).toMatchObject({ state: 'queued' })
    expect(sender.problem()).toContain('454 4.7.0 Later')
    await until('it is sent', async () => (await fixture.states()).sent === 1)
    expect(sender.problem()).toBe('')
    expect(sink.messages).toHaveLength(1)
  })

  test('gets the quotas counted over all processes', async () => {
    const quotas = { ...unlimitedQuotas, perMinute: 7 }
    const senders = [fixture.startSender({ quotas }), fixture.startSender({ quotas })]
    await fixture.queue(Array.from({ length: 20 }, () => ({})))
    for (const { mailer } of senders) mailer.wake()
    await until('seven are sent', async () => (await fixture.states()).sent === 7)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await fixture.states()).toEqual({ sent: 7, queued: 13 })
    fixture.pass(61_000)
    for (const { mailer } of senders) mailer.wake()
    await until('seven more are sent', async () => (await fixture.states()).sent === 14)
    expect(sink.messages).toHaveLength(14)
  })
})
