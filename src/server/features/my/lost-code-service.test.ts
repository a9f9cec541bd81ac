import { EventEmitter, once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mailLimits } from '#shared/mail/mail.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'
import { createStudentVisitor } from '#tests/setup/student-visitor.ts'
import { lostCodeLimit } from './routes.ts'

let own: MailFixture
beforeAll(async () => {
  own = await openMailFixture()
  await own.configure()
})
afterAll(() => own.close())
beforeEach(() => own.clear())

const ana = {
  lastName: 'De la Peña',
  firstName: 'Ma. Luz',
  dateOfBirth: '2007-03-14',
  email: 'ana@student.example',
}
const store = (overrides = {}) => storeStudent(own.server.database, { ...ana, ...overrides })
const ask = async (body: object = ana) => {
  const answer = await createStudentVisitor(own.server).call('POST', '/my/lost-code', body)
  return [answer.status, await answer.text()]
}
const sent = async () => {
  await own.allEnded()
  return own.sink.messages.map(({ to, raw }) => ({ to, raw }))
}

test('every fitting code is mailed with its year, the name written in another way', async () => {
  const first = await store({ academicYear: '2025-2026' })
  const second = await store({ academicYear: '2026-2027', email: 'Ana@student.example' })
  const others = [
    await store({ dateOfBirth: '2007-03-15' }),
    await store({ email: 'other@student.example' }),
    await store({ firstName: 'Ana' }),
  ]
  expect(await ask({ ...ana, lastName: 'dela pena', firstName: 'MARIA LUZ' })).toEqual([202, ''])
  const [mail, ...more] = await sent()
  expect(more).toEqual([])
  for (const { reference, academicYear } of [first, second]) {
    expect(mail?.raw).toContain(reference)
    expect(mail?.raw).toContain(academicYear)
  }
  for (const { reference } of others) expect(mail?.raw).not.toContain(reference)
  const [row] = await own.db.selectFrom('mailMessages').selectAll().execute()
  expect(JSON.stringify(row)).not.toContain(first.reference)
  const preview = JSON.stringify(await own.done('GET', `/mail/messages/${row?.id}`))
  expect(preview).not.toContain(first.reference)
})

test('who has no record gets the same answer after the same time, and no mail', async () => {
  await store()
  const timed = async (body: object) => {
    const start = performance.now()
    const answer = await ask(body)
    return { answer, ms: performance.now() - start }
  }
  const right = await timed(ana)
  const wrong = await timed({ ...ana, dateOfBirth: '2007-03-15' })
  expect(wrong.answer).toEqual(right.answer)
  for (const { ms } of [right, wrong]) expect(ms).toBeGreaterThan(490)
  expect(await sent()).toHaveLength(1)
})

test('the answer does not wait for the mail, whose failure says nothing', async () => {
  await store()
  const gate = new EventEmitter()
  const isReleased = once(gate, 'open')
  const held = own.db.transaction().execute(async (tx) => {
    await sql`lock table mail_messages in exclusive mode`.execute(tx)
    await isReleased
  })
  const start = performance.now()
  expect(await ask()).toEqual([202, ''])
  expect(performance.now() - start).toBeGreaterThan(490)
  expect(await own.db.selectFrom('mailMessages').select('id').execute()).toEqual([])
  gate.emit('open')
  await held
  await expect.poll(() => own.sink.messages.length, { timeout: 10_000 }).toBe(1)
})

test('a campus asks 60 times in ten minutes', () => {
  expect(lostCodeLimit).toEqual({ points: 60, duration: 600 })
})

test('a mailbox gets as many a day as welcome mails', async () => {
  await store()
  for (let asked = 0; asked < mailLimits.welcomeADay + 2; asked++) expect(await ask()).toEqual([202, ''])
  expect(await sent()).toHaveLength(mailLimits.welcomeADay)
})

test('the codes of erased records are not mailed', async () => {
  const kept = await store({ academicYear: '2026-2027' })
  const erased = await store({ academicYear: '2025-2026' })
  await own.allow(1)
  await own.done('POST', '/send-email', {
    to: 'x@school.example',
    subject: 'First',
    message: 'Takes the minute',
  })
  await ask()
  await own.db.deleteFrom('students').where('id', '=', erased.id).execute()
  await own.allow(10_000)
  const mail = (await sent()).find(({ to }) => to.includes(ana.email))
  expect(mail?.raw).toContain(kept.reference)
  expect(mail?.raw).not.toContain(erased.reference)
})
