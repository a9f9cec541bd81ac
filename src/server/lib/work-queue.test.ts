import { expect, test } from 'vitest'
import { createWorkQueue } from './work-queue.ts'

function createJobs() {
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const job = (name: string) => () =>
    new Promise<string>((resolve) => {
      began.push(name)
      ends.set(name, () => resolve(name))
    })
  const end = (name: string) => ends.get(name)?.()
  return { began, job, end }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('runs a limited number of jobs at once and the others in order', async () => {
  const { began, job, end } = createJobs()
  const queue = createWorkQueue({ atOnce: 2, maxWaiting: 10 })
  const all = ['a', 'b', 'c', 'd'].map((name) => queue.run(job(name)))
  await settle()
  expect(began).toEqual(['a', 'b'])

  end('b')
  await settle()
  expect(began).toEqual(['a', 'b', 'c'])

  for (const name of ['a', 'c']) end(name)
  await settle()
  end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
})

test('an urgent job precedes those that wait', async () => {
  const { began, job, end } = createJobs()
  const queue = createWorkQueue({ atOnce: 1, maxWaiting: 10 })
  const all = [queue.run(job('a')), queue.run(job('b')), queue.run(job('c'), { isUrgent: true })]
  for (const name of ['a', 'c', 'b']) {
    await settle()
    end(name)
  }
  await Promise.all(all)
  expect(began).toEqual(['a', 'c', 'b'])
})

test('a crowd is refused, an urgent job never', async () => {
  const { job, end } = createJobs()
  const queue = createWorkQueue({ atOnce: 1, maxWaiting: 1 })
  const accepted = [queue.run(job('a')), queue.run(job('b'))]
  await expect(queue.run(job('c'))).rejects.toMatchObject({ code: 'too_many_requests', retryAfter: 5 })

  accepted.push(queue.run(job('d'), { isUrgent: true }))
  for (const name of ['a', 'd', 'b']) {
    await settle()
    end(name)
  }
  expect(await Promise.all(accepted)).toEqual(['a', 'b', 'd'])
})

test('a job that fails releases its slot', async () => {
  const queue = createWorkQueue({ atOnce: 1, maxWaiting: 1 })
  await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await queue.run(() => Promise.resolve('next'))).toBe('next')
})

test('owners take turns, each with its jobs in order', async () => {
  const { began, job, end } = createJobs()
  const queue = createWorkQueue({ atOnce: 1, maxWaiting: 10 })
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) =>
    queue.run(job(name), { owner: name[0] ?? '' }),
  )
  const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']
  for (const name of order) {
    await settle()
    end(name)
  }
  await Promise.all(all)
  expect(began).toEqual(order)
})

test('in a full queue the owner with most jobs loses its last to one with fewer', async () => {
  const { began, job, end } = createJobs()
  const queue = createWorkQueue({ atOnce: 1, maxWaiting: 2, code: 'unavailable' })
  const accepted = ['a1', 'a2'].map((name) => queue.run(job(name), { owner: 'a' }))
  const loses = queue.run(job('a3'), { owner: 'a' })
  accepted.push(queue.run(job('b1'), { owner: 'b' }))
  await expect(loses).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
  await expect(queue.run(job('a4'), { owner: 'a' })).rejects.toMatchObject({ code: 'unavailable' })
  await expect(queue.run(job('c1'), { owner: 'c' })).rejects.toMatchObject({ code: 'unavailable' })
  for (const name of ['a1', 'a2', 'b1']) {
    await settle()
    end(name)
  }
  await Promise.all(accepted)
  expect(began).toEqual(['a1', 'a2', 'b1'])
})
