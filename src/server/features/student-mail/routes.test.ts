import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOptOutRepository } from '#server/features/mail-opt-out/repository.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startMailingServer } from '#tests/setup/mail-account.ts'
import { startTestServer } from '#tests/setup/test-server.ts'

let mailing: Awaited<ReturnType<typeof startMailingServer>>
let admin: ReturnType<typeof createAdminClient>
beforeAll(async () => {
  mailing = await startMailingServer()
  admin = createAdminClient(mailing.server, await mailing.server.signIn())
})
afterAll(() => mailing.close())
beforeEach(() => mailing.sink.reset())

async function register(email: string): Promise<string> {
  const response = await admin.call('POST', '/registrations', buildRegistration({ email }))
  return (await response.json()).id
}

async function audited(action: string): Promise<unknown[]> {
  const { items } = await (await admin.call('GET', `/audit?action=${action}`)).json()
  return items
}

describe("a student's mail", () => {
  test('is the messages that were sent, the newest first', async () => {
    const id = await register('shown@student.example')
    const { optedOut, messages } = await (await admin.call('GET', `/students/${id}/mail`)).json()
    expect(optedOut).toBe(false)
    expect(messages).toEqual([
      {
        id: expect.any(String),
        kind: 'welcome',
        subject: 'Welcome to NSTP',
        recipient: 'shown@student.example',
        state: 'sent',
        createdAt: expect.any(String),
        endedAt: expect.any(String),
        failure: '',
      },
    ])
  })

  test('may be sent once more, until the address had its share of a day; each time is in the audit trail', async () => {
    const id = await register('again@student.example')
    for (const _time of ['second', 'third']) {
      const response = await admin.call('POST', `/students/${id}/welcome-mail`)
      expect([response.status, await response.json()]).toEqual([200, { state: 'sent', failure: '' }])
    }
    expect(await admin.refusal('POST', `/students/${id}/welcome-mail`)).toMatchObject({
      status: 429,
      detail: 'This address has had 3 welcome e-mails within a day. Please try again tomorrow.',
    })
    expect(mailing.sink.messages.map(({ to }) => to)).toEqual(Array(3).fill(['again@student.example']))
    expect(mailing.sink.messages[1]?.raw).toMatch(/NSTP-[2-9A-Z]{4}-[2-9A-Z]{4}/)
    expect(await audited('mail-sent')).toHaveLength(2)
  })

  test('announcements are stopped and sent again; each change is in the audit trail once', async () => {
    const email = 'Quiet@student.example'
    const id = await register(email)
    const change = (announcements: boolean) => admin.call('PUT', `/students/${id}/mail`, { announcements })
    expect(await (await change(false)).json()).toMatchObject({ optedOut: true })
    expect(await (await change(false)).json()).toMatchObject({ optedOut: true })
    const leftOut = await createOptOutRepository(mailing.server.database.db).leftOut([
      'quiet@student.example',
    ])
    expect(leftOut.size).toBe(1)
    expect(await audited('mail-opt-out-changed')).toHaveLength(1)
    expect(await (await change(true)).json()).toMatchObject({ optedOut: false })
    expect(await audited('mail-opt-out-changed')).toHaveLength(2)
  })

  test.each([
    ['GET', '/mail', undefined],
    ['PUT', '/mail', { announcements: true }],
    ['POST', '/welcome-mail', undefined],
  ])('%s %s is for administrators, of a student that there is', async (method, path, body) => {
    const nobody = createAdminClient(mailing.server, '')
    const none = '/students/0190aaaa-0000-7000-8000-000000000000'
    expect(await nobody.refusal(method, `${none}${path}`, body)).toMatchObject({ status: 401 })
    expect(await admin.refusal(method, `${none}${path}`, body)).toMatchObject({ status: 404 })
    expect(await admin.refusal(method, `/students/abc${path}`, body)).toMatchObject({
      status: 422,
      detail: 'This is no id of a student.',
    })
  })

  test('says what is missing in a change', async () => {
    const id = await register('missing@student.example')
    expect(await admin.refusal('PUT', `/students/${id}/mail`, {})).toMatchObject({
      status: 422,
      detail: 'Choose whether announcements are sent by e-mail.',
    })
  })
})

test('without an account nothing is sent again', async () => {
  const server = await startTestServer()
  try {
    const client = createAdminClient(server, await server.signIn())
    const registered = await client.call('POST', '/registrations', buildRegistration())
    const { id } = await registered.json()
    expect(await client.refusal('POST', `/students/${id}/welcome-mail`)).toMatchObject({
      status: 503,
      detail: 'Email service is not configured.',
    })
  } finally {
    await server.close()
  }
})
