import { describe, expect, test } from 'vitest'
import { mailSentences } from '#shared/mail/mail.ts'
import { type MailQueueSetup, prepareMailQueue, until, wideQuotas } from '#tests/setup/mail-queue.ts'
import type { MailSink } from '#tests/setup/mail-sink.ts'
import { forecastFinish, type Outlook } from './queue-service.ts'

const now = new Date('2026-11-21T08:00:00Z')
const gmail = { perDay: 450, perMinute: 20 }

const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const hoursLater = (hours: number) => minutesLater(hours * 60)
const finish = (outlook: Partial<Outlook>, quotas = gmail) =>
  forecastFinish({ now, sent: [], urgent: 0, bulk: 0, ...outlook }, quotas)

describe('the forecast', () => {
  test('of nothing is none', () => {
    expect(finish({})).toBeNull()
  })

  test('lets the first minute’s messages go at once, the others minute by minute', () => {
    expect(finish({ bulk: 1 })).toEqual(now)
    expect(finish({ bulk: 20 })).toEqual(now)
    expect(finish({ bulk: 21 })).toEqual(minutesLater(1))
    expect(finish({ bulk: 405 })).toEqual(minutesLater(20))
  })

  test('goes on the next day where the day’s quota ends, leaving a tenth of it to single messages', () => {
    expect(finish({ bulk: 406 })).toEqual(hoursLater(24))
    expect(finish({ urgent: 450 })).toEqual(minutesLater(22))
    expect(finish({ urgent: 451 })).toEqual(hoursLater(24))
  })

  test('takes eight days for 3,000 students', () => {
    const seventhDay = hoursLater(24 * 7)
    const end = finish({ bulk: 3_000 })
    expect(end && end > seventhDay && end < hoursLater(24 * 7 + 1)).toBe(true)
  })

  test('counts what was sent within the last day', () => {
    const sent = Array.from({ length: 405 }, () => hoursLater(-23))
    expect(finish({ sent, bulk: 1 })).toEqual(hoursLater(1))
    expect(finish({ sent, urgent: 1 })).toEqual(now)
  })

  test('puts what goes to many behind what one person waits for', () => {
    expect(finish({ urgent: 20, bulk: 1 })).toEqual(minutesLater(1))
  })

  test('keeps one place of the smallest quotas too', () => {
    expect(finish({ urgent: 1, bulk: 1 }, { perDay: 2, perMinute: 20 })).toEqual(hoursLater(24))
    expect(finish({ urgent: 2 }, { perDay: 2, perMinute: 20 })).toEqual(now)
  })

  test('stands for a quota of one', () => {
    expect(finish({ bulk: 3 }, { perDay: 1, perMinute: 1 })).toEqual(hoursLater(48))
  })
})

const limits = { connectMs: 1_000, answerMs: 500, messageMs: 3_000 }
const longMs = 15_000

