import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailSentences } from '#shared/mail/mail.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'

describe('bulk routes', () => {
  let fixture: MailFixture
  beforeAll(async () => {
    fixture = await openMailFixture()
    const { database } = fixture.server
    const at = (day: number) => new Date(Date.UTC(2026, 10, day))
    const cwts = { nstpComponent: 'CWTS', academicYear: '2026-2027', course: 'SOICT' }
    await storeStudent(database, {
      ...cwts,
      email: 'ana@x.example',
      firstName: 'Ana',
      registrationDate: at(9),
    })
    await storeStudent(database, { ...cwts, email: 'ANA@x.example', registrationDate: at(8) })
    await storeStudent(database, { ...cwts, email: 'out@x.example', registrationDate: at(7) })
    await storeStudent(database, { ...cwts, email: 'none', registrationDate: at(6) })
    await storeStudent(database, { ...cwts, email: 'b@x.example', course: 'SOBM', registrationDate: at(5) })
    await storeStudent(database, {
      ...{ nstpComponent: 'ROTC', academicYear: '2025-2026', course: 'SOBM', email: 'c@x.example' },
      registrationDate: new Date('2025-06-01T00:00:00Z'),
    })
    await storeStudent(database, { ...cwts, email: 'd@x.example', archived: true, archivedDate: at(10) })
    await fixture.optOut('out@x.example')
  })
  afterAll(() => fixture.close())

  const read = (audience: object) => fixture.done('POST', '/mail/audience', audience)

  test('counts the recipients and the left-out students, and returns a sample', async () => {
    const audience = await read({ component: 'CWTS', academicYear: '2026-2027', course: 'SOICT' })
    expect(audience).toMatchObject({ count: 1, optedOut: 1, duplicates: 1, invalid: 1 })
    expect(audience.sample).toEqual([
      {
        id: expect.any(String),
        email: 'ana@x.example',
        firstName: 'Ana',
        lastName: expect.any(String),
        component: 'CWTS',
        course: 'SOICT',
        academicYear: '2026-2027',
        reference: expect.any(String),
        ...{ section: '', adviser: '', meets: '', serialNumber: '' },
      },
    ])
  })

  test.each([
    [{}, 3],
    [{ component: 'ROTC' }, 1],
    [{ component: 'LTS' }, 0],
    [{ course: 'SOBM' }, 2],
    [{ academicYear: '2025-2026' }, 1],
    [{ archive: 'archived' }, 1],
    [{ archive: 'all' }, 4],
  ])('filters the students: %j', async (audience, count) => {
    expect((await read(audience)).count).toBe(count)
  })

  test('counts selected students alone, with the same rules', async () => {
    const { items } = await fixture.done('GET', '/students?archive=all&component=CWTS')
    const ids = items.map(({ id }: { id: string }) => id)
    expect(ids).toHaveLength(6)
    // One has been archived since, one has opted out, two share an address and one has none.
    expect(await read({ ids })).toMatchObject({ count: 2, optedOut: 1, duplicates: 1, invalid: 1 })
    expect((await read({ ids: ids.slice(1, 2) })).sample).toMatchObject([{ email: 'ana@x.example' }])
  })

  test.each([
    [{ component: 'XYZ' }, 'Please choose the component: ROTC, CWTS, LTS.'],
    [{ academicYear: '2026' }, 'Please enter the academic year as two consecutive years, such as 2026-2027.'],
    [{ archive: 'some' }, 'Please choose which students: all, active, archived.'],
    [
      { period: 'ever' },
      'Please choose the period: all-time, current-semester, last-semester, current-year, last-7-days.',
    ],
    [{ ids: [] }, 'Please send the ids of students.'],
    [{ ids: ['1'] }, 'Please send the ids of students.'],
    [
      { ids: Array.from({ length: 20_001 }, () => randomUUID()) },
      'One bulk e-mail can go to 20,000 students at most. Please select fewer students.',
    ],
  ])('refuses %#', async (audience, detail) => {
    expect(await fixture.admin.refusal('POST', '/mail/audience', audience)).toMatchObject({
      status: 422,
      detail,
    })
  })

  test('is for administrators', async () => {
    expect(await fixture.anonymous.refusal('POST', '/mail/audience', {})).toMatchObject({
      status: 401,
      detail: 'Authentication required. Please login as admin.',
    })
  })
})

