import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAudit } from '#server/features/audit/repository.ts'
import { createCodeDigits, createCodeMail } from '#server/features/mail/code-service.ts'
import { systemClock } from '#server/lib/clock.ts'
import { codeLimits, mySentences } from '#shared/my/my.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { startMailingServer } from '#tests/setup/mail-account.ts'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'
import { createStudentVisitor } from '#tests/setup/student-visitor.ts'
import { testSecretKey } from '#tests/setup/test-server.ts'
import { codeMailLimit } from './routes.ts'

const digitsOf = createCodeDigits(testSecretKey)

let own: MailFixture
beforeAll(async () => {
  own = await openMailFixture()
})
afterAll(() => own.close())
beforeEach(async () => {
  await own.db.deleteFrom('students').execute()
  await own.db.deleteFrom('mailMessages').execute()
  await own.configure()
})

async function enter(overrides = {}) {
  const student = await storeStudent(own.server.database, { email: 'ana@student.example', ...overrides })
  const visitor = createStudentVisitor(own.server, { 'accept-language': 'fil' })
  await visitor.enter(student)
  const mail = async () => (await (await visitor.call('GET', '/my/state')).json()).mail
  const send = async () => await (await visitor.call('POST', '/my/code')).json()
  const open = (code: string) => visitor.call('POST', '/my/session/code', { code })
  return { student, visitor, mail, send, open }
}

const codeId = async () =>
  (await own.db.selectFrom('studentKeys').select('codeId').executeTakeFirst())?.codeId ?? ''
const past = (ms: number) => new Date(Date.now() - ms)

test('a code is mailed, and opens the session once', async () => {
  const { visitor, mail, send, open } = await enter({ restriction: 'blocked' })
  expect(await mail()).toEqual({ state: 'ready', until: null })
  expect(await send()).toEqual({ state: 'sent', until: expect.any(String) })
  await own.allEnded()
  const digits = digitsOf(await codeId())
  const sent = own.sink.messages.find(({ to }) => to.includes('ana@student.example'))
  const raw = sent?.raw ?? ''
  expect(raw).toContain(`${digits.slice(0, 3)} ${digits.slice(3)}`)
  expect(raw).toContain('Ang iyong code')
  expect(/^Subject: .*/m.exec(raw)?.[0]).not.toContain(digits)

  const wrong = await open(digits === '000000' ? '000001' : '000000')
  expect([wrong.status, (await wrong.json()).detail]).toEqual([422, mySentences.wrongCode])
  const token = visitor.cookies.get('nstp-student') ?? ''
  const right = await open(` ${digits.slice(0, 3)} ${digits.slice(3)}`)
  expect([right.status, await right.json()]).toEqual([201, { step: 'second' }])
  expect(await visitor.step()).toBe('second')
  expect((await open(digits)).status).toBe(422)
  // Whoever had the token of the first step has nothing.
  expect(visitor.cookies.get('nstp-student')).not.toBe(token)
  visitor.cookies.set('nstp-student', token)
  expect(await visitor.step()).toBe('none')
})

