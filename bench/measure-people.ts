import { setTimeout as sleep } from 'node:timers/promises'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { type Bench, isQuick, seconds } from './bench.ts'
import { latencyText } from './compare.ts'
import { runLoad } from './load.ts'
import { type Figure, format } from './report.ts'
import { listRequests } from './workload.ts'

const people = 30
const records = isQuick ? 10_000 : 100_000
// In ms: between two pages that a person opens.
const restMs = 2_000
const mostTimes = 1.2

const colleagues = `
  insert into admins (id, email, display_name, role, password_hash, password_changed_at, created_at)
  select gen_random_uuid(), 'person' || n || '@school.example', 'Person ' || n, 'coordinator', password_hash, now(), now()
  from admins, generate_series(2, ${people}) n where email = '${adminEmail}'`

async function signIn(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: adminPassword }),
  })
  if (!answer.ok) throw new Error(`${email}: ${answer.status}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Opens a page of the list and a record of it, and changes every fifth, with live updates, until `end`. */
async function work(url: string, cookie: string, end: AbortSignal): Promise<void> {
  const headers = { Cookie: cookie }
  await fetch(`${url}/events`, { headers, signal: end })
  for (let turn = 0; !end.aborted; turn += 1) {
    await sleep(restMs * (0.5 + Math.random()))
    const page = 1 + Math.floor(Math.random() * 50)
    const { items } = await (await fetch(`${url}/students?archive=active&page=${page}`, { headers })).json()
    const [{ id }] = items
    const record = await fetch(`${url}/students/${id}`, { headers })
    await record.arrayBuffer()
    if (turn % 5 > 0) continue
    const edited = await fetch(`${url}/students/${id}`, {
      method: 'PATCH',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        'If-Match': record.headers.get('etag') ?? '',
      },
      body: JSON.stringify({ hobbies: `Reading ${turn}` }),
    })
    await edited.arrayBuffer()
  }
}

export async function measurePeople({ product: { port }, database, cookie }: Bench): Promise<Figure[]> {
  await database.refill(records)
  const read = () =>
    runLoad({
      port,
      connections: 1,
      seconds,
      next: listRequests(port, cookie, { count: records, page: 'near' }),
    })
  const alone = await read()
  await database.run(colleagues)
  const url = `http://127.0.0.1:${port}/api`
  const ended = new AbortController()
  const workers: Promise<void>[] = []
  for (let person = 2; person <= people; person += 1) {
    workers.push(work(url, await signIn(url, `person${person}@school.example`), ended.signal))
  }
  const together = await read()
  ended.abort()
  await Promise.all(workers)
  const times = together.p99 / alone.p99
  return [
    {
      what: `students list, one of the first 100 pages, ${records.toLocaleString('en')} records, 1 connection, ${people} people at work`,
      product: latencyText(together),
      reference: `${latencyText(alone)} (alone)`,
      aim: `${times <= mostTimes ? 'met' : 'missed'}: p99 ${format(times)} × ≤ ${mostTimes} ×`,
    },
  ]
}
