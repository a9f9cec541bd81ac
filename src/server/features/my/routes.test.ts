import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { missLimits, mySentences } from '#shared/my/my.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createStudentVisitor } from '#tests/setup/student-visitor.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { startTestServer } from '#tests/setup/test-server.ts'

const minute = 60_000
const options = {
  env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on', SCHOOL_NETWORKS: '198.51.100.0/24' },
  now: new Date('2026-11-20T02:00:00Z'),
}
const own = startStudentsServer(options)

beforeEach(async () => {
  options.now = new Date('2026-11-20T02:00:00Z')
  const { db } = own.database
  for (const table of ['referenceMisses', 'enrolments', 'sections', 'terms'] as const) {
    await db.deleteFrom(table).execute()
  }
})

const pass = (ms: number) => {
  options.now = new Date(options.now.getTime() + ms)
}
const store = (overrides = {}) =>
  storeStudent(own.database, { reference: 'NSTP-7KQ4-M2XD', dateOfBirth: '2007-03-14', ...overrides })
const visitor = (address = '203.0.113.5') => createStudentVisitor(own.server, { 'X-Forwarded-For': address })
const right = { reference: 'NSTP-7KQ4-M2XD', dateOfBirth: '2007-03-14' }
const wrong = { ...right, dateOfBirth: '2007-03-15' }

describe('the first step', () => {
  test.each(['NSTP-7KQ4-M2XD', 'nstp-7kq4-m2xd', ' 7kq4 m2xd ', 'NSTP 7KQ4–M2XD', 'nstp7kq4m2xd'])(
    'takes the code as people type it: %s',
    async (reference) => {
      await store()
      const student = visitor()
      const answer = await student.enter({ ...right, reference })
      expect([answer.status, await answer.json()]).toEqual([201, { step: 'first' }])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await student.step()).toBe('first')
    },
  )

  test('refuses what is no code or no date by its form', async () => {
    for (const [body, path] of [
      [{ ...right, reference: 'NSTP-7KQ' }, 'reference'],
      [{ ...right, dateOfBirth: '14 March 2007' }, 'dateOfBirth'],
    ] as const) {
      const answer = await visitor().enter(body)
      expect([answer.status, await answer.json()]).toMatchObject([422, { errors: [{ path }] }])
    }
    const codes = own.database.db.selectFrom('referenceMisses').selectAll().where('subject', 'like', 'code:%')
    expect(await codes.execute()).toEqual([])
  })

  test('opens the record by the code of one that was merged into it', async () => {
    const { id: studentId } = await store()
    await own.database.db
      .insertInto('formerReferences')
      .values({ reference: 'NSTP-AAAA-BBBB', studentId })
      .execute()
    const student = visitor()
    expect((await student.enter({ ...right, reference: 'AAAA-BBBB' })).status).toBe(201)
  })

  test('ends with Leave, and after 30 minutes without use or two hours', async () => {
    await store()
    const student = visitor()
    await student.enter(right)
    expect((await student.call('DELETE', '/my/session')).status).toBe(204)
    expect(await student.step()).toBe('none')
    expect(await own.database.db.selectFrom('studentSessions').selectAll().execute()).toEqual([])

    await student.enter(right)
    pass(29 * minute)
    expect(await student.step()).toBe('first')
    pass(31 * minute)
    expect(await student.step()).toBe('none')

    await student.enter(right)
    for (let used = 0; used < 4; used++) {
      pass(29 * minute)
      expect(await student.step()).toBe('first')
    }
    pass(5 * minute)
    expect(await student.step()).toBe('none')
    await own.server.sweep()
    expect(await own.database.db.selectFrom('studentSessions').selectAll().execute()).toEqual([])
  })

  test('is written at most once a minute while it is used', async () => {
    await store()
    const student = visitor()
    await student.enter(right)
    const { db } = own.database
    await sql`create table session_updates (at timestamptz)`.execute(db)
    await sql`create function note_update() returns trigger language plpgsql as $$
      begin insert into session_updates values (now()); return null; end $$`.execute(db)
    await sql`create trigger note_update after update on student_sessions for each statement
      execute function note_update()`.execute(db)
    const updates = async () => (await sql`select from session_updates`.execute(db)).rows.length
    for (let used = 0; used < 3; used++) await student.step()
    expect(await updates()).toBe(0)
    pass(minute)
    for (let used = 0; used < 3; used++) await student.step()
    expect(await updates()).toBe(1)
    await sql`drop trigger note_update on student_sessions`.execute(db)
  })

  test('shows words alone', async () => {
    const { id: studentId } = await store({ academicYear: '2026-2027', restriction: 'blocked' })
    const student = visitor()
    await student.enter(right)
    const read = async () => await (await student.call('GET', '/my/state')).json()
    const state = {
      academicYear: '2026-2027',
      archived: false,
      restriction: 'blocked',
      placement: 'enlisted',
      openRequests: 0,
      hasCertificate: false,
      mail: { state: 'off', until: null },
    }
    expect(await read()).toEqual(state)

    const { id: termId } = await storeTerm(own.database)
    const { id } = await storeEnrolment(own.database, { termId, studentId })
    await own.database.db
      .insertInto('studentRequests')
      .values({ id: createId(), studentId, kind: 'copy', askedAt: options.now })
      .execute()
    expect(await read()).toEqual({ ...state, placement: 'waiting', openRequests: 1 })

    const { id: sectionId } = await storeSection(own.database, { termId })
    await own.database.db.updateTable('enrolments').set({ sectionId }).where('id', '=', id).execute()
    expect(await read()).toEqual({ ...state, placement: 'placed', openRequests: 1 })
    expect((await visitor().call('GET', '/my/state')).status).toBe(401)
  })
})

