import { expect, test } from 'vitest'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import type { MailSink } from '#tests/setup/mail-sink.ts'
import { type MailWorkerFixture, setUpMailWorkerFixture, until } from '#tests/setup/mail-worker-fixture.ts'

let fixture: MailWorkerFixture
let sink: MailSink

setUpMailWorkerFixture((opened, started) => {
  fixture = opened
  sink = started
})

const office = 'office@school.example'
const bulk = async (count: number) =>
  (
    await storeBatch(
      fixture.database,
      Array.from({ length: count }, () => ({ state: 'queued' as const, notBefore: fixture.clock() })),
    )
  ).messageIds
// As providers answer for an account that may not send: none of it is known to the product.
const answersAboutTheAccount = [
  [550, '5.1.90 Your message can’t be sent because you’ve exceeded the recipients limit.', 'rcpt'],
  [550, '5.7.60 SMTP; Client does not have permissions to send as this sender', 'dot'],
  [554, '5.2.252 SendAsDenied; office@school.example not allowed to send as registrar@school.example', 'dot'],
  [550, '5.7.708 Service unavailable. Access denied, traffic not accepted from this IP', 'rcpt'],
  [550, '5.7.501 Access denied, spam abuse detected', 'rcpt'],
  [554, '5.7.1 Your account is suspended', 'rcpt'],
  [552, '5.7.0 This message was blocked because its content presents a potential security issue', 'dot'],
  [550, 'You have reached your daily sending quota', 'rcpt'],
  [535, '5.7.8 Outgoing mail of this user is disabled', 'rcpt'],
  [451, '4.7.500 Server busy. Please try again later', 'rcpt'],
  [450, '4.2.1 The account has sent too many messages', 'rcpt'],
] as const

test.each(answersAboutTheAccount)(
  '%i %s, also to the own address, is the account: nobody is written off',
  async (code, text, at) => {
    sink.fault({ at, does: 'answer', code, text })
    await bulk(16)
    const sender = fixture.startSender()
    await until('the queue pauses', () => sender.problem() !== '')
    expect(sender.problem()).toBe(
      `The mail server refuses what this account sends, also to its own address. The mail server refused the e-mail: ${code} ${text}`.replaceAll(
        /\S+@\S+/g,
        '…',
      ),
    )
    await until('all of them wait', async () => (await fixture.states()).queued === 16)
    // Three recipients, those on their way meanwhile, and the own address for them: not all that wait.
    expect(sink.counts.offered).toBeLessThanOrEqual(10)
    sink.clearFaults()
    fixture.useAccount(sink.account)
    fixture.pass(16 * 60_000)
    sender.mailer.wake()
    await until('all are sent', async () => (await fixture.states()).sent === 16)
  },
)

test('the own address is accepted: the recipients are meant, and a list of dead addresses asks once', async () => {
  const ids = await bulk(9)
  const recipients = await Promise.all(ids.map(async (id) => (await fixture.read(id)).recipient))
  for (const recipient of recipients)
    sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: '5.1.1 No such user', recipient })
  fixture.startSender()
  expect(await fixture.settled()).toEqual({ failed: 9 })
  expect(sink.messages.map(({ to }) => to)).toEqual([[office]])
  expect(sink.messages[0]?.raw).toContain('Subject: Does this account still send?')
})

test('one after another, refusals of other kinds or with mail that is sent between them ask nothing', async () => {
  const ids = await bulk(6)
  const recipients = await Promise.all(ids.map(async (id) => (await fixture.read(id)).recipient))
  for (const [index, recipient] of recipients.entries()) {
    if (index % 3 === 2) continue
    sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: `5.1.${1 + (index % 2)} No`, recipient })
  }
  fixture.startSender()
  expect(await fixture.settled()).toEqual({ failed: 4, sent: 2 })
  expect(sink.messages.some(({ to }) => to.includes(office))).toBe(false)
})

test('a sender without a mailbox does not stop the queue: the next mail that is sent shows that the account works', async () => {
  const ids = await bulk(3)
  const recipients = await Promise.all(ids.map(async (id) => (await fixture.read(id)).recipient))
  for (const recipient of [...recipients, office])
    sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: '5.1.1 No such user', recipient })
  const sender = fixture.startSender()
  await until('the queue pauses', () => sender.problem() !== '')
  await fixture.queue([{ recipient: 'ana@student.example' }])
  // As after the pause.
  fixture.useAccount(sink.account)
  await until('the other is sent', async () => (await fixture.states()).sent === 1)
  fixture.pass(16 * 60_000)
  sender.mailer.wake()
  expect(await fixture.settled()).toEqual({ sent: 1, failed: 3 })
})
