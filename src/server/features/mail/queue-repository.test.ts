import { describe, expect, test } from 'vitest'
import { type MailQueueSetup, prepareMailQueue, until, wideQuotas } from '#tests/setup/mail-queue.ts'
import type { MailSink } from '#tests/setup/mail-sink.ts'

const hourMs = 3_600_000

describe('the quota of a day', () => {
  let office: MailQueueSetup
  let sink: MailSink

  prepareMailQueue((opened, started) => {
    office = opened
    sink = started
  })

  const many = (count: number) => Array.from({ length: count }, () => ({ kind: 'bulk' as const }))

  test('leaves a tenth to what one person waits for', async () => {
    const { mailer, trouble } = office.startSender({ quotas: { ...wideQuotas, perDay: 10 } })
    await office.queue(many(12))
    mailer.wake()
    await until('nine are sent', async () => (await office.states()).sent === 9)
    await office.queue([{ kind: 'welcome' }, { kind: 'welcome' }])
    mailer.wake()
    await until('ten are sent', async () => (await office.states()).sent === 10)
    await until('the quota is known to be spent', () => trouble() !== '')
    expect(await office.states()).toEqual({ sent: 10, queued: 4 })
    expect(trouble()).toBe(
      'As many e-mails were sent in the last 24 hours as the settings allow. The others wait.',
    )
  })

  test('leaves one place to what one person waits for, however small it is', async () => {
    const { mailer } = office.startSender({ quotas: { ...wideQuotas, perDay: 2 } })
    await office.queue(many(3))
    mailer.wake()
    await until('one is sent', async () => (await office.states()).sent === 1)
    const [welcome = ''] = await office.queue([{ kind: 'welcome' }])
    mailer.wake()
    await until('the confirmation is sent', async () => (await office.read(welcome)).state === 'sent')
    expect(await office.states()).toEqual({ sent: 2, queued: 2 })
  })

  test('is there again 24 hours later', async () => {
    const { mailer } = office.startSender({ quotas: { ...wideQuotas, perDay: 4 } })
    await office.queue(many(5))
    mailer.wake()
    await until('three are sent', async () => (await office.states()).sent === 3)
    office.pass(23 * hourMs)
    mailer.wake()
    expect(await office.states()).toEqual({ sent: 3, queued: 2 })
    office.pass(2 * hourMs)
    mailer.wake()
    expect(await office.settled()).toEqual({ sent: 5 })
  })

  test('that is lowered holds from the next message on', async () => {
    const quotas = { ...wideQuotas }
    const { mailer, trouble } = office.startSender({ quotas })
    await office.queue(many(300))
    mailer.wake()
    await until('some are sent', () => sink.messages.length > 5)
    const before = sink.messages.length
    quotas.perDay = 1
    await until('the quota is known to be spent', () => trouble() !== '')
    // Each lane may have one in hand.
    expect(sink.messages.length).toBeLessThanOrEqual(before + 3)
  })

  test('is not spent by what a clock sent that was a year ahead', async () => {
    const { mailer } = office.startSender({ quotas: { ...wideQuotas, perDay: 4 } })
    office.pass(365 * 24 * hourMs)
    await office.queue(many(3))
    mailer.wake()
    await until('they are sent', async () => (await office.states()).sent === 3)
    office.pass(-365 * 24 * hourMs)
    await office.queue(many(2))
    mailer.wake()
    expect(await office.settled()).toEqual({ sent: 5 })
  })

  test('counts what may have been sent, and not what certainly was not', async () => {
    sink.fault({ at: 'dot', does: 'cut', times: 1 })
    sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: '5.1.1 No', recipient: 'bad@student.example' })
    const { mailer } = office.startSender({ quotas: { ...wideQuotas, perDay: 2 } })
    await office.queue([{ recipient: 'bad@student.example' }, {}, {}, {}])
    mailer.wake()
    await until('the quota is spent', async () => {
      const { sent, sending } = await office.states()
      return sent === 1 && !sending
    })
    expect(await office.states()).toEqual({ failed: 1, unknown: 1, sent: 1, queued: 1 })
  })
})
