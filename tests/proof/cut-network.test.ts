import { once } from 'node:events'
import { connect } from 'node:net'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase } from '#server/database/pool.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { until } from '#tests/faults/load.ts'
import { type NetworkProxy, startNetworkProxy } from '#tests/setup/network-proxy.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let database: TestDatabase
let network: NetworkProxy
let remote: ReturnType<typeof createDatabase>
let server: TestServer
// Messages to the database until the network is cut.
let left = Number.POSITIVE_INFINITY

beforeEach(async () => {
  left = Number.POSITIVE_INFINITY
  database = await createTestDatabase()
  const { host, port } = database.connection
  network = await startNetworkProxy(`${host}/.s.PGSQL.${port}`, (bytes) => {
    if (left-- === 0) network.swallow()
    return bytes
  })
  const connection = { ...database.connection, host: '127.0.0.1', port: network.port }
  remote = createDatabase({ connection, log: pino({ level: 'silent' }) })
  // The notices have a connection of their own.
  server = await startTestServer({ database: { ...database, ...remote }, listenWith: database.connection })
})
afterEach(async () => {
  await server.close()
  await remote.close()
  await network.close()
  await database.close()
})

function requestWith(key: string): string {
  const body = JSON.stringify(buildRegistration())
  const head = [
    'POST /api/registrations HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Idempotency-Key: ${key}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

async function send(key: string) {
  const answer = await fetch(`${server.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(buildRegistration()),
  })
  await answer.arrayBuffer()
  return answer.status
}

const count = async () => (await database.db.selectFrom('students').select('id').execute()).length

test('a connection cut at any step of a registration, and its retry, make one record', async () => {
  const steps = 24
  for (let step = 0; step <= steps; step++) {
    const key = `cut-client-at-step-${step}`
    const request = Buffer.from(requestWith(key))
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    await once(socket, 'connect')
    // The last step sends everything and doesn't wait for the answer.
    await new Promise((resolve) =>
      socket.write(request.subarray(0, (request.length * step) / steps), resolve),
    )
    socket.destroy()
    expect(await send(key)).toBe(201)
    expect(await send(key)).toBe(201)
    expect(await count()).toBe(step + 1)
  }
})

test('a network cut at any message to the database is answered, and a retry makes one record', async () => {
  const statuses: number[] = []
  for (let messages = 0; messages <= 4; messages++) {
    const key = `cut-database-at-message-${messages}`
    left = messages
    statuses.push(await send(key))
    left = Number.POSITIVE_INFINITY
    network.heal()
    await until('the registration is stored', async () => (await send(key)) === 201, 30_000)
    expect(await count()).toBe(messages + 1)
  }
  expect(statuses[0]).toBe(503)
  expect(statuses.filter((status) => status !== 503 && status !== 201)).toEqual([])
})
