import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildStoredMessage } from '#tests/factories/stored-batch.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type AuditTrail, createAuditTrail } from '#tests/setup/audit-trail.ts'
import { configureMail, removeMailAccount } from '#tests/setup/configure-mail.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { startTestServer, type TestServer, testKeys } from '#tests/setup/test-server.ts'
import { createOptOutHash, createOptOutRepository, keyOptOuts } from './opt-outs-repository.ts'
import { createUnsubscribeTokens } from './rendering/renderer.ts'

describe('single routes', () => {
  const to = 'juan@example.edu.ph'
  const mail = { to, subject: 'Orientation', message: 'On **Monday** at seven.\n\nBring a pen.' }

  let sink: MailSink
  let server: TestServer
  let cookie: string
  let admin: ReturnType<typeof createAdminClient>
  let trail: AuditTrail

  beforeAll(async () => {
    sink = await startMailSink()
    server = await startTestServer()
    cookie = await server.signIn()
    admin = createAdminClient(server, cookie)
    trail = createAuditTrail(server.database)
    await configureMail(server.url, cookie, sink.account)
  })
  afterAll(async () => {
    await server.close()
    await sink.close()
  })
  beforeEach(async () => {
    sink.reset()
    await server.database.db.deleteFrom('mailMessages').execute()
    await trail.clear()
  })

  async function send(body: unknown, headers: Record<string, string> = {}) {
    const response = await admin.call('POST', '/send-email', body, headers)
    return { status: response.status, body: await response.json() }
  }

  const rows = () =>
    server.database.db
      .selectFrom('mailMessages')
      .selectAll()
      .where('subject', 'not like', 'Security notice:%')
      .execute()

  describe('a mail to one person', () => {
    test('is sent, stored, and audited without its address', async () => {
      const { status, body } = await send(mail)
      expect({ status, body }).toEqual({
        status: 200,
        body: { success: true, message: 'Email sent successfully', id: body.id, state: 'sent' },
      })
      expect(sink.messages).toMatchObject([{ id: body.id, from: sink.account.senderAddress, to: [to] }])
      expect(sink.messages[0]?.raw).toContain('Subject: Orientation')
      expect(sink.messages[0]?.raw).toContain('<strong>Monday</strong>')
      expect(await rows()).toMatchObject([{ id: body.id, kind: 'single', recipient: to, state: 'sent' }])
      const entries = await trail.entries()
      expect(entries).toMatchObject([{ action: 'mail-sent', subject: '', detail: { kind: 'single' } }])
      expect(JSON.stringify(entries)).not.toContain('juan')
    })

    test('is linked to the student with this address, in any case', async () => {
      const student = await storeStudent(server.database, { email: 'Maria@example.edu.ph' })
      await send({ ...mail, to: 'maria@Example.edu.ph' })
      const shown = await (await admin.call('GET', `/students/${student.id}/mail`)).json()
      expect(shown.messages).toMatchObject([{ kind: 'single', subject: 'Orientation', state: 'sent' }])
    })

    test('is sent with a token, under its name', async () => {
      const { token } = await (await admin.call('POST', '/tokens', { name: 'Registrar' })).json()
      await trail.clear()
      const response = await createAdminClient(server, '').call('POST', '/send-email', mail, {
        Authorization: `Bearer ${token}`,
      })
      expect(response.status).toBe(200)
      expect(sink.messages).toHaveLength(1)
      expect(await trail.entries()).toMatchObject([
        { action: 'mail-sent', actor: 'API token Registrar', adminId: null },
      ])
    })

    test('is HTML when it has tags, unless the format is text', async () => {
      const message = '<p onclick="steal()">On <b>Monday</b></p><script>steal()</script>'
      await send({ ...mail, message })
      await send({ ...mail, message, format: 'text' })
      const [html, text] = sink.messages.map(({ raw }) => raw.replaceAll('=\r\n', ''))
      expect(html).toContain('<b>Monday</b>')
      expect(html).not.toContain('steal()')
      expect(text).toContain('&lt;script&gt;')
      expect((await rows()).map(({ content }) => content)).toMatchObject([
        { format: 'html' },
        { format: 'text' },
      ])
    })

    test('is text when only an address or a heart is in angle brackets', async () => {
      await send({ ...mail, message: 'Write to <juan@x.example>. We <3 you.' })
      const { raw = '' } = sink.messages.at(-1) ?? {}
      expect(raw).toContain('Write to <juan@x.example>. We <3 you.')
    })

    test('as a test goes to the sender', async () => {
      const { subject, message } = mail
      const response = await admin.call('POST', '/mail/test', { subject, message })
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ success: true, message: 'Email sent successfully' })
      expect(sink.messages).toMatchObject([{ to: [sink.account.senderAddress] }])
      expect(await rows()).toMatchObject([{ kind: 'test' }])
      expect(await trail.entries()).toMatchObject([{ action: 'mail-sent', detail: { kind: 'test' } }])
    })
  })

  describe('a mail that is not sent is reported:', () => {
    test('refused by the mail server', async () => {
      sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: 'No such user', times: 1 })
      const { status, body } = await send(mail)
      expect(status).toBe(502)
      expect(body).toMatchObject({ code: 'not_sent', success: false, mail: { state: 'failed' } })
      expect(body.detail).toMatch(/^Failed to send email: ./)
      expect(body.message).toBe(body.detail)
      expect(await rows()).toMatchObject([{ id: body.mail.id, state: 'failed' }])
    })

    test('refused temporarily, and queued', async () => {
      sink.fault({ at: 'rcpt', does: 'answer', code: 451, text: 'Later', times: 1 })
      const { status, body } = await send(mail)
      expect(status).toBe(202)
      expect(body).toMatchObject({ success: false, state: 'queued' })
      expect(body.message).toMatch(/^The e-mail is in the outbox and will be sent as soon as possible\. ./)
    })

    test('unknown', async () => {
      sink.fault({ at: 'dot', does: 'cut', accepts: true, times: 1 })
      const { status, body } = await send(mail)
      expect(status).toBe(502)
      expect(body).toMatchObject({ code: 'not_sent', success: false, mail: { state: 'unknown' } })
      expect(body.detail).toMatch(/^The e-mail may or may not have been delivered\..* check it in the outbox/)
    })

    test('not configured', async () => {
      await removeMailAccount(server.url, cookie)
      await trail.clear()
      for (const path of ['/send-email', '/mail/test']) {
        const { to: _, ...rest } = mail
        const response = await admin.call('POST', path, path === '/mail/test' ? rest : mail)
        expect(response.status).toBe(503)
        expect(await response.json()).toMatchObject({
          code: 'unavailable',
          detail: 'Email service is not configured.',
          success: false,
          message: 'Email service is not configured.',
        })
      }
      expect(await rows()).toEqual([])
      expect(await trail.entries()).toEqual([])
      await configureMail(server.url, cookie, sink.account)
    })
  })

  test('is sent at once after a change of the account when the server was unreachable', async () => {
    const gone = await startMailSink()
    await configureMail(server.url, cookie, gone.account)
    await gone.close()
    expect((await send(mail)).body).toMatchObject({
      state: 'queued',
      message: expect.stringContaining('Could not reach the mail server.'),
    })
    await configureMail(server.url, cookie, sink.account)
    expect(await send(mail)).toMatchObject({ status: 200, body: { state: 'sent' } })
  })

  describe('a key', () => {
    const key = { 'Idempotency-Key': 'a-key-of-a-mail' }

    test('fifty times concurrently sends one mail', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(mail, key)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      expect(await rows()).toHaveLength(1)
      expect(sink.messages).toHaveLength(1)
      expect(await trail.actions()).toEqual(['mail-sent'])
    })

    test('again returns the result of the first mail', async () => {
      sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: 'No such user', times: 1 })
      const first = await send(mail, key)
      expect(await send(mail, key)).toEqual({
        ...first,
        body: { ...first.body, requestId: expect.any(String) },
      })
      expect(sink.counts.offered).toBe(1)
    })

    test('is of one token, also where a later one has its name', async () => {
      for (const subject of ['First', 'Second']) {
        const made = await (await admin.call('POST', '/tokens', { name: 'Twice made' })).json()
        const headers = { ...key, Authorization: `Bearer ${made.token}` }
        const answer = await admin.call('POST', '/send-email', { ...mail, subject }, headers)
        expect([subject, answer.status]).toEqual([subject, 200])
        expect((await admin.call('DELETE', `/tokens/${made.id}`)).status).toBe(204)
      }
      expect(sink.messages).toHaveLength(2)
    })

    test('is scoped to the kind, and refused for another mail', async () => {
      await send(mail, key)
      const { subject, message } = mail
      expect((await admin.call('POST', '/mail/test', { subject, message }, key)).status).toBe(200)
      expect(sink.messages).toHaveLength(2)
      for (const change of [{ to: 'ana@example.edu.ph' }, { subject: 'Other' }, { message: 'Other' }]) {
        expect(await admin.refusal('POST', '/send-email', { ...mail, ...change }, key)).toEqual({
          status: 409,
          code: 'conflict',
          detail: 'This Idempotency-Key was used for another e-mail. Please use a new one for each e-mail.',
        })
      }
      expect(sink.messages).toHaveLength(2)
    })

    test('in an invalid format is refused', async () => {
      expect(await admin.refusal('POST', '/send-email', mail, { 'Idempotency-Key': 'short' })).toMatchObject({
        status: 422,
        detail: 'The Idempotency-Key must be 8 to 128 letters, digits, hyphens or underscores.',
      })
    })
  })

  test('sending needs a session', async () => {
    for (const path of ['/send-email', '/mail/test']) {
      const { detail, status } = await createAdminClient(server, '').refusal('POST', path, mail)
      expect({ detail, status }).toEqual({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
    }
    expect(sink.messages).toEqual([])
  })
})

