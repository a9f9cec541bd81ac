import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { enlist, longestMs, until } from '#tests/faults/load.ts'
import {
  databasePid,
  queryDatabase,
  serverProcesses,
  signalDatabase,
} from '#tests/faults/product-database.ts'
import { findFreePort } from '#tests/setup/free-port.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'

const writers = 16
const kills = { product: 20, database: 8, backend: 4 }
const recordsBetween = 200

let folder: TemporaryFolder
let port: number
let product: Product

beforeEach(async () => {
  folder = makeTemporaryFolder()
  port = await findFreePort()
  product = await start()
})
afterEach(async () => {
  await product.stop()
  folder.remove()
})

function start() {
  return startProduct({
    DATA_DIR: join(folder.path, 'data'),
    PORT: String(port),
    RATE_LIMITS: 'off',
    DATABASE_PATIENCE: '1',
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: '--max-old-space-size=400',
  })
}

/** Each sends an enlistment, with the same key, until it is acknowledged, as the form does; then the next. */
function startWriters() {
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  let [sent, slowestMs, isStopping] = [0, 0, false]

  async function write() {
    while (!isStopping) {
      const key = randomUUID()
      sent += 1
      for (let id: string | undefined; id === undefined; ) {
        const startedAt = performance.now()
        const answer = await enlist(product.url, key)
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
        statuses.add(answer.status)
        id = answer.id
        if (id) acknowledged.push(id)
        else await sleep(50)
      }
    }
  }
  const all = Promise.all(Array.from({ length: writers }, write))
  return {
    async untilMore() {
      const before = acknowledged.length
      await until('records are made', () => acknowledged.length > before + recordsBetween, 60_000)
    },
    async stop() {
      isStopping = true
      await all
      return { acknowledged, statuses: [...statuses].sort(), sent, slowestMs }
    },
  }
}

/** None while it starts. */
function serverProcessesNow(): number[] {
  try {
    return serverProcesses(product.dataDir)
  } catch {
    return []
  }
}

async function expectEachOnce({ acknowledged, sent }: { acknowledged: string[]; sent: number }) {
  const rows = await queryDatabase<{ id: string }>(product.dataDir, 'select id from students')
  const stored = new Set(rows.map(({ id }) => id))
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
  expect([stored.size, new Set(acknowledged).size]).toEqual([sent, sent])
}

test('killed twenty times under sixteen writers, the product loses and doubles nothing', {
  timeout: 1_200_000,
}, async () => {
  const load = startWriters()
  for (let count = 0; count < kills.product; count++) {
    await load.untilMore()
    const exited = once(product.process, 'exit')
    product.process.kill('SIGKILL')
    await exited
    product = await start()
  }
  await load.untilMore()
  const result = await load.stop()
  expect(result.statuses).toEqual([0, 201])
  await expectEachOnce(result)
})

test('its database killed eight times, and single processes of it, nothing is lost or doubled', async () => {
  const load = startWriters()
  for (let count = 0; count < kills.database + kills.backend; count++) {
    await load.untilMore()
    const server = databasePid(product.dataDir)
    // A system without memory ends the largest process, which is one of its connections.
    const backend = serverProcesses(product.dataDir).at(-1) ?? server
    const killed = count < kills.database ? server : backend
    process.kill(killed, 'SIGKILL')
    const isReplaced = () => {
      const running = serverProcessesNow()
      return running.length > 0 && !running.includes(killed)
    }
    await until('it is ready again', isReplaced, 60_000)
  }
  await load.untilMore()
  const result = await load.stop()
  expect(result.statuses.filter((status) => status !== 503)).toEqual([201])
  await expectEachOnce(result)
  expect(result.slowestMs).toBeLessThan(longestMs)
  expect(product.process.exitCode).toBeNull()
})

test('its database suspended for twenty seconds, every request ends within five, and then all goes on', async () => {
  const load = startWriters()
  await load.untilMore()
  signalDatabase(product.dataDir, 'SIGSTOP')
  await sleep(20_000)
  signalDatabase(product.dataDir, 'SIGCONT')
  await load.untilMore()
  const result = await load.stop()
  expect(result.statuses).toEqual([201, 503])
  await expectEachOnce(result)
  expect(result.slowestMs).toBeLessThan(longestMs)
})
