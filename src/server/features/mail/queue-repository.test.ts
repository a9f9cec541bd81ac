import { describe, expect, test } from 'vitest'
import type { MailSink } from '#tests/setup/mail-sink.ts'
import {
  type MailWorkerFixture,
  setUpMailWorkerFixture,
  unlimitedQuotas,
  until,
} from '#tests/setup/mail-worker-fixture.ts'

const hourMs = 3_600_000

describe('the quota of a day', () => {
  let fixture: MailWorkerFixture
  let sink: MailSink

  setUpMailWorkerFixture((opened, started) => {
    fixture = opened
    sink = started
  })

  const many = (count: number) => Array.from({ length: count }, () => ({ kind: 'bulk' as const }))

  test('reserves a tenth for single mail', async () => {
    const { mailer, problem } = fixture.startSender({ quotas: { ...unlimitedQuotas, perDay: 10 } })
    await fixture.queue(many(12))
    mailer.wake()
    await until('nine are sent', async () => (await fixture.states()).sent === 9)
    await fixture.queue([{ kind: 'welcome' }, { kind: 'welcome' }])
    mailer.wake()
    await until('ten are sent', async () => (await fixture.states()).sent === 10)
    await until('the quota is known to be spent', () => problem() !== '')
    expect(await fixture.states()).toEqual({ sent: 10, queued: 4 })
    expect(problem()).toBe('The e-mail limit for 24 hours is reached. The other e-mails are sent later.')
  })

  test('reserves at least one message for single mail', async () => {
    const { mailer } = fixture.startSender({ quotas: { ...unlimitedQuotas, perDay: 2 } })
    await fixture.queue(many(3))
    mailer.wake()
    await until('one is sent', async () => (await fixture.states()).sent === 1)
    const [welcome = ''] = await fixture.queue([{ kind: 'welcome' }])
    mailer.wake()
    await until('the confirmation is sent', async () => (await fixture.read(welcome)).state === 'sent')
    expect(await fixture.states()).toEqual({ sent: 2, queued: 2 })
  })

  const welcomes = (count: number) => Array.from({ length: count }, () => ({ kind: 'welcome' as const }))

  test('gives at most half to welcome mail, which anybody can cause', async () => {
    const { mailer } = fixture.startSender({ quotas: { ...unlimitedQuotas, perDay: 10 } })
    await fixture.queue(welcomes(8))
    mailer.wake()
    await until('half are sent', async () => (await fixture.states()).sent === 5)
    await until('the share is known to be spent', mailer.holdsWelcomes)
    await fixture.queue([...many(2), { kind: 'single' }])
    mailer.wake()
    await until('others are sent', async () => (await fixture.states()).sent === 8)
    expect(await fixture.states()).toEqual({ sent: 8, queued: 3 })
    fixture.pass(25 * hourMs)
    mailer.wake()
    expect(await fixture.settled()).toEqual({ sent: 11 })
  })

  test('sends what a person wrote to one other first, then welcome mail, then bulk mail', async () => {
    const quotas = { perDay: 10, perMinute: 1 }
    const { mailer } = fixture.startSender({ quotas })
    const ids = await fixture.queue([...many(1), ...welcomes(1), { kind: 'single' }])
    for (const sent of [1, 2, 3]) {
      mailer.wake()
      await until('one more is sent', async () => (await fixture.states()).sent === sent)
      expect((await fixture.read(ids[3 - sent] ?? '')).state).toBe('sent')
      fixture.pass(hourMs)
    }
  })

  test('is available again after 24 hours', async () => {
    const { mailer, problem } = fixture.startSender({ quotas: { ...unlimitedQuotas, perDay: 4 } })
    await fixture.queue(many(4))
    mailer.wake()
    await until('three are sent', async () => (await fixture.states()).sent === 3)
    await fixture.queue([{ kind: 'single' }, { kind: 'single' }])
    mailer.wake()
    await until('the quota is known to be spent', () => problem() !== '')
    fixture.pass(23 * hourMs)
    mailer.wake()
    await until('the fourth is sent', async () => (await fixture.states()).sending === undefined)
    expect(await fixture.states()).toEqual({ sent: 4, queued: 2 })
    fixture.pass(2 * hourMs)
    mailer.wake()
    expect(await fixture.settled()).toEqual({ sent: 6 })
  })

  test('applies from the next message when lowered', async () => {
    const quotas = { ...unlimitedQuotas }
    const { mailer, problem } = fixture.startSender({ quotas })
    await fixture.queue(many(300))
    mailer.wake()
    await until('some are sent', () => sink.messages.length > 5)
    const before = sink.messages.length
    quotas.perDay = 1
    await until('the quota is known to be spent', () => problem() !== '')
    // Each connection may have one in flight.
    expect(sink.messages.length).toBeLessThanOrEqual(before + 3)
  })

  test('ignores messages sent while the clock was a year ahead', async () => {
    const { mailer } = fixture.startSender({ quotas: { ...unlimitedQuotas, perDay: 4 } })
    fixture.pass(365 * 24 * hourMs)
    await fixture.queue(many(3))
    mailer.wake()
    await until('they are sent', async () => (await fixture.states()).sent === 3)
    fixture.pass(-365 * 24 * hourMs)
    await fixture.queue(many(2))
    mailer.wake()
    expect(await fixture.settled()).toEqual({ sent: 5 })
  })

  test('counts unknown messages, but not failed ones', async () => {
    sink.fault({ at: 'dot', does: 'cut', times: 1 })
    sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: '5.1.1 No', recipient: 'bad@student.example' })
    const { mailer } = fixture.startSender({ quotas: { ...unlimitedQuotas, perDay: 2 } })
    await fixture.queue([{ recipient: 'bad@student.example' }, {}, {}, {}])
    mailer.wake()
    await until('the quota is spent', async () => {
      const { sent, sending } = await fixture.states()
      return sent === 1 && !sending
    })
    expect(await fixture.states()).toEqual({ failed: 1, unknown: 1, sent: 1, queued: 1 })
  })
})