describe('opt out routes', () => {
  let server: TestServer
  let anonymous: ReturnType<typeof createAdminClient>
  const tokens = createUnsubscribeTokens(testKeys)
  const hash = createOptOutHash(testKeys)
  beforeAll(async () => {
    server = await startTestServer()
    anonymous = createAdminClient(server, '')
  })
  afterAll(() => server.close())
  afterEach(async () => {
    await server.database.db.deleteFrom('mailOptOuts').execute()
  })

  const leftOut = (...addresses: string[]) =>
    createOptOutRepository(server.database.db, hash).optedOutAmong(addresses)

  test('the owner of a link stops and resumes announcements', async () => {
    const token = tokens.tokenOf('Ana@Example.com')
    const read = () =>
      anonymous.call('GET', `/mail/opt-out?token=${token}`).then((response) => response.json())
    expect(await read()).toEqual({ address: 'a…@example.com', announcements: true })

    const stop = await anonymous.call('POST', '/mail/opt-out', { token, announcements: false })
    expect([stop.status, await stop.json()]).toEqual([
      200,
      { address: 'a…@example.com', announcements: false },
    ])
    expect(await read()).toMatchObject({ announcements: false })
    expect(await leftOut('ANA@example.com', 'b@example.com')).toEqual(new Set(['ANA@example.com']))
    // Mail programs may repeat the request.
    expect((await anonymous.call('POST', '/mail/opt-out', { token, announcements: false })).status).toBe(200)

    await anonymous.call('POST', '/mail/opt-out', { token, announcements: true })
    expect(await read()).toMatchObject({ announcements: true })
    expect(await leftOut('ana@example.com')).toEqual(new Set())
  })

  test('an opt-out cancels queued bulk mail, but not single mail', async () => {
    const kinds = ['bulk', 'announcement', 'welcome', 'single'] as const
    const waiting = kinds.map((kind) =>
      buildStoredMessage({ kind, state: 'queued', recipient: 'Waiting@example.com' }),
    )
    const others = buildStoredMessage({ state: 'queued', recipient: 'other@example.com' })
    const { db } = server.database
    await db
      .insertInto('mailMessages')
      .values([...waiting, others])
      .execute()
    const token = tokens.tokenOf('waiting@example.com')
    await anonymous.call('POST', '/mail/opt-out', { token, announcements: false })
    const rows = await db
      .selectFrom('mailMessages')
      .select(['kind', 'recipient', 'state', 'failure'])
      .execute()
    const failure = 'The owner of this address has stopped announcements by e-mail.'
    const ofWaiting = rows.filter(({ recipient }) => recipient === 'Waiting@example.com')
    expect(ofWaiting.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
      'announcement cancelled',
      'bulk cancelled',
      'single queued',
      'welcome queued',
    ])
    expect(ofWaiting.filter((row) => row.state === 'cancelled').map((row) => row.failure)).toEqual([
      failure,
      failure,
    ])
    expect(rows.find(({ recipient }) => recipient === 'other@example.com')).toMatchObject({ state: 'queued' })
  })

  test('a hash of an earlier version gets the key, and one with another key is counted', async () => {
    const { db } = server.database
    const [address, other] = ['Former@example.com', 'other@example.com']
    const addressHash = createHash('sha256').update(address.toLowerCase()).digest()
    const optedOutAt = new Date()
    await db.insertInto('mailOptOuts').values({ addressHash, optedOutAt, keyMark: null }).execute()
    await createOptOutRepository(db, createOptOutHash({ optOuts: randomBytes(32) })).add(other, optedOutAt)
    expect(await leftOut(address, other)).toEqual(new Set())
    expect(await keyOptOuts(db, hash)).toBe(1)
    expect(await leftOut(address, other)).toEqual(new Set([address]))
    // Once.
    expect(await keyOptOuts(db, hash)).toBe(1)
    expect(await leftOut(address, other)).toEqual(new Set([address]))
    const { rows } = await sql<{
      isStored: boolean
    }>`select ${hash.isStored(sql`${address}::text`)} as is_stored`.execute(db)
    expect(rows).toEqual([{ isStored: true }])
  })

  test('only the hash of the address is stored, and it needs the key', async () => {
    await anonymous.call('POST', '/mail/opt-out', {
      token: tokens.tokenOf('kept@example.com'),
      announcements: false,
    })
    const rows = await server.database.db.selectFrom('mailOptOuts').selectAll().execute()
    expect(rows).toEqual([
      { addressHash: hash.of('kept@example.com'), optedOutAt: expect.any(Date), keyMark: hash.mark },
    ])
    expect(hash.of('kept@example.com')).not.toEqual(createHash('sha256').update('kept@example.com').digest())
  })

  test.each([
    '',
    'abc',
    'A'.repeat(700),
    '../../etc',
    createUnsubscribeTokens({ unsubscribeLinks: randomBytes(32) }).tokenOf('a@example.com'),
  ])('an invalid link is refused: %s', async (token) => {
    const detail = 'Please open the link from the e-mail again, or ask the NSTP office to stop announcements.'
    const read = await anonymous.refusal('GET', `/mail/opt-out?token=${encodeURIComponent(token)}`)
    const change = await anonymous.refusal('POST', '/mail/opt-out', { token, announcements: false })
    expect(read).toMatchObject({ status: 404, detail })
    expect(change).toMatchObject({ status: 404, detail })
  })

  test('an incomplete choice is refused with a message', async () => {
    const refusal = await anonymous.refusal('POST', '/mail/opt-out', { token: 'x' })
    expect(refusal).toMatchObject({ status: 422, detail: 'Choose whether announcements are sent by e-mail.' })
  })
})

