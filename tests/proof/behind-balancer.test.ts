import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimMs } from '#server/features/mail/worker/dequeue.ts'
import { startLoad, until } from '#tests/faults/load.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { configureUnlimitedMail, mailStates, type Query, queueMail } from '#tests/setup/mailing-product.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createBareDatabase } from '#tests/setup/test-database.ts'

// Messages in flight at the same time in one process.
const maxConcurrency = 3

let folder: TemporaryFolder
let database: Awaited<ReturnType<typeof createBareDatabase>>
let products: Product[]
let balancer: Awaited<ReturnType<typeof startBalancer>>
let sink: MailSink
let pool: pg.Pool
let cookie: string

beforeAll(async () => {
  folder = makeTemporaryFolder()
  sink = await startMailSink()
  database = await createBareDatabase()
  pool = new pg.Pool(database.connection)
  products = await Promise.all(
    [1, 2, 3].map((number) =>
      startProduct({
        DATABASE_URL: database.url,
        DATA_DIR: join(folder.path, `data-${number}`),
        SECRET_KEY: 'the secret key that all processes have',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      }),
    ),
  )
  balancer = await startBalancer(products.map(({ url }) => Number(new URL(url).port)))
  cookie = await configureUnlimitedMail(balancer.url, sink.account)
})
afterAll(async () => {
  await balancer.close()
  await Promise.all(products.map((product) => product.stop()))
  await pool.end()
  await database.drop()
  await sink.close()
  folder.remove()
})

const query: Query = async (text) => (await pool.query(text)).rows

/** Connects to each process by turns, and to the next one when a process is gone. */
async function startBalancer(ports: readonly number[]) {
  const sockets = new Set<Socket>()
  let turn = 0
  function track(socket: Socket): Socket {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  function forward(client: Socket, tries: number) {
    const upstream = track(connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1'))
    upstream.once('error', () => (tries > 1 ? forward(client, tries - 1) : client.destroy()))
    upstream.once('connect', () => {
      client.pipe(upstream).pipe(client)
      upstream.once('close', () => client.destroy())
      client.once('close', () => upstream.destroy())
    })
  }
  const server = createServer((client) => forward(track(client), ports.length))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What a stream of events has brought so far. */
async function listenTo(url: string) {
  const stream = await fetch(`${url}/api/events`, { headers: { cookie } })
  const heard = { text: '', isOpen: true }
  void (async () => {
    const decoder = new TextDecoder()
    // It is cut when its process is killed.
    for await (const bytes of stream.body ?? []) heard.text += decoder.decode(bytes)
  })()
    .catch(() => undefined)
    .finally(() => {
      heard.isOpen = false
    })
  await until('it is connected', () => heard.text.includes('event: hello'))
  return heard
}

test('a session of one process is valid at all, and wrong passwords count at all together', async () => {
  const statuses = await Promise.all(
    products.map(async ({ url }) => (await fetch(`${url}/api/students`, { headers: { cookie } })).status),
  )
  expect(statuses).toEqual([200, 200, 200])
  const guesses: number[] = []
  for (let index = 0; index < 6; index++) {
    const answer = await fetch(`${products[index % 3]?.url}/api/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: adminEmail, password: 'no password of anybody' }),
    })
    guesses.push(answer.status)
  }
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429])
})

test('one of three that is killed under load takes its own connections along, and nothing else', {
  timeout: 180_000,
}, async () => {
  const [victim, ...others] = products
  if (!victim) throw new Error('three processes')
  const streams = await Promise.all(products.map(({ url }) => listenTo(url)))
  sink.reset()
  sink.fault({ at: 'dot', does: 'wait', ms: 20 })
  await queueMail(query, 400)
  const connections = 12
  const load = startLoad(balancer.url, connections)
  await until('records are made', () => load.result.acknowledged.length > 200)
  await until('messages are sent', () => sink.messages.length > 60, 60_000)

  const killedAt = Date.now()
  const exited = once(victim.process, 'exit')
  victim.process.kill('SIGKILL')
  await exited
  const before = load.result.acknowledged.length
  await until('records are made by the others', () => load.result.acknowledged.length > before + 200)
  const { statuses, acknowledged } = await load.stop()
  expect([...statuses.keys()].filter((status) => status !== 0)).toEqual([201])
  expect(statuses.get(0) ?? 0).toBeLessThanOrEqual(connections)
  const stored = new Set((await query<{ id: string }>('select id from students')).map(({ id }) => id))
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])

  // Whoever listens at another process hears of a change at any.
  expect(streams.map(({ isOpen }) => isOpen)).toEqual([false, true, true])
  for (const stream of streams) stream.text = ''
  for (const { url } of others) expect((await startedAnnouncement(url)).status).toBe(201)
  for (const stream of streams.slice(1)) {
    await until('it hears of them', () => stream.text.includes('announcements'))
  }

  await until('no message waits', async () => !(await mailStates(query)).queued, 90_000)
  // Claims of the killed process end before this; the others' of that time have ended.
  const itsClaimsEnd = new Date(killedAt + claimMs).toISOString()
  await query(`update mail_messages set claimed_until = now()
    where state = 'sending' and claimed_until < '${itsClaimsEnd}'`)
  await until('every message has ended', async () => !(await mailStates(query)).sending, 90_000)
  const { sent = 0, unknown = 0, ...rest } = await mailStates(query)
  expect(Object.keys(rest)).toEqual([])
  expect(unknown).toBeLessThanOrEqual(maxConcurrency)
  expect(sent + unknown).toBeGreaterThanOrEqual(400)
  const ids = sink.messages.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

function startedAnnouncement(url: string) {
  const form = new FormData()
  form.set('title', 'Drill')
  form.set('content', 'At the gym.')
  return fetch(`${url}/api/announcements`, { method: 'POST', headers: { cookie }, body: form })
}
