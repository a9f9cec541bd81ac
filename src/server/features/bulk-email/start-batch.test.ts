import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { type MailDesk, openMailDesk } from '#tests/setup/mail-desk.ts'

let desk: MailDesk
beforeAll(async () => {
  desk = await openMailDesk()
  await desk.configure()
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.clear()
  await desk.trail.forget()
})

const text = {
  subject: 'Drill, {firstName}',
  useCustomTemplate: true,
  body: 'Good day {firstName} {lastName}!',
}
const start = (form: unknown, key?: string) =>
  desk.done('POST', '/mail/batches', form, key ? { 'Idempotency-Key': key } : {})

describe('a list of recipients', () => {
  test('gets one mail each; who opted out, comes twice or has no address is left out and counted', async () => {
    await desk.optOut('nobody@x.example')
    const response = await desk.admin.call('POST', '/mail/batches', {
      ...text,
      recipients: [
        { email: 'juan@x.example', firstName: 'Juan' },
        { email: 'JUAN@x.example', firstName: 'Other' },
        { email: 'NOBODY@x.example' },
        { email: 'ana@x.example' },
        { email: 'a@x.example\r\nBcc: evil@x.example' },
        { email: 'a@x.example,evil@x.example' },
      ],
    })
    expect(response.status).toBe(202)
    const batch = await response.json()
    expect(batch).toMatchObject({
      kind: 'bulk',
      subject: 'Drill, {firstName}',
      // Two messages may have gone out by now.
      state: expect.stringMatching(/^(running|finished)$/),
      createdBy: adminEmail,
      source: { kind: 'list' },
      recipientCount: 2,
      optedOutCount: 1,
      duplicateCount: 1,
      invalidCount: 2,
    })
    await desk.allEnded()
    const sent = desk.sink.messages.map(({ to, raw }) => ({ to, subject: /^Subject: (.*)$/m.exec(raw)?.[1] }))
    expect(sent.sort((a, b) => (a.to < b.to ? 1 : -1))).toEqual([
      { to: ['juan@x.example'], subject: 'Drill, Juan' },
      { to: ['ana@x.example'], subject: 'Drill, Student' },
    ])
    expect(desk.sink.messages.some(({ raw }) => raw.includes('Good day Juan'))).toBe(true)
    expect(await desk.done('GET', `/mail/batches/${batch.id}`)).toMatchObject({
      counts: { queued: 0, sending: 0, sent: 2, failed: 0, unknown: 0, cancelled: 0 },
      finishesAt: null,
    })
    expect(await desk.trail.entries()).toMatchObject([
      { action: 'mail-batch-started', affected: 2, subject: '', detail: { batch: batch.id, to: 'list' } },
    ])
  })

  test('may be a text', async () => {
    const batch = await start({ ...text, recipients: 'Juan <juan@x.example>, ana@x.example\nwrong' })
    expect(batch).toMatchObject({ recipientCount: 2, invalidCount: 1 })
  })

  test.each([
    ['no list', {}, 'recipients', 'Please choose either a list of recipients or students.'],
    ['an empty list', { recipients: [] }, 'recipients', 'Invalid recipients format'],
    ['a broken list', { recipients: '[{"email":' }, 'recipients', 'Invalid recipients format'],
    ['no address', { recipients: 'nobody' }, 'recipients', 'Invalid recipients format'],
    ['no subject', { recipients: ['a@x.example'], subject: ' ' }, 'subject', 'Subject is required'],
    [
      'a subject of two lines',
      { recipients: ['a@x.example'], subject: 'a\r\nBcc: evil@x.example' },
      'subject',
      'Please remove the unusual characters from the subject.',
    ],
    ['no text', { recipients: ['a@x.example'], body: '' }, 'body', 'Please write the message.'],
    [
      'an unknown placeholder',
      { recipients: ['a@x.example'], body: 'Dear {name}' },
      'body',
      'There is no placeholder {name}. You can use {firstName}, {lastName}, {component}, {course}, {academicYear}, {reference}.',
    ],
    [
      'an unknown template',
      { recipients: ['a@x.example'], useCustomTemplate: false, template: 'nothing' },
      'template',
      'Please choose a template.',
    ],
    [
      'both ways',
      { recipients: ['a@x.example'], audience: {} },
      'recipients',
      'Please choose either a list of recipients or students.',
    ],
    [
      'an academic year that is none',
      { audience: { academicYear: '2026' } },
      'audience.academicYear',
      'Please give the academic year as two years in a row, such as 2026-2027.',
    ],
    [
      'a course longer than any',
      { audience: { course: 'x'.repeat(101) } },
      'audience.course',
      'Please shorten the course to 100 characters or fewer.',
    ],
    [
      'too many',
      { recipients: Array.from({ length: 20_001 }, (_, index) => `s${index}@x.example`) },
      'recipients',
      'Please send to 20,000 recipients or fewer at a time.',
    ],
  ])('is refused with %s', async (_, form, path, message) => {
    const refusal = await desk.admin.refusal('POST', '/mail/batches', { ...text, ...form })
    expect(refusal).toMatchObject({ status: 422, detail: message })
    expect(refusal.errors).toContainEqual({ path, message })
    expect(await desk.db.selectFrom('mailBatches').selectAll().execute()).toEqual([])
  })

  test('of people who all opted out starts nothing', async () => {
    await desk.optOut('a@x.example')
    expect(
      await desk.admin.refusal('POST', '/mail/batches', { ...text, recipients: 'a@x.example' }),
    ).toMatchObject({
      status: 422,
      detail: 'Nobody is left to write to: everybody on the list opted out or has no valid address.',
    })
    expect(await desk.db.selectFrom('mailBatches').selectAll().execute()).toEqual([])
  })
})

