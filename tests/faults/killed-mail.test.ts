// @module-tag rest
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRunning } from '#server/database/embedded/stale-server.ts'
import { claimMs } from '#server/features/mail/worker/dequeue.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import {
  configureUnlimitedMail,
  mailIn,
  mailStates,
  type Query,
  queueMail,
} from '#tests/setup/mailing-product.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { until } from './load.ts'
import { databasePid, queryDatabase } from './product-database.ts'

// Messages in flight at the same time in one process.
const maxConcurrency = 3

describe('mail of a product', () => {
  let folder: TemporaryFolder
  let product: Product
  let sink: MailSink
  let startedAt: number

  beforeEach(async () => {
    folder = makeTemporaryFolder()
    sink = await startMailSink()
    product = await start()
    await configureUnlimitedMail(product.url, sink.account)
    sink.reset()
  })
  afterEach(async () => {
    await product.stop()
    await sink.close()
    folder.remove()
  })

  function start() {
    startedAt = Date.now()
    return startProduct({ DATA_DIR: join(folder.path, 'data'), RATE_LIMITS: 'off', LOG_LEVEL: 'warn' })
  }

  const query: Query = (text) => queryDatabase(product.dataDir, text)

  async function allEnded() {
    const states = await mailStates(query)
    return !states.queued && !states.sending
  }

  async function hasDatabase() {
    return query('select').then(
      () => true,
      () => false,
    )
  }

  // Messages that the mail server accepted more than once.
  function duplicates() {
    const ids = sink.messages.map(({ id }) => id)
    return ids.filter((id, index) => ids.indexOf(id) !== index)
  }

  test('that is killed ten times: of 1,000 messages none is sent twice, and each is sent or unknown', {
    timeout: 600_000,
  }, async () => {
    // Slow enough that every kill interrupts messages in flight, and that messages remain for ten kills.
    sink.fault({ at: 'dot', does: 'wait', ms: 40 })
    await queueMail(query, 1_000)
    for (let kills = 0; kills < 10; kills++) {
      const enough = sink.messages.length + 5 + Math.random() * 50
      await until('messages are sent', () => sink.messages.length >= enough, 60_000)
      await sleep(Math.random() * 40)
      const exited = once(product.process, 'exit')
      product.process.kill('SIGKILL')
      await exited
      product = await start()
    }
    sink.clearFaults()
    // Only claims of the processes that were killed end before this.
    const ownClaimsEnd = new Date(startedAt + claimMs).toISOString()
    await query(`update mail_messages set claimed_until = now()
      where state = 'sending' and claimed_until < '${ownClaimsEnd}'`)
    await until('every message has ended', allEnded, 120_000)
    const { sent = 0, failed = 0, unknown = 0, ...others } = await mailStates(query)
    expect(others).toEqual({})
    expect(sent + failed + unknown).toBe(1_000)
    expect(unknown).toBeLessThanOrEqual(maxConcurrency * 10)
    expect(duplicates()).toEqual([])
    // Every message marked as sent was accepted, and every accepted one is marked as sent or unknown.
    const accepted = new Set(sink.messages.map(({ id }) => id))
    const stored = { sent: await mailIn(query, 'sent'), unknown: await mailIn(query, 'unknown') }
    expect([...stored.sent].filter((id) => !accepted.has(id))).toEqual([])
    expect([...accepted].filter((id) => !stored.sent.has(id) && !stored.unknown.has(id))).toEqual([])
  })

  test('whose database is killed while it sends: every message is sent once, and marked as sent', {
    timeout: 300_000,
  }, async () => {
    sink.fault({ at: 'dot', does: 'wait', ms: 20 })
    await queueMail(query, 300)
    for (let kills = 0; kills < 3; kills++) {
      const before = sink.messages.length
      await until('messages are sent', () => sink.messages.length >= before + 30, 60_000)
      const killed = databasePid(product.dataDir)
      process.kill(killed, 'SIGKILL')
      await until('it has exited', () => !isRunning(killed))
      await until('it is available again', hasDatabase, 60_000)
    }
    await until('every message has ended', allEnded, 120_000)
    expect(await mailStates(query)).toEqual({ sent: 300 })
    expect(duplicates()).toEqual([])
    expect(sink.messages).toHaveLength(300)
  })

  test('that is stopped finishes the messages in flight, and sends the others after the next start', async () => {
    sink.fault({ at: 'dot', does: 'wait', ms: 100 })
    await queueMail(query, 100)
    await until('messages are sent', () => sink.messages.length >= 10, 60_000)
    expect(await product.stop()).toBe(0)
    const accepted = sink.messages.length
    await sleep(300)
    expect(sink.messages).toHaveLength(accepted)
    product = await start()
    const { sent, unknown = 0 } = await mailStates(query)
    expect(unknown).toBe(0)
    expect(sent).toBeGreaterThanOrEqual(accepted)
    await until('every message has ended', allEnded, 60_000)
    expect(await mailStates(query)).toEqual({ sent: 100 })
    expect(duplicates()).toEqual([])
  })
})
