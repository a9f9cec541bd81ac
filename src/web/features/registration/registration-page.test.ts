import { expect, test } from 'vitest'
import { withTimeout } from './registration-page.tsx'

const never = new Promise<never>(() => undefined)

test('resolves with the result of the work', async () => {
  await expect(withTimeout(Promise.resolve('done'), 1_000)).resolves.toBe('done')
})

test('rejects with the error of the work', async () => {
  await expect(withTimeout(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused')
})

test('rejects after the time limit', async () => {
  await expect(withTimeout(never, 20)).rejects.toThrow('not done within 20 ms')
})
