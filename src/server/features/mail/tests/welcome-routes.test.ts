import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMailingServer } from '#tests/setup/mail-account.ts'

let mailing: Awaited<ReturnType<typeof startMailingServer>>
let cookie = ''
beforeAll(async () => {
  mailing = await startMailingServer()
  cookie = await mailing.server.signIn()
})
afterAll(() => mailing.close())
beforeEach(() => mailing.sink.reset())

const ana = { email: 'ana@student.example', firstName: 'Ana', lastName: 'Peña', nstpComponent: 'ROTC' }

async function send(body: object, headers: Record<string, string> = { Cookie: cookie }) {
  const response = await fetch(`${mailing.server.url}/emailService/send-welcome-email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  return { status: response.status, success: answer.success, message: answer.message }
}

describe('POST /emailService/send-welcome-email', () => {
  test('sends the welcome mail', async () => {
    expect(await send(ana)).toEqual({ status: 200, success: true, message: 'Email sent successfully' })
    expect(mailing.sink.messages.map(({ to }) => to)).toEqual([[ana.email]])
  })

  test.each(['email', 'firstName', 'lastName', 'nstpComponent'])('needs %s', async (field) => {
    const message = 'Missing required student data for sending welcome email'
    const without = Object.fromEntries(Object.entries(ana).filter(([name]) => name !== field))
    expect(await send(without)).toEqual({ status: 422, success: false, message })
    expect(await send({ ...ana, [field]: '  ' })).toEqual({ status: 422, success: false, message })
  })

  test.each(['NSTP', 'rotc', 'ROTC, CWTS', 'x'.repeat(101)])(
    'refuses the component %s',
    async (nstpComponent) => {
      expect(await send({ ...ana, nstpComponent })).toEqual({
        status: 422,
        success: false,
        message: 'Please choose the component: ROTC, CWTS, LTS.',
      })
      expect(mailing.sink.messages).toEqual([])
    },
  )

  test.each(['CWTS', ' LTS '])('takes %s', async (nstpComponent) => {
    const email = `${nstpComponent.trim()}@student.example`
    expect(await send({ ...ana, email, nstpComponent })).toMatchObject({ status: 200, success: true })
    expect(mailing.sink.messages[0]?.raw).toContain(`${nstpComponent.trim()} (`)
  })

  test('says why the mail server refused it', async () => {
    mailing.sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: 'No such user' })
    const { status, success, message } = await send({ ...ana, email: 'none@student.example' })
    expect([status, success]).toEqual([502, false])
    expect(message).toMatch(/^Failed to send welcome email/)
  })

  test('sends at most three a day to one address', async () => {
    const flooded = { ...ana, email: 'flooded@student.example' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(flooded)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.find(({ status }) => status !== 200)).toEqual({
      status: 429,
      success: false,
      message:
        'This address has already been sent 3 welcome e-mails within a day. Please try again tomorrow.',
    })
    expect(mailing.sink.messages).toHaveLength(3)
  })

  test('is for administrators and for programs with a token', async () => {
    expect(await send(ana, {})).toMatchObject({ status: 401, success: false })
    const made = await fetch(`${mailing.server.url}/api/tokens`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: JSON.stringify({ name: 'The library' }),
    })
    const { token } = await made.json()
    const headers = { Authorization: `Bearer ${token}` }
    expect(await send({ ...ana, email: 'library@student.example' }, headers)).toMatchObject({ status: 200 })
  })
})