test('of two entries of the right digits at once one opens a session', async () => {
  const { send, open } = await enter()
  await send()
  await own.allEnded()
  const digits = digitsOf(await codeId())
  const statuses = (await Promise.all([open(digits), open(digits)])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(await own.db.selectFrom('studentSessions').select('openedAt').execute()).toHaveLength(1)
})

test('its digits are in no row, answer or preview', async () => {
  const { send } = await enter()
  await send()
  await own.allEnded()
  const id = await codeId()
  const digits = digitsOf(id)
  const rows = [
    await own.db.selectFrom('mailMessages').selectAll().execute(),
    await own.db.selectFrom('studentKeys').selectAll().execute(),
  ]
  const shown = [await own.done('GET', `/mail/messages/${id}`), await own.done('GET', '/mail/messages')]
  for (const one of [...rows, ...shown]) {
    expect(JSON.stringify(one)).not.toContain(digits)
    expect(JSON.stringify(one)).not.toContain(`${digits.slice(0, 3)} ${digits.slice(3)}`)
  }
  expect(await own.admin.refusal('POST', `/mail/messages/${id}/send-again`)).toMatchObject({ status: 409 })
})

test('a second request sends no second one, also at the same moment', async () => {
  const { send } = await enter()
  const answers = await Promise.all([send(), send(), send()])
  for (const answer of answers) expect(answer.state).toBe('sent')
  await own.allEnded()
  expect((await send()).state).toBe('sent')
  const codes = own.db.selectFrom('mailMessages').select('kind').where('kind', '=', 'code')
  expect(await codes.execute()).toHaveLength(1)
})

test('it is valid ten minutes from sending', async () => {
  const { mail, send, open } = await enter()
  await send()
  await own.allEnded()
  const digits = digitsOf(await codeId())
  await own.db
    .updateTable('mailMessages')
    .set({ endedAt: past(codeLimits.validMs) })
    .execute()
  expect((await open(digits)).status).toBe(422)
  expect((await mail()).state).toBe('ready')
})

test('of many tries at once five are looked at, and then the right digits are refused', async () => {
  const { send, open } = await enter()
  await send()
  await own.allEnded()
  const digits = digitsOf(await codeId())
  const wrong = Array.from({ length: 20 }, (_, index) => String((Number(digits) + index + 1) % 1_000_000))
  await Promise.all(wrong.map((one) => open(one.padStart(6, '0'))))
  expect(await own.db.selectFrom('studentKeys').select('codeTries').execute()).toEqual([
    { codeTries: codeLimits.tries },
  ])
  expect((await open(digits)).status).toBe(422)
})

test('it goes before all other mail; what is late, or of a former address, is cancelled', async () => {
  await own.forget()
  const { student, send, mail } = await enter()
  expect(await send()).toEqual({ state: 'off', until: null })
  await own.configure()
  await own.allow(1)
  await own.done('POST', '/send-email', {
    to: 'x@school.example',
    subject: 'First',
    message: 'Takes the minute',
  })
  await send()
  const id = await codeId()
  const message = own.db
    .selectFrom('mailMessages')
    .select(['state', 'priority', 'failure'])
    .where('id', '=', id)
  expect(await message.executeTakeFirst()).toMatchObject({ state: 'queued', priority: -2 })
  await own.db
    .updateTable('mailMessages')
    .set({ createdAt: past(codeLimits.validMs) })
    .where('id', '=', id)
    .execute()
  await own.allow(10_000)
  await expect
    .poll(() => message.executeTakeFirst(), { timeout: 20_000 })
    .toMatchObject({ state: 'cancelled' })

  await own.db
    .updateTable('students')
    .set({ email: 'new@student.example' })
    .where('id', '=', student.id)
    .execute()
  const again = createStudentVisitor(own.server)
  await again.enter(student)
  expect(await (await again.call('POST', '/my/code')).json()).toEqual({
    state: 'changed',
    until: null,
  })
  // The session of the former address has ended.
  expect(await mail()).toBeUndefined()
})

test.each([
  ['a first address', '', ['ana@student.example'], 'ready'],
  ['other letters', 'ana@student.example', ['Ana@Student.example'], 'ready'],
  [
    'the former address again',
    'ana@student.example',
    ['anna@student.example', 'ana@student.example'],
    'ready',
  ],
  ['it, over another and none', 'ana@student.example', ['b@x.example', '', 'Ana@student.example'], 'ready'],
  ['another address', 'ana@student.example', ['b@x.example'], 'changed'],
  ['another one, over none', 'ana@student.example', ['', 'b@x.example'], 'changed'],
])('a code waits for a new address alone: %s', async (_what, email, changes, state) => {
  const { student } = await enter({ email })
  for (const changed of changes) {
    await own.db.updateTable('students').set({ email: changed }).where('id', '=', student.id).execute()
  }
  const visitor = createStudentVisitor(own.server)
  await visitor.enter(student)
  expect((await (await visitor.call('GET', '/my/state')).json()).mail).toEqual({ state, until: null })
})

test('an address that takes no mail is said so for a day; a cancelled code counts for nothing', async () => {
  const { mail, send } = await enter()
  const last = async (state: 'failed' | 'cancelled', createdAt = new Date()) =>
    await own.db
      .updateTable('mailMessages')
      .set({ state, createdAt, claim: null })
      .where('id', '=', await codeId())
      .execute()
  await send()
  await own.allEnded()
  await last('failed')
  expect(await mail()).toEqual({ state: 'refused', until: null })
  expect(await send()).toEqual({ state: 'refused', until: null })
  await last('failed', past(86_400_000))
  for (let asked = 0; asked < codeLimits.aDay + 1; asked++) {
    expect(await send()).toMatchObject({ state: 'sent' })
    await own.allEnded()
    await last('cancelled')
  }
  expect(await mail()).toEqual({ state: 'ready', until: null })
})

test('a code that waits for a mail server which is down is held', async () => {
  const { student, mail } = await enter()
  const id = crypto.randomUUID()
  const keys = { studentId: student.id, codeId: id }
  await own.db.insertInto('studentKeys').values(keys).execute()
  const of = { studentId: student.id, email: 'ana@student.example', codeId: id, emailChangedAt: null }
  const messages = (problem: string) =>
    createCodeMail({
      audit: createAudit({ clock: systemClock }),
      clock: systemClock,
      secretKey: testSecretKey,
      settings: () => ({ schoolName: 'School' }),
      quotas: () => ({ perDay: 1_000, perMinute: 100 }),
      mailer: { isConfigured: () => true, problem: () => problem, wake: () => undefined },
    })
  await own.db.transaction().execute(async (tx) => {
    await messages('').enqueue(tx, id, { ...of, language: 'en' })
    expect(await messages('').stateOf(tx, of)).toMatchObject({ state: 'sent' })
    expect(await messages('It does not answer.').stateOf(tx, of)).toEqual({ state: 'held', until: null })
  })
  expect((await mail()).state).toBe('sent')
})

test('a fifth of the daily quota is spent on codes, and six a day on one record', async () => {
  const { student, send } = await enter()
  const code = (endedAt: Date, studentId: string | null) => ({
    ...{ kind: 'code' as const, recipient: 'x@student.example', subject: 'Code', state: 'sent' as const },
    ...{ content: JSON.stringify({ template: 'code', codeId: '', language: 'en' }), priority: -2 },
    ...{ createdAt: endedAt, notBefore: endedAt, endedAt, studentId },
  })
  const hourAgo = past(3_600_000)
  const store = (count: number, studentId: string | null) =>
    own.db
      .insertInto('mailMessages')
      .values(Array.from({ length: count }, () => ({ id: crypto.randomUUID(), ...code(hourAgo, studentId) })))
      .execute()
  const until = new Date(hourAgo.getTime() + 86_400_000).toISOString()
  await store(codeLimits.aDay, student.id)
  expect(await send()).toEqual({ state: 'spent', until })
  await own.db.deleteFrom('mailMessages').execute()
  const { version } = await own.done('GET', '/settings')
  await own.done('PATCH', '/settings', { mailPerDay: 50 }, { 'If-Match': `"${version}"` })
  await store(10, null)
  expect(await send()).toEqual({ state: 'spent', until })
})

test('above half of the share a record gets one code a day', async () => {
  const { version } = await own.done('GET', '/settings')
  await own.done('PATCH', '/settings', { mailPerDay: 50, mailPerMinute: 50 }, { 'If-Match': `"${version}"` })
  const students: Awaited<ReturnType<typeof enter>>[] = []
  for (let asked = 0; asked < 5; asked++) {
    const one = await enter()
    expect(await one.send()).toMatchObject({ state: 'sent' })
    students.push(one)
  }
  await own.allEnded()
  const late = past(codeLimits.validMs)
  await own.db.updateTable('mailMessages').set({ createdAt: late, endedAt: late }).execute()
  expect(await students[0]?.send()).toEqual({
    state: 'spent',
    until: new Date(late.getTime() + 86_400_000).toISOString(),
  })
  expect(await (await enter()).send()).toMatchObject({ state: 'sent' })
})

test('12 an hour are mailed for a network, and what mails none is not counted', async () => {
  const { server, close } = await startMailingServer({ env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } })
  try {
    const statuses: number[] = []
    for (let asked = 0; asked < codeMailLimit.points + 1; asked++) {
      const email = `s${asked}@student.example`
      const visitor = createStudentVisitor(server, { 'x-forwarded-for': '203.0.113.5' })
      await visitor.enter(await storeStudent(server.database, { email }))
      const ask = async () => (await visitor.call('POST', '/my/code')).status
      statuses.push(await ask())
      if (asked < 5) expect(await ask()).toBe(200)
    }
    expect(statuses).toEqual([...Array(codeMailLimit.points).fill(200), 429])
  } finally {
    await close()
  }
})

test.each([
  ['the share of the day', { mailPerDay: 50, mailPerMinute: 2 }, 'spent'],
  ['what is sent while a code is valid', { mailPerDay: 1_000_000, mailPerMinute: 1 }, 'held'],
])('codes that wait count for %s, also those of the same moment', async (_what, limits, refused) => {
  const { version } = await own.done('GET', '/settings')
  await own.done('PATCH', '/settings', limits, { 'If-Match': `"${version}"` })
  const now = new Date()
  const sent = () => ({
    id: crypto.randomUUID(),
    kind: 'single' as const,
    recipient: 'x@student.example',
    subject: 'Takes the minute',
    state: 'sent' as const,
    content: '{}',
    priority: -1,
    createdAt: now,
    notBefore: now,
    endedAt: now,
  })
  await own.db
    .insertInto('mailMessages')
    .values(Array.from({ length: limits.mailPerMinute }, sent))
    .execute()
  const students = await Promise.all(Array.from({ length: 12 }, () => enter()))
  const answers = await Promise.all(students.map(({ send }) => send()))
  expect(answers.map(({ state }) => state).sort()).toEqual(
    [refused, refused, ...Array(10).fill('sent')].sort(),
  )
})
