import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server/lib/log.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const report = {
  name: 'TypeError',
  script: '/assets/site-B1_x.js',
  line: 2,
  column: 345,
  route: '/announcements/:id',
}

const token = 'a token of a monitoring program'
const lines: string[] = []
let server: TestServer
beforeAll(async () => {
  const log = createLog('info', { write: (line) => lines.push(line) })
  server = await startTestServer({ env: { METRICS_TOKEN: token, RATE_LIMITS: 'on' }, log })
})
afterAll(() => server.close())

function send(body: unknown) {
  return fetch(`${server.url}/api/script-errors`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function count() {
  const answer = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })
  return Number(/nstp_script_errors_total (\d+)/.exec(await answer.text())?.[1])
}

test('a page tells of a script that failed, without a session: it is logged and counted', async () => {
  expect((await send(report)).status).toBe(204)
  expect(await count()).toBe(1)
  const logged = lines.map((line) => JSON.parse(line)).filter(({ script }) => script)
  expect(logged).toEqual([expect.objectContaining({ ...report, msg: 'a script of a page failed' })])
})

test.each([
  ['a message', { ...report, message: 'Dela Cruz is not defined' }],
  ['a name that is a text', { ...report, name: 'Dela Cruz' }],
  ['an address with a query', { ...report, route: '/students?search=Cruz' }],
  ['an address with a value', { ...report, route: '/verify/AB12CD' }],
  ['a script of elsewhere', { ...report, script: 'https://elsewhere.example/x.js' }],
  ['a line that is a text', { ...report, line: 'Cruz' }],
])('%s is refused, not logged and not counted', async (_what, body) => {
  const before = await count()
  expect((await send(body)).status).toBe(422)
  expect(await count()).toBe(before)
  expect(lines.join('\n')).not.toMatch(/Cruz|AB12CD|elsewhere/)
})

test('one sender is not heard without end, nor at length', async () => {
  const before = await count()
  expect((await send({ ...report, name: 'E'.repeat(4_000) })).status).toBe(413)
  const statuses: number[] = []
  for (let line = 0; line < 25; line++) statuses.push((await send({ ...report, line })).status)
  expect([...new Set(statuses)]).toEqual([204, 429])
  expect(await count()).toBe(before + statuses.filter((status) => status === 204).length)
})