describe('whoever waits for a message', () => {
  let office: MailQueueSetup
  let sink: MailSink

  prepareMailQueue((opened, started) => {
    office = opened
    sink = started
  })

  async function sendAndWait(sender: ReturnType<MailQueueSetup['startSender']>, withinMs = longMs) {
    const [id = ''] = await office.queue([{}])
    sender.mailer.wake()
    return sender.mailer.outcomeOf(id, withinMs)
  }

  test('hears that it was sent', async () => {
    expect(await sendAndWait(office.startSender())).toEqual({ state: 'sent', failure: '' })
  })

  test('hears why it was refused', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: '5.1.1 No such user' })
    expect(await sendAndWait(office.startSender())).toEqual({
      state: 'failed',
      failure: 'The mail server refused it: 550 5.1.1 No such user',
    })
  })

  test('hears at once that it is tried again later', async () => {
    sink.fault({ at: 'rcpt', does: 'answer', code: 450, text: '4.2.0 Busy' })
    expect(await sendAndWait(office.startSender())).toEqual({
      state: 'queued',
      failure: 'The mail server refused it: 450 4.2.0 Busy',
    })
  })

  test('hears of a message that another process has sent', async () => {
    const sending = office.startSender()
    const waiting = office.startSender({ sends: false })
    const [id = ''] = await office.queue([{}])
    const outcome = waiting.mailer.outcomeOf(id, longMs)
    sending.mailer.wake()
    expect((await outcome).state).toBe('sent')
  })

  test('hears how it stands when the time is over', async () => {
    sink.fault({ at: 'dot', does: 'wait', ms: 1_500 })
    expect(await sendAndWait(office.startSender(), 200)).toEqual({ state: 'sending', failure: '' })
  })

  test('hears that the server can’t be reached, and from then on at once', async () => {
    await sink.close()
    const sender = office.startSender({ limits })
    const outcome = await sendAndWait(sender)
    expect(outcome).toEqual({
      state: 'queued',
      failure: 'Could not reach the mail server. Messages wait and are sent when it answers again.',
    })
    expect(sender.trouble()).toBe(outcome.failure)
    const [id = ''] = await office.queue([{}])
    const startedAt = performance.now()
    expect(await sender.mailer.outcomeOf(id, longMs)).toEqual(outcome)
    // Before the server is tried again.
    expect(performance.now() - startedAt).toBeLessThan(4_000)
    // Nothing is used up by waiting, nor by the tries in between.
    await expect.poll(office.states).toEqual({ queued: 2 })
    expect((await office.read(id)).attempts).toBe(0)
  })

  test('is told no end by the quota while the server can’t be reached', async () => {
    await sink.close()
    const sender = office.startSender({ limits, sends: false })
    const [id = ''] = await office.queue([{}])
    expect(await sender.forecasts.ofQueue()).toBeInstanceOf(Date)
    sender.start()
    await sender.mailer.outcomeOf(id, longMs)
    expect(await sender.forecasts.ofQueue()).toBeNull()
  })

  test('hears at once that the quota is spent', async () => {
    const sender = office.startSender({ quotas: { perDay: 10, perMinute: 2 } })
    await office.queue([{}, {}, {}])
    sender.mailer.wake()
    await until('two are sent', async () => (await office.states()).sent === 2)
    const outcome = await sendAndWait(sender)
    expect(outcome.state).toBe('queued')
    expect(outcome.failure).toBe(
      'It waits for its turn: the settings allow only so many e-mails in a minute.',
    )
    // Its own pace is no trouble.
    expect(sender.trouble()).toBe('')
  })

  test('hears at once that e-mail isn’t configured', async () => {
    office.useAccount(null)
    expect(await sendAndWait(office.startSender())).toEqual({
      state: 'queued',
      failure: mailSentences.notConfigured,
    })
  })

  test('of a server in trouble gets its messages sent when it is well again', async () => {
    sink.fault({ at: 'auth', does: 'answer', code: 454, text: '4.7.0 Later', times: 1 })
    const sender = office.startSender()
    expect(await sendAndWait(sender)).toMatchObject({ state: 'queued' })
    expect(sender.trouble()).toContain('454 4.7.0 Later')
    await until('it is sent', async () => (await office.states()).sent === 1)
    expect(sender.trouble()).toBe('')
    expect(sink.messages).toHaveLength(1)
  })

  test('is told the truth about the quotas of all processes', async () => {
    const quotas = { ...wideQuotas, perMinute: 7 }
    const senders = [office.startSender({ quotas }), office.startSender({ quotas })]
    await office.queue(Array.from({ length: 20 }, () => ({})))
    for (const { mailer } of senders) mailer.wake()
    await until('seven are sent', async () => (await office.states()).sent === 7)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await office.states()).toEqual({ sent: 7, queued: 13 })
    office.pass(61_000)
    for (const { mailer } of senders) mailer.wake()
    await until('seven more are sent', async () => (await office.states()).sent === 14)
    expect(sink.messages).toHaveLength(14)
  })
})
