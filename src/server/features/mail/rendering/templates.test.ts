import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RegistrationReceipt } from '#shared/registration/registration.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { buildStoredMessage } from '#tests/factories/stored-batch.ts'
import { startMailingServer } from '#tests/setup/mail-account.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'
import { mayWelcome } from '../messages-repository.ts'

let mailing: Awaited<ReturnType<typeof startMailingServer>>
beforeAll(async () => {
  mailing = await startMailingServer()
})
afterAll(() => mailing.close())
beforeEach(() => mailing.sink.reset())

function send(body: unknown, key?: string) {
  return fetch(`${mailing.server.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key ? { 'Idempotency-Key': key } : {}) },
    body: JSON.stringify(body),
  })
}

async function register(body: unknown, key?: string): Promise<RegistrationReceipt> {
  const response = await send(body, key)
  expect(response.status).toBe(201)
  return await response.json()
}

const mailsOf = (recipient: string) =>
  mailing.server.database.db
    .selectFrom('mailMessages')
    .selectAll()
    .where('recipient', '=', recipient)
    .execute()

describe('a registration is confirmed by mail', () => {
  test('with name, component and reference, linked to the record', async () => {
    const email = 'first@student.example'
    const { id, reference, emailSent, emailError } = await register(buildRegistration({ email }))
    expect({ emailSent, emailError }).toEqual({ emailSent: true, emailError: null })
    const [mail] = mailing.sink.messages
    expect(mail?.to).toEqual([email])
    expect(mail?.raw).toContain(reference)
    expect(mail?.raw).toMatch(/^Subject: Welcome to NSTP/m)
    expect(await mailsOf(email)).toMatchObject([
      {
        studentId: id,
        kind: 'welcome',
        state: 'sent',
        content: { values: { reference, nstpComponent: 'CWTS' } },
      },
    ])
  })

  test('once for 50 concurrent requests with one key', async () => {
    const email = 'double@student.example'
    const body = buildRegistration({ email })
    const key = randomUUID()
    const receipts = await Promise.all(Array.from({ length: 50 }, () => register(body, key)))
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1)
    expect(receipts.every(({ emailSent }) => emailSent)).toBe(true)
    expect(mailing.sink.messages).toHaveLength(1)
    expect(await mailsOf(email)).toHaveLength(1)
    expect(await register(body, key)).toEqual(receipts[0])
    expect(mailing.sink.messages).toHaveLength(1)
  })

  test.each([
    [
      'in capitals and with tags',
      ['flood@student.example', 'FLOOD@student.example', 'flood+tag@student.example'],
    ],
    ['with the dots of Gmail', ['flood@gmail.com', 'f.lo.od@Gmail.com', 'flo.od+tag@googlemail.com']],
  ])('at most three times a day to one mailbox, also concurrently, %s', async (_how, writings) => {
    const receipts = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        register(buildRegistration({ email: writings[index % 3] ?? '' })),
      ),
    )
    expect(receipts.filter(({ emailSent }) => emailSent)).toHaveLength(3)
    expect(mailing.sink.messages).toHaveLength(3)
    const { emailError } = receipts.find(({ emailSent }) => !emailSent) ?? {}
    expect(emailError).toBe(
      'Several confirmations were already sent to this e-mail address today, so no further one was sent. Please write down the reference code.',
    )
  })

  test('not before it is known whether another process sends the third', async () => {
    const { database } = mailing.server
    const spelling = (tag: string) => `shared+${tag}@student.example`
    for (const tag of ['one', 'two']) await register(buildRegistration({ email: spelling(tag) }))
    const { fourth } = await database.transact(async (tx) => {
      const recipient = spelling('three')
      expect(await mayWelcome(tx, recipient, new Date(0), 3)).toBe(true)
      const third = buildStoredMessage({ kind: 'welcome', recipient, createdAt: new Date() })
      await tx.insertInto('mailMessages').values(third).execute()
      const fourth = register(buildRegistration({ email: spelling('four') }))
      await Promise.race([fourth, untilWaiting(database)])
      return { fourth }
    })
    expect((await fourth).emailSent).toBe(false)
    expect(mailing.sink.messages).toHaveLength(2)
  })
})

test('a name that is an address is no link in the mail', async () => {
  const name = { firstName: 'https://win.example/now', lastName: 'J.P. Cruz' }
  await register(buildRegistration({ email: 'link@student.example', ...name }))
  const raw = mailing.sink.messages[0]?.raw.replaceAll('=\r\n', '')
  expect(raw).toContain('Dear https:// win. example/ now J. P. Cruz,')
  expect(raw).not.toContain('win.example')
})

describe('a registration is stored', () => {
  test('when the mail server refuses its address', async () => {
    mailing.sink.fault({
      at: 'rcpt',
      does: 'answer',
      code: 550,
      text: 'No such user here: nobody@student.example',
    })
    const receipt = await register(buildRegistration({ email: 'nobody@student.example' }))
    expect(receipt).toMatchObject({
      emailSent: false,
      emailError:
        'The mail server did not accept the confirmation e-mail. Please write down the reference code.',
    })
  })

  test('when the result of the mail is unknown', async () => {
    mailing.sink.fault({ at: 'dot', does: 'cut', accepts: true })
    const receipt = await register(buildRegistration({ email: 'unsure@student.example' }))
    expect(receipt).toMatchObject({
      emailSent: false,
      emailError: 'The confirmation e-mail may not have arrived. Please write down the reference code.',
    })
  })

  test('when its address is not valid for mail', async () => {
    const receipt = await register(buildRegistration({ email: 'zero\u200bwidth@student.example' }))
    expect(receipt.emailSent).toBe(false)
    expect(mailing.sink.messages).toEqual([])
  })
})
