// @module-tag rest
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  configureUnlimitedMail,
  endPauses,
  mailIn,
  mailStates,
  type Query,
  queueMail,
  settleMail,
} from '#tests/setup/mailing-product.ts'
import { hasPostfix, type Postfix, preparePostfix } from '#tests/setup/postfix.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { until } from './load.ts'
import { queryDatabase } from './product-database.ts'

/** Longer than the product waits before it tries the server again. */
const timeoutMs = 120_000

describe.skipIf(!hasPostfix)('Debian’s Postfix', () => {
  let folder: TemporaryFolder
  let product: Product
  let postfix: Postfix
  let cookie: string

  beforeEach(async () => {
    folder = makeTemporaryFolder()
    postfix = await preparePostfix()
    await postfix.start()
    product = await startProduct({
      DATA_DIR: join(folder.path, 'data'),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    })
    cookie = await configureUnlimitedMail(product.url, postfix.account)
  }, 180_000)
  afterEach(async () => {
    await product.stop()
    postfix.close()
    folder.remove()
  })

  const query: Query = (text) => queryDatabase(product.dataDir, text)

  async function allEnded() {
    await endPauses(query)
    const { queued = 0, sending = 0 } = await mailStates(query)
    return queued + sending === 0
  }

  // Postfix was stopped after the final dot and before its answer: its log says whether it accepted the message.
  async function settleUnknown() {
    const delivered = new Set(postfix.delivered())
    for (const id of await mailIn(query, 'unknown')) {
      await settleMail(product.url, cookie, id, delivered.has(id) ? 'arrived' : 'send again')
    }
  }

  test('that is restarted during 200 messages gets each of them once', {
    timeout: 900_000,
  }, async () => {
    await queueMail(query, 200)
    const sentCount = async () => (await mailStates(query)).sent ?? 0
    for (const share of [40, 100]) {
      await until(`${share} are sent`, async () => (await sentCount()) >= share, timeoutMs)
      postfix.stop()
      expect(await sentCount()).toBeLessThan(200)
      await sleep(2_000)
      await postfix.start()
    }
    await until('all have ended', allEnded, timeoutMs)
    await until('all accepted messages are delivered', postfix.isIdle, 60_000)
    await settleUnknown()
    await until('all are sent', async () => (await sentCount()) === 200, timeoutMs)
    await until('all are delivered', postfix.isIdle, 60_000)
    expect(await mailStates(query)).toEqual({ sent: 200 })
    expect(postfix.delivered()).toHaveLength(200)
    expect(new Set(postfix.delivered()).size).toBe(200)
  })
})
