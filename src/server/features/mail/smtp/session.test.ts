import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import type { MailFault } from '#tests/setup/mail-faults.ts'
import { type MailSink, type MailSinkOptions, startMailSink } from '#tests/setup/mail-sink.ts'
import { mailProblemOf } from './failures.ts'
import { composeMessage } from './message.ts'
import { openSession } from './session.ts'

// ms, under load.
const limits = { connectMs: 2_000, answerMs: 1_200, messageMs: 10_000 }

describe('a session with a mail server', () => {
  let sink: MailSink

  async function start(options?: MailSinkOptions) {
    sink = await startMailSink(options)
    return sink
  }
  afterEach(() => sink.close())

  function compose(id = 'b6d7a3f0') {
    return composeMessage({
      id,
      from: { name: 'NSTP Office', address: sink.account.senderAddress },
      to: 'ana@student.example',
      date: new Date('2026-11-21T08:00:00Z'),
      subject: 'Kumusta, Ñiño',
      html: '<p>See you.</p>',
      text: 'See you.',
      headers: {},
      attachments: [],
    })
  }

  const open = (account: SendingAccount = sink.account) =>
    openSession({ account, limits, deadline: AbortSignal.timeout(limits.messageMs) })

  async function send(session: Awaited<ReturnType<typeof open>>, id?: string) {
    return session.send(await compose(id), AbortSignal.timeout(limits.messageMs))
  }

  async function problemOf(account: SendingAccount = sink.account) {
    const error: unknown = await open(account).then(
      (session) => session.close(),
      (error: unknown) => error,
    )
    return error instanceof Error ? mailProblemOf(error, account) : undefined
  }

  describe('in operation', () => {
    beforeEach(() => start())

    test('connects to the address that was checked, and to none that is closed', async () => {
      const seen: string[] = []
      const account = (isOpen: boolean) => ({
        ...sink.account,
        host: 'localhost',
        mayConnect: (address: string) => seen.push(address) > 0 && isOpen,
      })
      expect(await problemOf(account(false))).toMatchObject({ kind: 'connection' })
      expect(sink.counts.connections).toBe(0)
      expect(await problemOf(account(true))).toBeUndefined()
      expect(sink.counts.connections).toBe(1)
      expect(seen).toContain('127.0.0.1')
    })

    test('sends one message after the other over one connection', async () => {
      const session = await open()
      expect(await send(session, 'first')).toEqual({ end: 'sent' })
      expect(await send(session, 'second')).toEqual({ end: 'sent' })
      session.close()
      expect(sink.messages.map(({ id, from, to, user }) => ({ id, from, to, user }))).toEqual(
        ['first', 'second'].map((id) => ({
          id,
          from: 'office@school.example',
          to: ['ana@student.example'],
          user: 'office@school.example',
        })),
      )
      expect(sink.counts).toMatchObject({ connections: 1, signIns: 1, offered: 2 })
    })

    test('continues after a refused recipient', async () => {
      sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: '5.1.1 No such user', times: 1 })
      const session = await open()
      expect(await send(session)).toEqual({
        end: 'refused',
        failure: 'The mail server refused the e-mail: 550 5.1.1 No such user',
        code: '5.1.1',
      })
      expect(await send(session)).toEqual({ end: 'sent' })
      expect(sink.counts.connections).toBe(1)
      session.close()
    })
  })

  const refusals: [string, MailFault, string][] = [
    ['RCPT with 550', { at: 'rcpt', does: 'answer', code: 550, text: '5.1.1 No' }, 'refused'],
    ['RCPT with 451', { at: 'rcpt', does: 'answer', code: 451, text: '4.2.1 Later' }, 'deferred'],
    [
      'RCPT with 452, its box is full',
      { at: 'rcpt', does: 'answer', code: 452, text: '4.2.2 Full' },
      'deferred',
    ],
    ['DATA with 550', { at: 'data', does: 'answer', code: 550, text: '5.7.1 No' }, 'refused'],
    ['DATA with 451', { at: 'data', does: 'answer', code: 451, text: '4.7.1 Later' }, 'deferred'],
    ['the message with 550', { at: 'dot', does: 'answer', code: 550, text: '5.6.0 No' }, 'refused'],
    ['the message with 451', { at: 'dot', does: 'answer', code: 451, text: '4.7.1 Later' }, 'deferred'],
    ['the message with 421', { at: 'dot', does: 'answer', code: 421, text: '4.3.2 Closing' }, 'deferred'],
    ['MAIL with 552, too large', { at: 'mail', does: 'answer', code: 552, text: '5.3.4 Big' }, 'refused'],
    ['MAIL with 550', { at: 'mail', does: 'answer', code: 550, text: '5.7.1 Not you' }, 'unreached'],
    ['MAIL with 451', { at: 'mail', does: 'answer', code: 451, text: '4.7.1 Later' }, 'unreached'],
    ['all for today', { at: 'dot', does: 'answer', code: 550, text: '5.4.5 Enough' }, 'unreached'],
    ['by silence at MAIL', { at: 'mail', does: 'silence' }, 'deferred'],
    ['by silence at RCPT', { at: 'rcpt', does: 'silence' }, 'deferred'],
    ['by silence at DATA', { at: 'data', does: 'silence' }, 'deferred'],
    ['by a cut at MAIL', { at: 'mail', does: 'cut' }, 'deferred'],
    ['by a cut at RCPT', { at: 'rcpt', does: 'cut' }, 'deferred'],
    ['by a cut at DATA', { at: 'data', does: 'cut' }, 'deferred'],
    ['by a cut before the final dot', { at: 'body', does: 'cut' }, 'deferred'],
  ]
  test.each(refusals)('reports %s as not accepted', async (_, fault, end) => {
    await start()
    sink.fault(fault)
    const session = await open()
    expect(await send(session)).toMatchObject({ end })
    session.close()
    expect(sink.messages).toEqual([])
  })

  const unknownResults: [string, MailFault, number][] = [
    ['is cut before the server took it', { at: 'dot', does: 'cut' }, 0],
    ['is cut after the server took it', { at: 'dot', does: 'cut', accepts: true }, 1],
    ['is silent before the server took it', { at: 'dot', does: 'silence' }, 0],
    ['is silent after the server took it', { at: 'dot', does: 'silence', accepts: true }, 1],
    ['brings neither a yes nor a no', { at: 'dot', does: 'answer', code: 354, text: 'Go on' }, 0],
  ]
  test.each(unknownResults)('reports an unknown result when the connection %s', async (_, fault, taken) => {
    await start()
    sink.fault(fault)
    const session = await open()
    expect(await send(session)).toMatchObject({ end: 'unknown' })
    expect(session.isUsable()).toBe(false)
    expect(sink.messages).toHaveLength(taken)
  })

  test('waits for a slow server', async () => {
    await start()
    for (const at of ['greeting', 'auth', 'mail', 'rcpt', 'data', 'dot'] as const) {
      sink.fault({ at, does: 'wait', ms: limits.answerMs / 2 })
    }
    const session = await open()
    expect(await send(session)).toEqual({ end: 'sent' })
    session.close()
  })

  test('gives up a message after its time limit, even while the server answers', async () => {
    await start()
    sink.fault({ at: 'dot', does: 'silence' })
    const session = await openSession({
      account: sink.account,
      limits: { ...limits, answerMs: 60_000 },
      deadline: AbortSignal.timeout(1_000),
    })
    expect(await session.send(await compose(), AbortSignal.timeout(200))).toMatchObject({ end: 'unknown' })
  })

  test('is not opened with a wrong password', async () => {
    await start()
    expect(await problemOf({ ...sink.account, password: 'wrong' })).toEqual({
      kind: 'sign-in',
      sentence:
        'The mail server did not accept the e-mail address and the app password. Please check the configuration. It answered: 535 No.',
    })
  })

  test('is not opened without a server', async () => {
    await start()
    await sink.close()
    expect(await problemOf()).toMatchObject({ kind: 'connection' })
  })

  test.each(['greeting', 'auth'] as const)(
    'is not opened when the server does not answer at %s',
    async (at) => {
      await start()
      sink.fault({ at, does: 'silence' })
      expect(await problemOf()).toMatchObject({ kind: 'connection' })
    },
  )

  test('is not opened when the server refuses connections', async () => {
    await start()
    sink.fault({ at: 'greeting', does: 'answer', code: 421, text: '4.3.2 Closed' })
    expect(await problemOf()).toMatchObject({ kind: 'server' })
  })

  test.each(['starttls', 'implicit'] as const)(
    'is not opened to a remote server with an untrusted certificate (%s)',
    async (encryption) => {
      await start({ host: '127.0.0.2', encryption })
      expect(await problemOf()).toMatchObject({
        kind: 'encryption',
        sentence: 'The certificate of the mail server can’t be trusted, so nothing was sent.',
      })
      expect(sink.counts.signIns).toBe(0)
    },
  )

  test('is not opened to a remote server without encryption', async () => {
    await start({ host: '127.0.0.2' })
    expect(await problemOf()).toMatchObject({ kind: 'encryption' })
    expect(sink.counts.signIns).toBe(0)
  })

  test('needs no sign-in at a local server that offers none', async () => {
    await start({ offersSignIn: false })
    const session = await open()
    expect(await send(session)).toEqual({ end: 'sent' })
    session.close()
  })
})