describe('wrong entries', () => {
  test('are answered alike, whatever is wrong', async () => {
    await store()
    await own.database.db
      .insertInto('studentKeys')
      .values({ studentId: (await store({ reference: 'NSTP-2222-3333' })).id })
      .execute()
    const entries = [wrong, { ...right, reference: 'NSTP-ZZZZ-ZZZZ' }]
    const slips = [right.reference, 'NSTP-2222-3333', 'NSTP-ZZZZ-ZZZZ'].map((reference) => ({
      reference,
      code: 'ABCD2345WXYZ',
    }))
    for (const [path, bodies] of [
      ['/my/session', entries],
      ['/my/session/slip', slips],
    ] as const) {
      const answers = await Promise.all(
        bodies.map(async (body) => {
          const answer = await visitor().call('POST', path, body)
          const { requestId: _own, ...problem } = await answer.json()
          const headers = Object.fromEntries(answer.headers)
          for (const name of ['date', 'x-request-id', 'content-security-policy']) delete headers[name]
          return { status: answer.status, problem, headers }
        }),
      )
      for (const answer of answers) expect(answer).toEqual(answers[0])
      expect(answers[0]?.status).toBe(422)
      expect(answers[0]?.headers['set-cookie']).toBeUndefined()
    }
  })

  test('of a code are five an hour, from all networks, and then a right one is refused too', async () => {
    await store()
    for (let miss = 0; miss < missLimits.code.most; miss++) {
      expect((await visitor(`192.0.2.${miss}`).enter(wrong)).status).toBe(422)
    }
    pass(2_000)
    const refused = await visitor('192.0.2.99').enter(right)
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { detail: `${mySentences.thisHour} Please try again in 60 minutes.` },
    ])
    pass(60 * minute)
    expect((await visitor().enter(right)).status).toBe(201)
    expect((await visitor().enter(wrong)).status).toBe(422)
  })

  test('are 20 in all since the last right one, and then a slip opens the code', async () => {
    const record = await store()
    const miss = async () => {
      for (let misses = 0; misses < missLimits.code.most; misses++) await visitor().enter(wrong)
      pass(60 * minute)
    }
    for (let hour = 0; hour < 3; hour++) await miss()
    expect((await visitor().enter(right)).status).toBe(201)
    for (let hour = 0; hour < 4; hour++) await miss()
    const refused = await visitor().enter(right)
    expect([refused.status, await refused.json()]).toMatchObject([429, { detail: mySentences.slipOnly }])
    const student = visitor()
    const answer = await student.open(record)
    expect([answer.status, await answer.json()]).toEqual([201, { step: 'second' }])
    expect((await visitor().enter(right)).status).toBe(201)
  })

  test('do not lock a browser out that opened the record before', async () => {
    await store()
    const student = visitor()
    await student.enter(right)
    await student.call('DELETE', '/my/session')
    for (let miss = 0; miss < missLimits.code.most; miss++) await visitor().enter(wrong)
    expect((await visitor().enter(right)).status).toBe(429)
    expect((await student.enter(right)).status).toBe(201)
    // Its own count, which the others' entries leave alone.
    for (let miss = 0; miss < missLimits.code.most; miss++)
      expect((await student.enter(wrong)).status).toBe(422)
    expect((await student.enter(right)).status).toBe(429)
    // The cookie opens no other code.
    await store({ reference: 'NSTP-2222-3333' })
    const other = { ...wrong, reference: 'NSTP-2222-3333' }
    for (let miss = 0; miss < missLimits.code.most; miss++) await visitor().enter(other)
    expect((await student.enter({ ...right, reference: 'NSTP-2222-3333' })).status).toBe(429)
    expect([...student.cookies.values()].join()).not.toContain('7KQ4')
  })

  test('of a network are 60 in ten minutes, of the school ten times as many; right ones never count', async () => {
    await store()
    for (let entry = 0; entry < 70; entry++) expect((await visitor().enter(right)).status).toBe(201)
    const codes = Array.from({ length: 61 }, (_, index) => `NSTP-${2222 + index}-AAAA`)
    const statuses = async (address: string) => {
      const all: number[] = []
      for (const reference of codes) all.push((await visitor(address).enter({ ...wrong, reference })).status)
      return all
    }
    expect(await statuses('203.0.113.5')).toEqual([...Array(60).fill(422), 429])
    pass(2_000)
    const refused = await visitor().enter(right)
    expect(await refused.json()).toMatchObject({
      detail: `${mySentences.network} Please try again in 10 minutes.`,
    })
    const wrongSlip = { reference: 'NSTP-9999-AAAA', code: 'ABCD2345WXYZ' }
    expect((await visitor().call('POST', '/my/session/slip', wrongSlip)).status).toBe(429)
    expect((await visitor('198.51.100.7').enter(right)).status).toBe(201)
    expect(await statuses('198.51.100.7')).toEqual(Array(61).fill(422))
    pass(10 * minute)
    expect((await visitor().enter(right)).status).toBe(201)
  })

  test('are not what many right ones at the same moment are taken for', async () => {
    await store()
    const many = Array.from({ length: 60 }, () => visitor('198.51.100.7').enter(right))
    const refused: string[] = []
    for (const answer of await Promise.all(many)) {
      if (answer.status !== 201) refused.push((await answer.json()).detail)
    }
    expect(refused.filter((detail) => detail !== mySentences.moment)).toEqual([])
    expect(refused.length).toBeLessThan(many.length)
    expect((await visitor().enter(right)).status).toBe(201)
    const codes = Array.from({ length: 30 }, (_, index) => `NSTP-${2222 + index}-BBBB`)
    for (const reference of codes) await store({ reference })
    const others = await Promise.all(codes.map((reference) => visitor().enter({ ...right, reference })))
    expect(others.map(({ status }) => status)).toEqual(codes.map(() => 201))
  })

  test('of a network keep no right slip and no known browser behind it out', async () => {
    const record = await store()
    const student = visitor()
    await student.enter(right)
    for (let entry = 0; entry < missLimits.network.most; entry++) {
      await visitor().enter({ ...wrong, reference: `NSTP-${2222 + entry}-AAAA` })
    }
    expect((await visitor().enter(right)).status).toBe(429)
    expect((await student.enter(right)).status).toBe(201)
    expect((await student.enter(wrong)).status).toBe(422)
    expect((await visitor().open(record)).status).toBe(201)
  })

  test('are forgotten by the sweep: of a network after ten minutes, of a few on a code after 30 days, of more after half a year', async () => {
    await visitor().enter(wrong)
    const other = { ...wrong, reference: 'NSTP-2222-3333' }
    for (let miss = 0; miss < missLimits.code.most; miss++) await visitor().enter(other)
    const left = async () =>
      (await own.database.db.selectFrom('referenceMisses').select('subject').execute()).map(
        ({ subject }) => subject.split(':')[0],
      )
    pass(10 * minute)
    await own.server.sweep()
    expect(await left()).toEqual(['code', 'code'])
    const sweepAfter = async (ms: number) => {
      pass(ms)
      await own.database.db.updateTable('cleanUps').set({ at: options.now }).execute()
      await own.server.sweep()
    }
    await sweepAfter(30 * 24 * 60 * minute)
    expect(await left()).toEqual(['code'])
    await sweepAfter(180 * 24 * 60 * minute)
    expect(await left()).toEqual([])
  })
})

describe('over https', () => {
  const secure = startTestServer({ env: { PUBLIC_URL: 'https://nstp.school.example', TRUST_PROXY: 'on' } })
  afterAll(async () => (await secure).close())

  test('cookies have the prefix, last half a year in a known browser, and one without it is ignored', async () => {
    const server = await secure
    await storeStudent(server.database, right)
    const student = createStudentVisitor(server, { origin: 'https://nstp.school.example' })
    const entered = await student.enter(right)
    const [session, known] = entered.headers.getSetCookie()
    expect(session).not.toContain('Max-Age')
    expect(known).toContain(`Max-Age=${180 * 24 * 60 * 60};`)
    expect([...student.cookies.keys()]).toEqual(['__Host-nstp-student', '__Host-nstp-known'])
    expect(await student.step()).toBe('first')
    const token = student.cookies.get('__Host-nstp-student') ?? ''
    student.cookies.clear()
    student.cookies.set('nstp-student', token)
    expect(await student.step()).toBe('none')
  })
})
