import { expect, test } from 'vitest'
import { withTimeout } from './registration-page.tsx'

const never = new Promise<never>(() => undefined)

test('gives what the work gives', async () => {
  await expect(withTimeout(Promise.resolve('done'), 1_000)).resolves.toBe('done')
})

test('fails as the work fails', async () => {
  await expect(withTimeout(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused')
})

test('gives up work that never ends', async () => {
  await expect(withTimeout(never, 20)).rejects.toThrow('not done within 20 ms')
})
