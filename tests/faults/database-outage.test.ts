// @module-tag rest
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findServer } from '#server/database/embedded/stale-server.ts'
import type { Problem } from '#shared/problem.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { enlist, longestMs, startLoad, until } from './load.ts'
import { databasePid, signalDatabase } from './product-database.ts'

describe('a database that fails', () => {
  let product: Product

  beforeAll(async () => {
    product = await startProduct({ RATE_LIMITS: 'off', LOG_LEVEL: 'warn', DATABASE_PATIENCE: '1' })
  })
  afterAll(() => product.remove())

  const isReady = async () => (await fetch(`${product.url}/api/ready`)).ok

  test('is started again when it was killed under load; the process lives and says 503 meanwhile', async () => {
    const load = startLoad(product.url)
    for (let kills = 0; kills < 3; kills++) {
      await until('records are made', () => load.result.acknowledged.length > 100)
      process.kill(databasePid(product.dataDir), 'SIGKILL')
      await until('requests are refused', () => (load.result.statuses.get(503) ?? 0) > 0)
      await until('it is ready again', isReady)
      load.result.acknowledged.length = 0
    }
    const { statuses, slowestMs } = await load.stop()
    expect([...statuses.keys()].sort()).toEqual([201, 503])
    expect(slowestMs).toBeLessThan(longestMs)
    expect(product.process.exitCode).toBeNull()
  })

  test('that is suspended ends every request within 5 s with 503, and serves when it goes on', async () => {
    const load = startLoad(product.url, 32)
    await until('records are made', () => load.result.acknowledged.length > 100)
    signalDatabase(product.dataDir, 'SIGSTOP')
    const before = load.result.statuses.get(503) ?? 0
    await until('requests are refused', () => (load.result.statuses.get(503) ?? 0) > before + 64)
    const answer = await fetch(`${product.url}/api/ready`)
    const problem: Problem = await answer.json()
    expect({ status: answer.status, code: problem.code }).toEqual({ status: 503, code: 'unavailable' })

    // After some ten seconds its queue of connections is full, which its clients are told in another way.
    const waiting = await fillQueue()
    const beforeFull = load.result.statuses.get(503) ?? 0
    await until('requests are refused', () => (load.result.statuses.get(503) ?? 0) > beforeFull + 256)
    for (const socket of waiting) socket.destroy()

    signalDatabase(product.dataDir, 'SIGCONT')
    await until('it is ready again', isReady)
    const { statuses, slowestMs } = await load.stop()
    expect([...statuses.keys()].sort()).toEqual([201, 503])
    expect(slowestMs).toBeLessThan(longestMs)
    // No connection that hung is used again.
    const results = await Promise.all(Array.from({ length: 40 }, () => enlist(product.url)))
    expect(results.every(({ status }) => status === 201)).toBe(true)
  })

  /** Connects until the server's queue takes no more. */
  async function fillQueue(): Promise<Socket[]> {
    const { host, port } = findServer(join(product.dataDir, 'postgres')) ?? {}
    const waiting: Socket[] = []
    for (let isFull = false; !isFull; ) {
      const socket = connect(`${host}/.s.PGSQL.${port}`)
      waiting.push(socket)
      isFull = await once(socket, 'connect').then(
        () => false,
        () => true,
      )
    }
    return waiting
  }
})