test('students by the filters of their list get one mail for each address, the newest record first', async () => {
  const { server } = desk
  const common = { nstpComponent: 'CWTS', academicYear: '2026-2027', course: 'SOICT' }
  const newest = await storeStudent(server.database, {
    ...common,
    ...{ email: 'Ana@x.example', firstName: 'Ana', lastName: 'Reyes' },
    registrationDate: new Date('2026-11-20T00:00:00Z'),
  })
  await storeStudent(server.database, {
    ...common,
    ...{ email: 'ana@x.example', firstName: 'Older' },
    registrationDate: new Date('2026-11-01T00:00:00Z'),
  })
  await storeStudent(server.database, { ...common, email: 'out@x.example' })
  await storeStudent(server.database, { ...common, email: 'no address' })
  await storeStudent(server.database, { ...common, email: 'other@x.example', course: 'SOBM' })
  await storeStudent(server.database, { ...common, email: 'rotc@x.example', nstpComponent: 'ROTC' })
  const archived = { archived: true, archivedDate: new Date('2026-11-20T00:00:00Z') }
  await storeStudent(server.database, { ...common, ...archived, email: 'archived@x.example' })
  await desk.optOut('out@x.example')

  const audience = { component: 'CWTS', academicYear: '2026-2027', course: 'SOICT' }
  const batch = await start({ ...text, audience })
  expect(batch).toMatchObject({
    source: { kind: 'students', audience },
    recipientCount: 1,
    optedOutCount: 1,
    duplicateCount: 1,
    invalidCount: 1,
  })
  await desk.allEnded()
  expect(desk.sink.messages.map(({ to }) => to)).toEqual([['Ana@x.example']])
  expect(desk.sink.messages[0]?.raw).toContain('Good day Ana Reyes!')

  // What is erased takes its messages along.
  const messages = desk.db.selectFrom('mailMessages').select('studentId')
  expect(await messages.execute()).toEqual([{ studentId: newest.id }])
  expect((await desk.admin.call('DELETE', `/students/${newest.id}`)).status).toBe(204)
  expect(await messages.execute()).toEqual([])
})

test('the same sending of the form, also many times at once, starts one bulk e-mail', async () => {
  const form = { ...text, recipients: ['juan@x.example', 'ana@x.example'] }
  const key = randomUUID()
  const batches = await Promise.all(Array.from({ length: 20 }, () => start(form, key)))
  expect(new Set(batches.map(({ id }) => id)).size).toBe(1)
  await desk.allEnded()
  expect(desk.sink.messages).toHaveLength(2)
  expect((await start(form)).id).not.toBe(batches[0].id)
})

test('a key that was another bulk e-mail’s is refused: neither is lost, nor taken for the other', async () => {
  const form = { ...text, recipients: ['juan@x.example'] }
  const key = randomUUID()
  const { id } = await start(form, key)
  const others = [
    { ...form, recipients: ['ana@x.example'] },
    { ...form, subject: 'Another drill' },
    { ...form, body: 'Another text' },
  ]
  for (const other of others) {
    expect(
      await desk.admin.refusal('POST', '/mail/batches', other, { 'Idempotency-Key': key }),
    ).toMatchObject({
      status: 409,
      detail:
        'This Idempotency-Key was used for another bulk e-mail. Please use a new one for each bulk e-mail.',
    })
  }
  expect(
    await desk.admin.refusal('POST', `/mail/batches/${id}/repeat`, undefined, { 'Idempotency-Key': key }),
  ).toMatchObject({ status: 409 })
})

test('a key is its sender’s own: another program with the same one learns nothing of the first one’s mail', async () => {
  const form = {
    subject: 'Drill',
    useCustomTemplate: true,
    template: 'Please come.',
    recipients: ['juan@x.example'],
  }
  const send = async (name: string) => {
    const { token } = await desk.done('POST', '/tokens', { name })
    return await desk.done('POST', '/send-bulk-emails', form, {
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': 'the-first-of-today',
    })
  }
  const first = await send('Registrar')
  expect((await send('Library')).batchId).not.toBe(first.batchId)
})

test('3,000 recipients are taken within a few seconds', async () => {
  const recipients = Array.from({ length: 3_000 }, (_, index) => ({ email: `s${index}@x.example` }))
  await desk.allow(1)
  const begun = performance.now()
  const batch = await start({ ...text, recipients })
  expect(performance.now() - begun).toBeLessThan(5_000)
  expect(batch.recipientCount).toBe(3_000)
  await desk.done('POST', `/mail/batches/${batch.id}/cancel`)
  await desk.allow(10_000)
})

test('nothing is written while e-mail is not configured, or for somebody without a session', async () => {
  const form = { ...text, recipients: 'juan@x.example' }
  expect(await desk.nobody.refusal('POST', '/mail/batches', form)).toMatchObject({
    status: 401,
    detail: 'Authentication required. Please login as admin.',
  })
  await desk.forget()
  expect(await desk.admin.refusal('POST', '/mail/batches', form)).toMatchObject({
    status: 503,
    detail: 'Email service is not configured.',
  })
  expect(await desk.db.selectFrom('mailBatches').selectAll().execute()).toEqual([])
  await desk.configure()
})
