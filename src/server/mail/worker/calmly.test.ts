import { expect, test } from 'vitest'
import { calmly } from './calmly.ts'

test('what is asked for often is done at once, then once for each span, and at the end', async () => {
  let done = 0
  const { ask, end } = calmly(() => {
    done += 1
  }, 50)
  for (let index = 0; index < 100; index++) ask()
  expect(done).toBe(1)
  await expect.poll(() => done).toBe(2)
  ask()
  end()
  expect(done).toBe(3)
})
