import pino from 'pino'
import { expect, test } from 'vitest'
import { sweepNowAndThen } from './sweeping.ts'

const fault = new Error('the pool has ended')

function setUp() {
  const logged: string[] = []
  return { logged, log: pino({ level: 'warn' }, { write: (line) => logged.push(line) }) }
}

test('a sweep that fails is logged and repeated', async () => {
  const { logged, log } = setUp()
  const end = sweepNowAndThen(() => Promise.reject(fault), log)
  await expect.poll(() => logged).toEqual([expect.stringContaining(fault.message)])
  end()
})

test("one interrupted by the shutdown isn't logged as an error", async () => {
  const { logged, log } = setUp()
  const sweeping = new Promise((_resolve, reject) => setImmediate(reject, fault))
  sweepNowAndThen(() => sweeping, log)()
  await expect(sweeping).rejects.toBe(fault)
  // The callbacks of the sweep's end have run by the next event-loop turn.
  await new Promise((resolve) => setImmediate(resolve))
  expect(logged).toEqual([])
})