describe('send bulk routes', () => {
  let fixture: MailFixture
  beforeAll(async () => {
    fixture = await openMailFixture()
    await fixture.configure()
  })
  afterAll(() => fixture.close())
  beforeEach(async () => {
    await fixture.clear()
    await fixture.trail.clear()
  })

  const form = {
    recipients: [{ email: 'juan@x.example', firstName: 'Juan' }, { email: 'ana@x.example' }],
    subject: 'Drill on Saturday',
    template: '<p>Good day <b>{firstName}</b>, please come.</p>',
    useCustomTemplate: true,
  }
  const send = (changes: object = {}) => fixture.done('POST', '/send-bulk-emails', { ...form, ...changes })

  test('a short list is answered with the result of each recipient', async () => {
    await fixture.optOut('out@x.example')
    const recipients = [...form.recipients, 'out@x.example', 'no address']
    expect(await send({ recipients })).toEqual({
      success: true,
      // Who opted out was not to be sent to; the invalid one was.
      message: 'Successfully sent 2 of 3 emails',
      results: [
        { email: 'juan@x.example', success: true, error: null, state: 'sent' },
        { email: 'ana@x.example', success: true, error: null, state: 'sent' },
        {
          ...{ email: 'out@x.example', success: false, state: 'left-out' },
          error: 'The owner of this address has stopped announcements by e-mail.',
        },
        {
          ...{ email: 'no address', success: false, state: 'left-out' },
          error: 'Please enter a valid email address.',
        },
      ],
      errors: [
        'out@x.example: The owner of this address has stopped announcements by e-mail.',
        'no address: Please enter a valid email address.',
      ],
      batchId: expect.any(String),
    })
    const juan = fixture.sink.messages.find(({ to }) => to[0] === 'juan@x.example')
    expect(juan?.raw).toMatch(/^Good day Juan, please come\.\r$/m)
    expect(juan?.raw).toContain('<b>Juan</b>')
  })

  test('says which recipients failed, and why', async () => {
    fixture.sink.fault({
      at: 'rcpt',
      recipient: 'ana@x.example',
      does: 'answer',
      code: 550,
      text: 'No such user',
    })
    const result = await send()
    expect(result).toMatchObject({ success: true, message: 'Successfully sent 1 of 2 emails' })
    expect(result.results[1]).toMatchObject({ email: 'ana@x.example', success: false, state: 'failed' })
    expect(result.errors).toEqual([`ana@x.example: ${result.results[1].error}`])

    const nobody = await send({ recipients: ['ana@x.example'] })
    expect(nobody).toMatchObject({
      success: false,
      message: `Failed to send emails: ${nobody.results[0].error}`,
    })
  })

  test('a program with a token can send; waiting messages are reported as queued', async () => {
    const { token } = await fixture.done('POST', '/tokens', { name: 'Student portal' })
    fixture.sink.fault({
      at: 'rcpt',
      recipient: 'ana@x.example',
      does: 'answer',
      code: 451,
      text: 'Later',
    })
    const response = await fixture.anonymous.call('POST', '/send-bulk-emails', form, {
      Authorization: `Bearer ${token}`,
    })
    expect(response.status).toBe(200)
    const result = await response.json()
    expect(result.success).toBe(true)
    expect(result.message).toMatch(
      /^1 of 2 emails are queued\. Sending finishes (tomorrow at )?about \d+:\d\d [AP]M\.$/,
    )
    expect(result.results[1]).toEqual({
      email: 'ana@x.example',
      success: false,
      error: null,
      state: 'queued',
    })
    expect(result.errors).toEqual([])
    expect(await fixture.done('GET', `/mail/batches/${result.batchId}`)).toMatchObject({
      createdBy: 'API token Student portal',
    })
    // With the account of its owner, what waits ends too.
    const { email } = await fixture.db
      .selectFrom('mailBatches')
      .innerJoin('admins', 'admins.id', 'createdById')
      .select('email')
      .where('mailBatches.id', '=', result.batchId)
      .executeTakeFirstOrThrow()
    expect(email).toBe(adminEmail)
  })

  test.each([
    [{ recipients: [] }, 'Invalid recipients format'],
    [{ recipients: undefined }, 'Invalid recipients format'],
    [{ recipients: 'nobody' }, 'Invalid recipients format'],
    [{ subject: '' }, 'Subject is required'],
    [{ subject: undefined }, 'Subject is required'],
    [{ template: '' }, 'Please write the message.'],
    [{ useCustomTemplate: false, template: 'none' }, 'Please choose a template.'],
    [{ audience: {} }, 'Unknown fields: audience.'],
  ])('%j is refused: %s', async (changes, message) => {
    const response = await fixture.admin.call('POST', '/send-bulk-emails', { ...form, ...changes })
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { success: false, message, detail: message },
    ])
    expect(fixture.sink.messages).toEqual([])
  })

  test('is refused while no link to unsubscribe can be made', async () => {
    await fixture.setAddress('')
    const refused = await fixture.admin.call('POST', '/send-bulk-emails', form)
    await fixture.setAddress('http://127.0.0.1:3000')
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { detail: mailSentences.noPublicAddress },
    ])
    expect(fixture.sink.messages).toEqual([])
    await send({ recipients: ['juan@x.example'] })
    expect(fixture.sink.messages[0]?.raw).toMatch(
      /^List-Unsubscribe:\s+<http:\/\/127\.0\.0\.1:3000\/unsubscribe\?token=/m,
    )
  })

  test('a stored template is sent by its name', async () => {
    const result = await send({
      useCustomTemplate: false,
      template: 'orientation',
      recipients: ['a@x.example'],
    })
    expect(result.message).toBe('Successfully sent 1 of 1 emails')
  })

  test('sending needs a session or a token, and a configured account', async () => {
    const refused = await fixture.anonymous.call('POST', '/send-bulk-emails', form)
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { success: false, message: 'Authentication required. Please login as admin.' },
    ])
    await fixture.forget()
    const response = await fixture.admin.call('POST', '/send-bulk-emails', form)
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { success: false, message: 'Email service is not configured.' },
    ])
    await fixture.configure()
  })
})