describe('preview routes', () => {
  let server: TestServer
  let admin: ReturnType<typeof createAdminClient>
  beforeAll(async () => {
    server = await startTestServer()
    admin = createAdminClient(server, await server.signIn())
  })
  afterAll(() => server.close())

  async function preview(body: object) {
    const response = await admin.call('POST', '/mail/preview', body)
    expect(response.status).toBe(200)
    return await response.json()
  }

  describe('GET /api/mail/templates', () => {
    test('returns the stored templates', async () => {
      const { items } = await (await admin.call('GET', '/mail/templates')).json()
      expect(items.map(({ name }: { name: string }) => name)).toEqual([
        'welcome',
        'requirements',
        'orientation',
      ])
      expect(items[1]).toEqual({
        name: 'requirements',
        title: 'Reminder: complete your requirements',
        subject: 'Please complete your NSTP requirements',
        text: expect.stringContaining('Dear {firstName},'),
      })
    })

    test('is for administrators', async () => {
      expect(await createAdminClient(server, '').refusal('GET', '/mail/templates')).toMatchObject({
        status: 401,
      })
    })
  })

  describe('POST /api/mail/preview', () => {
    test('returns a message as it was written', async () => {
      const { subject, html, text } = await preview({ subject: 'Hi {x}', message: 'See **this** {x}' })
      expect(subject).toBe('Hi {x}')
      expect(html).toMatch(/^<!doctype html><html lang="en">.*<strong>this<\/strong> \{x\}/s)
      expect(text).toContain('See **this** {x}')
    })

    test('sanitises HTML, and returns it as text too', async () => {
      const { html, text } = await preview({
        subject: 'S',
        message: '<p onclick="x()">Hi<img src="https://t.example/a"></p>',
      })
      expect(html).not.toMatch(/onclick|<img|<script|<style/)
      expect(text).toContain('Hi\n\n-- \n')
    })

    test('escapes tags when the format is text', async () => {
      const { html } = await preview({ subject: 'S', message: 'Use <p> here', format: 'text' })
      expect(html).toContain('Use &lt;p&gt; here')
    })

    test('fills placeholders, also those of a stored template', async () => {
      const values = { firstName: 'Ana', reference: 'NSTP-7K3D-M9QX' }
      const own = await preview({ subject: 'Hi {firstName}', message: 'Dear {firstName} {lastName}', values })
      expect(own.subject).toBe('Hi Ana')
      expect(own.text).toContain('Dear Ana\n')
      const stored = await preview({ subject: '{firstName}', message: '', template: 'orientation', values })
      expect(stored.text).toContain('Reference code: NSTP-7K3D-M9QX')
    })

    test.each([
      [
        { subject: 'Hi {name}', message: 'a', values: {} },
        'subject',
        /^Unknown placeholder \{name\}\. You can use /,
      ],
      [{ subject: 'Hi', message: '{surname}', values: {} }, 'message', /^Unknown placeholder \{surname\}\./],
      [
        { subject: 'Hi', message: 'a', template: 'none' },
        'template',
        /^There is no template with this name\.$/,
      ],
      [
        { subject: 'x'.repeat(201), message: 'a' },
        'subject',
        /^Please shorten the subject to 200 characters or fewer\.$/,
      ],
      [{ message: 'a' }, 'subject', /^Subject is required$/],
      [{ subject: 'Hi' }, 'message', /^Please fill in all fields$/],
    ])('refuses %j with a message', async (body, path, message) => {
      const refusal = await admin.refusal('POST', '/mail/preview', body)
      expect(refusal).toMatchObject({
        status: 422,
        errors: [{ path, message: expect.stringMatching(message) }],
      })
    })

    test('is for administrators', async () => {
      const refusal = await createAdminClient(server, '').refusal('POST', '/mail/preview', {
        subject: 'a',
        message: 'b',
      })
      expect(refusal).toMatchObject({ status: 401, code: 'unauthenticated' })
    })
  })
})
