import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { missLimits } from '#shared/my/my.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { baseOf, operationsOf, readDescription } from '#tests/setup/api-description.ts'
import { openEvents } from '#tests/setup/event-stream.ts'
import { createStudentVisitor } from '#tests/setup/student-visitor.ts'
import { startTwoProcesses } from '#tests/setup/two-processes.ts'

let two: Awaited<ReturnType<typeof startTwoProcesses>>
beforeAll(async () => {
  two = await startTwoProcesses({ RATE_LIMITS: 'on', TRUST_PROXY: 'on', LOG_LEVEL: 'error' })
}, 120_000)
afterAll(() => two.close())

const cookiesOf = ({ cookies }: ReturnType<typeof createStudentVisitor>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

async function openTwo() {
  const { server } = two
  return await Promise.all(
    ['Abad', 'Bautista'].map(async (lastName) => {
      const record = await storeStudent(server.database, {
        lastName,
        email: `${lastName}.${createId()}@own.example`,
      })
      const [first, second] = [createStudentVisitor(server), createStudentVisitor(server)]
      await first.enter(record)
      await second.open(record)
      return { record, first: cookiesOf(first), second: cookiesOf(second) }
    }),
  )
}

async function ask(route: { path: string; method: string; base: string }, cookie: string, id = createId()) {
  const { url } = two.server
  const hasBody = route.method !== 'get' && route.method !== 'delete'
  const answer = await fetch(url + route.base + route.path.replaceAll(/\{\w+\}/g, id), {
    method: route.method.toUpperCase(),
    headers: {
      cookie,
      origin: url,
      'if-match': '"1"',
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    body: hasBody ? '{}' : null,
  })
  return { status: answer.status, text: await answer.text() }
}

async function routes() {
  const described = operationsOf(await readDescription(two.server.url))
  return described.map(({ path, method, operation }) => ({
    ...{ path, method, base: baseOf(operation) },
    permission: operation['x-permission'],
  }))
}

test('a session of a student opens no route of the office, and one of the office no route of a student', async () => {
  const [ana] = await openTwo()
  let compared = 0
  for (const route of await routes()) {
    if (route.permission === 'public') continue
    const cookies = route.permission === 'student' ? ['', two.ana.cookie] : ['', ana?.first, ana?.second]
    for (const cookie of cookies) {
      const { status } = await ask(route, cookie ?? '')
      expect([route.method, route.path, status]).toEqual([route.method, route.path, 401])
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(400)
}, 120_000)

test('a route of a student shows the own record alone, and takes no id of another one', async () => {
  const [ana, ben] = await openTwo()
  if (!ana || !ben) throw new Error('two students are needed')
  const { db } = two.server.database
  const requestId = createId()
  const request = { id: requestId, studentId: ben.record.id, kind: 'copy' as const, askedAt: new Date() }
  await db.insertInto('studentRequests').values(request).execute()
  const stored = () => db.selectFrom('studentRequests').selectAll().where('id', '=', requestId).execute()
  const before = await stored()
  const ofBen = [ben.record.id, ben.record.reference, ben.record.lastName, requestId]
  const own = (await routes()).filter(({ permission }) => permission === 'student')
  for (const route of own) {
    for (const cookie of [ana.first, ana.second]) {
      const { status, text } = await ask(route, cookie, requestId)
      const isRefused = status === 403 || status === 404 || status === 422
      expect([route.path, isRefused || !route.path.includes('{id}')]).toEqual([route.path, true])
      for (const value of ofBen)
        expect([route.path, text]).toEqual([route.path, expect.not.stringContaining(value)])
    }
    // The first step answers words, or refuses.
    const { text } = await ask(route, ana.first)
    expect(text).not.toContain(ana.record.reference)
    expect(text).not.toContain(ana.record.lastName)
  }
  expect(await stored()).toEqual(before)
})

test('the events of a student are those of every visitor', async () => {
  const [ana] = await openTwo()
  const events = await openEvents(two.server.url, ana?.second)
  await events.waitFor('hello')
  await two.ana.call('POST', `/students/${ana?.record.id}/archive`)
  const node = { name: 'Ana Reyes', position: 'Director', parentId: null }
  await two.ana.call('POST', '/org-chart/nodes', node)
  await two.ana.call('POST', '/announcements/preview', {})
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await events.close()
  expect(events.received()).not.toMatch(/data: (students|terms|mail|audit|people)\b/)
})

test('of all birth dates of three years, over 1,000 networks and two processes, 20 are looked at at most', async () => {
  const { reference } = await storeStudent(two.server.database, { dateOfBirth: '2007-03-14' })
  const start = Date.UTC(2005, 0, 1)
  const dates = Array.from({ length: 1_100 }, (_, day) =>
    new Date(start + day * 86_400_000).toISOString().slice(0, 10),
  )
  expect(dates).toContain('2007-03-14')
  const statuses = new Map<number, number>()
  const guess = async (dateOfBirth: string, index: number) => {
    const address = `10.${Math.floor((index % 1_000) / 250)}.${index % 250}.7`
    const { url } = index % 2 === 0 ? two.ana : two.ben
    const visitor = createStudentVisitor(
      { url, database: two.server.database },
      { 'x-forwarded-for': address },
    )
    const { status } = await visitor.enter({ reference, dateOfBirth })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  // The hour is over after each part: what counts then is the number in all.
  for (let first = 0; first < dates.length; first += 100) {
    await Promise.all(dates.slice(first, first + 100).map((date, index) => guess(date, first + index)))
    await two.server.database.db
      .updateTable('referenceMisses')
      .set({ since: new Date(Date.now() - missLimits.code.withinMs) })
      .execute()
  }
  const lookedAt = (statuses.get(422) ?? 0) + (statuses.get(201) ?? 0)
  expect([...statuses.keys()].sort()).toEqual([422, 429])
  expect(lookedAt).toBe(missLimits.code.inAll)
}, 120_000)
